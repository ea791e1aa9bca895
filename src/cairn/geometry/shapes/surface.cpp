#include "cairn/geometry/shapes/surface.hpp"

#include <utility>

namespace cairn {

Vector place_on(const Surface& s, const Vector& made, Real time) {
  Surface carrier = s;
  carrier.point = s.frame.of(made);
  carrier.turns = s.motion.rotation_rate != 0;
  return pose_at(carrier, time).point;
}

void change_motion(Surface& s, Motion motion, Real time) {
  const Pose<Real> now = pose_at(s, time);
  const Vector origin = place_on(s, {}, time);
  const auto axis = [&](const Vector& a) { return place_on(s, a, time) - origin; };
  // An oscillation begins where the surface is, whatever its phase.
  const Vector back = sincos_turns(motion.phase).sin * motion.amplitude;
  s.frame = {origin - back, axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})};
  s.point = now.point - back;
  s.direction = now.direction;
  motion.start = time;
  s.motion = std::move(motion);
  s.turns = rotation_changes(s);
}

}  // namespace cairn
