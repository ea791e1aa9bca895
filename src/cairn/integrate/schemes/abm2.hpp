// The two-step Adams-Bashforth predictor with the Adams-Moulton corrector of one order more.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/schemes/adams_bashforth2.hpp"

namespace cairn::schemes {

struct Abm2 {
  static constexpr Claims claims{
      .name = "abm2",
      .aliases = "AB2+AM3",
      .family = "predictor-corrector",
      .reference = "Moulton 1926; Kruggel-Emden et al. 2008 (19), table 2",
      .guidance = "Third order inside a contact, with two force evaluations per step. Stable without damping.",
      .order = 3,
      .order_damped = 3,
      .order_spring = 3,
      .force_evaluations = 2,
      .memory = 1};
  static constexpr std::array bashforth = AdamsBashforth2::bashforth;
  static constexpr std::array moulton{5.0 / 12, 8.0 / 12, -1.0 / 12};
};

}  // namespace cairn::schemes
