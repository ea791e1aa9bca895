// Eight numbers that march in step: the scalar of the pair kernel. The compiler's vector extension maps them to
// SSE2, AVX2 or AVX-512; there are always eight and every operation is IEEE, so the bits do not depend on the width.
// A file that uses them is compiled once per instruction set, with CAIRN_SIMD naming it; the inline namespace keeps
// those builds apart. Rejected: loops left to the vectoriser, which gives up on a contact law's selects, and
// target_clones, which splits vectors into single numbers before it knows the target.
#pragma once
#include <cstdint>

#include "cairn/core/vec3.hpp"

#ifndef CAIRN_SIMD
#define CAIRN_SIMD baseline
#endif

namespace cairn {
inline namespace CAIRN_SIMD {

inline constexpr int lane_count = 8;

struct Mask {
  typedef long long Bits __attribute__((vector_size(8 * lane_count)));
  Bits bits;

  friend Mask operator&&(const Mask& a, const Mask& b) { return {a.bits & b.bits}; }
  friend Mask operator||(const Mask& a, const Mask& b) { return {a.bits | b.bits}; }
};

struct Lanes {
  typedef double Numbers __attribute__((vector_size(8 * lane_count)));
  Numbers v;

  Lanes() : v{} {}
  Lanes(Real a) : v{a, a, a, a, a, a, a, a} {}  // NOLINT: a number is eight equal numbers
  explicit Lanes(const Numbers& a) : v(a) {}

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }
  friend Mask operator<(const Lanes& a, const Lanes& b) { return {a.v < b.v}; }
  friend Mask operator>(const Lanes& a, const Lanes& b) { return {a.v > b.v}; }
};

inline Lanes select(const Mask& which, const Lanes& yes, const Lanes& no) {
  return Lanes(which.bits ? yes.v : no.v);
}
inline Lanes sqrt(const Lanes& a) {
  Lanes r;
  for (int l = 0; l < lane_count; ++l) r.v[l] = __builtin_sqrt(a.v[l]);
  return r;
}
inline Lanes abs(const Lanes& a) { return select(a < Lanes(0.0), -a, a); }
inline Lanes nearest_integer(const Lanes& a) {
  const Lanes shift = 0x1.8p52;
  return (a + shift) - shift;
}
inline bool any(const Mask& m) {
  long long all = 0;
  for (int l = 0; l < lane_count; ++l) all |= m.bits[l];
  return all != 0;
}

// a[index[0]], ..., a[index[7]].
inline Lanes pick(const Real* a, const int* index) {
  Lanes r;
  for (int l = 0; l < lane_count; ++l) r.v[l] = a[index[l]];
  return r;
}
}  // namespace CAIRN_SIMD
}  // namespace cairn
