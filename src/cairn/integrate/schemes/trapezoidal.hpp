// The trapezoidal rule.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/one_stage.hpp"

namespace cairn::schemes {

struct Trapezoidal {
  static constexpr Claims claims{.name = "trapezoidal",
                                 .aliases = "crank_nicolson",
                                 .family = "implicit",
                                 .reference = "Crank & Nicolson, Proc. Camb. Phil. Soc. 43 (1947) 50",
                                 .equations = "solve y' = y + (h/2) (f(y) + f(y'))",
                                 .guidance =
                                     "Second order and stable at any step, with one solve per step. It conserves the "
                                     "energy of closed linear contacts like implicit_midpoint.",
                                 .order = 2,
                                 .order_damped = 2,
                                 .order_spring = 2,
                                 .order_sliding = 2,
                                 .force_evaluations = 2,
                                 .symplectic = true,
                                 .reversible = true,
                                 .implicit = true,
                                 .a_stable = true};

  template <ImplicitSystem S>
  static void step(S& s, Real h) {
    s.rates(s.state(), s.current_rate());
    implicit::alpha_step(s, {.beta = 0.25, .gamma = 0.5}, s.current_rate(),
                         h);  // what newmark is with its usual numbers
  }
};

}  // namespace cairn::schemes
