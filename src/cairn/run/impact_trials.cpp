#include "cairn/run/impact_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr Real far = std::numeric_limits<Real>::infinity();
constexpr Real ratio = 1.15, fewest = 3, most = 1500;  // [-] of the grid of steps per collision

// [m/s] of any point of a wall within `reach` [m] of its axis.
Real wall_speed(const Motion& m, Real reach) {
  return norm(m.velocity) + std::fabs(m.rotation_rate) * reach + tau * std::fabs(m.frequency) * norm(m.amplitude);
}

}  // namespace

Real expected_speed(const Scenario& scenario, const World& world, std::span<const GrainData> expected) {
  const Real g = norm(scenario.gravity);
  const Vector up = g > 0 ? (-1 / g) * scenario.gravity : Vector{};
  Real fastest = 0, low = far, high = -far;
  const auto look = [&](const Vector& x) { low = std::min(low, dot(x, up)), high = std::max(high, dot(x, up)); };
  for (int i = 0; i < world.size(); ++i) fastest = std::max(fastest, norm(world.velocity(i))), look(world.position(i));
  for (const GrainData& grain : expected) fastest = std::max(fastest, norm(grain.velocity)), look(grain.position);
  for (const EmitterSpec& e : scenario.emitters)
    if (e.region.kind == RegionSpec::Kind::box) look(e.region.low), look(e.region.high);
  Real of_walls = 0, reach = 0;
  for (int i = 0; i < world.size(); ++i)
    for (const Surface& s : world.settings().surfaces)
      if (s.motion.rotation_rate != 0) reach = std::max(reach, norm(world.position(i) - s.motion.centre));
  for (const Surface& s : world.settings().surfaces) of_walls = std::max(of_walls, wall_speed(s.motion, reach));
  return fastest + of_walls + (high > low ? std::sqrt(2 * g * (high - low)) : 0);
}

std::vector<ExpectedImpact> expected_impacts(const Scenario& scenario, const World& world,
                                             std::span<const GrainData> expected) {
  const Real speed = expected_speed(scenario, world, expected);
  std::vector<ExpectedImpact> all;
  if (!(speed > 0)) return all;
  for (const ContactSummary& c : contact_summary(world, scenario, expected).shortest) {
    ExpectedImpact impact{c.first, c.second, c.collision};
    impact.collision.speed = speed;
    const HeadOn hit = head_on(impact.collision);
    if (!(hit.restitution > 0) || !std::isfinite(hit.duration)) continue;
    impact.duration = hit.duration, impact.restitution = hit.restitution;
    // Slower than mu times the approach contacts stick; faster than 3.5 mu (1 + e) they slide to the end.
    for (const Real share : {1.0, 3.0, 8.0})
      if (c.friction > 0 && world.settings().rotation)
        impact.oblique.push_back(oblique_reference(impact.collision, share * std::min(c.friction, 1.0)));
    all.push_back(std::move(impact));
  }
  return all;
}

Real steps_for(const ExpectedImpact& impact, const SchemeEntry& scheme, Real accuracy, bool onset) {
  const auto accurate = [&](Real n) {
    const ImpactError e = impact_error(impact.collision, scheme, n, onset, impact.oblique);
    return e.restitution <= accuracy && e.tangential <= accuracy;
  };
  // Downwards from a step that is accurate: then all smaller ones of the grid are.
  Real n = 20;
  while (n <= most && !accurate(n)) n *= ratio;
  if (n > most) return far;
  if (n > 20) return accurate(n * ratio) ? n : n * ratio;
  while (n / ratio >= fewest && accurate(n / ratio)) n /= ratio;
  return n;
}

std::string AccurateStep::words() const {
  return "impacts of " + first + " on " + second + " at " + brief(speed) + " m/s, " + brief(steps_per_contact) +
         " steps per contact";
}

AccurateStep accurate_step(const Scenario& scenario, const World& world, std::span<const GrainData> expected,
                           const SchemeEntry& scheme, Real accuracy) {
  AccurateStep least;
  std::vector<ExpectedImpact> impacts = expected_impacts(scenario, world, expected);
  std::stable_sort(impacts.begin(), impacts.end(),
                   [](const auto& a, const auto& b) { return a.duration < b.duration; });
  for (const ExpectedImpact& impact : impacts) {
    // Longer impacts need fewer steps only as far as they are more damped: those much longer cannot limit the step.
    constexpr Real spread = 4;
    if (least.step > 0 && impact.duration > spread * least.step * least.steps_per_contact) break;
    const Real found = steps_for(impact, scheme, accuracy, world.settings().onset);
    const Real n = std::min(found, most), step = impact.duration / n;
    if (least.step > 0 && !(step < least.step)) continue;
    least = {step, n, impact.collision.speed, impact.first, impact.second, impact.collision, std::isfinite(found)};
  }
  return least;
}

}  // namespace cairn
