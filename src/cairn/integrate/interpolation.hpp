// Rates at equal steps, newest first, and the polynomial through them: what multistep methods remember.
#pragma once
#include <array>
#include <span>

#include "cairn/integrate/system.hpp"

namespace cairn {

inline constexpr int most_rates = 8;
using Polynomial = std::array<Real, most_rates>;  // coefficients of t^0, t^1, ..., t in steps

// That of degree n - 1 which is 1 at t = -j and 0 at the others of 0, -1, ..., 1 - n.
constexpr Polynomial lagrange(int n, int j) {
  Polynomial p{1};
  for (int m = 0; m < n; ++m) {
    if (m == j) continue;
    for (int i = n - 1; i >= 0; --i) p[i] = ((i > 0 ? p[i - 1] : 0) + m * p[i]) / (m - j);  // times (t + m) / (m - j)
  }
  return p;
}

constexpr Real value(const Polynomial& p, Real t) {
  Real sum = 0;
  for (int i = most_rates - 1; i >= 0; --i) sum = sum * t + p[i];
  return sum;
}

// Rates at steps of the last length become those at steps of h: where a caller changes the step a method of equal ones
// goes on with its order. The first is of the instant all of them count from.
template <AlgebraSystem S>
void respace(S& s, std::span<State* const> rates, Real h) {
  const int n = static_cast<int>(rates.size());
  if (n < 2 || h == s.last_step()) return;
  const auto found = s.borrow(n);
  std::array<Term, most_rates> terms;
  for (int j = 1; j < n; ++j) {
    const Real t = -j * (h / s.last_step());
    for (int m = 0; m < n; ++m) terms[m] = {value(lagrange(n, m), t) - (m == 0), rates[m]};
    s.combine(found[j], *rates[0], {terms.data(), rates.size()}, StatePart::everything);
  }
  for (int j = 1; j < n; ++j) s.combine(*rates[j], found[j], {}, StatePart::everything);
}

}  // namespace cairn
