// The prescribed motion of a wall as a rigid body: translation, rotation, oscillation; and where a surface is by it.
#pragma once
#include "cairn/core/constants.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/core/turn.hpp"
#include "cairn/core/vec3.hpp"
#include "cairn/geometry/ramp.hpp"

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
  Real start = 0;                 // [s] time from which the motion counts
  Vector velocity{};              // [m/s]
  Ramp ramp{};                    // [-] times velocity, by the time since the start
  Vector axis{};                  // unit vector, or zero
  Vector centre{};                // [m] at the start and no displacement
  Real rotation_rate = 0;         // [rad/s]
  Vector amplitude{};             // [m] displacement amplitude sin(2 pi (frequency t + phase))
  Real frequency = 0, phase = 0;  // [Hz] [turns]

  bool still() const {
    return velocity == Vector{} && rotation_rate == 0 && (amplitude == Vector{} || frequency == 0) &&
           (amplitude == Vector{} || phase == 0);
  }
};

// Where changes of a wall's motion have brought what it was made of, before its present motion began.
struct WallFrame {
  Vector origin{}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  // [m] [-] of what was at the origin, and of the axes

  Vector of(const Vector& a) const { return origin + a.x * x + a.y * y + a.z * z; }
};

// A surface at one instant.
template <class T>
struct Pose {
  Vec3<T> point, direction;  // [m] [-] of the surface, now
  Vec3<T> centre, velocity;  // [m] [m/s] of the axis of rotation
  Vector spin;               // [rad/s]

  // [m/s] of the wall's material at a point.
  Vec3<T> material_velocity(const Vec3<T>& at) const { return velocity + cross(spin, at - centre); }
};

}  // namespace cairn
