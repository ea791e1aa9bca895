// Where the motion of a wall has brought it, and in which directions space repeats itself.
#pragma once
#include <algorithm>

#include "cairn/world/world.hpp"

namespace cairn::render {

inline bool periodic(const World& world, int axis) {
  const Vector& l = world.settings().cell.length;
  return (axis == 0 ? l.x : axis == 1 ? l.y : l.z) > 0;
}

// The wall's motion up to now, as a map of its points.
class Moved {
 public:
  Moved(const World& world, int wall, Real time) : time_(time) {
    const auto& surfaces = world.settings().surfaces;  // in the order of the walls
    const auto at = std::lower_bound(surfaces.begin(), surfaces.end(), wall,
                                     [](const Surface& s, int index) { return s.wall < index; });
    if (at != surfaces.end() && at->wall == wall) carrier_.motion = at->motion;
    carrier_.turns = carrier_.motion.rotation_rate != 0;
  }
  Vector operator()(const Vector& a) const {
    Surface carrier = carrier_;
    carrier.point = a;
    return pose_at(carrier, time_).point;
  }

 private:
  Surface carrier_;
  Real time_;
};

}  // namespace cairn::render
