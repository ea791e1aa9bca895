#include "cairn/run/lost_grains.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/text.hpp"

namespace cairn {
namespace {

// [m] Along `down`: a grain that is lower cannot fall on the surface.
Real lowest_of(const Surface& s, Real time, const Vector& down) {
  const Pose<Real> pose = pose_at(s, time);
  if (dot(s.motion.velocity, down) > 0 || s.turns || s.absent || s.loaded >= 0)
    return catches_all;  // it may come after the grain
  return norm(s.motion.amplitude) + std::visit([&](const auto& shape) { return shape.lowest(pose, down); }, s.shape);
}

Real lowest_of(const RegionSpec& region, const Vector& down) {
  switch (region.kind) {
    case RegionSpec::Kind::none:
      return catches_none;
    case RegionSpec::Kind::box:
      return lowest_of_box(0.5 * (region.low + region.high), 0.5 * (region.high - region.low), down);
    case RegionSpec::Kind::cylinder:
      return lowest_of_bar(region.centre, (1 / norm(region.axis)) * region.axis, 0.5 * region.length, region.radius,
                           down);
    case RegionSpec::Kind::half_space:
      return dot(region.normal, down) < 0 ? catches_all : catches_none;
  }
  return catches_all;
}

// [m] along `down`: who is below falls for ever.
Real lowest_hold(const World& world, const Scenario& scenario, const Vector& down) {
  const Vector& period = world.settings().cell.length;
  for (int k = 0; k < 3; ++k)
    if ((&period.x)[k] > 0 && std::fabs((&down.x)[k]) > level_sine)
      return catches_all;  // who falls comes back from above
  Real lowest = catches_none;
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
  const Real least = world.smallest_radius();
  for (const Surface& s : world.settings().surfaces) {
    if (s.absent || (s.motion.still() && s.loaded < 0)) continue;
    const Pose<Real> pose = world.pose(s);
    const Real way = h * closing_part(s, pose, pose.velocity);
    if (!(way > least * found.travel)) continue;
    found.travel = way / least;
    found.fast = "wall '" + world.settings().walls[s.wall] + "' moves by " + brief(way) + " m in one step, " +
                 brief(found.travel) + " radii of the smallest grain";
  }
}

}  // namespace

Real travel_bound(const World& world, Real h) {
  LostGrains found;
  found.travel = h * world.fastest() / world.smallest_radius();
  look_at_walls(world, h, found);
  return found.travel;
}

LostGrains lost_grains(const World& world, const Scenario& scenario, Real h) {
  LostGrains found;
  const int n = world.size();
  if (n == 0) return found;
  const Vector& gravity = world.settings().gravity;
  const Real g = norm(gravity);
  const Vector down = g > 0 ? (1 / g) * gravity : Vector{};
  const Real hold = g > 0 ? lowest_hold(world, scenario, down) : catches_all;
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
