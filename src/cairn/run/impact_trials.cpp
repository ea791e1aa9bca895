#include "cairn/run/impact_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/region.hpp"

namespace cairn {
namespace {

constexpr Real far = std::numeric_limits<Real>::infinity();
constexpr Real ratio = 1.15, fewest = 3, most = 1500;  // [-] of the grid of steps per collision

// [m/s] of any point of a wall within `reach` [m] of its axis, at any time.
Real wall_speed(const Motion& m, Real reach) {
  Real factor = m.ramp.values.empty() ? 1 : 0;
  for (const Real f : m.ramp.values) factor = std::max(factor, std::fabs(f));
  return factor * norm(m.velocity) + std::fabs(m.rotation_rate) * reach +
         tau * std::fabs(m.frequency) * norm(m.amplitude);
}

// [m] The way of a surface along a unit vector up to the first grain that is there, or where none is up to the first
// that comes; infinite beyond `most`. Grains are taken to stay where they are.
Real way_to_grains(const Surface& s, const World& world, std::span<const GrainData> expected, const Vector& along,
                   Real most) {
  const Pose<Real> start = world.pose(s);
  const bool flat = std::visit([](const auto& shape) { return shape.is_flat; }, s.shape);
  const Real closing = flat ? dot(along, start.direction) : 1;  // [-] gaps shrink by so much of the way, at most
  if (!(closing > 0)) return far;
  constexpr int looks = 100;
  constexpr Real touching = 1e-3;  // [-] of the smallest radius
  Real way = 0;
  for (int k = 0; k < looks && way <= most; ++k) {
    const Pose<Real> pose = moved(start, way * along, Vector{});
    Real gap = far, smallest = far;
    const auto look = [&](const Vector& x, Real radius) {
      gap = std::min(gap, wall_distance(s, pose, world.settings().cell, x) - radius);
      smallest = std::min(smallest, radius);
    };
    for (int i = 0; i < world.size(); ++i) look(world.position(i), world.grains().radius[i]);
    for (std::size_t i = 0; i < expected.size() && world.size() == 0; ++i)
      look(expected[i].position, expected[i].radius);
    if (!(gap > touching * smallest)) break;
    way += gap / closing;
  }
  return way <= most ? way : far;
}

// [m/s] of a surface when it first touches a grain, or now: of a loaded wall; else 0. No force is larger than that at
// the largest or the smallest factor of the load.
Real loaded_speed(const Surface& s, const Scenario& scenario, const World& world, std::span<const GrainData> expected) {
  if (s.loaded < 0 || s.absent) return 0;
  const LoadedWall& wall = world.settings().loaded_walls[static_cast<std::size_t>(s.loaded)];
  const Real now = norm(world.state().walls.at(WallRow::v, s.loaded));
  const Real left = std::max(0.0, scenario.end - world.time());
  const auto [least, most] = std::minmax_element(wall.ramp.values.begin(), wall.ramp.values.end());
  Real fastest = now;
  for (const Real factor : {least != wall.ramp.values.end() ? *least : 1, most != wall.ramp.values.end() ? *most : 1}) {
    const Vector a = wall.along_free(world.settings().gravity + (factor / wall.mass) * wall.load);
    const Real acceleration = norm(a);
    if (!(acceleration > 0)) continue;
    const Real way =
        way_to_grains(s, world, expected, (1 / acceleration) * a, (now + 0.5 * acceleration * left) * left);
    if (std::isfinite(way)) fastest = std::max(fastest, touching_speed(wall, now, acceleration, way));
  }
  return fastest;
}

// Impacts that rebound alike are the same motion at another scale, and need as many steps.
bool alike(const ExpectedImpact& a, const ExpectedImpact& b) {
  constexpr Real same = 1e-3;
  const auto close = [](Real x, Real y) { return std::fabs(x - y) <= same * std::fabs(y); };
  return close(a.restitution, b.restitution) &&
         std::equal(a.oblique.begin(), a.oblique.end(), b.oblique.begin(), b.oblique.end(),
                    [&](const ObliqueReference& x, const ObliqueReference& y) {
                      return x.oblique == y.oblique && close(x.change, y.change);
                    });
}

}  // namespace

Real touching_speed(const LoadedWall& wall, Real before, Real acceleration, Real way) {
  const Real freely = std::sqrt(before * before + 2 * acceleration * way);
  return wall.damping > 0 ? std::min(freely, std::max(before, wall.mass * acceleration / wall.damping)) : freely;
}

Real expected_speed(const Scenario& scenario, const World& world, std::span<const GrainData> expected) {
  const Real g = norm(scenario.gravity);
  const Vector up = g > 0 ? (-1 / g) * scenario.gravity : Vector{};
  // Heights of grains, of the highest underside of one, and of the lowest wall.
  Real fastest = 0, low = far, high = -far, underside = -far, floor = far;
  const auto look = [&](const Vector& x, Real radius) {
    const Real height = dot(x, up);
    low = std::min(low, height), high = std::max(high, height), underside = std::max(underside, height - radius);
  };
  for (int i = 0; i < world.size(); ++i)
    fastest = std::max(fastest, norm(world.velocity(i))), look(world.position(i), world.grains().radius[i]);
  for (const GrainData& grain : expected)
    fastest = std::max(fastest, norm(grain.velocity)), look(grain.position, grain.radius);
  for (const EmitterSpec& e : scenario.emitters) {
    if (e.region.kind == RegionSpec::Kind::none) continue;
    const Region region(e.region, scenario.dimension, e.name);
    look(region.low(0), 0), look(region.high(0), 0);
  }
  Real of_walls = 0, reach = 0;
  for (const Surface& s : world.settings().surfaces) {
    for (int i = 0; i < world.size() && s.motion.rotation_rate != 0; ++i)
      reach = std::max(reach, norm(world.position(i) - s.motion.centre));
    const bool flat = std::visit([](const auto& shape) { return shape.is_flat; }, s.shape);
    constexpr Real vertical = 1e-9;  // nothing falls on it, wherever its point is
    if (!s.absent && !(flat && std::fabs(dot(s.direction, up)) < vertical)) floor = std::min(floor, dot(s.point, up));
  }
  for (const Surface& s : world.settings().surfaces)
    of_walls = std::max(of_walls, wall_speed(s.motion, reach) + loaded_speed(s, scenario, world, expected));
  Real fall = high > low ? high - low : 0;
  if (std::isfinite(floor) && underside > floor) fall = std::max(fall, underside - floor);
  return fastest + of_walls + std::sqrt(2 * g * fall);
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
    std::vector<Real> oblique;
    for (const Real share : {1.0, 3.0, 8.0})
      if (c.friction > 0 && world.settings().rotation) oblique.push_back(share * std::min(c.friction, 1.0));
    impact.oblique = oblique_references(impact.collision, oblique);
    all.push_back(std::move(impact));
  }
  return all;
}

Real steps_for(const ExpectedImpact& impact, const SchemeEntry& scheme, Real accuracy, bool onset, Real enough) {
  const auto accurate = [&](Real n) {
    const ImpactError error = impact_error(impact.collision, scheme, n, onset, impact.oblique);
    return error.restitution <= accuracy && error.tangential <= accuracy;
  };
  // Errors pass through zero and rise again: a number of steps counts where all up to twice as many are accurate.
  constexpr Real usual = 20;
  const auto steps = [](int k) { return usual * std::pow(ratio, k); };
  const auto below = [](Real n) { return static_cast<int>(std::floor(std::log(n / usual) / std::log(ratio))); };
  const int octave = static_cast<int>(std::ceil(std::log(2) / std::log(ratio)));
  const int least = below(std::clamp(enough, ratio * fewest, most));
  int first = std::max(0, least);
  for (int k = first; k <= first + octave; ++k) {
    if (!accurate(steps(k))) first = k + 1;
    if (steps(first) > most) return far;
  }
  while (first <= 0 && first > least && accurate(steps(first - 1))) --first;
  return steps(first);
}

std::string AccurateStep::words() const {
  return "impacts of " + first + " on " + second + " at " + brief(speed) + " m/s, " + brief(steps_per_contact) +
         " steps per contact";
}

AccurateStep accurate_step(const Scenario& scenario, const World& world, std::span<const GrainData> expected,
                           const SchemeEntry& scheme, Real accuracy) {
  return accurate_step(expected_impacts(scenario, world, expected), world.settings().onset, scheme, accuracy, {});
}

AccurateStep accurate_step(std::vector<ExpectedImpact> impacts, bool onset, const SchemeEntry& scheme, Real accuracy,
                           const std::function<Real(const ExpectedImpact&)>& enough) {
  AccurateStep least;
  std::stable_sort(impacts.begin(), impacts.end(),
                   [](const auto& a, const auto& b) { return a.duration < b.duration; });
  for (auto at = impacts.begin(); at != impacts.end(); ++at) {
    const ExpectedImpact& impact = *at;
    if (std::any_of(impacts.begin(), at, [&](const ExpectedImpact& shorter) { return alike(impact, shorter); }))
      continue;
    // Longer impacts need fewer steps only as far as they are more damped: those much longer cannot limit the step.
    constexpr Real spread = 4;
    if (least.step > 0 && impact.duration > spread * least.step * least.steps_per_contact) break;
    const Real found = steps_for(impact, scheme, accuracy, onset, enough ? impact.duration / enough(impact) : 0);
    const Real n = std::min(found, most), step = impact.duration / n;
    if (least.step > 0 && !(step < least.step)) continue;
    least = {step, n, impact.collision.speed, impact.first, impact.second, impact.collision, std::isfinite(found)};
  }
  return least;
}

}  // namespace cairn
