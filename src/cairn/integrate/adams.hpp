// Adams methods: the rates of the last steps extrapolate the next (Bashforth), and the rate found there may correct it
// (Moulton). Until the past is long enough the classical Runge-Kutta method takes the steps: started with "a = 0"
// before the first step every multistep method falls to first order.
#pragma once
#include <array>

#include "cairn/integrate/interpolation.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::adams {

// out = y + h sum w_i k_i over rates, the newest first.
template <AlgebraSystem S, std::size_t N>
void extrapolate(S& s, State& out, const std::array<Real, N>& w, const std::array<const State*, N>& rates, Real h) {
  std::array<Term, N> terms;
  for (std::size_t i = 0; i < N; ++i) terms[i] = {w[i] * h, rates[i]};
  s.combine(out, s.state(), terms, StatePart::everything);
}

// The past as steps of h would have left it; current_rate() is the rate of the present state.
template <AlgebraSystem S>
void respace_past(S& s, Real h) {
  std::array<State*, most_rates> rates{&s.current_rate()};
  const int past = s.memories();
  for (int i = 0; i < past; ++i) rates[i + 1] = &s.memory(i);
  respace(s, std::span<State* const>(rates.data(), past + 1), h);
}

// A step while the past is too short.
template <AlgebraSystem S>
void start(S& s, int past, Real h) {
  runge_kutta::Stages stages(s, runge_kutta::classical);
  stages.evaluate(h);
  stages.sum(s.state(), runge_kutta::classical.b, h);
  respace_past(s, h);
  s.remember(s.current_rate(), past);  // the rate it began with
  s.commit(h);
}

// The rate of the present state, then those that are remembered.
template <AlgebraSystem S, std::size_t N>
std::array<const State*, N> rates_so_far(S& s, State& now) {
  std::array<const State*, N> rates{&now};
  for (std::size_t i = 1; i < N; ++i) rates[i] = &s.memory(static_cast<int>(i) - 1);
  return rates;
}

// y_{n+1} = y_n + h (w_1 f_n + w_2 f_{n-1} + ...)
template <AlgebraSystem S, std::size_t N>
void bashforth(S& s, const std::array<Real, N>& w, Real h) {
  constexpr int past = static_cast<int>(N) - 1;
  if (s.memories() < past) return start(s, past, h);
  State& now = s.current_rate();
  s.rates(s.state(), now);
  respace_past(s, h);
  extrapolate(s, s.state(), w, rates_so_far<S, N>(s, now), h);
  s.remember(now, past);
  s.commit(h, {.trial_spring_weight = 0});  // rates of settled states alone
}

// Predicted by Bashforth's weights, corrected by Moulton's, of which the first is that of the predicted rate. The rate
// of the corrected state is the first of the next step: predict, evaluate, correct, evaluate.
template <AlgebraSystem S, std::size_t N>
void bashforth_moulton(S& s, const std::array<Real, N>& predictor, const std::array<Real, N + 1>& corrector, Real h) {
  constexpr int past = static_cast<int>(N) - 1;
  if (s.memories() < past) return start(s, past, h);
  const auto scratch = s.borrow(2);
  State &now = s.current_rate(), &ahead = scratch[0], &rate = scratch[1];
  s.rates(s.state(), now);
  respace_past(s, h);
  const auto rates = rates_so_far<S, N>(s, now);
  extrapolate(s, ahead, predictor, rates, h);
  s.rates(ahead, rate);
  std::array<const State*, N + 1> all{&rate};
  for (std::size_t i = 0; i < N; ++i) all[i + 1] = rates[i];
  extrapolate(s, s.state(), corrector, all, h);
  s.remember(now, past);
  s.commit(h, {.trial_spring_weight = corrector[0]});
}

}  // namespace cairn::adams
