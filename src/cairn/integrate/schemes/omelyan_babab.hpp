// Omelyan, Mryglod and Folk's Verlet-like scheme of two calls, its last kick implicit in the damping.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct OmelyanBabab {
  static constexpr Claims claims{
      .name = "omelyan_babab",
      .aliases = "BABAB",
      .family = "splitting",
      .reference = "Omelyan, Mryglod & Folk, Comput. Phys. Commun. 146 (2002) 188; Kruggel-Emden et al. 2008 (12)",
      .guidance =
          "Second order on elastic contacts, with an error far below that of velocity_verlet at the same step. First "
          "order with dashpots, because the velocity in the middle kicks lags behind.",
      .order = 2,
      .order_damped = 1,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 3,
      .symplectic = true,
      .reversible = true,
      .implicit = true};
  static constexpr Real epsilon = 0.1931833275037836;
  static constexpr Stage stages[] = {
      {.kick = epsilon, .drift = 0.5}, {.kick = 1 - 2 * epsilon, .drift = 0.5}, {.kick = epsilon, .implicit = true}};
};

}  // namespace cairn::schemes
