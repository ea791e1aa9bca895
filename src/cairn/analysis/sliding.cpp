#include "cairn/analysis/sliding.hpp"

#include <cmath>

#include "cairn/core/constants.hpp"

namespace cairn {

Real sliding_error(const SlidingCase& c, const Advance& advance, bool staggered, int steps, bool onset) {
  constexpr Real radius = 0.01, mass = 0.01, gravity = 9.81, stiffness = 1e5, friction = 0.3;
  const Real omega2 = stiffness / mass, zeta = 0.2;
  const Real duration = pi / std::sqrt(omega2 * (1 - zeta * zeta));
  const Real steep = std::sqrt(1 + c.slope * c.slope), presses = gravity / steep, pulls = c.slope * presses;
  ContactSettings contact;
  contact["stiffness"] = stiffness;
  contact["damping"] = 2 * zeta * std::sqrt(stiffness * mass);
  contact["friction"] = friction;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {pulls, 0, -presses};  // downhill is x
  s.onset = onset;
  Surface plane;
  plane.direction = {0, 0, 1}, plane.motion.velocity = {c.belt, 0, 0};
  s.surfaces.push_back(plane);
  s.walls.push_back("plane");
  World w(s);
  const Real lever = radius - mass * presses / stiffness;  // the sphere gives way, the wall does not
  const GrainData sphere{.position = {0, 0, lever},
                         .velocity = {c.velocity, 0, 0},
                         .spin = {0, c.spin, 0},
                         .radius = radius,
                         .mass = mass};
  w.insert({&sphere, 1});
  w.begin();
  w.controller().tolerance = 1e300;  // adaptive schemes take every step they are asked for
  const Real h = duration / steps;
  for (int k = 0; k < sliding_contacts * steps; ++k) advance(w, h);
  const World::Synchronised now(w, staggered ? 0.5 * h : 0);
  // Friction points against the slip of the sphere over the plane.
  const Real against = c.velocity - c.belt - radius * c.spin > 0 ? -1 : 1;
  const Real coulomb = friction * presses * w.time();
  const Real by_velocity = against * (w.velocity(0).x - c.velocity - pulls * w.time()) / coulomb - 1;
  const Real by_spin = -against * (w.spin(0).y - c.spin) * 0.4 * radius * radius / lever / coulomb - 1;
  return std::fabs(by_spin) > std::fabs(by_velocity) ? by_spin : by_velocity;
}

Sliding measure_sliding(const SlidingCase& c, const Advance& advance, bool staggered, bool onset) {
  Sliding s;
  for (std::size_t k = 0; k < sliding_steps.size(); ++k)
    s.error[k] = sliding_error(c, advance, staggered, sliding_steps[k], onset);
  return s;
}

}  // namespace cairn
