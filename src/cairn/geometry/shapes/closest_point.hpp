// The point of a surface that is closest to the centre of a grain. T is a number, lanes or a jet.
#pragma once
#include "cairn/geometry/motion.hpp"

namespace cairn {

// The centre of a grain, as the surface sees it.
template <class T>
struct SeenCentre {
  const Pose<T>& pose;
  const Vec3<T>&x, &v;  // [m] [m/s]

  Vec3<T> from_point() const { return x - pose.point; }               // [m]
  Vec3<T> velocity() const { return v - pose.material_velocity(x); }  // [m/s] in a frame that moves with the wall
  Vec3<T> perpendicular(const Vec3<T>& a) const { return a - dot(pose.direction, a) * pose.direction; }
};

template <class T>
struct ClosestPoint {
  Vec3<T> n{};                             // unit, from the grain towards the wall
  Vec3<T> n_rate{T(0.0), T(0.0), T(0.0)};  // [1/s] in a frame that moves with the wall
  T distance{};                            // [m] signed: negative inside the solid

  // Takes other values in the lanes of `where`.
  void take(const Truth<T>& where, const Vec3<T>& to, const Vec3<T>& to_rate, const T& length) {
    n = select(where, to, n), n_rate = select(where, to_rate, n_rate);
    distance = select(where, length, distance);
  }
  // From outside the solid: the point from_centre [m] away from the grain's centre, which moves at `rate` [m/s]
  // relative to it.
  void take_point(const Truth<T>& where, const Vec3<T>& from_centre, const Vec3<T>& rate) {
    const T length = sqrt(dot(from_centre, from_centre));
    const Vec3<T> to = (T(1.0) / length) * from_centre;
    take(where, to, (T(1.0) / length) * (rate - dot(to, rate) * to), length);
  }
};

}  // namespace cairn
