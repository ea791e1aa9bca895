// Semi-implicit Euler: a full kick, then a full drift.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct SymplecticEuler {
  static constexpr Claims claims{.name = "symplectic_euler",
                                 .aliases = "SE semi_implicit_euler",
                                 .family = "splitting",
                                 .reference = "Cromer, Am. J. Phys. 49 (1981) 455; Kocic 2012",
                                 .guidance =
                                     "The simplest stable scheme, first order. A leapfrog whose velocities are treated "
                                     "as synchronous with its positions is this scheme.",
                                 .order = 1,
                                 .order_damped = 1,
                                 .order_spring = 1,
                                 .order_sliding = 1,
                                 .symplectic = true};
  static constexpr Stage stages[] = {{.kick = 1, .drift = 1}};
};

}  // namespace cairn::schemes
