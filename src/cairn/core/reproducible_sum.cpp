#include "cairn/core/reproducible_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cairn/core/elementary.hpp"

namespace cairn {
namespace {

constexpr int first_bin = -20, last_bin = 20;

// 2^(51 b) of every bin.
constexpr auto quanta = [] {
  std::array<Real, last_bin - first_bin + 1> all{};
  constexpr Real step = 0x1p51;
  all[-first_bin] = 1;
  for (int b = 1; b <= last_bin; ++b) all[b - first_bin] = all[b - 1 - first_bin] * step;
  for (int b = -1; b >= first_bin; --b) all[b - first_bin] = all[b + 1 - first_bin] / step;
  return all;
}();
static_assert(Bins::lowest - (Bins::most_folds - 1) >= first_bin && Bins::highest + 1 <= last_bin);

}  // namespace

Real Bins::quantum(int bin) {
  return quanta[static_cast<std::size_t>(bin - first_bin)];
}

Real Bins::limit(int top) {
  return quantum(top + 1);
}

Real Bins::shift(int bin) {
  return 0x1.8p52 * quantum(bin);
}

int Bins::of(Real largest) {
  constexpr int up = -first_bin;  // keeps the quotient positive, so that it is rounded down
  const int exponent =
      static_cast<int>(cairn::bits::biased_exponent(std::bit_cast<std::uint64_t>(std::fabs(largest)))) -
      static_cast<int>(cairn::bits::bias);
  return std::clamp((exponent + up * bits) / bits - up, lowest, highest);
}

int ReproducibleSum::top() const {
  return std::max(top_, Bins::lowest);
}

void ReproducibleSum::raise(int top) {
  if (top <= top_) return;
  const int by = top - top_;
  for (int f = folds_ - 1; f >= 0; --f) wholes_[f] = f >= by ? wholes_[f - by] : 0;
  top_ = top;
}

void ReproducibleSum::add_multiples(int top, const std::int64_t (&multiples)[2]) {
  raise(top);
  for (int f = 0; f + (top_ - top) < folds_; ++f) wholes_[f + (top_ - top)] += multiples[f];
}

void ReproducibleSum::add(Real term) {
  if (term == 0) return;
  if (!(std::fabs(term) < Bins::limit(Bins::highest))) return add_not_finite();
  raise(Bins::of(term));
  for (int f = 0; f < folds_ && term != 0; ++f) {
    const Real shift = Bins::shift(top_ - f), part = (term + shift) - shift;
    wholes_[f] += static_cast<std::int64_t>(part * Bins::quantum(f - top_));
    term -= part;
  }
}

void ReproducibleSum::add(const ReproducibleSum& other) {
  finite_ = finite_ && other.finite_;
  if (other.top_ == none) return;
  raise(other.top_);
  const int by = top_ - other.top_;
  for (int f = 0; f + by < folds_; ++f) wholes_[f + by] += other.wholes_[f];
}

Real ReproducibleSum::value() const {
  if (!finite_) return std::numeric_limits<Real>::quiet_NaN();
  if (top_ == none) return 0;
  // To the nearest carry, so that the first digit that is not zero leads the sum.
  constexpr Whole base = Whole(1) << Bins::bits;
  std::array<Whole, Bins::most_folds> digits = wholes_;
  for (int f = folds_ - 1; f > 0; --f) {
    const Whole carry = (digits[f] + base / 2) >> Bins::bits;
    digits[f] -= carry * base, digits[f - 1] += carry;
  }
  Real sum = 0;
  for (int f = folds_ - 1; f >= 0; --f) sum += static_cast<Real>(digits[f]) * Bins::quantum(top_ - f);
  return sum;
}

}  // namespace cairn
