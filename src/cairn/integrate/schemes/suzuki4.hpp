// Suzuki's fractal composition of five velocity Verlet steps.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct Suzuki4 {
  static constexpr Claims claims{
      .name = "suzuki4",
      .family = "splitting",
      .reference = "Suzuki, Phys. Lett. A 146 (1990) 319",
      .guidance =
          "Fourth order on elastic contacts, with drifts that stay within the step; one force evaluation more than "
          "forest_ruth and a much smaller error. First order with dashpots.",
      .order = 4,
      .order_damped = 1,
      .order_spring = 4,
      .order_sliding = 4,
      .force_evaluations = 5,
      .symplectic = true,
      .reversible = true};
  static constexpr auto stages = symmetric_composition(std::array{0.4144907717943757, 0.4144907717943757});
};

}  // namespace cairn::schemes
