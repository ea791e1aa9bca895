// The third-order method of Shu and Osher, a convex sum of Euler steps.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct Ssp3 {
  static constexpr Claims claims{
      .name = "ssp3",
      .aliases = "SSPRK3",
      .family = "one-step",
      .reference = "Shu & Osher, J. Comput. Phys. 77 (1988) 439",
      .guidance = "Third order with every force, without memory of earlier steps, and stable without damping.",
      .order = 3,
      .order_damped = 3,
      .order_spring = 3,
      .order_sliding = 3,
      .force_evaluations = 3};
  static constexpr Tableau<3> tableau{.a = {{{}, {1}, {0.25, 0.25}}}, .b = {1.0 / 6, 1.0 / 6, 2.0 / 3}};
};

}  // namespace cairn::schemes
