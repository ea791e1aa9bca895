#include "cairn/hard/impulses.hpp"

#include <algorithm>
#include <vector>

namespace cairn::hard {
namespace {

// The friction on a contact that slips at u, where the bodies follow it with different masses along the axes: an
// impulse T across n changes the slip by the part of D T across n and by S T, with D the inverse masses and S the
// response of spins. So T = (D + S)^-1 (k n - u), with k such that T has no part along n, stops the slip. Beyond
// Coulomb's limit friction opposes the slip, and does not reverse it: its turning during the collision is left out.
// Either loses energy.
Vector friction_of(const Contact& c, const Vector& u, Real limit) {
  const auto response = [&](const Vector& t) { return along_axes(c.inverse_mass, t) + c.spin_response * t; };
  const Vector diagonal = response({1, 1, 1}), inverse{1 / diagonal.x, 1 / diagonal.y, 1 / diagonal.z};
  const Real k = dot(c.n, along_axes(inverse, u)) / dot(c.n, along_axes(inverse, c.n));
  const Vector stops = along_axes(inverse, k * c.n - u);
  if (dot(stops, stops) <= limit * limit) return stops;
  const Vector t = (1 / norm(u)) * u;
  return -std::min(limit, norm(u) / dot(t, response(t))) * t;
}

// The impulse of two bodies alone that collide at the relative velocity u. Friction stops the slip, within Coulomb's
// limit. It follows the normal impulse, which makes bodies slip where their inverse masses differ along the axes.
Impulse collision(const Contact& c, const Vector& u, Real restitution) {
  const Real approach = dot(u, c.n);
  const Real normal = (1 + restitution) * approach / c.normal_response, limit = c.friction * normal;
  const Vector& w = c.inverse_mass;
  if (w.x == w.y && w.y == w.z)
    return {normal, within_friction((-1 / c.tangential_response) * (u - approach * c.n), limit)};
  const Vector made = normal * (along_axes(w, c.n) - c.normal_response * c.n);
  return {normal, friction_of(c, u - approach * c.n - made, limit)};
}

bool may_collide(const Contact& c) {
  return c.gap <= 0 && c.normal_response > 0;
}

}  // namespace

Outcome simultaneous_impulses(std::span<Body> bodies, std::span<Contact> contacts) {
  std::vector<Vector> before(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    Contact& c = contacts[k];
    before[k] = relative_velocity(bodies, c);
    c.normal = 0, c.tangential = {};
    if (!may_collide(c) || !(dot(before[k], c.n) > 0)) continue;
    const Impulse of = collision(c, before[k], c.restitution);
    c.normal = of.normal, c.tangential = of.tangential;
  }
  for (const Contact& c : contacts) apply(bodies, c, c.tangential - c.normal * c.n);
  Outcome outcome;
  outcome.sweeps = 1;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    outcome.work.add(contacts[k], contacts[k].normal, contacts[k].tangential, before[k],
                     relative_velocity(bodies, contacts[k]));
  return outcome;
}

Outcome sequential_impulses(std::span<Body> bodies, std::span<Contact> contacts, Real tolerance, int most_sweeps) {
  Outcome outcome;
  Real fastest = 0;
  for (Contact& c : contacts) {
    c.normal = 0, c.tangential = {};
    if (may_collide(c)) fastest = std::max(fastest, dot(relative_velocity(bodies, c), c.n));
  }
  outcome.residual = fastest;
  const Real settled = tolerance * fastest;
  const auto visit = [&](Contact& c, bool rebounds) {
    if (!may_collide(c)) return;
    const Vector u = relative_velocity(bodies, c);
    const Real approach = dot(u, c.n);
    outcome.residual = std::max(outcome.residual, approach);
    if (!(approach > settled)) return;
    const Impulse of = collision(c, u, rebounds ? c.restitution : 0);
    apply(bodies, c, of.tangential - of.normal * c.n);
    c.normal += of.normal, c.tangential += of.tangential;
    outcome.work.add(c, of.normal, of.tangential, u, relative_velocity(bodies, c));
  };
  const int without_rebound = most_sweeps;
  while (outcome.residual > settled && outcome.sweeps < most_sweeps + without_rebound) {
    outcome.residual = 0;
    const bool rebounds = outcome.sweeps < most_sweeps;
    if (outcome.sweeps++ % 2 == 0)
      for (Contact& c : contacts) visit(c, rebounds);
    else
      for (auto c = contacts.rbegin(); c != contacts.rend(); ++c) visit(*c, rebounds);
  }
  outcome.converged = outcome.sweeps <= most_sweeps && outcome.residual <= settled;
  return outcome;
}

}  // namespace cairn::hard
