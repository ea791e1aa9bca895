#include "cairn/core/reproducible_sum.hpp"

#include <algorithm>
#include <limits>

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

// Of a sum of the bits of shift + t.
std::int64_t multiple_of(std::uint64_t sum, int terms, int bin) {
  return static_cast<std::int64_t>(sum -
                                   static_cast<std::uint64_t>(terms) * std::bit_cast<std::uint64_t>(Bins::shift(bin)));
}

// A whole number of more than 64 bits takes a call to convert, and few are so large.
template <class Whole>
Real to_real(const Whole& a) {
  const auto narrow = static_cast<std::int64_t>(a);
  return narrow == a ? static_cast<Real>(narrow) : static_cast<Real>(a);
}

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
  constexpr int significand = 52, bias = 1023;
  // That of the power of two below, not that of the nearest: which bin is the top one must not depend on the others.
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(std::fabs(largest)) >> significand) - bias;
  return std::clamp((exponent + up * bits) / bits - up, lowest, highest);
}

void ReproducibleSum::start(int top) {
  top_ = top, limit_ = Bins::limit(top);
  for (int f = 0; f < folds_; ++f) shift_[f] = Bins::shift(top - f);
  pending_ = {}, pending_terms_ = 0;
}

void ReproducibleSum::settle() {
  for (int f = 0; f < folds_; ++f) wholes_[f] += multiple_of(pending_[f], pending_terms_, top_ - f);
  pending_ = {}, pending_terms_ = 0;
}

void ReproducibleSum::make_room(Real term) {
  finite_ = finite_ && std::fabs(term) < Bins::limit(Bins::highest);
  raise(Bins::of(term));
}

void ReproducibleSum::raise(int top) {
  if (top <= top_) return;
  settle();
  const int by = top - top_;
  for (int f = folds_ - 1; f >= 0; --f) wholes_[f] = f >= by ? wholes_[f - by] : 0;
  start(top);
}

void ReproducibleSum::add_shifted(int top, const std::uint64_t (&sums)[2], int terms) {
  raise(top);
  const int by = top_ - top;
  for (int f = 0; f + by < folds_; ++f) wholes_[f + by] += multiple_of(sums[f], terms, top - f);
}

void ReproducibleSum::add(const ReproducibleSum& sum) {
  if (sum.is_empty()) return;
  ReproducibleSum other = sum;
  other.settle();
  finite_ = finite_ && other.finite_;
  raise(other.top_);
  const int by = top_ - other.top_;
  for (int f = 0; f + by < folds_; ++f) wholes_[f + by] += other.wholes_[f];
}

Real ReproducibleSum::value() const {
  if (!finite_) return std::numeric_limits<Real>::quiet_NaN();
  if (is_empty()) return 0;
  ReproducibleSum settled = *this;
  settled.settle();
  // To the nearest carry, so that the first digit that is not zero leads the sum.
  constexpr Whole base = Whole(1) << Bins::bits;
  std::array<Whole, Bins::most_folds>& digits = settled.wholes_;
  for (int f = folds_ - 1; f > 0; --f) {
    const Whole carry = (digits[f] + base / 2) >> Bins::bits;
    digits[f] -= carry * base, digits[f - 1] += carry;
  }
  Real sum = 0;
  for (int f = folds_ - 1; f >= 0; --f) sum += to_real(digits[f]) * Bins::quantum(top_ - f);
  return sum;
}

}  // namespace cairn
