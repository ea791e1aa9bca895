// Gear's predictor-corrector methods: the acceleration and its derivatives are remembered, extrapolated by their Taylor
// series, and corrected by the one acceleration found at the predicted state. Positions are of the second order, all
// else (velocities, spins, springs, ledger) of the first, with the same coefficients. Started from the exact
// derivatives.
#pragma once
#include <array>

#include "cairn/integrate/system.hpp"

namespace cairn::gear {

// theta_1, theta_2, ... of Kruggel-Emden et al. 2008, table 3: of x, v, a and the N - 1 derivatives of a.
template <System S, std::size_t M>
void step(S& s, const std::array<Real, M>& theta, Real h) {
  constexpr int N = static_cast<int>(M) - 2;  // remembered: a and its derivatives
  State& y = s.state();
  if (s.memories() == 0) {
    std::array<State*, N> k;
    for (int i = 0; i < N; ++i) k[i] = &s.scratch(i);
    s.series(y, N, k, h);
    Real factorial = 1;
    for (int i = 0; i < N; ++i) {
      factorial *= i + 1;  // the coefficient of t^(i+1) times (i + 1)! is the derivative
      const Term rest{factorial - 1, k[i]};
      s.combine(s.add_memory(i == 0 ? Memory::rate : Memory::derivative), *k[i], {&rest, 1}, everything);
    }
  }
  const auto derivative = [&](int i) -> State& { return s.memory(i); };

  std::array<Term, N + 1> terms;
  State &ahead = s.scratch(0), &found = s.scratch(1), &change = s.scratch(2);
  // x_p from v and the derivatives, v_p from the derivatives, each derivative from the higher ones.
  Real c = h;
  terms[0] = {c, &y};
  for (int i = 0; i < N; ++i) terms[i + 1] = {c *= h / (i + 2), &derivative(i)};
  s.combine(ahead, y, terms, carried);
  const auto extrapolate = [&](State& out, const State& from, int first, unsigned parts) {
    Real power = 1;
    for (int i = first; i < N; ++i) terms[i - first] = {power *= h / (i - first + 1), &derivative(i)};
    s.combine(out, from, {terms.data(), static_cast<std::size_t>(N - first)}, parts);
  };
  extrapolate(ahead, y, 0, but_positions);
  for (int i = 0; i < N; ++i) extrapolate(derivative(i), derivative(i), i + 1, everything);

  s.rates(ahead, found);
  const Term less{-1, &derivative(0)};
  s.combine(change, found, {&less, 1}, everything);
  const auto correct = [&](State& out, const State& from, Real by, unsigned parts) {
    const Term term{by, &change};
    s.combine(out, from, {&term, 1}, parts);
  };
  correct(y, ahead, theta[0] * h * h, carried);
  correct(y, ahead, theta[1] * h, but_positions);
  Real scale = 1;
  for (int i = 0; i < N; ++i, scale /= h) correct(derivative(i), derivative(i), theta[i + 2] * scale, everything);
  s.commit(h, 1);  // the rate of the predicted state stays in memory whole
}

}  // namespace cairn::gear
