// What a scheme claims of itself. One table-driven test measures every claim of every scheme; a claim the test
// contradicts is not shipped.
#pragma once
#include <array>
#include <string_view>

#include "cairn/core/vec3.hpp"

namespace cairn {

// Numbers a scheme may be given by its name, `newmark(0.25,0.5)`, in the order of Claims::parameters.
inline constexpr int most_parameters = 3;
using Parameters = std::array<Real, most_parameters>;

struct Parameter {
  std::string_view name{};  // empty: none
  Real usual = 0;           // [-] what the name alone means; claims hold for it
  Real low = 0, high = 0;   // [-] both allowed
  std::string_view description{};
};

struct Claims {
  std::string_view name{};
  std::string_view aliases{};  // other names it is known by, separated by spaces; accepted wherever a name is
  std::string_view family{};
  std::string_view reference{};
  std::string_view equations{};  // of a step, one per line; empty where the scheme's table says it
  std::string_view guidance{};   // when to use it, and when not
  int order = 1;                 // on a smooth conservative force
  int order_damped = 1;          // with a dashpot
  int order_spring = 1;          // with a tangential spring whose direction turns
  int order_sliding = 1;         // while it slides and the direction of slip turns; 1 for schemes that see the
                                 // spring only where it has returned to the limit, or that reach back before the step
  bool slides = true;            // sliding under Coulomb friction: within 1 % of mu F_n at 20 steps per contact, the
                                 // first instants included, and converging; false is refused in runs with friction
  int force_evaluations = 1;     // force evaluations per step; adaptive: per attempt
  int memory = 0;                // states kept from step to step
  bool symplectic = false;       // the energy of a smooth conservative motion stays bounded
  bool reversible = false;  // on a conservative force a step, the velocities turned round, and a step lead back, but
                            // for round-off
  bool adaptive = false;
  bool implicit = false;  // solves for what it asks the force with; calls are then the fewest: of one iteration
  bool a_stable = false;  // no step makes a damped oscillator grow, whatever its damping
  Real excursion = 0;     // largest excursion of a stage outside the step, in steps
  std::array<Parameter, most_parameters> parameters{};

  constexpr int parameter_count() const {
    int count = 0;
    while (count < most_parameters && !parameters[count].name.empty()) ++count;
    return count;
  }
  constexpr Parameters usual_parameters() const {
    Parameters usual{};
    for (int k = 0; k < most_parameters; ++k) usual[k] = parameters[k].usual;
    return usual;
  }
};

}  // namespace cairn
