// The three-step Adams-Bashforth predictor with the Adams-Moulton corrector of one order more.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/schemes/adams_bashforth3.hpp"

namespace cairn::schemes {

struct Abm3 {
  static constexpr Claims claims{.name = "abm3",
                                 .aliases = "AB3+AM4",
                                 .family = "predictor-corrector",
                                 .reference = "Moulton 1926; Kruggel-Emden et al. 2008 (19), table 2",
                                 .guidance =
                                     "Fourth order inside a contact, with two force evaluations per step. rk4 needs "
                                     "four, but starts anew at each contact.",
                                 .order = 4,
                                 .order_damped = 4,
                                 .order_spring = 4,
                                 .force_evaluations = 2,
                                 .memory = 2};
  static constexpr std::array bashforth = AdamsBashforth3::bashforth;
  static constexpr std::array moulton{9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24};
};

}  // namespace cairn::schemes
