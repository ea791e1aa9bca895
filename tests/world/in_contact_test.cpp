// The claims of every scheme inside a contact of the full engine: two spheres that press, roll and twist on each other,
// or a sphere on a wall, started in contact and stopped before the contact ends, at fractional steps per contact.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

struct Case {
  const char* name;
  Real damping, tangential_damping, friction;
  bool sliding = false;
};

// Everything that moves, scaled to order one.
std::vector<Real> outcome(World& w) {
  std::vector<Real> a;
  const std::vector<int> order = by_id(w);
  for (int i : order)
    for (int row = 0; row < body_rows; ++row) a.push_back(w.state().body.row(row)[i] * (row < 3 ? 1e2 : 1));
  for (int row = 0; row < 3; ++row) a.push_back(1e2 * w.state().bond.row(row)[0]);
  return a;
}

World touching_pair(const Case& c) {
  ContactSettings s;
  s.stiffness = 1000;
  s.damping = c.damping;
  s.tangential_damping = c.tangential_damping;
  s.friction = c.friction;
  World w = linear_world(s, {0, 0, -1});
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.3, 0.1, 0.2}, .spin = {3, -2, 4}, .radius = 0.05, .mass = 0.3},
      {.position = {0.06, 0.03, 0.06}, .velocity = {-0.2, 0.3, -0.1}, .spin = {-1, 5, 2}, .radius = 0.06, .mass = 0.5}};
  w.insert(grains);
  w.begin();
  if (c.sliding) {  // from the start: the spring at its limit, at an angle to the direction of slip, growing
    const GrainData &i = grains[0], &j = grains[1];
    const Real apart = norm(j.position - i.position), overlap = i.radius + j.radius - apart;
    const Vector n = (1 / apart) * (j.position - i.position);
    const Vector v = i.velocity - j.velocity;
    const Vector slip =
        v - dot(v, n) * n + cross((i.radius - overlap / 2) * i.spin + (j.radius - overlap / 2) * j.spin, n);
    const Vector direction = slip + cross(n, slip);
    const Real limit = c.friction * overlap / (2.0 / 7);
    w.state().bond.set(0, 0, ((1 + 1e-12) * limit / norm(direction)) * direction);
    w.begin();
  }
  return w;
}

std::vector<Real> run(const SchemeEntry& scheme, const Case& c, int steps, Real end) {
  World w = touching_pair(c);
  w.controller().tolerance = 1e300;
  for (int k = 0; k < steps; ++k) scheme.advance(w, end / steps);
  const World::Synchronised now(w, scheme.staggered ? 0.5 * end / steps : 0);
  return outcome(w);
}

Real distance(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::fabs(a[k] - b[k]));
  return most;
}

}  // namespace

TEST_CASE("every scheme keeps its orders inside a contact") {
  // A tenth of the contact's duration, so that nothing opens, clips or changes between stick and slip.
  const Real end = 0.02;
  const Case cases[] = {{"dashpot", 1.0, 0, 0},
                        {"turning spring", 0, 0, 100},
                        {"dashpots and spring", 1.0, 0.3, 100},
                        {"sliding, turning", 0, 0, 0.05, true},
                        {"sliding, dashpot", 0, 0.3, 0.05, true}};
  for (const Case& c : cases) {
    const std::vector<Real> exact = run(scheme_named("dormand_prince54"), c, 2000, end);
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      const Claims& claims = scheme.claims;
      int order = c.friction > 0 ? std::min(claims.order, claims.order_spring) : claims.order;
      if (c.damping > 0) order = std::min(order, claims.order_damped);
      if (c.sliding) order = std::min(order, claims.order_sliding);
      const int coarse = order == 5 ? 6 : order == 4 ? 10 : 40;
      const Real e1 = distance(run(scheme, c, coarse, end), exact);
      const Real e2 = distance(run(scheme, c, 2 * coarse, end), exact);
      const Real e4 = distance(run(scheme, c, 4 * coarse, end), exact);
      const Real slope = std::log2(e2 / e4);
      INFO(std::string(c.name), " ", std::string(claims.name), ": errors ", e1, " ", e2, " ", e4, ", slope ", slope,
           ", claimed ", order);
      CHECK(slope > order - (order == 5 ? 0.3 : 0.15));
      CHECK(slope < order + 0.5);
    }
  }
}
