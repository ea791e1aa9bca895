// Bogacki and Shampine's pair of orders 3 and 2 with PI step control; the third-order result is kept.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct BogackiShampine32 {
  static constexpr Claims claims{
      .name = "bogacki_shampine32",
      .aliases = "ode23",
      .family = "embedded",
      .reference = "Bogacki & Shampine, Appl. Math. Lett. 2 (1989) 321",
      .guidance = "Adaptive, for loose tolerances: if contacts begin and end all the time, a high order gains nothing.",
      .order = 3,
      .order_damped = 3,
      .order_spring = 3,
      .order_sliding = 3,
      .force_evaluations = 4,
      .adaptive = true};
  static constexpr Tableau<4> tableau{.a = {{{}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}}},
                                      .b = {2.0 / 9, 1.0 / 3, 4.0 / 9, 0},
                                      .embedded = {7.0 / 24, 1.0 / 4, 1.0 / 3, 1.0 / 8}};
  static constexpr runge_kutta::PiControl control{.a = 7, .b = 4};
};

}  // namespace cairn::schemes
