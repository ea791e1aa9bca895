// Gear's predictor-corrector methods: the acceleration and its derivatives are extrapolated by their Taylor series, and
// the motion is corrected by the one acceleration found at the predicted state. Positions are of the second order, all
// else (velocities, spins, springs, ledger) of the first, with the same coefficients. Started from the exact
// derivatives.
//
// Gear's corrections of a, a', ... lead the series through the acceleration just found and leave it where it went
// through those found before. So the last N accelerations, at equal steps, are that series: they are read twice a step
// and never written, where its coefficients would all have to be.
#pragma once
#include <array>

#include "cairn/integrate/interpolation.hpp"

namespace cairn::gear {

// Of the accelerations remembered, in x, v and a predicted a step on.
template <int N>
struct Weights {
  std::array<Real, N> x{}, v{}, a{};
};

template <int N>
constexpr Weights<N> weights() {
  Weights<N> w;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) {
      const Real c = lagrange(N, j)[i];
      w.a[j] += c, w.v[j] += c / (i + 1), w.x[j] += c / ((i + 1) * (i + 2));
    }
  return w;
}

// Whether theta_3, theta_4, ... correct the series as said above.
template <std::size_t M>
constexpr bool interpolates(const std::array<Real, M>& theta) {
  constexpr int N = static_cast<int>(M) - 2;
  Real factorial = 1;
  for (int i = 0; i < N; factorial *= ++i) {
    const Real off = theta[i + 2] - factorial * lagrange(N, 0)[i];
    if (off > 1e-14 || off < -1e-14) return false;
  }
  return true;
}

// The accelerations of the steps before the first, by the motion's own series.
template <int N, AlgebraSystem S>
void start(S& s, Real h) {
  const auto scratch = s.borrow(N);
  std::array<State*, N> k;
  for (int i = 0; i < N; ++i) k[i] = &scratch[i];
  s.series(s.state(), N, k, h);
  for (int j = 0; j < N; ++j) {
    std::array<Term, N> terms;
    Real power = 1;
    for (int i = 1; i < N; ++i) terms[i - 1] = {(i + 1) * (power *= -j * h), k[i]};  // of t^(i + 1) in the motion
    s.combine(s.add_memory(Memory::present), *k[0], {terms.data(), j == 0 ? std::size_t{0} : N - 1},
              StatePart::everything);
  }
}

// Scheme::theta: theta_1, theta_2, ... of Kruggel-Emden et al. 2008, table 3: of x, v, a and the derivatives of a.
template <class Scheme, AlgebraSystem S>
void step(S& s, Real h) {
  constexpr auto theta = Scheme::theta;
  constexpr int N = static_cast<int>(theta.size()) - 2;
  static_assert(interpolates(theta));
  constexpr Weights<N> w = weights<N>();
  if (s.memories() == 0) {
    start<N>(s, h);
  } else {
    std::array<State*, N> past;
    for (int j = 0; j < N; ++j) past[j] = &s.memory(j);
    respace(s, past, h);
  }
  const auto scratch = s.borrow(2);
  State &y = s.state(), &ahead = scratch[0], &found = scratch[1];
  std::array<Term, N + 1> terms;
  const auto remembered = [&](auto&& weight) -> std::span<const Term> {
    for (int j = 0; j < N; ++j) terms[j] = {weight(j), &s.memory(j)};
    return {terms.data(), N};
  };
  const auto and_also = [&](std::span<const Term> some, Real c, const State& k) -> std::span<const Term> {
    terms[N] = {c, &k};
    return {some.data(), N + 1};
  };
  // Positions last: their time is known then, and what asks about them looks while they are at hand.
  s.combine(ahead, y, remembered([&](int j) { return h * w.v[j]; }), StatePart::but_positions);
  s.combine(ahead, y, and_also(remembered([&](int j) { return h * h * w.x[j]; }), h, y), StatePart::carried);
  s.rates(ahead, found);
  const Real by_v = theta[1] * h, by_x = theta[0] * h * h;
  s.combine(y, y, and_also(remembered([&](int j) { return h * w.v[j] - by_v * w.a[j]; }), by_v, found),
            StatePart::but_positions);
  s.combine(y, ahead, and_also(remembered([&](int j) { return -by_x * w.a[j]; }), by_x, found), StatePart::carried);
  s.remember(found, N);
  s.commit(h, {.trial_spring_weight = theta[1]});
  // The powers remembered are those of the settled state. Those of the predicted one know springs beyond the Coulomb
  // limit, and the next steps would see them again.
  s.combine(s.memory(0), s.current_rate(), {}, StatePart::ledger);
}

}  // namespace cairn::gear
