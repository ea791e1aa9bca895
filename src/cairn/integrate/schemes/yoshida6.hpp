// Yoshida's sixth-order composition of seven velocity Verlet steps, solution A.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct Yoshida6 {
  static constexpr Claims claims{
      .name = "yoshida6",
      .family = "splitting",
      .reference = "Yoshida, Phys. Lett. A 150 (1990) 262",
      .guidance =
          "Sixth order on smooth elastic forces; springs follow its drifts only to fourth order. Use it for references "
          "without friction; kahan_li6 also works with friction.",
      .order = 6,
      .order_damped = 1,
      .order_spring = 5,
      .slides = false,
      .force_evaluations = 7,
      .symplectic = true,
      .reversible = true,
      .excursion = 0.1575931603419556};
  static constexpr auto stages =
      symmetric_composition(std::array{0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695});
};

}  // namespace cairn::schemes
