// A head-on collision by a law's own formula, for what a law says of itself: the restitution it realises and how long
// it takes. Fourth-order Runge-Kutta with steps of a hundredth of the contact's own time sqrt(m delta / F).
#pragma once
#include <algorithm>
#include <cmath>

#include "cairn/contact/restitution.hpp"
#include "cairn/contact/touch.hpp"

namespace cairn {

// Two spheres of effective mass m_eff [kg] and radius r_eff [m] that meet at `speed` [m/s] > 0.
template <ContactLaw Law>
HeadOn head_on(const Law& law, Real m_eff, Real r_eff, Real speed) {
  const auto force = [&](Real overlap, Real approach) {
    Touch<Real> c{};
    c.n = {1, 0, 0}, c.overlap = overlap, c.approach = approach, c.r_eff = r_eff, c.m_eff = m_eff;
    return law.push(c, {}).fn;
  };
  constexpr int most_steps = 100000;
  HeadOn result;
  Real x = 0, v = speed;
  Real h = 1e-9 * r_eff / speed;  // grows until the contact's own time limits it
  for (int k = 0; k < most_steps; ++k) {
    const auto a = [&](Real overlap, Real approach) { return -force(overlap, approach) / m_eff; };
    const Real v1 = v, a1 = a(x, v1);
    const Real v2 = v + 0.5 * h * a1, a2 = a(x + 0.5 * h * v1, v2);
    const Real v3 = v + 0.5 * h * a2, a3 = a(x + 0.5 * h * v2, v3);
    const Real v4 = v + h * a3, a4 = a(x + h * v3, v4);
    const Real x_new = x + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), v_new = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    const Real f = force(x_new, v_new);
    // Over once it moves apart and nothing holds it: zero only where the force is clipped or the bodies have parted.
    if (v_new < 0 && (x_new <= 0 || f == 0)) {
      if (h < 1e-7 * result.duration) break;
      h *= 0.25;  // find the end from this side
      continue;
    }
    x = x_new, v = v_new;
    result.duration += h;
    result.deepest = std::max(result.deepest, x);
    const Real own = f != 0 && x > 0 ? 0.01 * std::sqrt(m_eff * x / std::fabs(f)) : 2 * h;
    h = std::min(v < 0 ? h : 2 * h, own);
  }
  result.restitution = std::max(0.0, -v / speed);
  return result;
}

}  // namespace cairn
