// Central differences: velocities stand half a step behind, and the dashpot sees them there. Observers are shown the
// synchronised velocity.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct CentralDifference {
  static constexpr Claims claims{
      .name = "central_difference",
      .aliases = "CD",
      .family = "splitting",
      .reference = "Cundall & Strack, Geotechnique 29 (1979) 47; Kruggel-Emden et al. 2008 (10)",
      .guidance =
          "The scheme of Cundall and Strack, which most codes use under some name. Good on elastic contacts. First "
          "order with dashpots, because their velocity lags behind.",
      .order = 2,
      .order_damped = 1,
      .order_spring = 2,
      .order_sliding = 2,
      .symplectic = true,
      .reversible = true};
  static constexpr bool staggered = true;
  static constexpr Stage stages[] = {{.kick = 1, .drift = 1}};
};

}  // namespace cairn::schemes
