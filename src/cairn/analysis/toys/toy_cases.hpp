// The motions of one body on which every scheme's orders are measured: each is smooth and asks one claim.
#pragma once
#include <cmath>
#include <string_view>

#include "cairn/analysis/convergence.hpp"
#include "cairn/analysis/toys/one_body.hpp"
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/scheme.hpp"
#include "cairn/integrate/schemes/dormand_prince54.hpp"

namespace cairn::toys {

constexpr Real any_error = 1e300;  // a tolerance that makes adaptive schemes take every step they are asked for
constexpr Real no_error = 1e-15;   // and one that makes implicit schemes solve to round-off: the order is the method's

struct ToyResult {
  BodyMotion<Real> body;
  Vector spring{};
};

// Positions and velocities of one instant, also of schemes that stagger them.
template <class Scheme, class Law>
BodyMotion<Real> synchronised(Toy<Law>& toy, Real h) {
  const Slab &y = toy.state().body, &a = toy.current_rate().body;
  const Real kick = is_staggered<Scheme> ? 0.5 * h : 0;
  return {y.at(BodyRow::x, 0), y.at(BodyRow::v, 0) + kick * a.at(BodyRow::v, 0),
          y.at(BodyRow::w, 0) + kick * a.at(BodyRow::w, 0)};
}

// The largest difference of a coordinate; the toys' are all of order one.
inline Real distance(const ToyResult& a, const ToyResult& b) {
  Real most = 0;
  for (const Vector& d : {a.body.x - b.body.x, a.body.v - b.body.v, a.body.w - b.body.w, a.spring - b.spring})
    for (const Real c : {d.x, d.y, d.z})
      if (std::fabs(c) > most || std::isnan(c)) most = std::fabs(c);
  return most;
}

template <class Law>
struct Case {
  std::string_view name, words;
  int Claims::*claimed;  // the order asked for
  Law law;
  BodyMotion<Real> start;
  Vector spring;
  Real end;  // [s]
  Reference<ToyResult> exact{};

  template <class Scheme>
  ToyResult run(int count, const Parameters& parameters = Scheme::claims.usual_parameters()) const {
    Toy<Law> toy(law, start, spring);
    toy.controller().tolerance = any_error;
    toy.controller().solver_tolerance = no_error;
    const Real h = end / count;
    for (int k = 0; k < count; ++k) advance<Scheme>(toy, h, parameters);
    return {synchronised<Scheme>(toy, h), Law::bonds > 0 ? toy.state().bond.at(0, 0) : Vector{}};
  }
  template <class Scheme>
  Convergence convergence(int most_steps, const Parameters& parameters = Scheme::claims.usual_parameters()) const {
    return converge([&](int count) { return distance(run<Scheme>(count, parameters), exact.outcome); }, end,
                    exact.floor(), most_steps);
  }
};

inline Case<Duffing> conservative_case() {
  return {"conservative",
          "a mass on a hardening spring, pushed by a growing force: smooth, without dissipation",
          &Claims::order,
          {.cubic = 1, .drive = 0.3},
          {{1, 0.3, -0.2}, {0.2, 0.8, 0.5}, {}},
          {},
          6};
}
inline Case<Oscillator> damped_case() {
  return {"damped",
          "a mass on a spring with a dashpot, against its closed form",
          &Claims::order_damped,
          {.stiffness = 1, .damping = 0.2},
          {{1, 0.3, -0.2}, {0.2, 0.8, 0.5}, {}},
          {},
          12};
}
inline Case<Rolling> spring_case() {
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
inline Case<Rolling> sliding_case() {
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

struct Cases {
  Case<Duffing> conservative = conservative_case();
  Case<Oscillator> damped = damped_case();
  Case<Rolling> spring = spring_case(), sliding = sliding_case();

  Cases() {
    const auto refer = [](auto& c) {
      c.exact = converged([&](int count) { return c.template run<schemes::DormandPrince54>(count); }, distance);
    };
    refer(conservative), refer(damped), refer(spring), refer(sliding);
    // The uncertainty stays: it is what stepping makes of round-off.
    damped.exact.outcome = {damped.law.exact(damped.start, damped.end)};
  }

  template <class F>
  void for_each(F&& f) const {
    f(conservative), f(damped), f(spring), f(sliding);
  }
};

inline const Cases& cases() {
  static const Cases all;
  return all;
}

}  // namespace cairn::toys
