// The four-step Adams-Bashforth predictor with the Adams-Moulton corrector of one order more.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/schemes/adams_bashforth4.hpp"

namespace cairn::schemes {

struct Abm4 {
  static constexpr Claims claims{.name = "abm4",
                                 .aliases = "AB4+AM5",
                                 .family = "predictor-corrector",
                                 .reference = "Moulton 1926; Kruggel-Emden et al. 2008 (19), table 2",
                                 .guidance =
                                     "Fifth order inside a contact, with two force evaluations per step; for long "
                                     "smooth contacts. Weakly unstable without damping.",
                                 .order = 5,
                                 .order_damped = 5,
                                 .order_spring = 5,
                                 .force_evaluations = 2,
                                 .memory = 3};
  static constexpr std::array bashforth = AdamsBashforth4::bashforth;
  static constexpr std::array moulton{251.0 / 720, 646.0 / 720, -264.0 / 720, 106.0 / 720, -19.0 / 720};
};

}  // namespace cairn::schemes
