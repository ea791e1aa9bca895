// Omelyan, Mryglod and Folk's position-extended Forest-Ruth-like method.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct Pefrl4 {
  static constexpr Claims claims{.name = "pefrl4",
                                 .aliases = "PEFRL",
                                 .family = "splitting",
                                 .reference = "Omelyan, Mryglod & Folk, Comput. Phys. Commun. 146 (2002) 188",
                                 .guidance =
                                     "Fourth order on elastic contacts, with an error far below that of forest_ruth at "
                                     "the same number of force evaluations. First order with dashpots. An additional "
                                     "pass returns springs to their limit at the end of the step.",
                                 .order = 4,
                                 .order_damped = 1,
                                 .order_spring = 4,
                                 .order_sliding = 4,
                                 .force_evaluations = 4,
                                 .symplectic = true,
                                 .reversible = true};
  static constexpr Real xi = 0.1786178958448091, lambda = -0.2123418310626054, chi = -0.06626458266981849;
  static constexpr Stage stages[] = {{.drift = xi},
                                     {.kick = (1 - 2 * lambda) / 2, .drift = chi},
                                     {.kick = lambda, .drift = 1 - 2 * (chi + xi)},
                                     {.kick = lambda, .drift = chi},
                                     {.kick = (1 - 2 * lambda) / 2, .drift = xi}};
};

}  // namespace cairn::schemes
