// Dormand and Prince's pair of orders 5 and 4 with PI step control; the fifth-order result is kept.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct DormandPrince54 {
  static constexpr Claims claims{
      .name = "dormand_prince54",
      .aliases = "ode45",
      .family = "embedded",
      .reference = "Dormand & Prince, J. Comput. Appl. Math. 6 (1980) 19, table 2",
      .guidance = "Adaptive, for tight tolerances. The best reference for smooth motion inside contacts.",
      .order = 5,
      .order_damped = 5,
      .order_spring = 5,
      .order_sliding = 5,
      .force_evaluations = 7,
      .adaptive = true};
  static constexpr Tableau<7> tableau{
      .a = {{{},
             {1.0 / 5},
             {3.0 / 40, 9.0 / 40},
             {44.0 / 45, -56.0 / 15, 32.0 / 9},
             {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
             {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
             {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}},
      .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
      .embedded = {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40}};
  static constexpr runge_kutta::PiControl control{.a = 5, .b = 1};
};

}  // namespace cairn::schemes
