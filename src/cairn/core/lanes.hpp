// Numbers that march in step: the scalar of the pair kernel. As many as a register of the instruction set holds, two
// with SSE2, four with AVX2, eight with AVX-512: compilers keep wider vectors in memory. Every operation is IEEE and
// sums over contacts are reproducible (core/reproducible_sum.hpp), so the bits do not depend on how many there are.
// A file that uses them is compiled once per instruction set, with CAIRN_SIMD naming it; the inline namespace keeps
// those builds apart. Rejected: loops left to the vectoriser, which gives up on a contact law's selects, and
// target_clones, which splits vectors into single numbers before it knows the target.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "cairn/core/elementary.hpp"
#include "cairn/core/vec3.hpp"

#ifndef CAIRN_SIMD
#define CAIRN_SIMD baseline
#endif

// No function that other sets have too may leave a file compiled for one set, or a processor without it would run that
// code: functions are inlined, or have the set in their names as lanes do (tests/determinism/sets_test.py). Sanitizers
// do without.
#ifdef CAIRN_NOT_FLATTENED
#define CAIRN_FLATTEN
#else
#define CAIRN_FLATTEN __attribute__((flatten))
#endif
#define CAIRN_JOIN(a, b) a##b
#define CAIRN_ENTRY(name, simd) CAIRN_JOIN(name, simd)

namespace cairn {
inline namespace CAIRN_SIMD {

#if defined(__AVX512DQ__)
inline constexpr int lane_count = 8;
#elif defined(__AVX2__)
inline constexpr int lane_count = 4;
#else
inline constexpr int lane_count = 2;
#endif
inline constexpr unsigned all_lanes = (1u << lane_count) - 1;

// f(0), f(1), ... f(count - 1) with numbers known when compiling. Loops are unrolled too late for compilers to keep
// what they index in registers.
template <int count, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (f(std::integral_constant<int, k>{}), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

// Whole numbers, one for each lane.
typedef int Ints __attribute__((vector_size(4 * lane_count)));

inline Ints load_ints(const int* from) {
  Ints r;
  std::memcpy(&r, from, sizeof r);
  return r;
}
#if defined(__AVX512DQ__)
inline constexpr Ints ascending = {0, 1, 2, 3, 4, 5, 6, 7};
#elif defined(__AVX2__)
inline constexpr Ints ascending = {0, 1, 2, 3};
#else
inline constexpr Ints ascending = {0, 1};
#endif
// Every second number of the two in a row, from the first on or from the second.
inline void take_apart(const Ints& low, const Ints& high, Ints& first, Ints& second) {
#if defined(__AVX512DQ__)
  first = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
  second = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__AVX2__)
  first = __builtin_shufflevector(low, high, 0, 2, 4, 6), second = __builtin_shufflevector(low, high, 1, 3, 5, 7);
#else
  first = __builtin_shufflevector(low, high, 0, 2), second = __builtin_shufflevector(low, high, 1, 3);
#endif
}
inline Ints load_bytes(const unsigned char* from) {
#if defined(__AVX512DQ__)  // which g++ does not find
  return reinterpret_cast<Ints>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#elif defined(__AVX2__)
  return reinterpret_cast<Ints>(_mm_cvtepu8_epi32(_mm_loadu_si32(from)));
#endif
  typedef unsigned char Bytes __attribute__((vector_size(lane_count)));
  Bytes r;
  std::memcpy(&r, from, sizeof r);
  return __builtin_convertvector(r, Ints);
}

// Which of the lanes. With AVX-512 a bit each in a register of its own kind, else all bits of a lane.
#ifdef __AVX512DQ__
struct Mask {
  unsigned char bits = 0;

  friend Mask operator&&(Mask a, Mask b) { return {static_cast<unsigned char>(a.bits & b.bits)}; }
  friend Mask operator||(Mask a, Mask b) { return {static_cast<unsigned char>(a.bits | b.bits)}; }
  friend Mask operator!(Mask a) { return {static_cast<unsigned char>(~a.bits)}; }
};
inline Mask mask_of(const Ints& condition) {
  return {_mm256_movepi32_mask(reinterpret_cast<__m256i>(condition))};
}
inline Mask mask_of(unsigned lanes) {
  return {static_cast<unsigned char>(lanes)};
}
inline Mask every_lane() {
  return {0xff};
}
// A bit for each lane.
inline unsigned lanes_of(Mask m) {
  return m.bits;
}
inline bool any(Mask m) {
  return m.bits != 0;
}
inline bool all(Mask m) {
  return m.bits == every_lane().bits;
}
#else
struct Mask {
  typedef long long Part __attribute__((vector_size(8 * lane_count)));
  Part part{};

  friend Mask operator&&(const Mask& a, const Mask& b) { return {a.part & b.part}; }
  friend Mask operator||(const Mask& a, const Mask& b) { return {a.part | b.part}; }
  friend Mask operator!(const Mask& a) { return {~a.part}; }
};
inline Mask mask_of(const Ints& condition) {
  return {__builtin_convertvector(condition, Mask::Part)};
}
inline Mask mask_of(unsigned lanes) {
  return mask_of((static_cast<int>(lanes) >> ascending & 1) != 0);
}
inline Mask every_lane() {
  return {~Mask::Part{}};
}
inline unsigned lanes_of(const Mask& m) {
#ifdef __AVX2__
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m.part)));
#else
  unsigned lanes = 0;
  for (int l = 0; l < lane_count; ++l) lanes |= static_cast<unsigned>(m.part[l] & 1) << l;
  return lanes;
#endif
}
inline bool any(const Mask& m) {
  return lanes_of(m) != 0;
}
inline bool all(const Mask& m) {
  return lanes_of(m) == all_lanes;
}
#endif

// Writes first + k to `to` for each k below 8 whose number is at most `limit`, ascending, and returns how many there
// are. `to` has room for eight. There are no branches.
#if defined(__AVX2__)
// Which of eight are packed to the front, for each set of them.
struct PackedEights {
  unsigned char of[256][8] = {};

  constexpr PackedEights() {
    for (int set = 0; set < 256; ++set)
      for (int k = 0, count = 0; k < 8; ++k)
        if (set >> k & 1) of[set][count++] = static_cast<unsigned char>(k);
  }
};
inline constexpr PackedEights packed_eights;
inline int list_at_most(const float* numbers, float limit, int first, int* to) {
  const int set = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(numbers), _mm256_set1_ps(limit), _CMP_LE_OQ));
  const __m128i packed = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(packed_eights.of[set]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm256_add_epi32(_mm256_set1_epi32(first), _mm256_cvtepu8_epi32(packed)));
  return std::popcount(static_cast<unsigned>(set));
}
#else
inline int list_at_most(const float* numbers, float limit, int first, int* to) {
  int count = 0;
  for (int k = 0; k < 8; ++k) to[count] = first + k, count += numbers[k] <= limit;
  return count;
}
#endif

struct Lanes {
  typedef double Part __attribute__((vector_size(8 * lane_count)));
  Part part{};

  Lanes() = default;
  Lanes(Real a) : part(all(a)) {}      // NOLINT: a number is as many equal numbers
  Lanes(const Part& of) : part(of) {}  // NOLINT
  static Part all(Real a) {            // not 0 + a, which is computed
#if defined(__AVX512DQ__)
    return Part{a, a, a, a, a, a, a, a};
#elif defined(__AVX2__)
    return Part{a, a, a, a};
#else
    return Part{a, a};
#endif
  }
  Real operator[](int lane) const {
    return part[lane];
  }

  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return a.part + b.part;
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return a.part - b.part;
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return a.part * b.part;
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return a.part / b.part;
  }
  friend Lanes operator-(const Lanes& a) {
    return -a.part;
  }
#ifdef __AVX512DQ__
  friend Mask operator<(const Lanes& a, const Lanes& b) {
    return {static_cast<unsigned char>(_mm512_cmp_pd_mask(a.part, b.part, _CMP_LT_OQ))};
  }
#else
  friend Mask operator<(const Lanes& a, const Lanes& b) {
    return {reinterpret_cast<Mask::Part>(a.part < b.part)};
  }
#endif
  friend Mask operator>(const Lanes& a, const Lanes& b) {
    return b < a;
  }
};

inline Lanes value(const Lanes& a) {
  return a;
}
inline Lanes select(const Mask& which, const Lanes& yes, const Lanes& no) {
#ifdef __AVX512DQ__
  if (__builtin_constant_p(which.bits) && which.bits == every_lane().bits) return yes;
  return Lanes::Part(_mm512_mask_blend_pd(which.bits, no.part, yes.part));
#else
  return which.part ? yes.part : no.part;
#endif
}
inline Lanes sqrt(const Lanes& a) {
#if defined(__AVX512DQ__)
  return Lanes::Part(_mm512_sqrt_pd(a.part));
#elif defined(__AVX2__)
  return Lanes::Part(_mm256_sqrt_pd(a.part));
#else
  Lanes::Part r;
  for (int l = 0; l < lane_count; ++l) r[l] = __builtin_sqrt(a.part[l]);
  return r;
#endif
}
// `a`, with the other sign in those lanes where `sign` is minus zero. It is zero in all others.
inline Lanes flipped(const Lanes& a, const Lanes& sign) {
  typedef long long Bits __attribute__((vector_size(8 * lane_count)));
  return reinterpret_cast<Lanes::Part>(reinterpret_cast<Bits>(a.part) ^ reinterpret_cast<Bits>(sign.part));
}
inline Mask exceeds(const Lanes& a, const Lanes& b) {
  return a > b;
}
inline Lanes abs(const Lanes& a) {
  typedef long long Bits __attribute__((vector_size(8 * lane_count)));
  return reinterpret_cast<Lanes::Part>(reinterpret_cast<Bits>(a.part) & 0x7fffffffffffffff);
}
// b where either is NaN.
inline Lanes larger(const Lanes& a, const Lanes& b) {
#if defined(__AVX512DQ__)
  return Lanes::Part(_mm512_max_pd(a.part, b.part));
#elif defined(__AVX2__)
  return Lanes::Part(_mm256_max_pd(a.part, b.part));
#else
  return a.part > b.part ? a.part : b.part;
#endif
}
inline Lanes smaller(const Lanes& a, const Lanes& b) {
#if defined(__AVX512DQ__)
  return Lanes::Part(_mm512_min_pd(a.part, b.part));
#elif defined(__AVX2__)
  return Lanes::Part(_mm256_min_pd(a.part, b.part));
#else
  return a.part < b.part ? a.part : b.part;
#endif
}
inline Lanes nearest_integer(const Lanes& a) {  // as of single numbers (core/vec3.hpp)
#if defined(__AVX512DQ__)
  return Lanes::Part(_mm512_roundscale_pd(a.part, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif defined(__AVX2__)
  return Lanes::Part(_mm256_round_pd(a.part, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
  const Lanes shift = 0x1.8p52;
  return (a + shift) - shift;
#endif
}

// As for single numbers (core/elementary.hpp).
typedef std::uint64_t Words __attribute__((vector_size(8 * lane_count)));
inline Lanes binary_exponent_of(const Lanes& a) {
  const Words biased = bits::biased_exponent(reinterpret_cast<Words>(a.part));
  return (reinterpret_cast<Lanes::Part>(biased + bits::shift_bits) - bits::shift) - static_cast<Real>(bits::bias);
}
inline Lanes significand_of(const Lanes& a) {
  const Words of = reinterpret_cast<Words>(a.part);
  return reinterpret_cast<Lanes::Part>(of - ((bits::biased_exponent(of) - bits::bias) << bits::significand));
}
inline Lanes two_to(const Lanes& n) {
  const Words shifted = reinterpret_cast<Words>(n.part + bits::shift);
  return reinterpret_cast<Lanes::Part>((shifted + bits::bias) << bits::significand);
}
// A function of its own, for a law asks it at many places.
CAIRN_FLATTEN __attribute__((noinline)) inline Lanes power(const Lanes& a, Real p) {
  return power_of(a, p);
}
CAIRN_FLATTEN __attribute__((noinline)) inline Lanes binary_log(const Lanes& a) {
  return binary_log_of(a);
}

// Rows become columns: a[i] lane l and a[l] lane i change places. Rounds exchange blocks of one, two and four.
[[gnu::always_inline]] inline void transpose(Lanes* a) {
  using P = Lanes::Part;
  const auto exchange = [&](int step, auto&& low, auto&& high) {
    unrolled<lane_count>([&](auto i) {
      if (i & step) return;
      const P x = a[i].part, y = a[i + step].part;
      a[i] = low(x, y), a[i + step] = high(x, y);
    });
  };
#if defined(__AVX512DQ__)
  exchange(
      1, [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14); },
      [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15); });
  exchange(
      2, [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13); },
      [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15); });
  exchange(
      4, [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11); },
      [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15); });
#elif defined(__AVX2__)
  exchange(
      1, [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 0, 4, 2, 6); },
      [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 1, 5, 3, 7); });
  exchange(
      2, [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 0, 1, 4, 5); },
      [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 2, 3, 6, 7); });
#else
  exchange(
      1, [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 0, 2); },
      [](const P& x, const P& y) { return __builtin_shufflevector(x, y, 1, 3); });
#endif
}

inline Lanes load(const Real* from) {
  Lanes::Part r;
  std::memcpy(&r, from, sizeof r);
  return r;
}
inline void store(Real* to, const Lanes& a) {
  std::memcpy(to, &a.part, sizeof a.part);
}

// Four numbers of one entry of VectorRows, a vector and its fourth number, whatever the width of a register.
typedef double Quad __attribute__((vector_size(32)));

inline unsigned lanes_of(const decltype(Quad{} < Quad{}) & m) {  // a bit for each
#ifdef __AVX2__
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
#else
  return static_cast<unsigned>((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}
inline Quad load_quad(const float* from) {
#ifdef __AVX2__  // which g++ does not find
  return reinterpret_cast<Quad>(_mm256_cvtps_pd(_mm_loadu_ps(from)));
#endif
  typedef float Floats __attribute__((vector_size(16)));
  Floats r;
  std::memcpy(&r, from, sizeof r);
  return __builtin_convertvector(r, Quad);
}
inline Quad load_quad(const Real* from) {
  Quad r;
  std::memcpy(&r, from, sizeof r);
  return r;
}
inline void store_quad(Real* to, const Quad& a) {
  std::memcpy(to, &a, sizeof a);
}
// Four quads become four columns.
[[gnu::always_inline]] inline void transpose(Quad (&a)[4]) {
  const Quad x = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6), y = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
  const Quad z = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6), w = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
  a[0] = __builtin_shufflevector(x, z, 0, 1, 4, 5), a[1] = __builtin_shufflevector(y, w, 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(x, z, 2, 3, 6, 7), a[3] = __builtin_shufflevector(y, w, 2, 3, 6, 7);
}
// Fills the four columns from as many quads as there are lanes; quad(l) is that of lane l.
template <class QuadOf>
[[gnu::always_inline]] inline void columns_of_quads(QuadOf&& quad, Lanes* column) {
#if defined(__AVX512DQ__)
  __m512d a[4];
  unrolled<4>([&](auto l) {
    a[l] = _mm512_insertf64x4(_mm512_castpd256_pd512(reinterpret_cast<__m256d>(quad(l))),
                              reinterpret_cast<__m256d>(quad(std::integral_constant<int, l + 4>{})), 1);
  });
  const __m512d x = _mm512_unpacklo_pd(a[0], a[1]), y = _mm512_unpackhi_pd(a[0], a[1]);
  const __m512d z = _mm512_unpacklo_pd(a[2], a[3]), w = _mm512_unpackhi_pd(a[2], a[3]);
  using P = Lanes::Part;
  const auto low = [](__m512d b, __m512d c) {
    return Lanes(P(__builtin_shufflevector(P(b), P(c), 0, 1, 8, 9, 4, 5, 12, 13)));
  };
  const auto high = [](__m512d b, __m512d c) {
    return Lanes(P(__builtin_shufflevector(P(b), P(c), 2, 3, 10, 11, 6, 7, 14, 15)));
  };
  column[0] = low(x, z), column[1] = low(y, w), column[2] = high(x, z), column[3] = high(y, w);
#elif defined(__AVX2__)
  Quad a[4];
  unrolled<4>([&](auto l) { a[l] = quad(l); });
  transpose(a);
  unrolled<4>([&](int k) { column[k] = Lanes(a[k]); });
#else
  const Quad a = quad(std::integral_constant<int, 0>{}), b = quad(std::integral_constant<int, 1>{});
  unrolled<4>([&](int k) { column[k] = Lanes(Lanes::Part{a[k], b[k]}); });
#endif
}

// Writes `count` columns as rows: row(l) has lane l of each.
template <int count, class RowOf>
inline void store_as_rows(Lanes* column, RowOf&& row) {
  unrolled<count / lane_count>([&](auto at) {
    constexpr int part = at * lane_count;
    transpose(column + part);
    unrolled<lane_count>([&](auto l) { store(row(l) + part, column[part + l]); });
  });
}

// Places of arrays, anywhere, one for each lane.
class GatherIndex {
 public:
  explicit GatherIndex(const Ints& index) { std::memcpy(index_, &index, sizeof index_); }
  Lanes of(const Real* a) const {
#ifdef __AVX512DQ__
    const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index_));
    return Lanes::Part(_mm512_i32gather_pd(index, a, 8));
#else
    Lanes::Part r;
    unrolled<lane_count>([&](int l) { r[l] = a[index_[l]]; });
    return r;
#endif
  }
  void put(Real* a, const Lanes& b) const {
    unrolled<lane_count>([&](int l) { a[index_[l]] = b[l]; });
  }

 private:
  int index_[lane_count];
};

// Places that mostly ascend and lie close together.
class CloseGatherIndex {
 public:
  explicit CloseGatherIndex(const Ints& index) : scattered_(index), first_(index[0]) {
#ifdef __AVX512DQ__
    const __m256i offset = reinterpret_cast<__m256i>(index - first_);
    const int last = index[lane_count - 1] - first_;
    offset_ = _mm512_cvtepi32_epi64(offset);
    close_ = static_cast<unsigned>(last) < lane_count &&
             _mm256_cmp_epu32_mask(offset, _mm256_set1_epi32(last), _MM_CMPINT_NLE) == 0;
    wanted_ = static_cast<unsigned char>(close_ ? (2u << last) - 1 : 0);  // what no lane wants may lie beyond the array
#endif
  }
  Lanes of(const Real* a) const {
#ifdef __AVX512DQ__
    if (close_) return Lanes::Part(_mm512_permutexvar_pd(offset_, _mm512_maskz_loadu_pd(wanted_, a + first_)));
#endif
    return scattered_.of(a);
  }

 private:
  GatherIndex scattered_;
  [[maybe_unused]] int first_;
#ifdef __AVX512DQ__
  __m512i offset_;
  bool close_;
  unsigned char wanted_;
#endif
};

}  // namespace CAIRN_SIMD
}  // namespace cairn
