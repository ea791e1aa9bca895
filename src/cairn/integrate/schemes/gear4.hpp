// Gear's predictor-corrector method of order 4 for equations of second order, predict - evaluate - correct.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/gear.hpp"

namespace cairn::schemes {

struct Gear4 {
  static constexpr Claims claims{
      .name = "gear4",
      .aliases = "GPC4",
      .family = "predictor-corrector",
      .reference = "Gear 1971; Kruggel-Emden et al. 2008 (20)-(22), table 3",
      .equations =
          "predict x, v, a and its derivatives by their Taylor series\nda <- a(x_p, v_p) - "
          "a_p\nx <- x_p + (19/240) h^2 da,  v <- v_p + (3/8) h da,  a <- a_p + da\na' <- "
          "a'_p + (3/2) da / h,  a'' <- a''_p + da / h^2\nspins, springs and ledger like v",
      .guidance = "Like gear3, but fourth order inside a contact. Weakly unstable without damping.",
      .order = 4,
      .order_damped = 4,
      .order_spring = 4,
      .force_evaluations = 2,
      .memory = 3};
  static constexpr std::array theta{19.0 / 240, 3.0 / 8, 1.0, 3.0 / 2, 1.0};
};

}  // namespace cairn::schemes
