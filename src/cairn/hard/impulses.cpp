#include "cairn/hard/impulses.hpp"

#include <algorithm>
#include <vector>

namespace cairn::hard {
namespace {

// The impulse of two bodies alone that collide at the relative velocity u. Friction stops the slip, within Coulomb's
// limit.
Impulse collision(const Contact& c, const Vector& u, Real restitution) {
  const Real approach = dot(u, c.n);
  const Real normal = (1 + restitution) * approach / c.normal_response;
  return {normal, within_friction((-1 / c.tangential_response) * (u - approach * c.n), c.friction * normal)};
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
