// Eight numbers that march in step: the scalar of the pair kernel. The compiler's vector extension maps them to
// SSE2, AVX2 or AVX-512; there are always eight and every operation is IEEE, so the bits do not depend on the width.
// A file that uses them is compiled once per instruction set, with CAIRN_SIMD naming it; the inline namespace keeps
// those builds apart. Rejected: loops left to the vectoriser, which gives up on a contact law's selects, and
// target_clones, which splits vectors into single numbers before it knows the target.
#pragma once
#include <cstdint>
#include <cstring>

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
  friend Mask operator!(const Mask& a) { return {~a.bits}; }
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
inline Mask exceeds(const Lanes& a, const Lanes& b) {
  return a > b;
}
inline Lanes abs(const Lanes& a) {
  return select(a < Lanes(0.0), -a, a);
}
inline Lanes nearest_integer(const Lanes& a) {
  const Lanes shift = 0x1.8p52;
  return (a + shift) - shift;
}
inline bool any(const Mask& m) {
  Mask::Bits b = m.bits;  // halves folded onto each other
  b |= __builtin_shufflevector(b, b, 4, 5, 6, 7, 4, 5, 6, 7);
  b |= __builtin_shufflevector(b, b, 2, 3, 2, 3, 2, 3, 2, 3);
  return (b[0] | b[1]) != 0;
}

// Rows become columns: a[i] lane l and a[l] lane i change places, for eight lanes of eight. Three rounds that exchange
// blocks of one, two and four.
inline void transpose(Lanes* a) {
  using N = Lanes::Numbers;
  const auto exchange = [&](int step, auto low, auto high) {
    for (int i = 0; i < lane_count; ++i) {
      if (i & step) continue;
      const N x = a[i].v, y = a[i + step].v;
      a[i].v = low(x, y), a[i + step].v = high(x, y);
    }
  };
  exchange(
      1, [](N x, N y) { return __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14); },
      [](N x, N y) { return __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15); });
  exchange(
      2, [](N x, N y) { return __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13); },
      [](N x, N y) { return __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15); });
  exchange(
      4, [](N x, N y) { return __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11); },
      [](N x, N y) { return __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15); });
}

// a[index[0]], ..., a[index[7]].
inline Lanes pick(const Real* a, const int* index) {
  Lanes r;
  for (int l = 0; l < lane_count; ++l) r.v[l] = a[index[l]];
  return r;
}
inline void store(Real* to, const Lanes& a) {
  std::memcpy(to, &a.v, sizeof a.v);
}

}  // namespace CAIRN_SIMD
}  // namespace cairn
