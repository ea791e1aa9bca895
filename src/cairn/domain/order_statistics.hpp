// Values by their place among those of all ranks: medians and the like.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "cairn/domain/domain.hpp"

namespace cairn {

// The values that stand at `place`, from 0, in each of N ascending orders. each(f) calls f(std::array<Real, N>) for all
// that this rank has; none is NaN. They are found digit by digit of their bits, so that no rank needs memory for them.
template <std::size_t N, class Each>
std::array<Real, N> values_at(const Domain& domain, std::int64_t place, const Each& each) {
  constexpr int bits = 8, digits = 1 << bits;
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  std::array<std::uint64_t, N> found{};  // their bits so far, in an order that is that of the values
  std::array<std::int64_t, N> left;
  left.fill(place);
  for (int shift = 64 - bits; shift >= 0; shift -= bits) {
    using Counts = std::array<std::array<std::int64_t, digits>, N>;
    Counts counts{};
    each([&](const std::array<Real, N>& values) {
      for (std::size_t k = 0; k < N; ++k) {
        const auto raw = std::bit_cast<std::uint64_t>(values[k]), key = raw & sign ? ~raw : raw | sign;
        if (shift + bits == 64 || key >> (shift + bits) == found[k] >> (shift + bits))
          ++counts[k][key >> shift & (digits - 1)];
      }
    });
    domain.reduce(counts, [](Counts& into, const Counts& other) {
      for (std::size_t k = 0; k < N; ++k)
        for (int d = 0; d < digits; ++d) into[k][d] += other[k][d];
    });
    for (std::size_t k = 0; k < N; ++k) {
      std::uint64_t digit = 0;
      while (left[k] >= counts[k][digit]) left[k] -= counts[k][digit++];
      found[k] |= digit << shift;
    }
  }
  std::array<Real, N> values;
  for (std::size_t k = 0; k < N; ++k) values[k] = std::bit_cast<Real>(found[k] & sign ? found[k] ^ sign : ~found[k]);
  return values;
}

}  // namespace cairn
