// Three terms of the Taylor series, the jerk by a backward difference of the accelerations. The velocities are those of
// the second Adams-Bashforth method.
#pragma once
#include "cairn/integrate/adams.hpp"
#include "cairn/integrate/claims.hpp"

namespace cairn::schemes {

struct Taylor3Backward {
  static constexpr Claims claims{
      .name = "taylor3_backward",
      .aliases = "Taylor",
      .family = "multistep",
      .reference = "Hofmann 2011 (15), after Heene 2011",
      .equations =
          "x <- x + h v + (h^2/2) a + (h^2/6) (a - a_before)\nv <- v + h a + (h/2) (a - a_before)\nspins, springs and "
          "ledger like v; a_before is the acceleration one step earlier",
      .guidance =
          "Second order with dashpots, with one force evaluation per step and no predicted velocity. Weakly unstable "
          "without damping. When a contact begins, the remembered acceleration is that of free flight.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .memory = 1};

  template <AlgebraSystem S>
  static void step(S& s, Real h) {
    State &y = s.state(), &now = s.current_rate();
    if (s.memories() == 0) return adams::bashforth(s, std::array{1.5, -0.5}, h);  // the first step
    s.rates(y, now);
    const State& before = s.memory(0);
    const Term along[] = {{h, &y}, {h * h * (2.0 / 3), &now}, {-h * h / 6, &before}};
    s.combine(y, y, along, StatePart::carried);
    const Term rest[] = {{1.5 * h, &now}, {-0.5 * h, &before}};
    s.combine(y, y, rest, StatePart::but_positions);
    s.remember(now, 1);
    s.commit(h, {.trial_spring_weight = 0});
  }
};

}  // namespace cairn::schemes
