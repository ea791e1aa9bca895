// Elementary functions from + - * /, sqrt and exact powers of two alone, for what feeds the state: those of libraries
// differ in the last bit from one to the next. To a few units in the last place.
#pragma once
#include <cmath>
#include <limits>

#include "cairn/core/vec3.hpp"

namespace cairn {

// e^x; 0 for NaN.
inline Real stable_exp(Real x) {
  if (!(x > -745)) return 0;
  if (x > 710) return std::numeric_limits<Real>::infinity();
  // ln 2 in two parts, the first of few bits, so that x - k ln 2 is exact to the last place.
  constexpr Real ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  const Real k = nearest_integer(x / (ln2_high + ln2_low));
  const Real r = (x - k * ln2_high) - k * ln2_low;
  Real sum = 1;
  for (int n = 18; n > 0; --n) sum = 1 + r / n * sum;
  return std::ldexp(sum, static_cast<int>(k));  // exact
}

// 2 artanh t by its series, |t| < 0.18.
inline Real log_of_ratio(Real t) {
  Real sum = 0;
  for (int n = 23; n > 0; n -= 2) sum = 1.0 / n + t * t * sum;
  return 2 * t * sum;
}

// ln x, x > 0 and normal.
inline Real stable_log(Real x) {
  constexpr Real ln2 = 0x1.62e42fefa39efp-1, root_half = 0x1.6a09e667f3bcdp-1;
  int exponent = 0;
  Real m = std::frexp(x, &exponent);  // exact
  if (m < root_half) m = 2 * m, --exponent;
  return exponent * ln2 + log_of_ratio((m - 1) / (m + 1));
}

// arccos x, -1 < x <= 1.
inline Real stable_acos(Real x) {
  constexpr int halvings = 4;
  Real t = std::sqrt((1 - x) / (1 + x));  // the tangent of half the angle
  for (int k = 0; k < halvings; ++k) t = t / (1 + std::sqrt(1 + t * t));
  Real sum = 0;
  for (int n = 25; n > 0; n -= 2) sum = 1.0 / n - t * t * sum;
  return 2 * (1 << halvings) * t * sum;
}

// arcosh x, x >= 1.
inline Real stable_acosh(Real x) {
  const Real y = (x - 1) + std::sqrt((x - 1) * (x + 1));  // e^(arcosh x) - 1
  constexpr Real near = 0.4;
  return y < near ? log_of_ratio(y / (2 + y)) : stable_log(1 + y);
}

}  // namespace cairn
