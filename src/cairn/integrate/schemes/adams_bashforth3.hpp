// Adams and Bashforth's three-step method.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

struct AdamsBashforth3 {
  static constexpr Claims claims{
      .name = "adams_bashforth3",
      .aliases = "AB3",
      .family = "multistep",
      .reference = "Bashforth & Adams 1883; Kruggel-Emden et al. 2008 (15), table 1",
      .guidance =
          "Third order inside a contact, with one force evaluation per step. Stable without damping at small steps.",
      .order = 3,
      .order_damped = 3,
      .order_spring = 3,
      .memory = 2};
  static constexpr std::array bashforth{23.0 / 12, -16.0 / 12, 5.0 / 12};
};

}  // namespace cairn::schemes
