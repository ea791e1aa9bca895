// Small worlds for tests.
#pragma once
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn {

inline WorldSettings linear_settings(const ContactSettings& contact, const Vector& gravity = {}) {
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = gravity;
  return s;
}

inline World linear_world(const ContactSettings& contact, const Vector& gravity = {}) {
  return World(linear_settings(contact, gravity));
}

// Adds a plane through `point` whose grains are on the side of `normal`.
inline void add_plane(WorldSettings& s, const Vector& point, const Vector& normal, const Motion& motion = {}) {
  Surface plane;
  plane.wall = static_cast<int>(s.walls.size());
  plane.point = point, plane.direction = normal, plane.motion = motion;
  s.surfaces.push_back(plane);
  s.walls.push_back("plane" + std::to_string(plane.wall));
}

inline std::vector<int> by_id(const World& w) {
  return w.grains().by_id();
}

}  // namespace cairn
