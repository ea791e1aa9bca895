// Taylor series to the third term: positions to h^3, velocities to h^2, as the source has it; so second order.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn::schemes {

struct Taylor3 {
  static constexpr Claims claims{.name = "taylor3",
                                 .family = "one-step",
                                 .reference = "Kruggel-Emden et al. 2008 (7)",
                                 .order = 2,
                                 .order_damped = 2,
                                 .order_spring = 2,
                                 .calls = 2,
                                 .stability = 0};

  template <System S>
  static void step(S& s, Real h) {
    State* k[] = {&s.scratch(0), &s.scratch(1), &s.scratch(2)};
    s.series(s.state(), 2, k);  // the third coefficient: positions alone, by kinematics
    const Term terms[] = {{h, k[0]}, {h * h, k[1]}, {h * h * h, k[2]}};
    s.combine(s.state(), s.state(), terms, everything);
    s.commit(h);
  }
};

}  // namespace cairn::schemes
