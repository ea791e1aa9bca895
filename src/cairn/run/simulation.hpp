// A run of a scenario: the World, the scheme, and grains that come and go. The timetable says when to look at the run,
// and the guards say when to stop it. A Simulation neither prints nor writes. Its caller does both, between calls of
// advance().
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cairn/run/changes.hpp"
#include "cairn/run/contact_event_recorder.hpp"
#include "cairn/run/emitters.hpp"
#include "cairn/run/energy_balance.hpp"
#include "cairn/run/expected_energy.hpp"
#include "cairn/run/guards.hpp"
#include "cairn/run/leader.hpp"
#include "cairn/run/ledger_split.hpp"
#include "cairn/run/probes.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/removals.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/run/step_choice.hpp"
#include "cairn/run/step_guard.hpp"
#include "cairn/run/timetable.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

class Simulation {
 public:
  // Makes an empty world; Error(bad_input) where the scenario cannot be run. start() or a for_each_saved visitor that
  // loads fills it.
  explicit Simulation(Scenario scenario);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  // Inserts the first grains and checks the start: overlaps, and the step against the limits of stability. Grains
  // listed one by one, [[grain]] and those of files, are then no more in scenario().
  void start();

  const Scenario& scenario() const { return scenario_; }
  const SchemeEntry& scheme() const { return *scheme_; }
  // Why the program did not choose the first of the default schemes; empty where it did, or where the scenario names
  // one.
  const std::string& scheme_reason() const { return scheme_reason_; }
  World& world() { return world_; }
  const World& world() const { return world_; }
  std::int64_t steps() const { return world_.steps(); }
  std::int64_t grain_steps() const { return grain_steps_; }              // of the steps made since this was made
  std::int64_t total_steps() const { return timetable_.total_steps(); }  // at the present step; adaptive schemes: 0
  bool over() const { return timetable_.over(scenario_, world_); }
  bool takes_series() const { return timetable_.takes_series(); }
  bool takes_pictures() const { return timetable_.takes_pictures(); }
  Real progress() const { return scenario_.end > 0 ? world_.time() / scenario_.end : 1; }

  // Where the run ends [s]: with a fixed step, after the whole number of steps nearest to run.end.
  Real last_time() const { return timetable_.last_time(scenario_); }

  // The steps that the program chose; empty where the scenario gives the step, or the scheme chooses it.
  const StepChoice& step_choice() const { return step_choice_; }

  // Several ranks make the steps (leader.hpp); before start(), or after restored(). Between calls of advance(), and
  // after start(), grains may be apart then: of world() only what is of all ranks is known, up to gather().
  void lead(Ranks& ranks, Partition& partition);
  // Grains go to the ranks; the first step would do it too.
  void spread();
  // This rank has all grains, until the next step.
  void gather();
  // This rank gets the events of contacts that have ended on the others; before a checkpoint, all that these count.
  void collect_events();
  void collect();
  // The sections of a checkpoint that come from all ranks, in pieces.
  SavedSections saved_sections();
  // Where bounds do not tell present_step_limit(), all grains come here.
  void gather_for_limit() {
    StepGuard(*scheme_).network(scenario_, world_, true, [this] { gather(); });
  }

  // Steps until an occasion, until `pause` (asked between steps) says so, or to the end; returns the occasions due.
  unsigned advance(const std::function<bool()>& pause = {});

  // Error(guard) where an error ended the last step half-way, as a solve that did not converge may.
  void require_whole_step() const;

  // What happens before the next step: changes of the scenario that are due. advance() begins with it. Between steps
  // scenario() and World::settings() are those of now.
  void make_changes();
  const Changes& changes() const { return changes_; }

  // The state with velocities at the time of the positions, for observers.
  World::Synchronised synchronised();

  // [J] what the residual is measured against.
  Real throughput() const { return balance_.throughput(world_); }
  // [-] The damping ratio that the scheme's own steps give the motion of the stiffest contact, on top of its dashpot's;
  // 0: it has none, or chooses its steps.
  Real numerical_damping() const {
    return StepGuard(*scheme_).numerical_damping(world_, scenario_.step, emitters_.lightest());
  }
  Real residual_fraction() const { return throughput() > 0 ? balance_.residual() / throughput() : 0; }
  // Brings residual and throughput up to date; within synchronised().
  void measure();
  // measure(), and the residual guard speaks.
  void observe();

  // What the scheme asked for since this was asked last.
  Effort take_effort();

  // Those of [guards], and some that only warn and are no keys: "emitters" of grains that found no room, "changes" that
  // did not happen, "onset" where contact onsets cannot be corrected, "walls" of faces that carry a grain twice,
  // "falling" of grains that nothing will hold, "iteration" where an implicit scheme did not come to rest.
  const std::vector<GuardReport>& guards() const { return guards_.reports(); }
  const LargestOverlap& largest_overlap() const { return guards_.largest_overlap(); }
  const Emitters& emitters() const { return emitters_; }
  const Removals& removals() const { return removals_; }
  // Filled where output.contact_events asks for it; Occasion::events where many wait to be taken.
  ContactEventRecorder& contact_events() { return contact_events_; }
  // Filled where output.ledger_split asks for it.
  const LedgerSplit& ledger_split() const { return ledger_split_; }
  // [J] that the collisions so far should have dissipated, where output.expected_energy asks for it.
  Real expected_loss() const { return expected_loss_.value(); }
  // Each that is due, Occasion::probe, waits to be taken.
  Probes& probes() { return probes_; }
  // [s] up to which the scheme is stable, dashpots included: on the contacts at the start, or where there were none, on
  // the first touch of the stiffest pair; on the contacts of now. 0: nothing limits it.
  Real step_limit() const { return guards_.step_limit(); }
  Real present_step_limit() const { return StepGuard(*scheme_).network(scenario_, world_).limit; }

  template <class Archive>
  void for_each_saved(Archive&& a);
  void restored();  // after loading

 private:
  void adopt_scheme();
  Guards::Run guarded() {
    return {world_, scenario_, *scheme_, emitters_, balance_, [this] { gather(); }};
  }
  void plan() { timetable_.plan(scenario_, world_, scheme_->claims.adaptive); }
  void change_to(const Scenario& after);
  StepSituation situation() const { return {scenario_, world_, *scheme_, emitters_.lightest()}; }
  void choose_at_start();
  void follow_step();
  void take_step(Real step);
  bool holds(const ChangeSpec::Condition& condition);
  void come_and_go();
  void make_step(Real h);
  Real velocity_lag() const { return velocity_lag_of(scenario_.step); }
  Real velocity_lag_of(Real step) const { return scheme_->staggered && steps() > 0 ? 0.5 * step : 0; }
  void set_controller();
  unsigned occasions();

  Scenario scenario_;
  const SchemeEntry* scheme_;
  std::string scheme_reason_;
  World world_;
  std::int64_t grain_steps_ = 0;  // a step of n grains counts as n
  Timetable timetable_;
  Changes changes_;
  WallOrigins wall_origins_;
  Emitters emitters_;
  Removals removals_;
  ContactEventRecorder contact_events_;
  ExpectedLoss expected_loss_;
  LedgerSplit ledger_split_;
  Probes probes_;
  Guards guards_;
  Effort effort_taken_;
  StepChoice step_choice_;
  EnergyBalance balance_;
  std::unique_ptr<Leader> leader_;  // null: this process is alone
};

template <class Archive>
void Simulation::for_each_saved(Archive&& a) {
  a.text("scheme", scenario_.scheme);
  a.text("scheme_reason", scheme_reason_);
  world_.for_each_saved(a);
  changes_.for_each_saved(a);
  wall_origins_.for_each_saved(a);
  timetable_.for_each_saved(a);
  emitters_.for_each_saved(a);
  removals_.for_each_saved(a);
  contact_events_.for_each_saved(a);
  expected_loss_.for_each_saved(a);
  ledger_split_.for_each_saved(a);
  probes_.for_each_saved(a);
  a.value("effort_taken", effort_taken_);
  balance_.for_each_saved(a);
  step_choice_.for_each_saved(a);
  guards_.for_each_saved(a);
}

}  // namespace cairn
