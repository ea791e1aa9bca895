// Adams and Bashforth's five-step method.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

struct AdamsBashforth5 {
  static constexpr Claims claims{.name = "adams_bashforth5",
                                 .aliases = "AB5",
                                 .family = "multistep",
                                 .reference = "Bashforth & Adams 1883; Kruggel-Emden et al. 2008 (15), table 1",
                                 .guidance =
                                     "Fifth order inside a contact, with one force evaluation per step; for runs in "
                                     "which steps are very small for another reason. Weakly unstable without damping.",
                                 .order = 5,
                                 .order_damped = 5,
                                 .order_spring = 5,
                                 .memory = 4};
  static constexpr std::array bashforth{1901.0 / 720, -2774.0 / 720, 2616.0 / 720, -1274.0 / 720, 251.0 / 720};
};

}  // namespace cairn::schemes
