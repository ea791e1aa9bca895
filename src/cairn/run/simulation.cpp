#include "cairn/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cairn/core/text.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/lost_grains.hpp"
#include "cairn/run/round_off.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/run/seams.hpp"

namespace cairn {
namespace {

constexpr Real overlap_stops = 0.25, overlap_warns = 0.05, overlap_at_start = 0.01;  // [-] of the smaller radius
constexpr Real residual_stops = 0.10, residual_warns = 0.01;                         // [-] of the throughput
constexpr Real travel_stops = 0.5, travel_warns = 0.1;                               // [-] of the radius, in a step
constexpr std::int64_t travel_every = 100, ledger_every = 1000;                      // steps between looks
constexpr Real hard_tolerance = 1e-3;                                                // [-] of the fastest contact
constexpr std::size_t many_events = 10'000;                                          // that wait
constexpr Real most_steps = 1e15;  // below 2^53 with room, so that step times h is the time to round-off

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
      probes_(scenario_, world_.settings().cell),
      step_guard_(*scheme_) {
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
  for (const char* name : {"finite", "overlap", "travel", "step", "residual", "round_off"}) {
    const GuardAction a = action(name);
    guards_.push_back({name, a == GuardAction::refuse ? "refuse" : a == GuardAction::warn ? "warn" : "off", ""});
  }
  const auto implicit = [](const ChangeSpec& c) { return presumed_scheme(c.after->scheme).claims.implicit; };
  if (scheme_->claims.implicit || scheme_->hard || scenario_.scheme == chosen_by_case ||
      std::any_of(scenario_.changes.begin(), scenario_.changes.end(), implicit))
    guards_.push_back({"iteration", "warn", ""});
  guards_.push_back({"onset", "warn", ""});
  guards_.push_back({"walls", "warn", ""});
  guards_.push_back({"falling", "warn", ""});
  guards_.push_back({"changes", "warn", ""});
  guards_.push_back({"emitters", "warn", ""});
}

// Here, or every file that has a Simulation would compile them.
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

// scenario_.scheme has another name than before.
void Simulation::adopt_scheme() {
  scheme_ = &scheme_named(scenario_.scheme);
  step_guard_ = StepGuard(*scheme_);
}

void Simulation::set_controller() {
  Controller& c = world_.controller();
  c.tolerance = scenario_.tolerance.value_or(c.tolerance);
  if (scheme_->claims.implicit) c.solver_tolerance = scenario_.tolerance.value_or(c.solver_tolerance);
  if (scheme_->hard) c.solver_tolerance = scenario_.tolerance.value_or(hard_tolerance);
  c.step = scenario_.step;
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
  if (!scenario_.chooses_step) look_at_dashpots();
  guard("walls").message = seam_message(world_.settings(), smallest_radius());
  // Ranks find the first list and forces together, unless the program must look at them before it knows its scheme.
  const bool shared = leader_ && !scenario_.chooses_step && scenario_.scheme != chosen_by_case &&
                      !scenario_.sees_contacts() && !scenario_.ledger_split;
  StepGuard::Finding packed;
  if (shared) {
    packed = this->packed();
    spread();
    leader_->begin(world_, !scheme_->splitting);
    guard_overlap_at_start();
  } else {
    world_.begin(!scheme_->splitting);
    guard_overlap_at_start();  // before the choice, which takes minutes where every grain touches hundreds
    choose_at_start();
    packed = this->packed();
  }
  guard_stability(packed);
  balance_.begin(world_);
  come_and_go();
  observe();
}

// Where a dashpot takes less than a step nothing is resolved that a correction could take back: it would throw grains.
// Nor where a step that is stable at any length is longer than a collision: contacts would pull that have long opened.
void Simulation::look_at_dashpots() {
  if (scenario_.onset == true && !world_.settings().onset)
    report("onset",
           "run.onset = \"on\" has no effect: every pair of materials must have a linear spring, or a dashpot with a "
           "damping exponent of at most 1");
  if (!world_.settings().onset) return;
  const PairRates pair = world_.fastest_pair(emitters_.lightest());
  const auto beyond = [&](Real rate, const std::string& what) {
    if (!(scenario_.step * rate > 1)) return false;
    const std::string message = "run.step = " + brief(scenario_.step) + " s is longer than " + what + ", " +
                                brief(1 / rate) + " s: contact onsets ";
    if (scenario_.onset)
      refuse("onset", message + "cannot be corrected", "; lower run.step or set run.onset = \"off\"");
    report("onset", message + "are not corrected");
    world_.set_onset(false);
    return true;
  };
  if (!beyond(pair.damping, "m_eff / gamma of the strongest dashpot") &&
      std::isinf(scheme_->stability(0)))  // with the numbers it was given
    beyond(pair.frequency, "1 / omega of the stiffest contacts");
}

Real Simulation::smallest_radius() const {
  std::vector<Real> all = world_.grains().radius;
  for (const GrainData& g : emitters_.lightest()) all.push_back(g.radius);
  return all.empty() ? 0 : *std::min_element(all.begin(), all.end());
}

GuardAction Simulation::action(const std::string& guard) const {
  const auto at = scenario_.guards.find(guard);
  if (at != scenario_.guards.end()) return at->second;
  // Projection moves grains at rest, which exchange hardly any energy otherwise.
  const bool lenient = guard == "round_off" || (guard == "residual" && world_.settings().hard);
  return lenient ? GuardAction::warn : GuardAction::refuse;
}

GuardReport& Simulation::guard(const std::string& name) {
  return *std::find_if(guards_.begin(), guards_.end(), [&](const GuardReport& g) { return g.name == name; });
}

// A guard set to refuse throws where its limit is passed; what it says is kept for the summary, the first of each kind
// (of overlaps the largest).
void Simulation::report(const std::string& name, const std::string& message) {
  GuardReport& g = guard(name);
  if (g.message.empty()) g.message = message;
}

void Simulation::refuse(const std::string& name, const std::string& message, const std::string& advice) {
  gather();
  guard(name).message = message;
  if (name == "step" || action("step") == GuardAction::off) throw Error(Exit::guard, message + advice);
  // An explosion has many symptoms; a step beyond the limit is their cause.
  if (world_.steps() > 0) judge(network(), "; found by the guard '" + name + "': " + message);
  const std::string& step = guard("step").message;
  throw Error(Exit::guard, message + (step.empty() ? "" : "; " + step) + advice);
}

void Simulation::guard_overlap_at_start() {
  look_at_overlap();
  if (action("overlap") == GuardAction::off || scenario_.overlap_allowed_at_start ||
      !(largest_overlap_.fraction > overlap_at_start))
    return;
  throw Error(Exit::guard, "overlap at the start: " + between(largest_overlap_.ids) + " overlap by " +
                               brief(100 * largest_overlap_.fraction) +
                               " % of the smaller radius (allowed: 1 %); move them apart, or set initial.overlap = "
                               "\"allow\"");
}

void Simulation::guard_stability(const StepGuard::Finding& packed) {
  if (scheme_->claims.adaptive || action("step") == GuardAction::off) return;
  const Real stability = scheme_->stability(0);
  if (stability == 0)
    report("step", scheme_->name +
                       " is weakly unstable: a contact without damping in some direction gains energy at every step, "
                       "less with a smaller step");
  const Real pair = world_.fastest_pair(emitters_.lightest()).frequency;
  constexpr Real resolved = 2;  // [-] h omega up to which explicit schemes go
  if (std::isinf(stability) && scenario_.step * pair > resolved)
    report("step", scheme_->name + " is stable at run.step = " + brief(scenario_.step) +
                       " s, but the stiffest contacts, of " + brief(pair) +
                       " rad/s, are not resolved in time: accuracy limits the step, not stability");
  if (stability == 0 || std::isinf(stability)) return;
  const std::vector<GrainData> expected = emitters_.lightest();
  const StepGuard::Finding touch = step_guard_.first_touch(scenario_, world_, expected);
  judge(touch);
  const StepGuard::Finding network = this->network();
  step_limit_ = network.limit > 0 && touch.limit > 0 ? std::min(network.limit, touch.limit)
                                                     : std::max(network.limit, touch.limit);
  judge(network);
  judge(packed);
}

// What is sure stops the run where the guard refuses; what may be warns. `beside`: what another guard has found.
void Simulation::judge(const StepGuard::Finding& found, const std::string& beside) {
  if (found.message.empty()) return;
  if (found.sure && action("step") == GuardAction::refuse)
    refuse("step", found.message, found.advice + ", or set guards.step = \"warn\"" + beside);
  report("step", found.message);
}

void Simulation::guard_step() {
  GuardStatistics& statistics = world_.guard_statistics();
  if (action("step") != GuardAction::off && StepGuard::due(steps()) && !scenario_.chooses_step) {
    judge(network(false));
  }
  const auto silent = [&](const char* guard) {  // nothing to add to what it said
    return std::any_of(guards_.begin(), guards_.end(), [&](const GuardReport& g) {
      return g.name == guard && (g.action == "off" || (g.action == "warn" && !g.message.empty()));
    });
  };
  if (statistics.not_finite >= 0 && !silent("finite")) {
    gather();
    const Particles& grains = world_.grains();
    const int i =
        static_cast<int>(std::find(grains.id.begin(), grains.id.end(), statistics.not_finite) - grains.id.begin());
    const Vector x = world_.position(i), v = world_.state().body.at(BodyRow::v, i);
    std::string partners;
    const NeighbourList& list = world_.list();
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1;
      if (slot >= static_cast<int>(list.pairs.size())) continue;
      const Pair p = list.pairs[slot];
      partners += " " + std::to_string(grains.id[p.first == i ? p.second : p.first]);
    }
    bool finite = true;
    for (const Real a : {x.x, x.y, x.z, v.x, v.y, v.z}) finite = finite && std::isfinite(a);
    const std::string message = "grain " + std::to_string(statistics.not_finite) +
                                (finite ? " is faster than 1e100 m/s at t = " : " is not finite at t = ") +
                                brief(world_.time()) + " s (step " + std::to_string(steps()) + "): position " +
                                brief(x) + ", velocity " + brief(v) +
                                "; its neighbours:" + (partners.empty() ? " none" : partners);
    if (action("finite") == GuardAction::refuse)
      refuse("finite", message, "; the step is too large or the contact too stiff");
    report("finite", message);
  }
  // Beyond the warning too where it has not spoken yet: of an overlap at the start, or in a resumed run.
  if (look_at_overlap() || (largest_overlap_.fraction > overlap_warns && guard("overlap").message.empty()))
    guard_overlap();
  if (steps() % travel_every == 0) guard_travel();
  if (steps() % ledger_every != 0) return;
  const auto now = synchronised();
  observe();
}

std::string Simulation::between(const std::array<std::int64_t, 2>& ids) const {
  return "grain " + std::to_string(ids[0]) + " and " +
         (ids[1] >= 0 ? "grain " + std::to_string(ids[1]) : "wall '" + world_.settings().walls[-1 - ids[1]] + "'");
}

// Whether it has grown.
bool Simulation::look_at_overlap() {
  const GuardStatistics& statistics = world_.guard_statistics();
  if (!(statistics.deepest > largest_overlap_.fraction)) return false;
  largest_overlap_ = {statistics.deepest, world_.time(), statistics.deepest_ids};
  return true;
}

// What it says is kept for the summary: of the largest, not of the first.
void Simulation::guard_overlap() {
  const LargestOverlap& most = largest_overlap_;
  if (!(most.fraction > overlap_warns) || action("overlap") == GuardAction::off) return;
  const std::string message = "largest overlap " + brief(100 * most.fraction) +
                              " % of the smaller radius, at t = " + brief(most.time) + " s (" + between(most.ids) + ")";
  if (most.fraction > overlap_stops && action("overlap") == GuardAction::refuse)
    refuse("overlap", message, LargestOverlap::advice(scheme_->hard));
  guard("overlap").message = message;
}

void Simulation::guard_travel() {
  const LostGrains lost = lost_grains(world_, scenario_, steps() > 0 ? world_.last_step() : world_.controller().step);
  if (!lost.falling.empty()) guard("falling").message = lost.falling;
  if (!(lost.travel > travel_warns) || action("travel") == GuardAction::off) return;
  const std::string message = lost.fast + " at t = " + brief(world_.time()) + " s: ";
  if (lost.travel > travel_stops && action("travel") == GuardAction::refuse)
    refuse("travel", message + "contacts may be missed", "; lower run.step or set guards.travel = \"warn\"");
  report("travel", message + (lost.travel > travel_stops ? "contacts may be missed"
                                                         : "contacts may be detected late, at a large overlap"));
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
    guard_step();
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
  guard("emitters").message = emitters_.report(world_.time());
  guard("changes").message = over() ? changes_.missing() : "";
  if (const std::int64_t unsettled = world_.controller().effort.unsettled; unsettled > 0)
    guard("iteration").message =
        scheme_->hard
            ? "in " + std::to_string(unsettled) + " of " + std::to_string(steps()) + " steps the impulses of " +
                  "the contacts did not converge; raise run.tolerance, or lower run.step"
            : "in " + std::to_string(unsettled) + " of " + std::to_string(steps()) + " steps " + scheme_->name +
                  " did not converge, because a force jumps or a friction spring turns within the step; "
                  "it used the mean of its iterates there; lower run.step if this happens often";
  balance_.measure(world_);
}

void Simulation::guard_round_off() {
  if (action("round_off") == GuardAction::off || !guard("round_off").message.empty()) return;
  const std::string message =
      round_off_message(world_, scenario_.step, scenario_.end / scenario_.step, scenario_.end / 100);
  if (message.empty()) return;
  if (action("round_off") == GuardAction::refuse) refuse("round_off", message, ", or set guards.round_off = \"warn\"");
  report("round_off", message);
}

Real Simulation::numerical_damping() const {
  constexpr Real least = 1e-4;  // below, what is lost hardly shows
  const Real frequency = world_.fastest_pair(emitters_.lightest()).frequency, angle = scenario_.step * frequency;
  if (scheme_->claims.adaptive || !(angle > 0)) return 0;
  const Real damping = -std::log(scheme_->spectral_radius(angle, 0)) / angle;
  return damping > least ? damping : 0;
}

void Simulation::observe() {
  measure();
  guard_residual();  // nearer to the cause of an explosion than the guard of travel
  guard_travel();
  guard_round_off();
}

void Simulation::guard_residual() {
  // The channel `onset` closes the balance of the correction of onsets, whatever that did: in a run that explodes the
  // residual alone would stay small.
  const Real by_onset = std::fabs(world_.state().ledger[Channel::onset]);
  const Real residual = balance_.residual();
  const Real fraction = throughput() > 0 ? (std::fabs(residual) + by_onset) / throughput() : 0;
  if (action("residual") == GuardAction::off || !(fraction > residual_warns)) return;
  const Real own = residual < 0 ? numerical_damping() : 0;
  const std::string message =
      "the ledger's residual " + std::string(by_onset > std::fabs(residual) ? "and its channel onset are " : "is ") +
      brief(100 * fraction) + " % of the energy exchanged at t = " + brief(world_.time()) + " s: " +
      (own > 0 ? "energy is lost that no contact dissipated: " + scheme_->name +
                     " itself damps the stiffest contact at this step, with a damping ratio of " + brief(own)
       : scheme_->hard
           ? "position projection and impulses that did not converge bring energy; a shorter step brings less"
           : "the step is too large for " + scheme_->name);
  if (action("step") != GuardAction::off) judge(network());
  if (fraction > residual_stops && action("residual") == GuardAction::refuse)
    refuse("residual", message, "; lower run.step or set guards.residual = \"warn\"");
  report("residual", message);
}

}  // namespace cairn
