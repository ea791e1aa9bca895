// Taylor series of the motion from the law's own derivatives, found by jets.
#pragma once
#include <array>

#include "cairn/integrate/system.hpp"

namespace cairn::taylor {

// Positions to h^N, all else to h^(N - 1), as Kruggel-Emden et al. 2008 (6)-(8) have it. The position's last term comes
// from kinematics and costs no call.
template <int N, AlgebraSystem S>
void step(S& s, Real h) {
  const auto scratch = s.borrow(N);
  std::array<State*, N> k;
  std::array<Term, N> terms;
  Real power = 1;
  for (int i = 0; i < N; ++i) {
    k[i] = &scratch[i];
    terms[i] = {power *= h, k[i]};
  }
  s.series(s.state(), N - 1, k, h);
  s.combine(s.state(), s.state(), terms, StatePart::everything);
  s.commit(h, {.trial_spring_weight = N > 2 ? 0.5 : 0});  // the second derivative sees them coming
}

}  // namespace cairn::taylor
