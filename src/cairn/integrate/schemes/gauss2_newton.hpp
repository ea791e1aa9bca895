// Gauss collocation with two stages, solved by Newton's method.
#pragma once
#include <array>

#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/gauss.hpp"
#include "cairn/integrate/newton.hpp"

namespace cairn::schemes {

struct Gauss2Newton {
  static constexpr Claims claims{
      .name = "gauss2_newton",
      .family = "implicit",
      .reference = "Hairer & Wanner, Solving ODEs II, IV.5 and IV.8; tableau of Hofmann 2011, figure 3",
      .equations =
          "solve k_1 = f(y + h (1/4) k_1 + h (1/4 - sqrt(3)/6) k_2), k_2 = f(y + h (1/4 + sqrt(3)/6) k_1 + h (1/4) k_2)"
          "\ny <- y + (h/2) (k_1 + k_2)",
      .guidance =
          "Fourth order, symplectic and stable at any step. It makes the same steps as gauss2_zero, and also converges "
          "at steps where gauss2_zero does not.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 3,
      .symplectic = true,
      .reversible = true,
      .implicit = true,
      .a_stable = true};

  template <ImplicitSystem S>
  static void step(S& s, Real h) {
    const auto scratch = s.borrow(3);
    State &y = s.state(), &k1 = scratch[0], &k2 = scratch[1], &still = scratch[2];
    s.rates(y, s.current_rate());
    for (State* k : {&k1, &k2}) s.combine(*k, s.current_rate(), {}, StatePart::everything);
    newton::Stages<2> stages;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) stages.rates[i][j] = stages.speeds[i][j] = h * gauss::a[i][j];
    const Term less{-1, &y};
    s.combine(still, y, {&less, 1}, StatePart::everything);
    newton::solve<2>(s, stages, {&y, &y}, {&k1, &k2}, {&still, &still});
    const Term sum[] = {{0.5 * h, &k1}, {0.5 * h, &k2}};
    s.combine(y, y, sum, StatePart::everything);
    s.commit(h);
  }
};

}  // namespace cairn::schemes
