// Heun's method: the trapezoidal rule with a predicted end.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct Heun2 {
  static constexpr Claims claims{
      .name = "heun2",
      .family = "one-step",
      .reference = "Heun, Z. Math. Phys. 45 (1900) 23",
      .guidance =
          "Second order with every force, without memory of earlier steps. Weakly unstable without damping; "
          "velocity_verlet_predicted has the same order with half the force evaluations.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 2};
  static constexpr Tableau<2> tableau{.a = {{{}, {1}}}, .b = {0.5, 0.5}};
};

}  // namespace cairn::schemes
