// Where the motion of a wall has brought it, and in which directions space repeats itself.
#pragma once
#include <algorithm>

#include "cairn/world/world.hpp"

namespace cairn::render {

inline bool periodic(const World& world, int axis) {
  const Vector& l = world.settings().cell.length;
  return (axis == 0 ? l.x : axis == 1 ? l.y : l.z) > 0;
}

// The wall's motion up to now, as a map of the points it is made of.
class Moved {
 public:
  Moved(const World& world, int wall) : world_(&world) {
    const auto& surfaces = world.settings().surfaces;  // in the order of the walls
    const auto at = std::lower_bound(surfaces.begin(), surfaces.end(), wall,
                                     [](const Surface& s, int index) { return s.wall < index; });
    if (at != surfaces.end() && at->wall == wall) carrier_ = &*at;
  }
  Vector operator()(const Vector& a) const {
    if (!carrier_) return a;
    const Vector by = carrier_->loaded < 0 ? Vector{} : displacement_of(world_->state(), carrier_->loaded).x;
    return place_on(*carrier_, a, world_->time()) + by;
  }
  bool absent() const { return carrier_ && carrier_->absent; }

 private:
  const World* world_;
  const Surface* carrier_ = nullptr;
};

}  // namespace cairn::render
