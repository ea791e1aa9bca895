// The explicit midpoint method: the rate half a step on.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct Midpoint2 {
  static constexpr Claims claims{
      .name = "midpoint2",
      .aliases = "RK2",
      .family = "one-step",
      .reference = "Runge, Math. Ann. 46 (1895) 167",
      .guidance = "Like heun2; both are identical on linear forces. Weakly unstable without damping.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 2};
  static constexpr Tableau<2> tableau{.a = {{{}, {0.5}}}, .b = {0, 1}};
};

}  // namespace cairn::schemes
