// Where a surface of a wall is in a pass, and where it was in the drift before. For files compiled once per instruction
// set.
#pragma once
#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

struct SurfacePoses {
  const Surface& surface;
  Vector forced{};                     // [m/s] velocity that forces gave a loaded wall, as predicted
  Pose<Lanes> now;                     // moves at the velocity at which forces are asked for
  Pose<Lanes> then[most_spring_lags];  // moves at that of the drift
  Real lags[most_spring_lags];         // [s]
  int looks_back = 0;                  // so many lags

  // A function of its own, for it visits motions of every kind.
  CAIRN_FLATTEN __attribute__((noinline)) SurfacePoses(const Surface& of, const ContactPass& pass) : surface(of) {
    const State& y = *pass.y;
    Vector shift{}, drifts_at{};  // [m] [m/s] of a loaded wall
    if (of.loaded >= 0) {
      shift = y.walls.at(WallRow::x, of.loaded), drifts_at = forced = y.walls.at(WallRow::v, of.loaded);
      if (pass.predict != 0) forced += pass.predict * pass.current_rate->walls.at(WallRow::v, of.loaded);
    }
    now = at(y.time, shift, forced);
    if (pass.drift == 0) return;
    for (const Real drifts : spring_method(pass.quadrature).lags) {
      const Real lag = lags[looks_back] = drifts * pass.drift;
      then[looks_back++] = at(y.time + (-lag), shift - lag * drifts_at, drifts_at);
    }
  }

  // [m/s] that the prescribed motion gives the wall's material, which moves at `velocity` now.
  Vec3<Lanes> prescribed(const Vec3<Lanes>& velocity) const {
    return surface.loaded < 0 ? velocity : velocity - Vec3<Lanes>{forced.x, forced.y, forced.z};
  }

  // [m/s] of the wall's material, a lag before, where it then met grains that moved at v and meet it so `now`. Found
  // from the velocity where they meet it now: in a periodic cell the grain's nearest image is not asked for again.
  Vec3<Lanes> material_velocity_then(int k, const Vec3<Lanes>& v, const Nearest<Lanes>& meet) const {
    if (now.spin == Vector{}) return then[k].velocity;
    const Lanes receding = dot(meet.velocity - v, meet.n);
    const Vec3<Lanes> contact_velocity = v + receding * meet.n + meet.distance * meet.n_rate;
    const Vec3<Lanes> nearer = now.centre - then[k].centre - Lanes(lags[k]) * contact_velocity;  // to the axis
    return meet.velocity + (then[k].velocity - now.velocity) + cross(now.spin, nearer);
  }

 private:
  // A loaded wall has moved on by `shift` [m], and moves on at `velocity` [m/s].
  Pose<Lanes> at(Real time, const Vector& shift, const Vector& velocity) const {
    Pose<Real> p = pose_at(surface, time);
    if (surface.loaded >= 0) p = moved(p, shift, velocity);
    const auto all = [](const Vector& a) { return Vec3<Lanes>{a.x, a.y, a.z}; };
    return {all(p.point), all(p.direction), all(p.centre), all(p.velocity), p.spin};
  }
};

}  // namespace CAIRN_SIMD
}  // namespace cairn
