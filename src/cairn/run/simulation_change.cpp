// Changes of the scenario while it runs.
#include <utility>

#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

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
    if (!timetable_.has_come(*due, scenario_, world_)) return;
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
  plan();
  world_.restored();
  emitters_.prepare(scenario_);
  if (!scenario_.sees_contacts()) contact_events_ = {};  // asked for once more, it begins anew
  timetable_.take(scenario_, world_, probes_);           // intervals may be others than before
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
    guards_.look_at_dashpots(guarded());
    guards_.look_at_new_walls(guarded(), before);
    guards_.look_at_step(guarded(), Guards::packed(guarded()));
  }
  timetable_.count_from(world_);
  plan();
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
  guards_.look_at_dashpots(guarded());
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
  timetable_.count_from(world_);
  set_controller();
  plan();
}

}  // namespace cairn
