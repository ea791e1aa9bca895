// Sums whose bits depend neither on the order of the terms nor on how blocks, threads or ranks share them (Demmel &
// Nguyen, IEEE Trans. Comput. 64 (2015) 2060).
//
// Bin b holds multiples of its quantum 2^(51 b). The largest term has 2^(51 b) <= |t| < 2^(51 (b + 1)) in the top bin
// b. Each term is rounded to a multiple of the quantum of the lowest of the `folds` bins kept, from the top bin down,
// and the multiples are added exactly, as whole numbers. So a sum is a function of its set of terms. A part of the
// terms with a lower top bin keeps bins that the whole does not; they are dropped when the parts are put together, and
// what remains is what the whole would have kept, because bins are absolute. The error of a term is at most 2^-52 (two
// folds) or 2^-103 (three) of the largest term; one rounding of the result comes on top.
//
// Rejected: a sum in the order of ids, which ranks cannot share; long accumulators, which cost the contact kernel more
// than the contacts; bins from bounds known beforehand, which impacts exceed.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct Bins {
  static constexpr int bits = 51;
  static constexpr int exact_terms = 2048;          // whose multiples of a quantum add up in 64 bits
  static constexpr int lowest = -17, highest = 19;  // top bins
  static constexpr int most_folds = 3;

  // None is inline: files that are compiled once per instruction set must not leave copies (core/lanes.hpp).
  static Real quantum(int bin);  // 2^(51 bin)
  static int of(Real largest);   // the top bin; the highest for what is not finite or too large for it
  static Real limit(int top);    // terms of this top bin are below it
  static Real shift(int bin);    // (t + shift) - shift is t rounded to a multiple of the quantum of the bin
};

// The bits of shift + t, as a whole number, are those of the shift plus the multiple of the quantum that t rounds to:
// they are summed modulo 2^64, and the bits of the shifts come off in the end.
class ReproducibleSum {
 public:
  explicit ReproducibleSum(int folds = Bins::most_folds) : folds_(folds) { start(Bins::lowest); }

  void add(Real term) {
    if (!(std::fabs(term) < limit_)) make_room(term);
    for (int f = 0; f < folds_; ++f) {
      const Real shifted = term + shift_[f];
      pending_[f] += std::bit_cast<std::uint64_t>(shifted);
      term -= shifted - shift_[f];
    }
    if (++pending_terms_ == Bins::exact_terms) settle();
  }
  void add(const ReproducibleSum& other);
  // Terms of a part with this top bin: the sums of the bits of shift + t for the top bin and of those for the next; for
  // a sum of two folds.
  void add_shifted(int top, const std::uint64_t (&sums)[2], int terms);
  // As a term of this top bin would: for another sum that must have the same bins.
  void raise(int top);
  int top() const { return top_; }
  void add_not_finite() { finite_ = false; }

  Real value() const;  // NaN unless all terms were finite

 private:
  __extension__ typedef __int128 Whole;

  // No term has come, or only zeros that are settled.
  bool is_empty() const {
    return top_ == Bins::lowest && pending_terms_ == 0 && finite_ && (wholes_[0] | wholes_[1] | wholes_[2]) == 0;
  }
  void start(int top);
  void make_room(Real term);
  void settle();

  int folds_;
  int top_, pending_terms_;
  bool finite_ = true;
  Real limit_;
  std::array<Real, Bins::most_folds> shift_;
  std::array<std::uint64_t, Bins::most_folds> pending_;
  std::array<Whole, Bins::most_folds> wholes_{};  // multiples of the quanta of bins top, top - 1, ...
};

// Of the three components.
class ReproducibleVectorSum {
 public:
  void add(const Vector& a) { x_.add(a.x), y_.add(a.y), z_.add(a.z); }
  void add(const ReproducibleVectorSum& other) { x_.add(other.x_), y_.add(other.y_), z_.add(other.z_); }
  Vector value() const { return {x_.value(), y_.value(), z_.value()}; }

 private:
  ReproducibleSum x_, y_, z_;
};

}  // namespace cairn
