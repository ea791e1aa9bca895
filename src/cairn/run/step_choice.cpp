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
constexpr Real fewest_steps = 1000;  // of a run in which nothing limits the step

// Whether there are many more contacts or grains than before.
bool crowded(std::int64_t now, std::int64_t before) {
  return 4 * now > 5 * before + 40;
}

StepDemand stable(const StepSituation& now, const StepGuard::Finding& found, const std::string& where) {
  return {stable_share * found.limit,
          brief(100 * stable_share) + " % of the stability limit of " + now.scheme.name + " on " + where};
}

void limit_by(StepDemand& all, const StepDemand& one) {
  if (one.step > 0 && one.step < all.step) all = one;
}

Real fastest_grain(const World& world) {
  Real most = 0;
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

// Faster impacts are shorter and have another damping: the step is that of impacts at the speed that is covered.
void StepChoice::measure_impacts(const StepSituation& now) {
  const AccurateStep impacts =
      accurate_step(now.scenario, now.world, now.expected, now.scheme, now.scenario.accuracy.value_or(usual_accuracy));
  watch_.speed = fastest_grain(now.world);
  watch_.covered_speed = covered * std::max(impacts.speed, watch_.speed);
  impacts_ = {unlimited, ""};
  if (!(impacts.step > 0)) return;
  Collision faster = impacts.collision;
  const Real duration = head_on(faster).duration;
  faster.speed *= covered;
  const Real shorter = std::min(1.0, head_on(faster).duration / duration);
  impacts_.step = impacts.step * (shorter > 0 ? shorter : 1);
  impact_duration_ = duration;
  impacts_.reason = "impacts of " + impacts.first + " on " + impacts.second + " at " + brief(impacts.speed) + " m/s";
}

StepDemand StepChoice::phase(const StepSituation& now) {
  const Real accuracy = now.scenario.accuracy.value_or(usual_accuracy);
  if (phase_limits_.scheme != &now.scheme || phase_limits_.accuracy != accuracy)
    phase_limits_ = {&now.scheme, accuracy, {}};
  const auto allowed = [&](Real stiffness, Real damping) {
    const Real omega = std::sqrt(stiffness), zeta = std::min(damping / (2 * omega), 10.0);
    constexpr Real grid = 50;  // damping ratios of a fiftieth are told apart
    const int place = static_cast<int>(std::lround(grid * zeta));
    const auto [limit, fresh] = phase_limits_.by_damping.try_emplace(place, 0);
    if (fresh) limit->second = phase_limit(now.scheme.toy, accuracy, place / grid);
    return StepDemand{limit->second / omega,
                      "phase of the fastest mode of the contact network, " + brief(omega) + " rad/s"};
  };
  // Bounds by rows cost a hundredth of eigenvalues; mostly they leave the present step as it is.
  const NetworkRates bound = network_bound(now.world);
  if (!(bound.stiffness > 0)) return {unlimited, ""};
  if (const StepDemand least = allowed(bound.stiffness, bound.damping); step() > 0 && least.step >= step())
    return least;
  const ContactNetwork network = network_of(now.world);
  constexpr Real precision = 0.01;  // [-] of the squared frequency
  const LargestEigenvalue fastest = largest_eigenvalue(network, 1, 0, precision);
  if (!(fastest.value > 0)) return {unlimited, ""};
  const RayleighQuotients mode = rayleigh_quotients(network, fastest.mode);
  return mode.stiffness > 0 ? allowed(mode.stiffness, mode.damping) : StepDemand{unlimited, ""};
}

// On contacts and packings that are yet to come.
StepDemand StepChoice::foretold_stability(const StepSituation& now) {
  watch_.grains = now.world.size();
  const StepGuard guard(now.scheme);
  StepDemand all{unlimited, ""};
  limit_by(all, stable(now, guard.first_touch(now.scenario, now.world, now.expected), "a single contact"));
  limit_by(all, stable(now, guard.packed(now.scenario, now.world, now.expected), "packings or impacts to come"));
  return all;
}

StepDemand StepChoice::demand(const StepSituation& now, bool measure) {
  if (measure) measure_impacts(now);
  if (measure || crowded(now.world.size(), watch_.grains)) foretold_ = foretold_stability(now);
  StepDemand all{now.scenario.end / fewest_steps,
                 "nothing but the length of the run, " + brief(fewest_steps) + " steps"};
  limit_by(all, impacts_);
  limit_by(all, phase(now));
  limit_by(all, foretold_);
  const StepGuard guard(now.scheme);
  StepGuard::Finding network = guard.network(now.scenario, now.world, false);
  if (!(stable_share * network.limit >= step() && step() > 0)) network = guard.network(now.scenario, now.world);
  limit_by(all, stable(now, network, "the contact network"));
  return all;
}

void StepChoice::take(const StepSituation& now, Real length, const std::string& reason) {
  chosen_.push_back({now.world.steps(), now.world.time(), length});
  const bool by_impacts = !reason.empty() && reason == impacts_.reason;
  reasons_.push_back("limited by " + reason +
                     (by_impacts ? ", " + brief(impact_duration_ / length) + " steps per contact" : ""));
}

Real StepChoice::choose(const StepSituation& now) {
  const StepDemand longest = demand(now, true);
  const std::int64_t steps = now.world.steps();
  watch_.looked = steps, watch_.contacts = now.world.contacts();
  watch_.since = steps, watch_.allowed = longest.step;
  take(now, preferred_step(longest.step), longest.reason);
  return step();
}

std::optional<Real> StepChoice::follow(const StepSituation& now) {
  const std::int64_t steps = now.world.steps();
  if (!due(steps) || steps == watch_.looked) return {};
  watch_.looked = steps;
  const Real fastest = fastest_grain(now.world);
  const std::int64_t contacts = now.world.contacts();
  const bool faster = fastest > watch_.covered_speed;
  const bool waited = steps - watch_.since >= patience;
  const bool more = crowded(contacts, watch_.contacts);
  if (steps % full_look != 0 && !faster && !more) return {};
  watch_.contacts = contacts;
  const StepDemand longest = demand(now, faster || (waited && fastest < slower * watch_.speed));
  watch_.allowed = std::min(watch_.allowed, longest.step);
  std::optional<Real> next;
  if (longest.step < step())
    next = preferred_step(headroom * longest.step);
  else if (waited && watch_.allowed >= grows * step())
    next = preferred_step(headroom * watch_.allowed);
  if (next) take(now, *next, longest.reason);
  if (next || waited) watch_.since = steps, watch_.allowed = unlimited;
  return next;
}

SchemeChoice choose_scheme_and_step(const StepSituation& now) {
  // A step of the implicit dashpot costs ten of the others in a strongly damped bed, less in others.
  constexpr Real enough = 2.0 / 3, price_of_implicit = 8;
  std::array<StepDemand, default_schemes.size()> demands;
  Real best = 0;
  for (std::size_t k = 0; k < default_schemes.size(); ++k) {
    const SchemeEntry& scheme = scheme_named(std::string(default_schemes[k]));
    StepChoice trial;
    demands[k].step = trial.choose({now.scenario, now.world, scheme, now.expected});
    if (scheme.claims.implicit || k + 1 == default_schemes.size()) demands[k].step /= price_of_implicit;
    best = std::max(best, demands[k].step);
  }
  SchemeChoice choice{nullptr, ""};
  for (std::size_t k = 0; k < default_schemes.size(); ++k) {
    choice.scheme = &scheme_named(std::string(default_schemes[k]));
    if (demands[k].step >= enough * best) break;
    choice.reason += (choice.reason.empty() ? "" : ", ") + choice.scheme->name + " would need steps of " +
                     brief(demands[k].step) + " s";
  }
  return choice;
}

}  // namespace cairn
