// Walls: planes (signed half-spaces, solid on the far side), cylinders and solid boxes, each moved as a rigid body by
// prescribed translation, rotation and oscillation. A wall is a list of surfaces; a grain may touch each surface once.
// A wall is a body of infinite mass and zero radius.
#pragma once
#include <string>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/core/turn.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

// sin and cos of 2 pi x for a jet, by the recurrence s' = c u', c' = -s u'.
template <int D>
void sincos_turns(const Jet<D>& x, Jet<D>& s, Jet<D>& c) {
  const SinCos start = sincos_turns(x.c[0]);
  s.c[0] = start.sin, c.c[0] = start.cos;
  for (int k = 1; k <= D; ++k) {
    Real a = 0, b = 0;
    for (int i = 1; i <= k; ++i) a += i * x.c[i] * c.c[k - i], b += i * x.c[i] * s.c[k - i];
    s.c[k] = tau * a / k, c.c[k] = -tau * b / k;
  }
}
inline void sincos_turns(Real x, Real& s, Real& c) {
  const SinCos r = sincos_turns(x);
  s = r.sin, c = r.cos;
}

struct Motion {
  Vector velocity{};              // [m/s]
  Vector axis{};                  // unit vector, or zero
  Vector centre{};                // [m] at t = 0 and no displacement
  Real rotation_rate = 0;         // [rad/s]
  Vector amplitude{};             // [m] displacement amplitude sin(2 pi (frequency t + phase))
  Real frequency = 0, phase = 0;  // [Hz] [turns]

  bool still() const {
    return velocity == Vector{} && rotation_rate == 0 && (amplitude == Vector{} || frequency == 0) &&
           (amplitude == Vector{} || phase == 0);
  }
};

struct Surface {
  enum class Kind { plane, cylinder_inside, cylinder_outside, box_outside };
  Kind kind = Kind::plane;
  int wall = 0;  // which wall it belongs to
  int material = 0;
  Vector point{};        // [m] plane: a point; cylinder: middle of the axis; box: middle
  Vector direction{};    // unit: plane: normal towards the grains; cylinder: axis
  Real radius = 0;       // [m] cylinder
  Real half_length = 0;  // [m] cylinder_outside; 0: endless
  Vector half_size{};    // [m] box
  Motion motion;
  bool turns = false;  // the rotation changes the surface (not: a cylinder about its own axis)
};

// A surface at one instant.
template <class T>
struct Pose {
  Vec3<T> point, direction;  // of the surface, now
  Vec3<T> centre, velocity;  // [m] [m/s] of the axis of rotation
  Vector spin;               // [rad/s]
};

template <class T>
Pose<T> pose_at(const Surface& s, const T& time) {
  const Motion& m = s.motion;
  const auto constant = [](const Vector& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
  Vec3<T> shift = time * constant(m.velocity), velocity = constant(m.velocity);
  if (!(m.amplitude == Vector{})) {
    T sine, cosine;
    sincos_turns(T(m.frequency) * time + T(m.phase), sine, cosine);
    shift = shift + sine * constant(m.amplitude);
    velocity = velocity + (tau * m.frequency * cosine) * constant(m.amplitude);
  }
  Vec3<T> arm = constant(s.point - m.centre), direction = constant(s.direction);
  if (s.turns) {
    T sine, cosine;
    sincos_turns(T(m.rotation_rate / tau) * time, sine, cosine);
    const auto turn = [&](const Vec3<T>& a) {  // Rodrigues' formula
      const T along = dot(m.axis, a);
      return cosine * a + sine * cross(m.axis, a) + ((T(1.0) - cosine) * along) * constant(m.axis);
    };
    arm = turn(arm), direction = turn(direction);
  }
  const Vec3<T> centre = constant(m.centre) + shift;
  return {centre + arm, direction, centre, velocity, m.rotation_rate * m.axis};
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
Nearest<T> nearest(const Surface& s, const Pose<T>& pose, const Vec3<T>& x, const Vec3<T>& v) {
  const auto material_velocity = [&](const Vec3<T>& at) { return pose.velocity + cross(pose.spin, at - pose.centre); };
  const Vec3<T> from_point = x - pose.point, none{T(0.0), T(0.0), T(0.0)};
  Vec3<T> n, n_rate_seen = none;  // n_rate_seen: as seen from the turning wall
  T distance = 0.0;
  const auto seen = [&] { return v - material_velocity(x); };
  const auto perpendicular = [&](const Vec3<T>& a) { return a - dot(pose.direction, a) * pose.direction; };
  const auto take = [&](const Truth<T>& where, const Vec3<T>& to, const Vec3<T>& to_rate, const T& length) {
    n = select(where, to, n), n_rate_seen = select(where, to_rate, n_rate_seen);
    distance = select(where, length, distance);
  };
  // A closest point q that moves at q_rate in the frame of the wall.
  const auto take_point = [&](const Truth<T>& where, const Vec3<T>& q_minus_x, const Vec3<T>& q_rate) {
    const T length = sqrt(dot(q_minus_x, q_minus_x));
    const Vec3<T> to = (T(1.0) / length) * q_minus_x, change = q_rate - seen();
    take(where, to, (T(1.0) / length) * (change - dot(to, change) * to), length);
  };
  switch (s.kind) {
    case Surface::Kind::plane:
      n = -pose.direction;
      distance = dot(from_point, pose.direction);
      break;
    case Surface::Kind::cylinder_inside: {
      const Vec3<T> radial = perpendicular(from_point);
      const T length = sqrt(dot(radial, radial));
      n = {T(1.0), T(0.0), T(0.0)}, distance = T(s.radius) - length;
      const Vec3<T> out = (T(1.0) / length) * radial, across = perpendicular(seen());
      take(length > T(0.0), out, (T(1.0) / length) * (across - dot(out, across) * out), distance);
      break;
    }
    case Surface::Kind::cylinder_outside: {
      const T along = dot(from_point, pose.direction);
      const Vec3<T> radial = from_point - along * pose.direction, across = perpendicular(seen());
      const T length = sqrt(dot(radial, radial));
      n = (T(-1.0) / length) * radial;
      distance = length - T(s.radius);
      n_rate_seen = (T(-1.0) / length) * (across - dot(n, across) * n);
      if (s.half_length == 0) break;
      const auto ahead = along > T(0.0), beside = !(abs(along) > T(s.half_length)), above = !(length > T(s.radius));
      const T cap_distance = abs(along) - T(s.half_length);
      take(above && !(beside && distance > cap_distance), select(ahead, T(-1.0), T(1.0)) * pose.direction, none,
           cap_distance);
      const auto rim = !(above || beside);
      if (!any(rim)) break;
      const Vec3<T> out = (T(1.0) / length) * radial;
      const T end = select(ahead, T(s.half_length), T(-s.half_length));
      take_point(rim, (end - along) * pose.direction + (T(s.radius) - length) * out,
                 (T(s.radius) / length) * (across - dot(out, across) * out));
      break;
    }
    case Surface::Kind::box_outside: {
      const T dx = abs(from_point.x) - T(s.half_size.x), dy = abs(from_point.y) - T(s.half_size.y),
              dz = abs(from_point.z) - T(s.half_size.z);
      const auto by_x = !(dx < dy) && !(dx < dz), by_y = !by_x && !(dy < dz);
      const auto side = [](const T& a) { return select(a > T(0.0), T(-1.0), T(1.0)); };
      n = {select(by_x, side(from_point.x), T(0.0)), select(by_y, side(from_point.y), T(0.0)),
           select(by_x || by_y, T(0.0), side(from_point.z))};
      distance = select(by_x, dx, select(by_y, dy, dz));
      Vec3<T> q = from_point, q_rate = seen();
      const auto clamp = [](T& a, Real half, T& rate) {
        const auto out = abs(a) > T(half);
        a = select(out, select(a > T(0.0), T(half), T(-half)), a), rate = select(out, T(0.0), rate);
        return out;
      };
      const auto x_out = clamp(q.x, s.half_size.x, q_rate.x), y_out = clamp(q.y, s.half_size.y, q_rate.y),
                 z_out = clamp(q.z, s.half_size.z, q_rate.z);
      const auto outside = x_out || y_out || z_out;
      if (any(outside)) take_point(outside, q - from_point, q_rate);
      break;
    }
  }
  const Vec3<T> n_rate = n_rate_seen + cross(pose.spin, n);
  return {n, n_rate, distance, material_velocity(x + distance * n)};
}

}  // namespace cairn
