// Adams and Bashforth's two-step method, started by the midpoint method.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn::schemes {

struct AdamsBashforth2 {
  static constexpr Claims claims{.name = "adams_bashforth2",
                                 .family = "multistep",
                                 .reference = "Bashforth & Adams 1883; Kruggel-Emden et al. 2008 (15)",
                                 .order = 2,
                                 .order_damped = 2,
                                 .order_spring = 2,
                                 .memory = 1,
                                 .stability = 0};

  template <System S>
  static void step(S& s, Real h) {
    State& y = s.state();
    State& now = s.scratch(0);
    State& before = s.memory(0);
    s.rates(y, now);
    if (s.steps() == 0) {
      State& middle = s.scratch(1);
      const Term half[] = {{0.5 * h, &now}};
      s.combine(middle, y, half, everything);
      s.rates(middle, s.scratch(2));
      const Term whole[] = {{h, &s.scratch(2)}};
      s.combine(y, y, whole, everything);
    } else {
      const Term terms[] = {{1.5 * h, &now}, {-0.5 * h, &before}};
      s.combine(y, y, terms, everything);
    }
    s.combine(before, now, {}, everything);
    s.commit(h);
  }
};

}  // namespace cairn::schemes
