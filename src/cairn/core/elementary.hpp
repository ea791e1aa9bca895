// Elementary functions from + - * /, sqrt and exact powers of two alone, for what feeds the state: those of libraries
// differ in the last bit from one to the next. To a few units in the last place.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
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

// a = significand_of(a) 2^binary_exponent_of(a), the first between sqrt(1/2) and sqrt(2); a > 0 and normal. On bits, so
// that lanes (core/lanes.hpp) go the same way.
namespace bits {
inline constexpr int significand = 52;
inline constexpr std::uint64_t bias = 1023, root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
// A number so large that what is added to it stands as a whole number in its last bits.
inline constexpr Real shift = 0x1.8p52;
inline constexpr std::uint64_t shift_bits = 0x4338000000000000;

template <class U>
U biased_exponent(const U& a) {
  return (a - root_half + one) >> significand;
}
}  // namespace bits

inline Real binary_exponent_of(Real a) {
  const std::uint64_t biased = bits::biased_exponent(std::bit_cast<std::uint64_t>(a));
  return (std::bit_cast<Real>(biased + bits::shift_bits) - bits::shift) - bits::bias;
}
inline Real significand_of(Real a) {
  const std::uint64_t of = std::bit_cast<std::uint64_t>(a);
  return std::bit_cast<Real>(of - ((bits::biased_exponent(of) - bits::bias) << bits::significand));
}
// 2^n, n whole and between -1022 and 1023.
inline Real two_to(Real n) {
  return std::bit_cast<Real>((std::bit_cast<std::uint64_t>(n + bits::shift) + bits::bias) << bits::significand);
}

// log2 a of any scalar with those, a > 0 and normal.
template <class T>
T binary_log_of(const T& a) {
  constexpr Real ln2 = 0x1.62e42fefa39efp-1;
  const T m = significand_of(a), t = (m - T(1.0)) / (m + T(1.0)), t2 = t * t;
  T log = 1.0 / 23;  // artanh t over t
  for (int n = 21; n > 0; n -= 2) log = T(1.0 / n) + t2 * log;
  return binary_exponent_of(a) + T(2 / ln2) * (t * log);
}

// 2^(p log2 a), to 1e-15 (1 + |p ln a|). What is smaller or larger than the powers of two are becomes the last of them.
template <class T>
T power_of(const T& a, Real p) {
  constexpr Real ln2 = 0x1.62e42fefa39efp-1, most = 1022;
  const T raised = T(p) * binary_log_of(a);
  const T bounded = select(raised < T(-most), T(-most), select(raised > T(most), T(most), raised));
  const T n = nearest_integer(bounded), r = T(ln2) * (bounded - n);
  T exp = 1.0;
  for (int k = 14; k > 0; --k) exp = T(1.0) + (T(1.0 / k) * r) * exp;
  return exp * two_to(n);
}
inline Real power(Real a, Real p) {
  return power_of(a, p);
}
inline Real binary_log(Real a) {
  return binary_log_of(a);
}

}  // namespace cairn
