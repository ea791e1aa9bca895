#include "cairn/statics/equilibrium.hpp"

#include <algorithm>

namespace cairn::statics {
namespace {

// A history behind another.
void append(EquilibriumResult& to, const std::vector<Iterate>& history, std::int64_t before) {
  for (const Iterate& row : history) {
    to.history.push_back(row);
    to.history.back().updates += before;
  }
}

void relax_to(StaticSystem& system, const EquilibriumSettings& s, Real tolerance, const OnIterate& on_iterate,
              EquilibriumResult& to) {
  RelaxationSettings of{
      .order = s.method == Method::southwell ? RelaxationOrder::southwell : RelaxationOrder::gauss_seidel,
      .unbalance = tolerance,
      .displacement = s.displacement};
  if (s.most_iterations > 0) of.most_updates = s.most_iterations;
  const RelaxationResult r = relax(system, of, on_iterate);
  append(to, r.history, to.iterations);
  to.stop = r.stop, to.iterations += r.updates;
}

void damp_to(StaticSystem& system, const EquilibriumSettings& s, Real tolerance, const OnIterate& on_iterate,
             EquilibriumResult& to) {
  DampedSettings of{.unbalance = tolerance, .displacement = s.displacement};
  if (s.most_iterations > 0) of.most_steps = s.most_iterations;
  const DampedResult r = damped_dynamics(system, of, on_iterate);
  append(to, r.history, to.iterations);
  to.stop = r.stop, to.iterations += r.steps, to.frequency = r.frequency;
}

void solve_to(StaticSystem& system, const EquilibriumSettings& s, Real tolerance, const OnIterate& on_iterate,
              EquilibriumResult& to) {
  constexpr int most_iterations = 500;
  constexpr Real longest = 0.1;  // [-] of the smallest radius; on a line nothing can be passed by
  NewtonSettings of{.unbalance = tolerance, .displacement = s.displacement, .line_search = s.line_search};
  of.most_iterations = s.most_iterations > 0
                           ? static_cast<int>(std::min<std::int64_t>(s.most_iterations, 1'000'000'000))
                           : most_iterations;
  if (system.nodes().dimension > 1) of.longest_step = longest * system.smallest_radius();
  const NewtonResult r = newton(system, of, on_iterate);
  append(to, r.history, to.iterations + to.approach_steps);
  to.stop = r.stop, to.iterations += r.iterations, to.linear_iterations += r.linear_iterations;
  to.period = r.period, to.regularised += r.regularised;
}

}  // namespace

EquilibriumResult find_equilibrium(StaticSystem& system, const EquilibriumSettings& s, const OnIterate& on_iterate) {
  constexpr Real between = 1e-3;  // [-] of the ratio, where more load follows
  EquilibriumResult result;
  const int increments = system.nodes().symmetric ? 1 : std::max(1, s.increments);
  for (int k = 1; k <= increments; ++k) {
    system.set_load(static_cast<Real>(k) / increments);
    const Real tolerance = k < increments ? std::max(s.tolerance, between) : s.tolerance;
    switch (s.method) {
      case Method::southwell:
      case Method::gauss_seidel:
        relax_to(system, s, tolerance, on_iterate, result);
        break;
      case Method::damped:
        damp_to(system, s, tolerance, on_iterate, result);
        break;
      case Method::newton: {
        bool falls = false;
        for (int g = 0; g < system.nodes().grains && !falls; ++g) falls = system.fall(g) != Vector{};
        if (falls && s.approach > 0 && system.nodes().dimension > 1) {
          const DampedResult r = damped_dynamics(system, {.unbalance = std::max(s.approach, s.tolerance)}, on_iterate);
          append(result, r.history, 0);
          result.approach_steps = r.steps, result.stop = r.stop;
          if (r.stop == Stop::interrupted) break;
        }
        solve_to(system, s, tolerance, on_iterate, result);
      }
    }
    if (!result.converged()) break;
  }
  result.touches_regularised = system.regularised();
  result.balance = system.balance();
  result.loose = system.loose(false), result.falling = system.loose(true);
  return result;
}

}  // namespace cairn::statics
