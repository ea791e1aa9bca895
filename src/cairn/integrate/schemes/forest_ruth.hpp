// Forest and Ruth's composition of three velocity Verlet steps, the middle one backwards.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct ForestRuth {
  static constexpr Claims claims{.name = "forest_ruth",
                                 .family = "splitting",
                                 .reference = "Forest & Ruth, Physica D 43 (1990) 105; Kruggel-Emden et al. 2008 (13)",
                                 .order = 4,
                                 .order_damped = 1,
                                 .order_spring = 4,
                                 .calls = 3,
                                 .symplectic = true,
                                 .stability = 1.5734,
                                 .reach = 0.3512071919596577};
  static constexpr Real theta = 1.3512071919596577;  // 1 / (2 - 2^(1/3))
  static constexpr Stage stages[] = {{.kick = theta / 2, .drift = theta},
                                     {.kick = (1 - theta) / 2, .drift = 1 - 2 * theta},
                                     {.kick = (1 - theta) / 2, .drift = theta},
                                     {.kick = theta / 2}};
};

}  // namespace cairn::schemes
