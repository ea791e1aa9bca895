// The implicit midpoint rule, which is Gauss collocation with one stage.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/one_stage.hpp"

namespace cairn::schemes {

struct ImplicitMidpoint {
  static constexpr Claims claims{
      .name = "implicit_midpoint",
      .family = "implicit",
      .reference = "Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1 and IV.2",
      .equations = "solve K = f(y + (h/2) K)\ny <- y + h K",
      .guidance =
          "Symplectic and stable at any step: closed linear contacts keep their energy to round-off at any step. "
          "Contacts that open within a long step may still gain energy.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 2,
      .symplectic = true,
      .reversible = true,
      .implicit = true,
      .a_stable = true};

  template <ImplicitSystem S>
  static void step(S& s, Real h) {
    s.rates(s.state(), s.current_rate());
    implicit::Stage stage(s);
    s.combine(stage.base(), s.state(), {}, StatePart::everything);
    const State& k = stage.solve(0.5 * h, 0.5 * h);
    combine(s, s.state(), s.state(), {{h, &k}}, StatePart::everything);
    s.commit(h);
  }
};

}  // namespace cairn::schemes
