#include "cairn/run/space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "cairn/core/constants.hpp"
#include "cairn/run/build.hpp"

namespace cairn {
namespace {

constexpr Real no_bound = std::numeric_limits<Real>::infinity();

bool exists(int dimension, int axis) {
  return axis == 2 || (axis == 0 ? dimension > 1 : dimension > 2);
}
Real component(const Vector& a, int axis) {
  return (&a.x)[axis];
}
// Of the coordinates that along which a unit vector points; -1: none.
int axis_along(const Vector& direction) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::fabs(component(direction, axis)) > 1 - 1e-12) return axis;
  return -1;
}

// The bounds of each direction, of all walls.
struct Bounds {
  std::array<Real, 3> low{-no_bound, -no_bound, -no_bound}, high{no_bound, no_bound, no_bound};  // [m]
  std::array<bool, 3> round{};                                                                   // by a cylinder
  Real radius = 0;                                                                               // [m]

  // False where the surface bounds no direction.
  template <class Shape>
  bool add(const Shape& shape, const Vector& point, const Vector& direction) {
    const int axis = axis_along(direction);
    if (axis < 0) return false;
    if constexpr (std::is_same_v<Shape, PlaneSurface>) {
      if (component(direction, axis) > 0)
        low[axis] = std::max(low[axis], component(point, axis));
      else
        high[axis] = std::min(high[axis], component(point, axis));
      return true;
    } else if constexpr (std::is_same_v<Shape, InnerCylinder>) {
      if (radius > 0) return false;
      radius = shape.radius;
      for (int across = 0; across < 3; ++across) round[across] = across != axis;
      return true;
    } else {
      return false;
    }
  }
  bool flat(int axis) const { return low[axis] > -no_bound || high[axis] < no_bound; }
};

}  // namespace

bool has_space(const Scenario& scenario) {
  Bounds bounds;
  bool known = true;
  for (const WallSpec& wall : scenario.walls) {
    Motion motion;
    motion.centre = rotation_centre(wall), motion.rotation_rate = wall.motion.rotation_rate;
    if (const Real length = norm(wall.motion.axis); length > 0) motion.axis = (1 / length) * wall.motion.axis;
    std::visit(
        [&](const auto& shape) {
          shape.surfaces(scenario.dimension, [&](const Vector& point, const Vector& direction, const auto& surface) {
            known = known && bounds.add(surface, point, direction) &&
                    !rotation_changes(Surface{0, 0, surface, point, direction, motion});
          });
        },
        wall.shape);
  }
  const Vector length = scenario.periodic_high - scenario.periodic_low;
  for (int axis = 0; axis < 3; ++axis) {
    if (!exists(scenario.dimension, axis)) continue;
    const int kinds = (component(length, axis) > 0) + bounds.flat(axis) + bounds.round[axis];
    known = known && kinds == 1;
  }
  return known;
}

Real space_of(const World& world, int dimension) {
  Bounds bounds;
  for (const Surface& s : world.settings().surfaces) {
    if (s.absent) continue;
    const Pose<Real> pose = world.pose(s);
    std::visit([&](const auto& shape) { bounds.add(shape, pose.point, pose.direction); }, s.shape);
  }
  std::optional<Extent> grains;
  Real space = bounds.radius > 0 ? pi * bounds.radius * bounds.radius : 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (!exists(dimension, axis) || bounds.round[axis]) continue;
    const Real period = component(world.settings().cell.length, axis);
    Real &low = bounds.low[axis], &high = bounds.high[axis];
    if (low == -no_bound || high == no_bound) {
      if (!grains) grains = world.extent();
      if (low == -no_bound) low = component(grains->low, axis);
      if (high == no_bound) high = component(grains->high, axis);
    }
    space *= period > 0 ? period : high > low ? high - low : std::numeric_limits<Real>::quiet_NaN();
  }
  return space;
}

}  // namespace cairn
