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

void FastAndFalling::add(const FastAndFalling& other) {
  falling += other.falling;
  if (other.lowest >= 0 && (lowest < 0 || other.depth > depth || (other.depth == depth && other.lowest < lowest)))
    lowest = other.lowest, depth = other.depth, lowest_at = other.lowest_at;
  if (other.travel > travel || (other.travel == travel && other.fast < fast))
    travel = other.travel, way = other.way, fast = other.fast;
}

FastAndFalling fast_and_falling(const World& world, const LostGrainsLook& of) {
  world.domain().ask(Question::lost_grains, of);
  FastAndFalling found;
  const Particles& grains = world.grains();
  for (int i = grains.own_begin(); i < grains.own_end(); ++i) {
    const Vector x = world.position(i), v = world.velocity(i);
    const Real depth = dot(x, of.down), radius = grains.radius[i], way = norm(v - of.common) * of.h;
    const std::int64_t id = grains.id[i];
    if (depth - radius > of.hold && dot(v, of.down) > 0)
      found.add({.falling = 1, .lowest = id, .depth = depth, .lowest_at = x});
    else
      found.add({.fast = id, .travel = way / radius, .way = way});
  }
  world.domain().add(found);
  return found;
}

LostGrains lost_grains(const World& world, const Scenario& scenario, Real h) {
  LostGrains lost;
  if (world.grains_of_all() == 0) return lost;
  const Vector& gravity = world.settings().gravity;
  const Real g = norm(gravity);
  LostGrainsLook bounds{.h = h};
  if (g > 0) bounds.down = (1 / g) * gravity, bounds.hold = lowest_hold(world, scenario, bounds.down);
  if (world.settings().surfaces.empty())
    if (const Momenta all = world.momenta(); all.mass > 0) bounds.common = (1 / all.mass) * all.linear;
  look_at_walls(world, h, lost);
  const FastAndFalling found = fast_and_falling(world, bounds);
  if (found.travel > lost.travel) {
    lost.travel = found.travel;
    lost.fast = "grain " + std::to_string(found.fast) + " moves by " + brief(found.way) + " m in one step, " +
                brief(found.travel) + " times its radius";
  }
  if (found.falling > 0)
    lost.falling =
        (found.falling == 1 ? "a grain falls for ever: grain "
                            : std::to_string(found.falling) + " grains fall for " + "ever, the lowest of them grain ") +
        std::to_string(found.lowest) + ", at " + brief(found.lowest_at) +
        " m, below everything that could stop a falling grain; add a floor, or a [[removal]] that removes "
        "such grains";
  return lost;
}

}  // namespace cairn
