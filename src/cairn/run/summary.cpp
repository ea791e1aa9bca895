#include "cairn/run/summary.hpp"

#include <algorithm>
#include <cstdio>

namespace cairn {

RunSummary run_summary(const Simulation& simulation, const Ending& ending) {
  const World& w = simulation.world();
  const Scenario& scenario = simulation.scenario();
  const Claims& claims = simulation.scheme().claims;
  RunSummary s;
  s.scenario = scenario.title;
  s.scheme = simulation.scheme().name, s.scheme_reason = simulation.scheme_reason(), s.law = scenario.law,
  s.onset = w.settings().onset;
  s.step = w.last_step(), s.steps = w.steps(), s.time = w.time(), s.end = scenario.end;
  const StepChoice& choice = simulation.step_choice();
  for (std::size_t k = 0; k < choice.chosen().size(); ++k) {
    const StepChoice::Chosen& c = choice.chosen()[k];
    s.chosen_steps.push_back({c.time, c.step, c.length, choice.reason(k)});
  }
  s.particles = w.grains_of_all(), s.contacts = w.contacts();
  s.finished = ending.stopped_by.empty(), s.stopped_by = ending.stopped_by;
  s.wall_seconds = ending.taken.seconds, s.particle_steps_per_second = ending.taken.speed();
  s.threads = w.settings().threads;
  if (w.domain().exists()) s.ranks = w.domain().ranks().count();
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(w.hash()));
  s.state_hash = hash;

  const Energies e = w.energies();
  s.energy = {.initial = w.initial_energy(),
              .kinetic = e.kinetic,
              .rotational = e.rotational,
              .gravitational = e.gravitational,
              .elastic = e.elastic,
              .ledger = w.energy_ledger(e),
              .residual = w.residual(e),
              .residual_fraction = simulation.residual_fraction(),
              .numerical_damping = simulation.numerical_damping()};
  const Momenta m = w.momenta();
  s.momentum = m.linear, s.angular_momentum = m.angular, s.barycentre = m.barycentre;

  for (const Material& material : scenario.materials)
    s.materials.emplace_back(material.name, std::ssize(s.materials) + 1);
  for (const WallSpec& wall : scenario.walls)
    s.walls.emplace_back(wall.name, WallSummary{-1 - static_cast<std::int64_t>(s.walls.size()),
                                                wall.material.empty() ? scenario.materials[0].name : wall.material});

  const Emitters& emitters = simulation.emitters();
  for (std::size_t k = 0; k < emitters.size(); ++k)
    s.emitters.emplace_back(emitters.spec(k).name, EmitterSummary{emitters.emitted(k), emitters.waiting(k, w.time())});
  const auto& surfaces = w.settings().surfaces;
  s.moving_walls = std::any_of(surfaces.begin(), surfaces.end(),
                               [](const Surface& one) { return !one.motion.still() || one.loaded >= 0; });
  const Removals& removals = simulation.removals();
  for (std::size_t k = 0; k < removals.size(); ++k)
    s.removals.emplace_back(removals.name(k), RemovalSummary{removals.grains(k), removals.mass(k)});
  const Changes& changes = simulation.changes();
  for (std::size_t k = 0; k < changes.done().size(); ++k) {
    const ChangeSpec& spec = changes.spec(k);
    const ChangeDone& done = changes.done()[k];
    s.changes.emplace_back(spec.name,
                           ChangeSummary{done.time, done.step, spec.when ? in_words(*spec.when) : "", spec.settings});
  }
  for (const GuardReport& g : simulation.guards()) s.guards.emplace_back(g.name, GuardSummary{g.action, g.message});
  s.step_limit = simulation.step_limit(), s.step_limit_end = simulation.present_step_limit();
  s.force_passes = w.force_passes(), s.list_rebuilds = w.rebuilds();

  if (claims.adaptive) s.accepted_steps = w.controller().accepted, s.rejected_steps = w.controller().rejected;
  if (claims.implicit) {
    const Effort& effort = w.controller().effort;
    const auto per_step = [&](std::int64_t count) {
      return static_cast<Real>(count) / static_cast<Real>(std::max<std::int64_t>(1, w.steps()));
    };
    s.effort = {per_step(effort.evaluations), per_step(effort.iterations), per_step(effort.linear_iterations),
                effort.unsettled};
  }
  s.scheme_claims = {.family = std::string(claims.family),
                     .reference = std::string(claims.reference),
                     .order = claims.order,
                     .order_damped = claims.order_damped,
                     .order_spring = claims.order_spring,
                     .order_sliding = claims.order_sliding,
                     .calls = claims.force_evaluations,
                     .symplectic = claims.symplectic,
                     .adaptive = claims.adaptive,
                     .implicit = claims.implicit,
                     .a_stable = claims.a_stable,
                     .stability = simulation.scheme().stability(0)};
  std::visit([&]<class L>(const std::vector<L>&) { s.law_about = {L::summary, L::reference}; }, w.settings().laws);
  for_each_hard_law([&]<class L>(const L&) {
    if (scenario.law == L::name) s.law_about = {std::string(L::summary), std::string(L::reference)};
  });

  s.assumed = assumed_parameters(scenario);

  s.contact_speed = summary_speed;
  const Real step = w.steps() > 0 ? w.last_step() : scenario.step;
  const ContactSummaries pairs = contact_summary(w, scenario, emitters.lightest());
  for (const ContactSummary& c : pairs.shortest)
    s.contact_pairs.push_back(
        {c.first, c.second, c.stiffness, c.restitution, c.friction, c.duration, c.duration / step});
  s.contact_pairs_in_all = pairs.pairs;
  const ContactCount& count = w.contact_count();
  s.contact_count = {count.begun, count.ended, count.shortest};
  if (const LargestOverlap& most = simulation.largest_overlap(); most.fraction > 0)
    s.largest_overlap = {most.fraction, most.time, most.ids[0], most.ids[1],
                         bodies_in_words(simulation.world(), most.ids)};
  s.shortest_collision = shortest_collision(simulation);
  return s;
}

}  // namespace cairn
