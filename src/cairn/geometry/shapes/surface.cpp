#include "cairn/geometry/shapes/surface.hpp"

#include <utility>

namespace cairn {

void change_motion(Surface& s, Motion motion, Real time) {
  const Pose<Real> now = pose_at(s, time);
  // An oscillation begins where the surface is, whatever its phase.
  s.point = now.point - sincos_turns(motion.phase).sin * motion.amplitude;
  s.direction = now.direction;
  motion.start = time;
  s.motion = std::move(motion);
  s.turns = rotation_changes(s);
}

}  // namespace cairn
