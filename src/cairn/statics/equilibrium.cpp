#include "cairn/statics/equilibrium.hpp"

#include <algorithm>

#include "cairn/statics/neighbourhood.hpp"

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

void solve_to(StaticSystem& system, const EquilibriumSettings& s, Real tolerance, int most_iterations, int patience,
              const OnIterate& on_iterate, EquilibriumResult& to) {
  constexpr Real longest = 0.1;  // [-] of the smallest radius; on a line nothing can be passed by
  NewtonSettings of{.unbalance = tolerance,
                    .displacement = s.displacement,
                    .most_iterations = most_iterations,
                    .patience = patience,
                    .line_search = s.line_search};
  if (system.nodes().dimension > 1) of.longest_step = longest * system.smallest_radius();
  const NewtonResult r = newton(system, of, on_iterate);
  append(to, r.history, to.iterations + to.approach_steps);
  to.stop = r.stop, to.iterations += r.iterations, to.linear_iterations += r.linear_iterations;
  to.period = r.period, to.regularised += r.regularised;
}

bool falls(const StaticSystem& system) {
  for (int g = 0; g < system.nodes().grains; ++g)
    if (system.fall(g) != Vector{}) return true;
  return false;
}

// Grains out of balance by more than this ratio, the worst first; at most so many.
std::vector<int> unbalanced_grains(const StaticSystem& system, Real ratio, std::size_t most) {
  const Real limit = ratio * system.balance().mean_force;
  std::vector<int> nodes;
  for (int k = 0; k < system.nodes().grains; ++k)
    if (system.unbalanced_force(k) > limit) nodes.push_back(k);
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](int a, int b) { return system.unbalanced_force(a) > system.unbalanced_force(b); });
  if (nodes.size() > most) nodes.resize(most);
  return nodes;
}

// The few grains that are out of balance by more than `ratio` go to their places while all others stay: one after the
// other with its surroundings, by dynamics without the mass damping, which a slow motion hardly overcomes. One that
// leaves its neighbourhood gets another.
void settle_rollers(StaticSystem& system, Real ratio, EquilibriumResult& to) {
  constexpr std::size_t most = 200;  // grains
  constexpr int most_moves = 20;
  constexpr std::int64_t most_steps = 400'000, most_in_all = 4'000'000;
  constexpr Real around = 4;    // [-] largest radii
  constexpr Real close = 1e-2;  // [-] of the ratio; the rest is Newton's method's
  const std::vector<Real>& radii = system.world().grains().radius;
  const Real radius = around * *std::max_element(radii.begin(), radii.end());
  const std::int64_t before = to.local_steps;
  std::vector<Vector> done;
  for (const int node : unbalanced_grains(system, ratio, most)) {
    const auto place = [&] { return system.world().state().body.at(BodyRow::x, system.nodes().row[node]); };
    const bool is_done = std::any_of(done.begin(), done.end(), [&](const Vector& other) {
      const Vector straight = place() - other;
      return norm(straight - system.world().settings().cell.image(straight)) < radius;
    });
    if (is_done) continue;
    if (to.local_steps - before > most_in_all) return;
    ++to.neighbourhoods;
    bool leaves = true;
    for (int move = 0; move < most_moves && leaves; ++move) {
      Neighbourhood part(system, node, radius);
      const Real until = close * ratio * system.balance().mean_force / part.system().balance().mean_force;
      const LocalDampingResult moved =
          local_damping(part.system(), {.unbalance = until, .rolling = 0, .most_steps = most_steps},
                        [&](const Iterate&) { return part.farthest() < part.room(); });
      to.local_steps += moved.steps;
      leaves = moved.stop == Stop::interrupted;
      part.give_back(system);
    }
    done.push_back(place());
  }
}

// Newton's method converges once contacts no longer change, and dynamics gets there. A failed attempt is undone, and
// dynamics goes on: a grain that still rolls is followed by it far more cheaply.
void approach_and_solve(StaticSystem& system, const EquilibriumSettings& s, Real tolerance, const OnIterate& on_iterate,
                        EquilibriumResult& to) {
  constexpr int each = 25, patience = 6;       // iterations of an attempt; of these, without a gain
  constexpr std::int64_t first_steps = 4'000;  // of dynamics between two attempts; then more and more
  constexpr Real least = 1e-7;
  constexpr int few = 1000;  // one in so many grains may still roll
  const int spared = system.nodes().grains / few;
  Real until = std::max(s.approach, tolerance);
  bool moves = falls(system) || system.unbalance() > until;
  std::int64_t steps = 0;
  for (;; until = std::max(0.3 * until, std::max(least, tolerance)), steps = steps > 0 ? steps * 3 / 2 : first_steps) {
    const std::int64_t left = s.most_approach_steps - to.approach_steps;
    if (moves && left > 0) {
      const LocalDampingResult r = local_damping(
          system, {.unbalance = until, .spared = spared, .least_steps = std::min(steps, left), .most_steps = left},
          on_iterate);
      append(to, r.history, to.iterations + to.approach_steps);
      to.approach_steps += r.steps, to.stop = r.stop;
      if (r.stop == Stop::interrupted) return;
    }
    if (moves) settle_rollers(system, until, to);
    ++to.attempts;
    system.keep();
    const bool last = to.approach_steps >= s.most_approach_steps;
    solve_to(system, s, tolerance, last ? 20 * each : each, last ? 0 : patience, on_iterate, to);
    if (to.converged() || to.stop == Stop::interrupted || last) return;
    system.restore();
    moves = true;
  }
}

}  // namespace

EquilibriumResult find_equilibrium(StaticSystem& system, const EquilibriumSettings& s, const OnIterate& on_iterate) {
  constexpr Real between = 1e-3;  // [-] of the ratio, where more load follows
  EquilibriumResult result;
  constexpr std::int64_t most_alone = 500;  // iterations
  const int alone =
      static_cast<int>(std::min<std::int64_t>(s.most_iterations > 0 ? s.most_iterations : most_alone, 1'000'000'000));
  // A given limit of iterations, or whole steps, is for those who study the method itself.
  const bool approaches = s.approach > 0 && system.nodes().dimension > 1 && s.most_iterations == 0 && s.line_search &&
                          (system.nodes().symmetric || system.springs_follow());
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
      case Method::newton:
        if (approaches && k == increments)
          approach_and_solve(system, s, tolerance, on_iterate, result);
        else
          solve_to(system, s, tolerance, alone, 0, on_iterate, result);
    }
    if (!result.converged()) break;
  }
  result.touches_regularised = system.regularised();
  result.balance = system.balance();
  result.loose = system.loose(false), result.falling = system.loose(true);
  const bool nothing_holds = result.balance.contacts == 0 && !result.falling.empty();
  // A method that was stopped on the way keeps its own reason, unless all that fall have left the case.
  const bool ended = result.converged() || result.stop == Stop::singular || !system.anything_falls();
  if (nothing_holds && ended && result.stop != Stop::interrupted) result.stop = Stop::falls;
  return result;
}

}  // namespace cairn::statics
