// Explicit Runge-Kutta methods from their tables, with fixed step or with step control by an embedded pair.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn {

template <int N>
struct Tableau {
  std::array<std::array<Real, N>, N> a;  // strictly lower triangle
  std::array<Real, N> b;
  std::array<Real, N> embedded{};  // weights of the solution of lower order; zero: none
};

namespace runge_kutta {

// out = y + h sum w_i k_i, k_i in scratch(i), zero weights left out.
template <int N, System S>
void weigh(S& s, State& out, const std::array<Real, N>& w, Real h) {
  std::array<Term, N> terms;
  std::size_t count = 0;
  for (int i = 0; i < N; ++i)
    if (w[i] != 0) terms[count++] = {h * w[i], &s.scratch(i)};
  s.combine(out, s.state(), {terms.data(), count}, everything);
}

template <int N, System S>
void stages(S& s, const Tableau<N>& t, Real h) {
  s.rates(s.state(), s.scratch(0));
  for (int i = 1; i < N; ++i) {
    State& y = s.scratch(N);
    weigh<N>(s, y, t.a[i], h);
    s.rates(y, s.scratch(i));
  }
}

template <int N, System S>
void step(S& s, const Tableau<N>& t, Real h) {
  stages(s, t, h);
  weigh<N>(s, s.state(), t.b, h);
  s.commit(h);
}

// The factor by which a step that made the error `e` (over its tolerance) after one that made `before` should change:
// 0.9 before^(1/32) / e^(5/32), a PI controller for order 5 (Hairer, Norsett & Wanner I, II.4) whose exponents are
// chosen so that square roots suffice: the same bits everywhere.
inline Real step_factor(Real e, Real before) {
  const auto root32 = [](Real a) {
    for (int k = 0; k < 5; ++k) a = std::sqrt(a);
    return a;
  };
  const Real r = root32(std::max(e, 1e-12));
  return std::clamp(0.9 * root32(std::max(before, 1e-4)) / (r * r * r * r * r), 0.2, 5.0);
}

// One accepted step of at most h; returns its length. A rejected attempt leaves no trace: the state is written once,
// when the attempt is accepted.
template <int N, System S>
Real adaptive_step(S& s, const Tableau<N>& t, Real h) {
  Controller& c = s.controller();
  if (c.step == 0) c.step = h;
  for (;;) {
    Real wanted = c.step;
    if (c.largest > 0) wanted = std::min(wanted, c.largest);
    const bool cut = wanted >= h;  // cut short by the caller, not by the error
    const Real trial = cut ? h : wanted;
    stages(s, t, trial);
    State& high = s.scratch(N);
    State& low = s.scratch(N + 1);
    weigh<N>(s, high, t.b, trial);
    weigh<N>(s, low, t.embedded, trial);
    const Real e = s.error(high, low, c.tolerance);
    if (e <= 1) {
      const Real next = trial * step_factor(e, c.previous_error);
      c.step = cut ? std::max(next, wanted) : next;
      c.previous_error = e;
      ++c.accepted;
      s.combine(s.state(), high, {}, everything);
      s.commit(trial);
      return trial;
    }
    ++c.rejected;
    c.step = trial * (std::isfinite(e) ? std::min(0.9, step_factor(e, 1)) : 0.2);
    if (c.step < c.smallest)
      throw Error(Exit::guard, "the smallest step " + brief(c.smallest) +
                                   " s was rejected at t = " + brief(s.state().time) + " s: the error is " + brief(e) +
                                   " times the tolerance; allow a smaller step or a larger run.tolerance");
  }
}

}  // namespace runge_kutta
}  // namespace cairn
