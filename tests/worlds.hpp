// Small worlds for tests.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn {

// The settings that a law takes of those given; the extended linear law takes the spheres of Kruggel-Emden et al. 2008
// for what is not given.
inline ContactSettings suited(std::string_view law, const ContactSettings& given) {
  ContactSettings to;
  if (law == ExtendedLinear::name)
    to = {{"restitution_factor", 0.8377},
          {"restitution_exponent", 0.2121},
          {"duration_factor", 0.000017},
          {"duration_exponent", 0.1907}};
  for (const auto& [name, value] : given.values())
    if (find_parameter(law_entry(law).parameters, name) != nullptr) to[name] = value;
  return to;
}

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
