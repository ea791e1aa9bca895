// Blanes and Moan's optimised fourth-order method of six calls.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct BlanesMoan4 {
  static constexpr Claims claims{.name = "blanes_moan4",
                                 .family = "splitting",
                                 .reference = "Blanes & Moan, J. Comput. Appl. Math. 142 (2002) 313, S6",
                                 .guidance =
                                     "Fourth order on elastic contacts, about as accurate per force evaluation as "
                                     "pefrl4. First order with dashpots.",
                                 .order = 4,
                                 .order_damped = 1,
                                 .order_spring = 4,
                                 .order_sliding = 4,
                                 .force_evaluations = 6,
                                 .symplectic = true,
                                 .reversible = true};
  static constexpr Real a1 = 0.0792036964311957, a2 = 0.353172906049774, a3 = -0.0420650803577195;
  static constexpr Real b1 = 0.209515106613362, b2 = -0.143851773179818, b3 = 0.5 - b1 - b2;
  static constexpr Stage stages[] = {{.kick = a1, .drift = b1},
                                     {.kick = a2, .drift = b2},
                                     {.kick = a3, .drift = b3},
                                     {.kick = 1 - 2 * (a1 + a2 + a3), .drift = b3},
                                     {.kick = a3, .drift = b2},
                                     {.kick = a2, .drift = b1},
                                     {.kick = a1}};
};

}  // namespace cairn::schemes
