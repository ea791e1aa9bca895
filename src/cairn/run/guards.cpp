#include "cairn/run/guards.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/text.hpp"
#include "cairn/run/lost_grains.hpp"
#include "cairn/run/round_off.hpp"
#include "cairn/run/seams.hpp"

namespace cairn {
namespace {

constexpr Real overlap_stops = 0.25, overlap_warns = 0.05, overlap_at_start = 0.01;  // [-] of the smaller radius
constexpr Real residual_stops = 0.10, residual_warns = 0.01;                         // [-] of the throughput
constexpr Real travel_stops = 0.5, travel_warns = 0.1;                               // [-] of the radius, in a step
constexpr std::int64_t travel_every = 100, ledger_every = 1000;                      // steps between looks

GuardAction action(const Scenario& scenario, bool hard, const std::string& guard) {
  const auto at = scenario.guards.find(guard);
  if (at != scenario.guards.end()) return at->second;
  // Projection moves grains at rest, which exchange hardly any energy otherwise.
  const bool lenient = guard == "round_off" || (guard == "residual" && hard);
  return lenient ? GuardAction::warn : GuardAction::refuse;
}

GuardAction action(const Guards::Run& run, const std::string& guard) {
  return action(run.scenario, run.world.settings().hard.has_value(), guard);
}

StepGuard::Finding network(const Guards::Run& run, bool sharp = true) {
  return StepGuard(run.scheme).network(run.scenario, run.world, sharp, run.gather);
}

// [m] of the grains there are or may come; 0: none known
Real smallest_radius(const Guards::Run& run) {
  std::vector<Real> all = run.world.grains().radius;
  for (const GrainData& g : run.emitters.lightest()) all.push_back(g.radius);
  return all.empty() ? 0 : *std::min_element(all.begin(), all.end());
}

}  // namespace

std::string bodies_in_words(const World& world, const std::array<std::int64_t, 2>& ids) {
  return "grain " + std::to_string(ids[0]) + " and " +
         (ids[1] >= 0 ? "grain " + std::to_string(ids[1]) : "wall '" + world.settings().walls[-1 - ids[1]] + "'");
}

Guards::Guards(const Scenario& scenario, bool hard, bool iterates) {
  for (const char* name : {"finite", "overlap", "travel", "step", "residual", "round_off"}) {
    const GuardAction a = action(scenario, hard, name);
    reports_.push_back({name, a == GuardAction::refuse ? "refuse" : a == GuardAction::warn ? "warn" : "off", ""});
  }
  if (iterates) reports_.push_back({"iteration", "warn", ""});
  reports_.push_back({"onset", "warn", ""});
  reports_.push_back({"walls", "warn", ""});
  reports_.push_back({"falling", "warn", ""});
  reports_.push_back({"changes", "warn", ""});
  reports_.push_back({"emitters", "warn", ""});
}

GuardReport& Guards::at(const std::string& name) {
  return *std::find_if(reports_.begin(), reports_.end(), [&](const GuardReport& g) { return g.name == name; });
}

void Guards::report(const std::string& name, const std::string& message) {
  GuardReport& g = at(name);
  if (g.message.empty()) g.message = message;
}

void Guards::refuse(const Run& run, const std::string& name, const std::string& message, const std::string& advice) {
  run.gather();
  at(name).message = message;
  if (name == "step" || action(run, "step") == GuardAction::off) throw Error(Exit::guard, message + advice);
  // An explosion has many symptoms; a step beyond the limit is their cause.
  if (run.world.steps() > 0) judge(run, network(run), "; found by the guard '" + name + "': " + message);
  const std::string& step = at("step").message;
  throw Error(Exit::guard, message + (step.empty() ? "" : "; " + step) + advice);
}

// What is sure stops the run where the guard refuses; what may be warns. `beside`: what another guard has found.
void Guards::judge(const Run& run, const StepGuard::Finding& found, const std::string& beside) {
  if (found.message.empty()) return;
  if (found.sure && action(run, "step") == GuardAction::refuse)
    refuse(run, "step", found.message, found.advice + ", or set guards.step = \"warn\"" + beside);
  report("step", found.message);
}

// --- Looks at the start and at changes -----------------------------------------------------------------------------

// Where a dashpot takes less than a step nothing is resolved that a correction could take back: it would throw grains.
// Nor where a step that is stable at any length is longer than a collision: contacts would pull that have long opened.
void Guards::look_at_dashpots(const Run& run) {
  if (run.scenario.onset == true && !run.world.settings().onset)
    report("onset",
           "run.onset = \"on\" has no effect: every pair of materials must have a linear spring, or a dashpot with a "
           "damping exponent of at most 1");
  if (!run.world.settings().onset) return;
  const PairRates pair = run.world.fastest_pair(run.emitters.lightest());
  const auto beyond = [&](Real rate, const std::string& what) {
    if (!(run.scenario.step * rate > 1)) return false;
    const std::string message = "run.step = " + brief(run.scenario.step) + " s is longer than " + what + ", " +
                                brief(1 / rate) + " s: contact onsets ";
    if (run.scenario.onset)
      refuse(run, "onset", message + "cannot be corrected", "; lower run.step or set run.onset = \"off\"");
    report("onset", message + "are not corrected");
    run.world.set_onset(false);
    return true;
  };
  if (!beyond(pair.damping, "m_eff / gamma of the strongest dashpot") &&
      std::isinf(run.scheme.stability(0)))  // with the numbers it was given
    beyond(pair.frequency, "1 / omega of the stiffest contacts");
}

void Guards::look_at_seams(const Run& run) {
  at("walls").message = seam_message(run.world.settings(), smallest_radius(run));
}

void Guards::look_at_first_overlap(const Run& run) {
  find_overlap(run.world);
  if (action(run, "overlap") == GuardAction::off || run.scenario.overlap_allowed_at_start ||
      !(largest_overlap_.fraction > overlap_at_start))
    return;
  throw Error(Exit::guard, "overlap at the start: " + bodies_in_words(run.world, largest_overlap_.ids) +
                               " overlap by " + brief(100 * largest_overlap_.fraction) +
                               " % of the smaller radius (allowed: 1 %); move them apart, or set initial.overlap = "
                               "\"allow\"");
}

StepGuard::Finding Guards::packed(const Run& run) {
  return StepGuard(run.scheme).packed(run.scenario, run.world, run.emitters.lightest());
}

void Guards::look_at_step(const Run& run, const StepGuard::Finding& packed) {
  if (run.scheme.claims.adaptive || action(run, "step") == GuardAction::off) return;
  const Real stability = run.scheme.stability(0);
  if (stability == 0)
    report("step", run.scheme.name +
                       " is weakly unstable: a contact without damping in some direction gains energy at every step, "
                       "less with a smaller step");
  const Real pair = run.world.fastest_pair(run.emitters.lightest()).frequency;
  constexpr Real resolved = 2;  // [-] h omega up to which explicit schemes go
  if (std::isinf(stability) && run.scenario.step * pair > resolved)
    report("step", run.scheme.name + " is stable at run.step = " + brief(run.scenario.step) +
                       " s, but the stiffest contacts, of " + brief(pair) +
                       " rad/s, are not resolved in time: accuracy limits the step, not stability");
  if (stability == 0 || std::isinf(stability)) return;
  const std::vector<GrainData> expected = run.emitters.lightest();
  const StepGuard::Finding touch = StepGuard(run.scheme).first_touch(run.scenario, run.world, expected);
  judge(run, touch);
  const StepGuard::Finding bed = network(run);
  step_limit_ = bed.limit > 0 && touch.limit > 0 ? std::min(bed.limit, touch.limit) : std::max(bed.limit, touch.limit);
  judge(run, bed);
  judge(run, packed);
}

void Guards::look_at_new_walls(const Run& run, const Scenario& before) const {
  if (action(run, "overlap") == GuardAction::off || run.scenario.overlap_allowed_at_start) return;
  for (const ContactView& c : run.world.closed_contacts()) {
    if (c.second >= 0) continue;
    const std::size_t wall = static_cast<std::size_t>(-1 - c.second);
    if (before.walls[wall].present || !run.scenario.walls[wall].present) continue;
    const auto at = std::find(run.world.grains().id.begin(), run.world.grains().id.end(), c.first);
    const Real depth =
        c.overlap / run.world.grains().radius[static_cast<std::size_t>(at - run.world.grains().id.begin())];
    if (depth > overlap_at_start)
      throw Error(Exit::guard, "wall '" + run.scenario.walls[wall].name + "' comes where grain " +
                                   std::to_string(c.first) + " is, by " + brief(100 * depth) +
                                   " % of its radius (allowed: 1 %); place it where no grain is, or move it in");
  }
}

// --- Looks during the run -------------------------------------------------------------------------------------------

void Guards::after_step(const Run& run) {
  const std::int64_t steps = run.world.steps();
  if (action(run, "step") != GuardAction::off && StepGuard::due(steps) && !run.scenario.chooses_step)
    judge(run, network(run, false));
  guard_finite(run);
  // Beyond the warning too where it has not spoken yet: of an overlap at the start, or in a resumed run.
  if (find_overlap(run.world) || (largest_overlap_.fraction > overlap_warns && at("overlap").message.empty()))
    guard_overlap(run);
  if (steps % travel_every == 0) guard_travel(run);
}

bool Guards::observes_after(std::int64_t step) {
  return step % ledger_every == 0;
}

void Guards::observe(const Run& run) {
  guard_residual(run);  // nearer to the cause of an explosion than the guard of travel
  guard_travel(run);
  guard_round_off(run);
}

void Guards::guard_finite(const Run& run) {
  const std::int64_t id = run.world.guard_statistics().not_finite;
  if (id < 0) return;
  const GuardReport& said = at("finite");
  if (said.action == "off" || (said.action == "warn" && !said.message.empty())) return;  // nothing to add
  run.gather();
  const Particles& grains = run.world.grains();
  const int i = static_cast<int>(std::find(grains.id.begin(), grains.id.end(), id) - grains.id.begin());
  const Vector x = run.world.position(i), v = run.world.state().body.at(BodyRow::v, i);
  std::string partners;
  const NeighbourList& list = run.world.list();
  for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
    const int slot = list.contacts[e] >> 1;
    if (slot >= static_cast<int>(list.pairs.size())) continue;
    const Pair p = list.pairs[slot];
    partners += " " + std::to_string(grains.id[p.first == i ? p.second : p.first]);
  }
  bool finite = true;
  for (const Real a : {x.x, x.y, x.z, v.x, v.y, v.z}) finite = finite && std::isfinite(a);
  const std::string message =
      "grain " + std::to_string(id) + (finite ? " is faster than 1e100 m/s at t = " : " is not finite at t = ") +
      brief(run.world.time()) + " s (step " + std::to_string(run.world.steps()) + "): position " + brief(x) +
      ", velocity " + brief(v) + "; its neighbours:" + (partners.empty() ? " none" : partners);
  if (action(run, "finite") == GuardAction::refuse)
    refuse(run, "finite", message, "; the step is too large or the contact too stiff");
  report("finite", message);
}

// Whether it has grown.
bool Guards::find_overlap(World& world) {
  const GuardStatistics& statistics = world.guard_statistics();
  if (!(statistics.deepest > largest_overlap_.fraction)) return false;
  largest_overlap_ = {statistics.deepest, world.time(), statistics.deepest_ids};
  return true;
}

// The summary keeps the message of the largest overlap, not of the first.
void Guards::guard_overlap(const Run& run) {
  const LargestOverlap& most = largest_overlap_;
  if (!(most.fraction > overlap_warns) || action(run, "overlap") == GuardAction::off) return;
  const std::string message = "largest overlap " + brief(100 * most.fraction) +
                              " % of the smaller radius, at t = " + brief(most.time) + " s (" +
                              bodies_in_words(run.world, most.ids) + ")";
  if (most.fraction > overlap_stops && action(run, "overlap") == GuardAction::refuse)
    refuse(run, "overlap", message, LargestOverlap::advice(run.scheme.hard));
  at("overlap").message = message;
}

void Guards::guard_travel(const Run& run) {
  const LostGrains lost =
      lost_grains(run.world, run.scenario, run.world.steps() > 0 ? run.world.last_step() : run.world.controller().step);
  if (!lost.falling.empty()) at("falling").message = lost.falling;
  if (!(lost.travel > travel_warns) || action(run, "travel") == GuardAction::off) return;
  const std::string message = lost.fast + " at t = " + brief(run.world.time()) + " s: ";
  if (lost.travel > travel_stops && action(run, "travel") == GuardAction::refuse)
    refuse(run, "travel", message + "contacts may be missed", "; lower run.step or set guards.travel = \"warn\"");
  report("travel", message + (lost.travel > travel_stops ? "contacts may be missed"
                                                         : "contacts may be detected late, at a large overlap"));
}

void Guards::guard_residual(const Run& run) {
  // The channel `onset` closes the balance of the correction of onsets, whatever that did: in a run that explodes the
  // residual alone would stay small.
  const Real by_onset = std::fabs(run.world.state().ledger[Channel::onset]);
  const Real residual = run.balance.residual();
  const Real throughput = run.balance.throughput(run.world);
  const Real fraction = throughput > 0 ? (std::fabs(residual) + by_onset) / throughput : 0;
  if (action(run, "residual") == GuardAction::off || !(fraction > residual_warns)) return;
  const Real own =
      residual < 0 ? StepGuard(run.scheme).numerical_damping(run.world, run.scenario.step, run.emitters.lightest()) : 0;
  const std::string message =
      "the ledger's residual " + std::string(by_onset > std::fabs(residual) ? "and its channel onset are " : "is ") +
      brief(100 * fraction) + " % of the energy exchanged at t = " + brief(run.world.time()) + " s: " +
      (own > 0 ? "energy is lost that no contact dissipated: " + run.scheme.name +
                     " itself damps the stiffest contact at this step, with a damping ratio of " + brief(own)
       : run.scheme.hard
           ? "position projection and impulses that did not converge bring energy; a shorter step brings less"
           : "the step is too large for " + run.scheme.name);
  if (action(run, "step") != GuardAction::off) judge(run, network(run));
  if (fraction > residual_stops && action(run, "residual") == GuardAction::refuse)
    refuse(run, "residual", message, "; lower run.step or set guards.residual = \"warn\"");
  report("residual", message);
}

void Guards::guard_round_off(const Run& run) {
  if (action(run, "round_off") == GuardAction::off || !at("round_off").message.empty()) return;
  const std::string message =
      round_off_message(run.world, run.scenario.step, run.scenario.end / run.scenario.step, run.scenario.end / 100);
  if (message.empty()) return;
  if (action(run, "round_off") == GuardAction::refuse)
    refuse(run, "round_off", message, ", or set guards.round_off = \"warn\"");
  report("round_off", message);
}

void Guards::look_at_iterations(const Run& run) {
  if (const std::int64_t unsettled = run.world.controller().effort.unsettled; unsettled > 0)
    at("iteration").message =
        run.scheme.hard
            ? "in " + std::to_string(unsettled) + " of " + std::to_string(run.world.steps()) +
                  " steps the impulses of the contacts did not converge; raise run.tolerance, or lower run.step"
            : "in " + std::to_string(unsettled) + " of " + std::to_string(run.world.steps()) + " steps " +
                  run.scheme.name +
                  " did not converge, because a force jumps or a friction spring turns within the step; "
                  "it used the mean of its iterates there; lower run.step if this happens often";
}

}  // namespace cairn
