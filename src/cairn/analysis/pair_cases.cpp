#include "cairn/analysis/pair_cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "cairn/core/constants.hpp"
#include "cairn/integrate/scheme.hpp"
#include "cairn/integrate/schemes/dormand_prince54.hpp"

namespace cairn {
namespace {

World touching_pair(const PairCase& c) {
  ContactSettings contact;
  contact["stiffness"] = 1000;
  contact["damping"] = c.damping;
  contact["tangential_damping"] = c.tangential_damping;
  contact["friction"] = c.friction;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {0, 0, -1};
  World w(s);
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.3, 0.1, 0.2}, .spin = {3, -2, 4}, .radius = 0.05, .mass = 0.3},
      {.position = {0.06, 0.03, 0.06}, .velocity = {-0.2, 0.3, -0.1}, .spin = {-1, 5, 2}, .radius = 0.06, .mass = 0.5}};
  w.insert(grains);
  w.begin();
  if (!c.sliding) return w;
  // The spring at its limit, at an angle to the direction of slip, growing.
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
  return w;
}

}  // namespace

int PairCase::claimed(const Claims& c) const {
  int order = c.order;
  if (friction > 0) order = std::min(order, c.order_spring);
  if (damping > 0) order = std::min(order, c.order_damped);
  if (sliding) order = std::min(order, c.order_sliding);
  return order;
}

PairOutcome run_pair(const PairCase& c, const Advance& advance, bool staggered, int steps) {
  World w = touching_pair(c);
  w.controller().tolerance = 1e300;         // adaptive schemes take every step they are asked for
  w.controller().solver_tolerance = 1e-15;  // implicit ones solve to round-off
  const Real h = pair_end / steps;
  for (int k = 0; k < steps; ++k) advance(w, h);
  const World::Synchronised now(w, staggered ? 0.5 * h : 0);
  PairOutcome a;
  for (const int i : w.grains().by_id())
    for (int row = 0; row < BodyRow::count; ++row) a.push_back(w.state().body.row(row)[i] * (row < 3 ? 1e2 : 1));
  // A step far too large may have flung them so far apart that they are no candidates for a contact.
  const Slab& bond = w.state().bond;
  for (int row = 0; row < 3; ++row) a.push_back(bond.size() > 0 ? 1e2 * bond.row(row)[0] : nan);
  return a;
}

Real distance(const PairOutcome& a, const PairOutcome& b) {
  Real most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (const Real d = std::fabs(a[k] - b[k]); d > most || std::isnan(d)) most = d;
  return most;
}

const Reference<PairOutcome>& pair_reference(const PairCase& c) {
  static std::map<std::string_view, Reference<PairOutcome>> known;
  const auto at = known.find(c.name);
  if (at != known.end()) return at->second;
  constexpr auto dormand_prince = [](World& w, Real h) { return cairn::advance<schemes::DormandPrince54>(w, h); };
  const auto run = [&](int steps) { return run_pair(c, dormand_prince, false, steps); };
  return known[c.name] = converged(run, distance);
}

Convergence pair_convergence(const PairCase& c, const Advance& advance, bool staggered, int most_steps) {
  const Reference<PairOutcome>& exact = pair_reference(c);
  return converge([&](int steps) { return distance(run_pair(c, advance, staggered, steps), exact.outcome); }, pair_end,
                  exact.floor(), most_steps);
}

}  // namespace cairn
