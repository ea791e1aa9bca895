#include "cairn/analysis/toys/toy_cases.hpp"

#include <cmath>

#include "cairn/integrate/schemes/dormand_prince54.hpp"

namespace cairn::toys {

BodyMotion<Real> synchronised(Toy& toy, bool staggered, Real h) {
  const BodyRows &y = toy.state().body, &a = toy.current_rate().body;
  const Real kick = staggered ? 0.5 * h : 0;
  return {y.at(BodyRow::x, 0), y.at(BodyRow::v, 0) + kick * a.at(BodyRow::v, 0),
          y.at(BodyRow::w, 0) + kick * a.at(BodyRow::w, 0)};
}

Real distance(const ToyResult& a, const ToyResult& b) {
  Real most = 0;
  for (const Vector& d : {a.body.x - b.body.x, a.body.v - b.body.v, a.body.w - b.body.w, a.spring - b.spring})
    for (const Real c : {d.x, d.y, d.z})
      if (std::fabs(c) > most || std::isnan(c)) most = std::fabs(c);
  return most;
}

ToyResult Case::run(const ToyScheme& scheme, int count) const {
  Toy toy(law, start, spring);
  toy.controller().tolerance = any_error;
  toy.controller().solver_tolerance = no_error;
  const Real h = end / count;
  for (int k = 0; k < count; ++k) scheme.advance(toy, h);
  return {synchronised(toy, scheme.staggered, h), toy.body.has_bond() ? toy.state().bond.at(0, 0) : Vector{}};
}

Convergence Case::convergence(const ToyScheme& scheme, int most_steps) const {
  return converge([&](int count) { return distance(run(scheme, count), exact.outcome); }, end, exact.floor(),
                  most_steps);
}

Case conservative_case() {
  return {"conservative",
          "a mass on a hardening spring, pushed by a growing force: smooth, without dissipation",
          &Claims::order,
          Duffing{.cubic = 1, .drive = 0.3},
          {{1, 0.3, -0.2}, {0.2, 0.8, 0.5}, {}},
          {},
          6};
}
Case damped_case() {
  return {"damped",
          "a mass on a spring with a dashpot, against its closed form",
          &Claims::order_damped,
          Oscillator{.stiffness = 1, .damping = 0.2},
          {{1, 0.3, -0.2}, {0.2, 0.8, 0.5}, {}},
          {},
          12};
}
Case spring_case() {
  Rolling law;
  law.contact.stiffness = 60;
  return {
      "spring",
      "a sphere rolls and twists on another sphere; the tangential spring turns with the normal",
      &Claims::order_spring,
      law,
      {{0.3, 0.2, 1.7}, {0.9, -0.4, 0.3}, {-1.2, -0.1, -10.5}},  // twists fast: drifts turn the spring by themselves
      {},
      2};
}
// Started on the limit, the spring askew to the slip, and over well before it sticks.
Case sliding_case() {
  Rolling law;
  law.contact.stiffness = 60;
  law.contact.friction = 0.325;
  const BodyMotion<Real> start{{0.27, 0.2, 1.7}, {-0.25, 0.9, -0.33}, {-7.5, -5.4, -2.3}};
  const ContactKinematics<Real> c = Rolling::meeting(start).kinematics;
  const Vector direction = c.vt + 0.5 * cross(c.n, c.vt);
  const Real length = (1 + 1e-12) * law.contact.force(c, Vector{}).limit;  // slips, whatever the rounding
  return {"sliding",
          "the same spheres slide on each other; the direction of slip turns",
          &Claims::order_sliding,
          law,
          start,
          (length / norm(direction)) * direction,
          0.45};
}

const Cases& cases() {
  static const Cases all = [] {
    Cases made{conservative_case(), damped_case(), spring_case(), sliding_case()};
    const ToyScheme reference = toy_scheme<schemes::DormandPrince54>();
    for (Case* c : {&made.conservative, &made.damped, &made.spring, &made.sliding})
      c->exact = converged([&](int count) { return c->run(reference, count); }, distance);
    // The uncertainty stays: it is what stepping makes of round-off.
    made.damped.exact.outcome = {std::get<Oscillator>(made.damped.law).exact(made.damped.start, made.damped.end)};
    return made;
  }();
  return all;
}

}  // namespace cairn::toys
