// Changes of the scenario while it runs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

Real Simulation::time_of_step(std::int64_t step) const {
  return counted_from_.time + static_cast<Real>(step - counted_from_.step) * scenario_.step;
}

std::int64_t Simulation::step_at(Real time) const {
  return counted_from_.step + std::llround((time - counted_from_.time) / scenario_.step);
}

void Simulation::count_steps() {
  total_steps_ = scheme_->claims.adaptive ? 0 : std::max<std::int64_t>(1, step_at(scenario_.end));
}

void Simulation::set_intervals() {
  // An occasion is never nearer than a step.
  const Real shortest = scheme_->claims.adaptive ? world_.controller().smallest : scenario_.step;
  const auto set = [&](Every& every, Real interval) {
    const Real now = interval > 0 ? std::max(interval, shortest) : 0;
    if (now != every.interval && now > 0) every.next = static_cast<std::int64_t>(world_.time() / now) + 1;
    every.interval = now;
  };
  set(series_, scenario_.series_every.value_or(scenario_.end / 100));
  set(frames_, scenario_.frames_every);
  set(pictures_, scenario_.pictures_every.value_or(scenario_.end / 2));
  set(checkpoints_, scenario_.checkpoint_every);
  probe_times_.resize(scenario_.probes.size());
  for (std::size_t k = 0; k < probe_times_.size(); ++k)
    set(probe_times_[k], scenario_.probes[k].every.value_or(scenario_.end / 100));
}

bool Simulation::holds(const ChangeSpec::Condition& condition) {
  const auto at_positions = synchronised();
  const RecordSample sample = record_sample(std::as_const(*this));
  for (const RecordColumn& column : record_columns(scenario_)) {
    if (column.name != condition.column) continue;
    const Real now = std::visit([](const auto a) { return static_cast<Real>(a); }, column.value(sample));
    return condition.below ? now < condition.value : now > condition.value;
  }
  throw Error(Exit::bad_input, "the record has no column '" + condition.column + "'");
}

void Simulation::make_changes() {
  while (const ChangeSpec* const change = changes_.next()) {
    if (const auto* condition = changes_.awaited())
      if (steps() % change->look == 0 && holds(*condition)) changes_.condition_holds(world_.time());
    const std::optional<Real> due = changes_.due();
    if (!due) return;
    if (total_steps_ > 0 ? steps() < step_at(*due) : world_.time() < *due * (1 - 1e-12)) return;
    gather();
    try {
      change_to(*change->after);
    } catch (const Error& e) {
      throw Error(e.code(), "change '" + change->name + "' at t = " + brief(world_.time()) + " s: " + e.what());
    }
    changes_.record({world_.time(), steps()});
  }
}

void Simulation::restored() {
  restore_changes(changes_, changes_.done().size(), wall_origins_, scenario_, world_);
  emitters_.restore(scenario_);
  if (scenario_.chooses_step) scenario_.step = step_choice_.step();
  adopt_scheme();
  set_intervals();
  count_steps();
  world_.restored();
  emitters_.prepare(scenario_);
  if (!scenario_.sees_contacts()) contact_events_ = {};                       // asked for once more, it begins anew
  for (Every* e : {&series_, &frames_, &pictures_, &checkpoints_}) take(*e);  // intervals may be others than before
  for (Every& e : probe_times_) take(e);
  probes_.restored();
}

void Simulation::change_to(const Scenario& after) {
  const Scenario before = scenario_;
  take_changes(scenario_, after);
  emitters_.turn(scenario_, world_.time());
  if (!same_physics(before, scenario_)) {
    const Real lag_before = velocity_lag_of(before.step);
    adopt_scheme();
    if (const std::string fault = friction_fault(*scheme_, scenario_);
        !fault.empty() && !scenario_.wrong_friction_allowed)
      throw Error(Exit::bad_input, fault);
    world_.change_settings(settings_after(before, scenario_, world_.settings(), world_.time()), lag_before,
                           velocity_lag());
    wall_origins_ = WallOrigins::of(world_.settings());
    set_controller();
    if (scenario_.chooses_step) take_step(step_choice_.choose(situation()));
    look_at_dashpots();
    guard_new_walls(before);
    guard_stability(packed());
  }
  counted_from_ = {steps(), world_.time()};
  count_steps();
  set_intervals();
}

// What the scenario leaves to the program.
void Simulation::choose_at_start() {
  if (scenario_.scheme == chosen_by_case) {
    const SchemeChoice choice = scenario_.chooses_step ? choose_scheme_and_step(situation(), step_choice_)
                                                       : choose_scheme(scenario_, world_, emitters_.lightest());
    scenario_.scheme = choice.scheme->name, scheme_reason_ = choice.reason;
    adopt_scheme();
    set_controller();
  }
  if (!scenario_.chooses_step) return;
  take_step(step_choice_.step() > 0 ? step_choice_.step() : step_choice_.choose(situation()));
  look_at_dashpots();
}

void Simulation::follow_step() {
  if (!scenario_.chooses_step || !StepChoice::due(steps())) return;
  gather();
  if (const std::optional<Real> step = step_choice_.follow(situation())) take_step(*step);
}

// What schemes remember belongs to the step before, so they start anew; staggered velocities go to where the new step
// has them.
void Simulation::take_step(Real step) {
  if (step == scenario_.step) return;
  const Real lag_before = velocity_lag();
  scenario_.step = step;
  if (steps() > 0) world_.change_settings(world_.settings(), lag_before, velocity_lag());
  counted_from_ = {steps(), world_.time()};
  set_controller();
  count_steps();
  set_intervals();
}

// A wall that comes may stand in grains, which it would throw.
void Simulation::guard_new_walls(const Scenario& before) {
  if (action("overlap") == GuardAction::off || scenario_.overlap_allowed_at_start) return;
  constexpr Real allowed = 0.01;  // [-] of the radius, as at the start
  for (const ContactView& c : world_.closed_contacts()) {
    if (c.second >= 0) continue;
    const std::size_t wall = static_cast<std::size_t>(-1 - c.second);
    if (before.walls[wall].present || !scenario_.walls[wall].present) continue;
    const auto at = std::find(world_.grains().id.begin(), world_.grains().id.end(), c.first);
    const Real depth = c.overlap / world_.grains().radius[static_cast<std::size_t>(at - world_.grains().id.begin())];
    if (depth > allowed)
      throw Error(Exit::guard, "wall '" + scenario_.walls[wall].name + "' comes where grain " +
                                   std::to_string(c.first) + " is, by " + brief(100 * depth) +
                                   " % of its radius (allowed: 1 %); place it where no grain is, or move it in");
  }
}

}  // namespace cairn
