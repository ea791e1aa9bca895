// Position Verlet: half a drift, a kick, half a drift.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct PositionVerlet {
  static constexpr Claims claims{
      .name = "position_verlet",
      .aliases = "PV",
      .family = "splitting",
      .reference =
          "Tuckerman, Berne & Martyna, J. Chem. Phys. 97 (1992) 1990; Kruggel-Emden et al. "
          "2008 (11), with a(x_{t+h/2}, v_t)",
      .guidance =
          "Like velocity_verlet, with forces in the middle of the step; first order with "
          "dashpots. A second pass at the end of the step returns springs to their limit, and finds the "
          "accelerations by which contacts begin and end.",
      .order = 2,
      .order_damped = 1,
      .order_spring = 2,
      .order_sliding = 2,
      .symplectic = true,
      .reversible = true};
  static constexpr Stage stages[] = {{.drift = 0.5}, {.kick = 1, .drift = 0.5}};
};

}  // namespace cairn::schemes
