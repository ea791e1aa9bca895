#include "cairn/run/lost_grains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr Real endless = std::numeric_limits<Real>::infinity();  // [m] no way down leads past it
constexpr Real level = 1e-9;                                     // [-] sine of an angle that does not count

// [m] along `down`, the lowest point of a bar about `middle`, along `axis`; endless where it has no end.
Real lowest_of_bar(const Vector& middle, const Vector& axis, Real half_length, Real radius, const Vector& down) {
  const Real along = std::fabs(dot(axis, down));
  if (half_length == 0 && along > level) return endless;
  return dot(middle, down) + half_length * along + radius * std::sqrt(std::max(0.0, 1 - along * along));
}

Real lowest_of_box(const Vector& middle, const Vector& half_size, const Vector& down) {
  Real lowest = dot(middle, down);
  for (int k = 0; k < 3; ++k)
    if (const Real part = std::fabs((&down.x)[k]); part > level) lowest += part * (&half_size.x)[k];
  return lowest;
}

Real lowest_of(const Surface& s, Real time, const Vector& down) {
  const Pose<Real> pose = pose_at(s, time);
  if (dot(s.motion.velocity, down) > 0 || s.turns) return endless;  // it may come after the grain
  const Real shaken = norm(s.motion.amplitude);
  switch (s.kind) {
    case Surface::Kind::plane:
      return dot(pose.direction, down) < -level ? endless : -endless;
    case Surface::Kind::cylinder_inside:
      return std::fabs(dot(pose.direction, down)) < 1 - level ? endless : -endless;
    case Surface::Kind::cylinder_outside:
      return shaken + lowest_of_bar(pose.point, pose.direction, s.half_length, s.radius, down);
    case Surface::Kind::box_outside:
      return shaken + lowest_of_box(pose.point, s.half_size, down);
  }
  return endless;
}

Real lowest_of(const RegionSpec& region, const Vector& down) {
  switch (region.kind) {
    case RegionSpec::Kind::none:
      return -endless;
    case RegionSpec::Kind::box:
      return lowest_of_box(0.5 * (region.low + region.high), 0.5 * (region.high - region.low), down);
    case RegionSpec::Kind::cylinder:
      return lowest_of_bar(region.centre, (1 / norm(region.axis)) * region.axis, 0.5 * region.length, region.radius,
                           down);
    case RegionSpec::Kind::half_space:
      return dot(region.normal, down) < 0 ? endless : -endless;
  }
  return endless;
}

// [m] along `down`: who is below falls for ever.
Real lowest_hold(const World& world, const Scenario& scenario, const Vector& down) {
  const Vector& period = world.settings().cell.length;
  for (int k = 0; k < 3; ++k)
    if ((&period.x)[k] > 0 && std::fabs((&down.x)[k]) > level) return endless;  // who falls comes back from above
  Real lowest = -endless;
  for (const Surface& s : world.settings().surfaces) lowest = std::max(lowest, lowest_of(s, world.time(), down));
  for (const RemovalSpec& r : scenario.removals) lowest = std::max(lowest, lowest_of(r.region, down));
  return lowest;
}

Vector mean_velocity(const World& world) {
  Vector sum{};
  for (const int i : world.grains().by_id()) sum += world.velocity(i);
  return (1.0 / world.size()) * sum;
}

// The wall that comes the fastest; a plane does not by motion along it.
void look_at_walls(const World& world, Real h, LostGrains& found) {
  const std::vector<Real>& radius = world.grains().radius;
  const Real least = *std::min_element(radius.begin(), radius.end());
  for (const Surface& s : world.settings().surfaces) {
    if (s.motion.still()) continue;
    const Pose<Real> pose = pose_at(s, world.time());
    const Real way =
        h * (s.kind == Surface::Kind::plane ? std::fabs(dot(pose.velocity, pose.direction)) : norm(pose.velocity));
    if (!(way > least * found.travel)) continue;
    found.travel = way / least;
    found.fast = "wall '" + world.settings().walls[s.wall] + "' moves by " + brief(way) + " m in one step, " +
                 brief(found.travel) + " radii of the smallest grain";
  }
}

}  // namespace

LostGrains lost_grains(const World& world, const Scenario& scenario, Real h) {
  LostGrains found;
  const int n = world.size();
  if (n == 0) return found;
  const Vector& gravity = world.settings().gravity;
  const Real g = norm(gravity);
  const Vector down = g > 0 ? (1 / g) * gravity : Vector{};
  const Real hold = g > 0 ? lowest_hold(world, scenario, down) : endless;
  const Vector common = world.settings().surfaces.empty() ? mean_velocity(world) : Vector{};
  look_at_walls(world, h, found);
  const Particles& grains = world.grains();
  int falling = 0, lowest = -1, fast = -1;
  for (int i = 0; i < n; ++i) {
    const Vector x = world.position(i), v = world.velocity(i);
    const auto before = [&](int other) { return other < 0 || grains.id[i] < grains.id[other]; };
    if (dot(x, down) - grains.radius[i] > hold && dot(v, down) > 0) {
      ++falling;
      const Real deeper = lowest < 0 ? 0 : dot(x - world.position(lowest), down);
      if (deeper > 0 || (deeper == 0 && before(lowest))) lowest = i;
      continue;
    }
    const Real travel = norm(v - common) * h / grains.radius[i];
    if (travel > found.travel || (travel == found.travel && fast >= 0 && before(fast))) found.travel = travel, fast = i;
  }
  if (fast >= 0)
    found.fast = "grain " + std::to_string(grains.id[fast]) + " moves by " + brief(found.travel * grains.radius[fast]) +
                 " m in one step, " + brief(found.travel) + " times its radius";
  if (falling > 0)
    found.falling =
        (falling == 1 ? "a grain falls for ever: grain "
                      : std::to_string(falling) + " grains fall for " + "ever, the lowest of them grain ") +
        std::to_string(grains.id[lowest]) + ", at " + brief(world.position(lowest)) +
        " m, below everything that could stop a falling grain; add a floor, or a [[removal]] that removes such grains";
  return found;
}

}  // namespace cairn
