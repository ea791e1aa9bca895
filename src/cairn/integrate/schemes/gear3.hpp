// Gear's predictor-corrector method of order 3 for equations of second order, predict - evaluate - correct.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/gear.hpp"

namespace cairn::schemes {

struct Gear3 {
  static constexpr Claims claims{
      .name = "gear3",
      .aliases = "GPC3",
      .family = "predictor-corrector",
      .reference = "Gear 1971; Kruggel-Emden et al. 2008 (20)-(22), table 3",
      .equations =
          "predict x, v, a and its derivative by their Taylor series\nda <- a(x_p, v_p) - a_p\nx <- x_p + (1/12) h^2 "
          "da,  v <- v_p + (5/12) h da,  a <- a_p + da,  a' <- a'_p + da / h\nspins, springs and ledger like v",
      .guidance =
          "The classic of molecular dynamics and of early DEM codes, third order inside a contact. The first force "
          "evaluation finds the force; the second returns springs to their limit at the end of the step.",
      .order = 3,
      .order_damped = 3,
      .order_spring = 3,
      .force_evaluations = 2,
      .memory = 2};
  static constexpr std::array theta{1.0 / 12, 5.0 / 12, 1.0, 1.0};
};

}  // namespace cairn::schemes
