// Adams and Bashforth's four-step method.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

struct AdamsBashforth4 {
  static constexpr Claims claims{.name = "adams_bashforth4",
                                 .aliases = "AB4",
                                 .family = "multistep",
                                 .reference = "Bashforth & Adams 1883; Kruggel-Emden et al. 2008 (15), table 1",
                                 .guidance =
                                     "Fourth order inside a contact, with one force evaluation per step. Stable "
                                     "without damping at steps smaller than those of adams_bashforth3.",
                                 .order = 4,
                                 .order_damped = 4,
                                 .order_spring = 4,
                                 .memory = 3};
  static constexpr std::array bashforth{55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24};
};

}  // namespace cairn::schemes
