// Adams and Bashforth's two-step method.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

struct AdamsBashforth2 {
  static constexpr Claims claims{.name = "adams_bashforth2",
                                 .aliases = "AB2",
                                 .family = "multistep",
                                 .reference = "Bashforth & Adams 1883; Kruggel-Emden et al. 2008 (15), table 1",
                                 .guidance =
                                     "Second order with dashpots, with one force evaluation per step. Weakly unstable "
                                     "without damping: use damped contacts, or velocity_verlet_predicted.",
                                 .order = 2,
                                 .order_damped = 2,
                                 .order_spring = 2,
                                 .memory = 1};
  static constexpr std::array bashforth{1.5, -0.5};
};

}  // namespace cairn::schemes
