// Forest and Ruth's composition of three velocity Verlet steps, the middle one backwards; its last kick implicit in the
// damping.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct ForestRuth {
  static constexpr Claims claims{
      .name = "forest_ruth",
      .aliases = "BABABAB",
      .family = "splitting",
      .reference = "Forest & Ruth, Physica D 43 (1990) 105; Kruggel-Emden et al. 2008 (13)",
      .guidance =
          "Fourth order on elastic contacts, with a long step backwards in time; blanes_moan4 and pefrl4 are far more "
          "accurate. First order with dashpots. Do not use it with friction.",
      .order = 4,
      .order_damped = 1,
      .order_spring = 4,
      .slides = false,
      .force_evaluations = 4,
      .symplectic = true,
      .reversible = true,
      .implicit = true,
      .excursion = 0.3512071919596577};
  static constexpr Real epsilon = 0.1756035959798288;  // 1 + 2 epsilon = 1 / (2 - 2^(1/3))
  static constexpr Stage stages[] = {{.kick = epsilon + 0.5, .drift = 1 + 2 * epsilon},
                                     {.kick = -epsilon, .drift = -1 - 4 * epsilon},
                                     {.kick = -epsilon, .drift = 1 + 2 * epsilon},
                                     {.kick = epsilon + 0.5, .implicit = true}};
};

}  // namespace cairn::schemes
