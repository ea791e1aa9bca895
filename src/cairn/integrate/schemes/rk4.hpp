// The classical Runge-Kutta method.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct Rk4 {
  static constexpr Claims claims{
      .name = "rk4",
      .aliases = "RK",
      .family = "one-step",
      .reference = "Kutta, Z. Math. Phys. 46 (1901) 435; Kruggel-Emden et al. 2008 (9)",
      .guidance =
          "Fourth order with every force, without memory of earlier steps. Use it for references and for contacts that "
          "last many steps. Without damping it loses energy slowly.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 4};
  static constexpr Tableau<4> tableau = runge_kutta::classical;
};

}  // namespace cairn::schemes
