#include "cairn/run/step_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cairn/analysis/phase.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/impact_trials.hpp"
#include "cairn/run/network_limits.hpp"
#include "cairn/run/resolution.hpp"
#include "cairn/run/step_guard.hpp"

namespace cairn {
namespace {

constexpr Real unlimited = std::numeric_limits<Real>::infinity();
constexpr Real stable_share = 0.8;   // [-] of a limit of stability
constexpr Real covered = 1.5;        // [-] by which speeds may rise before impacts are measured again
constexpr Real slower = 0.5;         // [-] of the speed then: below it impacts are measured again
constexpr Real headroom = 0.9;       // [-] of the demand that a changed step takes, so that the next change is far
constexpr Real grows = 1.5;          // [-] how much longer a step must have been allowed to grow
constexpr Real deeper = 1.25;        // [-] how much deeper contacts must be than before for a full look
constexpr Real evenly = 1.1;         // [-] by how much rates may grow until the next full look, to look less often
constexpr Real fewest_steps = 1000;  // of a run in which nothing limits the step

// Whether there are many more contacts or grains than before.
bool crowded(std::int64_t now, std::int64_t before) {
  return 4 * now > 5 * before + 4;
}

StepDemand stable(const StepSituation& now, Real limit, const std::string& where) {
  return {stable_share * limit,
          brief(100 * stable_share) + " % of the stability limit of " + now.scheme.name + " on " + where};
}

void limit_by(StepDemand& all, const StepDemand& one) {
  if (one.step > 0 && one.step < all.step) all = one;
}

// Of grains and of walls that forces move.
Real fastest_body(const World& world) {
  Real most = 0;
  const Slab& walls = world.state().walls;
  for (int k = 0; k < walls.size(); ++k) most = std::max(most, dot(walls.at(WallRow::v, k), walls.at(WallRow::v, k)));
  for (int i = 0; i < world.size(); ++i) most = std::max(most, dot(world.velocity(i), world.velocity(i)));
  return std::sqrt(most);
}

}  // namespace

Real preferred_step(Real longest) {
  constexpr std::array<int, 24> e24{10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30,
                                    33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91};
  // Tenths of powers of ten: 1.2e-05 is 12 / 10^6, correctly rounded, as a reader of "1.2e-05" rounds it.
  const auto value = [&](int k) {
    const int decade = k >= 0 ? k / 24 : -((23 - k) / 24);
    const Real digits = e24[static_cast<std::size_t>(k - 24 * decade)];
    return decade >= 1 ? digits * std::pow(10.0, decade - 1) : digits / std::pow(10.0, 1 - decade);
  };
  int k = static_cast<int>(std::floor(24 * std::log10(longest))) + 2;
  while (value(k) > longest) --k;
  return value(k);
}

std::string StepChoice::in_words(std::size_t k) const {
  return brief(chosen_[k].length) + " s: " + reasons_[k];
}

// Faster impacts are shorter and have another damping: the step is that of impacts at the speed that is covered. A step
// longer than what is foretold allows is not looked for.
void StepChoice::measure_impacts(const StepSituation& now) {
  // [-] how much shorter an impact is at that speed.
  const auto shorter = [](Collision impact, Real duration) {
    impact.speed *= covered;
    const Real faster = std::min(1.0, head_on(impact).duration / duration);
    return faster > 0 ? faster : 1;
  };
  const AccurateStep impacts =
      accurate_step(expected_impacts(now.scenario, now.world, now.expected), now.world.settings().onset, now.scheme,
                    now.scenario.accuracy.value_or(usual_accuracy),
                    [&](const ExpectedImpact& of) { return foretold_.step / shorter(of.collision, of.duration); });
  watch_.speed = fastest_body(now.world);
  watch_.covered_speed = covered * std::max(impacts.speed, watch_.speed);
  impacts_ = {unlimited, ""};
  if (!(impacts.step > 0)) return;
  impact_duration_ = head_on(impacts.collision).duration;
  impacts_.step = impacts.step * shorter(impacts.collision, impact_duration_);
  impacts_.reason = "impacts of " + impacts.first + " on " + impacts.second + " at " + brief(impacts.speed) + " m/s";
}

// The step that a network allows. `stiffness` and `damping` are the largest eigenvalues of M^-1 K [1/s^2] and M^-1 C
// [1/s]; `mode_damping` [1/s] is the damping of the fastest mode.
StepDemand StepChoice::by_rates(const StepSituation& now, Real stiffness, Real damping, Real mode_damping) {
  StepDemand all{unlimited, ""};
  if (!(stiffness > 0)) return all;
  const Real accuracy = now.scenario.accuracy.value_or(usual_accuracy);
  if (phase_limits_.scheme != &now.scheme || phase_limits_.accuracy != accuracy)
    phase_limits_ = {&now.scheme, accuracy, {}};
  const Real omega = std::sqrt(stiffness), zeta = std::min(mode_damping / (2 * omega), 10.0);
  constexpr Real grid = 50;  // damping ratios of a fiftieth are told apart
  const int place = static_cast<int>(std::lround(grid * zeta));
  const auto [limit, fresh] = phase_limits_.by_damping.try_emplace(place, 0);
  if (fresh) limit->second = phase_limit(now.scheme.toy, accuracy, place / grid);
  limit_by(all,
           {limit->second / omega, "phase of the fastest mode of the contact network, " + brief(omega) + " rad/s"});
  if (const Real undamped = now.scheme.stability(0); undamped > 0 && std::isfinite(undamped))
    limit_by(all, stable(now, now.scheme.region->step(stiffness, damping), "the contact network"));
  return all;
}

// Bounds by rows come first. They cost a tenth of rough eigenvalues, and mostly leave the step as it is. Sharp
// eigenvalues are found where rough ones would shorten the step, and where it is chosen anew.
StepDemand StepChoice::network(const StepSituation& now, Real in_use, Real needed) {
  const NetworkRates bound = network_bound(now.world);
  watch_.stiffness = bound.stiffness, watch_.damping = bound.damping;
  const StepDemand least = by_rates(now, bound.stiffness, bound.damping, bound.damping);
  if (least.step >= (in_use > 0 ? in_use : needed)) return least;
  const ContactNetwork contacts = network_of(now.world);
  constexpr Real rough = 0.05, sharp = 1e-3;  // [-] of an eigenvalue
  const auto by_eigenvalues = [&](Real precision) {
    const LargestEigenvalue fastest = largest_eigenvalue(contacts, 1, 0, precision);
    if (!(fastest.value > 0)) return least;
    const Real stiffness = std::min(fastest.value + fastest.residual, bound.stiffness);
    const Real mode_damping = rayleigh_quotients(contacts, fastest.mode).damping;
    const StepDemand bounded = by_rates(now, stiffness, bound.damping, mode_damping);
    if (in_use > 0 && bounded.step >= in_use) return bounded;
    const LargestEigenvalue most_damped = largest_eigenvalue(contacts, 0, 1, precision);
    return by_rates(now, stiffness, std::min(most_damped.value + most_damped.residual, bound.damping), mode_damping);
  };
  if (in_use > 0)
    if (const StepDemand found = by_eigenvalues(rough); found.step >= in_use) return found;
  return by_eigenvalues(sharp);
}

// On contacts and packings that are yet to come.
StepDemand StepChoice::foretold_stability(const StepSituation& now) {
  watch_.grains = now.world.size();
  const StepGuard guard(now.scheme);
  StepDemand all{unlimited, ""};
  limit_by(all, stable(now, guard.first_touch(now.scenario, now.world, now.expected).limit, "a single contact"));
  limit_by(all, stable(now, guard.packed(now.scenario, now.world, now.expected).limit, "packings or impacts to come"));
  return all;
}

StepDemand StepChoice::demand(const StepSituation& now, Real in_use, bool measure) {
  if (measure || crowded(now.world.size(), watch_.grains)) foretold_ = foretold_stability(now);
  if (measure) measure_impacts(now);
  StepDemand all{now.scenario.end / fewest_steps,
                 "nothing but the length of the run, " + brief(fewest_steps) + " steps"};
  limit_by(all, impacts_);
  limit_by(all, foretold_);
  limit_by(all, network(now, in_use, all.step));
  return all;
}

// When the next full look is due. A network whose rates grow by less than a tenth over one distance, and as evenly over
// twice that, grows by less than the share of the limit leaves.
void StepChoice::look_again(const StepSituation& now, bool changed) {
  watch_.distance = changed ? full_look : std::min(2 * watch_.distance, longest_look);
  watch_.next = now.world.steps() + watch_.distance;
}

void StepChoice::take(const StepSituation& now, Real length, const std::string& reason) {
  chosen_.push_back({now.world.steps(), now.world.time(), length});
  const bool by_impacts = !reason.empty() && reason == impacts_.reason;
  reasons_.push_back("limited by " + reason +
                     (by_impacts ? ", " + brief(impact_duration_ / length) + " steps per contact" : ""));
}

Real StepChoice::without_impacts(const StepSituation& now) {
  impacts_ = {unlimited, ""};
  foretold_ = foretold_stability(now);
  return preferred_step(demand(now, 0, false).step);
}

Real StepChoice::choose(const StepSituation& now) {
  const StepDemand longest = demand(now, 0, true);
  const std::int64_t steps = now.world.steps();
  const ClosedContacts closed = now.world.closed();
  watch_.looked = steps, watch_.contacts = closed.count, watch_.deepest = closed.deepest;
  watch_.since = steps, watch_.allowed = longest.step;
  look_again(now, true);
  take(now, preferred_step(longest.step), longest.reason);
  return step();
}

std::optional<Real> StepChoice::follow(const StepSituation& now) {
  const std::int64_t steps = now.world.steps();
  if (!due(steps) || steps == watch_.looked) return {};
  watch_.looked = steps;
  const Real fastest = fastest_body(now.world);
  const bool faster = fastest > watch_.covered_speed, full = steps >= watch_.next;
  bool more = false;
  if (full || steps % (watch_.distance == full_look ? busy_look : calm_look) == 0) {
    const ClosedContacts closed = now.world.closed();
    more = crowded(closed.count, watch_.contacts) || closed.deepest > deeper * watch_.deepest;
    if (full || more) watch_.contacts = closed.count, watch_.deepest = std::max(watch_.deepest, closed.deepest);
  }
  if (!full && !faster && !more) return {};
  const bool waited = steps - watch_.since >= patience;
  const Real stiffness = watch_.stiffness, damping = watch_.damping;
  const StepDemand longest = demand(now, step(), faster || (waited && fastest < slower * watch_.speed));
  watch_.allowed = std::min(watch_.allowed, longest.step);
  std::optional<Real> next;
  if (longest.step < step()) {
    next = preferred_step(headroom * longest.step);
  } else if (waited && watch_.allowed >= grows * step()) {
    next = preferred_step(headroom * watch_.allowed);
    watch_.deepest = now.world.closed().deepest;
  }
  if (next) take(now, *next, longest.reason);
  if (next || waited) watch_.since = steps, watch_.allowed = unlimited;
  const bool grew = watch_.stiffness > evenly * stiffness || watch_.damping > evenly * damping;
  look_again(now, next || faster || more || grew);
  return next;
}

SchemeChoice choose_scheme_and_step(const StepSituation& now, StepChoice& step) {
  // A step of the implicit dashpot costs ten of the others in a strongly damped bed, less in others.
  constexpr Real enough = 2.0 / 3, price_of_implicit = 8;
  struct Candidate {
    const SchemeEntry* scheme;
    Real price = 1, demand = 0;  // [-] [s] the step by its price; a bound from above until it is measured
    bool measured = false;
    StepChoice choice{};
  };
  std::vector<Candidate> all;
  for (const auto name : default_schemes) {
    Candidate& one = all.emplace_back(Candidate{&scheme_named(std::string(name))});
    if (one.scheme->claims.implicit || all.size() == default_schemes.size()) one.price = price_of_implicit;
    one.demand = one.choice.without_impacts({now.scenario, now.world, *one.scheme, now.expected}) / one.price;
  }
  const auto measure = [&](Candidate& one) {
    one.choice = {};
    one.demand = one.choice.choose({now.scenario, now.world, *one.scheme, now.expected}) / one.price;
    one.measured = true;
  };
  // Impacts are measured, which takes longest, with as few schemes as decide.
  SchemeChoice choice{nullptr, ""};
  for (Candidate& one : all) {
    if (!one.measured) measure(one);
    const auto best = [&] {
      return std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.demand < b.demand; });
    };
    while (one.demand < enough * best()->demand && !best()->measured) measure(*best());
    choice.scheme = one.scheme, step = one.choice;
    if (one.demand >= enough * best()->demand) break;
    choice.reason +=
        (choice.reason.empty() ? "" : ", ") + one.scheme->name + " would need steps of " + brief(one.demand) + " s";
  }
  return choice;
}

}  // namespace cairn
