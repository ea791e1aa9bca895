#include "cairn/analysis/phase.hpp"

#include <algorithm>

#include "cairn/analysis/stability.hpp"

namespace cairn {

Real phase_limit(const toys::ToyScheme& scheme, Real accuracy, Real zeta) {
  constexpr Real shortest = 1e-5, longest = 3, ratio = 1.25;  // [-] of h omega; below pi a phase is unambiguous
  constexpr int halvings = 16;
  Amplifier amplifier(scheme, zeta);
  const auto accurate = [&](Real h_omega) { return phase_error(amplifier(h_omega), h_omega, zeta) <= accuracy; };
  Real good = shortest, bad = ratio * shortest;
  while (accurate(bad)) {
    good = bad, bad = std::min(ratio * bad, longest);
    if (good == longest) return longest;
  }
  for (int k = 0; k < halvings; ++k) {
    const Real middle = 0.5 * (good + bad);
    (accurate(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace cairn
