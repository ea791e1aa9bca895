#include "cairn/hard/contact.hpp"

#include <algorithm>

namespace cairn::hard {

void prepare(std::span<const Body> bodies, std::span<Contact> contacts) {
  for (Contact& c : contacts) {
    const Body &a = bodies[c.i], &b = bodies[c.j];
    const Vector inverse = a.inverse_mass + b.inverse_mass;
    const Real spin_i = c.lever_i * c.lever_i * a.inverse_inertia, spin_j = c.lever_j * c.lever_j * b.inverse_inertia;
    c.inverse_mass = inverse, c.spin_response = spin_i + spin_j;
    c.normal_response = dot(c.n, along_axes(inverse, c.n));
    c.tangential_response = std::max({inverse.x, inverse.y, inverse.z}) + spin_i + spin_j;
  }
}

void Work::add(const Contact& c, Real normal, const Vector& tangential, const Vector& before, const Vector& after) {
  const Vector mean = 0.5 * (before + after), impulse = tangential - normal * c.n;
  inelastic += normal * dot(mean, c.n);
  slip -= dot(tangential, mean);
  external += dot(impulse, c.wall_velocity);
}

}  // namespace cairn::hard
