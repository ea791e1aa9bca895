// Surfaces of walls, each moved as a rigid body by prescribed translation, rotation and oscillation. A wall is a list
// of surfaces, a body of zero radius. Its mass is infinite, unless it is a loaded wall: then the surface moves with
// State::walls, too.
#pragma once
#include <cmath>
#include <variant>
#include <vector>

#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/shapes/all.hpp"

namespace cairn {

struct Surface {
  int wall = 0;  // which wall it belongs to
  int material = 0;
  SurfaceShape shape{};
  Vector point{};      // [m] at the start of the motion and no displacement; the shape says where it is on the surface
  Vector direction{};  // unit: a plane's normal, towards the grains; the axis of a cylinder
  Motion motion;
  bool turns = false;   // the rotation changes the surface (not: a cylinder about its own axis)
  bool absent = false;  // touches nothing
  WallFrame frame{};    // of its wall at the start of the motion
  int loaded = -1;      // which of the loaded walls it belongs to; -1: none
};

// Whether the rotation of a surface changes it, so that Surface::turns must be set.
inline bool rotation_changes(const Surface& s) {
  const Motion& m = s.motion;
  if (m.rotation_rate == 0) return false;
  const Vector off = s.point - m.centre;
  return std::visit(
      [&](const auto& shape) {
        const bool along_axis = shape.has_axis && norm(cross(m.axis, s.direction)) < 1e-12;
        return !(along_axis && (shape.is_flat || norm(off - dot(off, m.axis) * m.axis) < 1e-12));
      },
      s.shape);
}

template <class T>
Pose<T> pose_at(const Surface& s, const T& time) {
  const Motion& m = s.motion;
  const auto constant = [](const Vector& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
  const T since = time - T(m.start);
  Vec3<T> shift = since * constant(m.velocity), velocity = constant(m.velocity);
  if (!m.ramp.times.empty()) {
    const auto [factor, integral] = value_and_integral(m.ramp, since);
    shift = integral * constant(m.velocity), velocity = factor * constant(m.velocity);
  }
  if (!(m.amplitude == Vector{})) {
    T sine, cosine;
    sincos_turns(T(m.frequency) * since + T(m.phase), sine, cosine);
    shift = shift + sine * constant(m.amplitude);
    velocity = velocity + (tau * m.frequency * cosine) * constant(m.amplitude);
  }
  Vec3<T> arm = constant(s.point - m.centre), direction = constant(s.direction);
  if (s.turns) {
    T sine, cosine;
    sincos_turns(T(m.rotation_rate / tau) * since, sine, cosine);
    const auto turn = [&](const Vec3<T>& a) {  // Rodrigues' formula
      const T along = dot(m.axis, a);
      return cosine * a + sine * cross(m.axis, a) + ((T(1.0) - cosine) * along) * constant(m.axis);
    };
    arm = turn(arm), direction = turn(direction);
  }
  const Vec3<T> centre = constant(m.centre) + shift;
  return {centre + arm, direction, centre, velocity, m.rotation_rate * m.axis};
}

// The same of a surface that also moves with a loaded wall, `by` [m] from where it began, at `velocity` [m/s].
template <class T>
Pose<T> moved(Pose<T> pose, const Vec3<T>& by, const Vec3<T>& velocity) {
  pose.point = pose.point + by, pose.centre = pose.centre + by, pose.velocity = pose.velocity + velocity;
  return pose;
}

// Where a point of the wall, as the wall was made, is at a time by prescribed motion.
Vector place_on(const Surface& s, const Vector& made, Real time);

// From `time` on the surface moves by `motion`, whose displacement and rotation count from where it is then. Takes
// Surface::turns anew.
void change_motion(Surface& s, Motion motion, Real time);

// Finite walls repeat with the periodic cell: the image of a grain at x that is nearest to the surface's point. One
// contact can hold one image only, so a gap between a wall and its own image must be wider than a grain.
// Rejected: walls that do not repeat. A grain that leaves the cell would leave its contact, and its spring, behind.
template <class T>
Vec3<T> image_at(const Surface& s, const Pose<T>& pose, const PeriodicCell& cell, const Vec3<T>& x) {
  if (!cell.any() || std::visit([](const auto& shape) { return shape.is_flat; }, s.shape)) return x;
  const Vec3<T> away = x - pose.point;
  using Number = decltype(value(away.x));
  const Vec3<Number> shift = cell.image(Vec3<Number>{value(away.x), value(away.y), value(away.z)});
  return x - Vec3<T>{T(shift.x), T(shift.y), T(shift.z)};
}

// Where a grain at x, moving at v, meets the surface.
template <class T>
struct Nearest {
  Vec3<T> n;         // unit, from the grain towards the wall
  Vec3<T> n_rate;    // [1/s]
  T distance;        // [m] signed: negative inside the solid
  Vec3<T> velocity;  // [m/s] of the wall's material at the contact point
};

template <class T>
Nearest<T> nearest(const Surface& s, const Pose<T>& pose, const PeriodicCell& cell, const Vec3<T>& at_x,
                   const Vec3<T>& v) {
  const Vec3<T> x = image_at(s, pose, cell, at_x);
  const SeenCentre<T> grain{pose, x, v};
  const ClosestPoint<T> at = std::visit([&](const auto& shape) { return shape.closest(grain); }, s.shape);
  return {at.n, at.n_rate + cross(pose.spin, at.n), at.distance, pose.material_velocity(x + at.distance * at.n)};
}

// [m] Signed: negative inside the solid.
inline Real wall_distance(const Surface& s, const Pose<Real>& pose, const PeriodicCell& cell, const Vector& x) {
  const Vector still{}, image = image_at(s, pose, cell, x);
  const SeenCentre<Real> centre{pose, image, still};
  return std::visit([&](const auto& shape) { return shape.closest(centre).distance; }, s.shape);
}

// How fast, or how far, a velocity or displacement of the surface without rotation brings it towards grains at most:
// motion along a plane brings it no closer.
inline Real closing_part(const Surface& s, const Pose<Real>& pose, const Vector& by) {
  return std::visit([&](const auto& shape) { return shape.is_flat ? std::fabs(dot(by, pose.direction)) : norm(by); },
                    s.shape);
}

}  // namespace cairn
