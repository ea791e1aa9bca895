#include "cairn/run/simulation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/scheme_choice.hpp"

namespace cairn {
namespace {

constexpr Real hard_tolerance = 1e-3;        // [-] of the fastest contact
constexpr std::size_t many_events = 10'000;  // that wait
constexpr Real most_steps = 1e15;            // below 2^53 with room, so that step times h is the time to round-off

Scenario with_hard_scheme(Scenario scenario) {
  choose_hard_scheme(scenario);
  if (const auto fault = hard_contact_fault(scenario))
    throw Error(Exit::bad_input, std::string(fault->section) + "." + std::string(fault->fault.names.front()) + ": " +
                                     fault->fault.text());
  return scenario;
}

}  // namespace

Simulation::Simulation(Scenario scenario)
    : scenario_(with_hard_scheme(std::move(scenario))),
      scheme_(&presumed_scheme(scenario_.scheme)),
      world_(world_settings(scenario_)),
      changes_(scenario_),
      wall_origins_(WallOrigins::of(world_.settings())),
      emitters_(scenario_),
      removals_(scenario_),
      probes_(scenario_, world_.settings().cell) {
  if (const std::string fault = friction_fault(*scheme_, scenario_);
      !fault.empty() && !scenario_.wrong_friction_allowed)
    throw Error(Exit::bad_input, fault);
  if (!(scenario_.step > 0 || scenario_.chooses_step) || !(scenario_.end > 0))
    throw Error(Exit::bad_input, "run.step and run.end must be above zero");
  if (scenario_.chooses_step) scenario_.step = scenario_.end;  // until the start
  if (!(scenario_.end / scenario_.step <= most_steps))
    throw Error(Exit::bad_input,
                "run.end = " + brief(scenario_.end) + " s takes " + brief(scenario_.end / scenario_.step) +
                    " steps of run.step = " + brief(scenario_.step) + " s; expected at most " + brief(most_steps));
  set_controller();
  plan();
  const auto implicit = [](const ChangeSpec& c) { return presumed_scheme(c.after->scheme).claims.implicit; };
  const bool iterates = scheme_->claims.implicit || scheme_->hard || scenario_.scheme == chosen_by_case ||
                        std::any_of(scenario_.changes.begin(), scenario_.changes.end(), implicit);
  guards_ = Guards(scenario_, world_.settings().hard.has_value(), iterates);
}

// Here, or every file that has a Simulation would compile them.
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

// scenario_.scheme has another name than before.
void Simulation::adopt_scheme() {
  scheme_ = &scheme_named(scenario_.scheme);
}

void Simulation::set_controller() {
  Controller& c = world_.controller();
  c.tolerance = scenario_.tolerance.value_or(c.tolerance);
  if (scheme_->claims.implicit) c.solver_tolerance = scenario_.tolerance.value_or(c.solver_tolerance);
  if (scheme_->hard) c.solver_tolerance = scenario_.tolerance.value_or(hard_tolerance);
  c.step = scenario_.chooses_step && !(step_choice_.step() > 0) ? 0 : scenario_.step;
  c.largest = scenario_.largest_step.value_or(scenario_.step);
  c.smallest = scenario_.smallest_step.value_or(1e-6 * scenario_.step);
  if (!(0 < c.smallest && c.smallest <= c.largest))
    throw Error(Exit::bad_input, "run.smallest_step must be above zero and at most run.largest_step");
}

void Simulation::start() {
  emitters_.prepare(scenario_);
  {
    const std::vector<GrainData> grains = initial_grains(scenario_, world_.settings());
    scenario_.grain = std::vector<GrainSpec>();
    for (GrainsSpec& g : scenario_.grains) g.list = std::vector<GrainSpec>();
    world_.insert(grains);
  }
  if (world_.size() == 0) {
    if (scenario_.emitters.empty()) {
      std::string files;
      for (const GrainsSpec& g : scenario_.grains) files += (files.empty() ? ": none in " : " and ") + g.file;
      throw Error(Exit::bad_input,
                  "the scenario has no grains" + files + "; expected [[grain]], [[grains]] or [[emitter]]");
    }
    if (std::all_of(scenario_.emitters.begin(), scenario_.emitters.end(), [](const auto& e) { return e.on_top; }))
      throw Error(Exit::bad_input, "emitter '" + scenario_.emitters[0].name +
                                       "' inserts each grain on the highest grain, but there is no grain at the start; "
                                       "expected a [[grain]], or position in place of place = \"top\"");
  }
  if (!scenario_.chooses_step) guards_.look_at_dashpots(guarded());
  guards_.look_at_seams(guarded());
  // Ranks find the first list and forces together, unless the program must look at them before it knows its scheme.
  const bool shared = leader_ && !scenario_.chooses_step && scenario_.scheme != chosen_by_case &&
                      !scenario_.sees_contacts() && !scenario_.ledger_split;
  StepGuard::Finding packed;
  if (shared) {
    packed = Guards::packed(guarded());
    spread();
    leader_->begin(world_, !scheme_->splitting);
    guards_.look_at_first_overlap(guarded());
  } else {
    world_.begin(!scheme_->splitting);
    // Before the choice, which takes minutes where every grain touches hundreds.
    guards_.look_at_first_overlap(guarded());
    choose_at_start();
    packed = Guards::packed(guarded());
  }
  guards_.look_at_step(guarded(), packed);
  balance_.begin(world_);
  come_and_go();
  observe();
}

// --- Grains that come and go ----------------------------------------------------------------------------------------

void Simulation::come_and_go() {
  const Real early = 1e-6 * scenario_.step;  // so that the rounding of a time does not cost a step
  if (removals_.takes(world_, early)) gather();
  removals_.apply(world_, early, velocity_lag());
  emitters_.emit(world_, early, velocity_lag(), [this] { gather(); });
}

// --- The loop -------------------------------------------------------------------------------------------------------

unsigned Simulation::occasions() {
  unsigned due_now = timetable_.take(scenario_, world_, probes_);
  if (contact_events_.waiting() >= many_events) due_now |= Occasion::events;
  return over() ? due_now | Occasion::finished : due_now;
}

unsigned Simulation::advance(const std::function<bool()>& pause) {
  for (;;) {
    make_changes();
    follow_step();
    Real h = scenario_.step;
    // Adaptive: to what changes the motion exactly. Who only looks comes late rather than change the steps.
    if (total_steps() == 0) {
      Real next = std::min(scenario_.end, emitters_.next_after(world_.time()));
      if (const std::optional<Real> change = changes_.due(); change && *change > world_.time())
        next = std::min(next, *change);
      h = next - world_.time();
    }
    make_step(h);
    grain_steps_ += world_.grains_of_all();
    guards_.after_step(guarded());
    if (Guards::observes_after(steps())) {
      const auto at_positions = synchronised();
      observe();
    }
    come_and_go();
    const unsigned now = occasions();
    if (now == 0 && !(pause && pause())) continue;
    return now;
  }
}

World::Synchronised Simulation::synchronised() {
  if (velocity_lag() != 0) gather();
  return World::Synchronised(world_, velocity_lag());
}

Effort Simulation::take_effort() {
  const Effort now = world_.controller().effort, before = std::exchange(effort_taken_, now);
  return {now.evaluations - before.evaluations, now.iterations - before.iterations,
          now.linear_iterations - before.linear_iterations, now.unsettled - before.unsettled};
}

void Simulation::measure() {
  guards_.set("emitters", emitters_.report(world_.time()));
  guards_.set("changes", over() ? changes_.missing() : "");
  guards_.look_at_iterations(guarded());
  balance_.measure(world_);
}

void Simulation::observe() {
  measure();
  guards_.observe(guarded());
}

}  // namespace cairn
