// The classical Runge-Kutta method.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct Rk4 {
  static constexpr Claims claims{.name = "rk4",
                                 .family = "one-step",
                                 .reference = "Kutta, Z. Math. Phys. 46 (1901) 435",
                                 .order = 4,
                                 .order_damped = 4,
                                 .order_spring = 4,
                                 .order_sliding = 4,
                                 .calls = 4,
                                 .stability = 2.8284};
  static constexpr Tableau<4> tableau{.a = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}},
                                      .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
};

}  // namespace cairn::schemes
