// The implicit Euler method.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/one_stage.hpp"

namespace cairn::schemes {

struct BackwardEuler {
  static constexpr Claims claims{
      .name = "backward_euler",
      .aliases = "implicit_euler",
      .family = "implicit",
      .reference = "Euler 1768; Hairer & Wanner, Solving ODEs II, IV.3",
      .equations = "solve v' = v + h f(x', v'), x' = x + h v'\nspins, springs and ledger like v",
      .guidance =
          "Stable at any step, and never gains energy: each step multiplies the energy of a motion of frequency omega "
          "by about 1 / (1 + (h omega)^2). Use it to find a state of rest, not to follow a motion.",
      .force_evaluations = 2,
      .implicit = true,
      .a_stable = true};

  template <ImplicitSystem S>
  static void step(S& s, Real h) {
    s.rates(s.state(), s.current_rate());
    implicit::Stage stage(s);
    s.combine(stage.base(), s.state(), {}, StatePart::everything);
    stage.take(stage.solve(h, h), h, h);
    s.commit(h, {.trial_spring_weight = 1});
  }
};

}  // namespace cairn::schemes
