// The static state of a packing by a method of choice, and what it is worth: unbalanced-force ratio, iterations, grains
// that nothing holds.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/statics/damped.hpp"
#include "cairn/statics/local_damping.hpp"
#include "cairn/statics/newton.hpp"
#include "cairn/statics/relaxation.hpp"
#include "cairn/statics/static_system.hpp"

namespace cairn::statics {

enum class Method { newton, southwell, gauss_seidel, damped };
inline constexpr std::string_view method_names[] = {"newton", "southwell", "gauss_seidel", "damped"};

struct EquilibriumSettings {
  Method method = Method::newton;
  Real tolerance = 1e-8;             // [-] of the unbalanced-force ratio
  Real displacement = 0;             // [m] the second stopping rule; 0: none
  std::int64_t most_iterations = 0;  // 0: a default of the method
  int increments = 1;                // of the load, with friction
  bool line_search = true;           // of newton
  // [-] newton begins with locally damped dynamics, up to this unbalanced-force ratio, unless the ratio is below it at
  // the start, the packing is a line or springs are held. 0: newton alone.
  Real approach = 1e-4;
  std::int64_t most_approach_steps = 500'000;
};

struct EquilibriumResult {
  Stop stop = Stop::most_iterations;
  std::int64_t iterations = 0;  // of the method: iterations, updates or steps, over all increments
  std::int64_t linear_iterations = 0;
  std::int64_t approach_steps = 0;   // of locally damped dynamics before newton
  int neighbourhoods = 0;            // of single grains that still rolled, while all others stayed
  std::int64_t local_steps = 0;      // of dynamics in these
  int attempts = 0;                  // of newton, each after more dynamics
  int period = 0;                    // of a cycle
  int regularised = 0;               // iterations of newton whose tangent was singular or unstable
  bool touches_regularised = false;  // contacts that just touch lent their stiffness
  Real frequency = 0;                // [rad/s] of the slowest motion, by damped dynamics
  Balance balance;
  std::vector<std::int64_t> loose, falling;  // ids of grains that touch nothing; of these, which a force pulls
  std::vector<Iterate> history;
  bool converged() const { return stop == Stop::residual || stop == Stop::displacement; }
};

EquilibriumResult find_equilibrium(StaticSystem& system, const EquilibriumSettings& settings,
                                   const OnIterate& on_iterate = {});

}  // namespace cairn::statics
