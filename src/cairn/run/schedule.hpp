// Occasions at even intervals.
#pragma once
#include <algorithm>
#include <cstdint>

#include "cairn/core/vec3.hpp"

namespace cairn {

// The k-th, from 0 on, is due at first + k every.
struct Schedule {
  static constexpr Real most = 1e15;  // below 2^53 with room, so that k is exact and found by a division

  Real first = 0, every = 0;  // [s]; every 0: once

  // [s]; the first one even if the interval is endless.
  Real time(std::int64_t k) const { return k == 0 ? first : first + static_cast<Real>(k) * every; }
  // How many are due by `now`, where `known` of them are known to be. In no time if `most` intervals last beyond `now`.
  std::int64_t due(Real now, std::int64_t known) const {
    if (!(every > 0)) return now >= first ? std::max<std::int64_t>(known, 1) : known;
    return due(now, known, [now](Real time) { return time <= now; });
  }
  // The same where times are rounded: is_due(time) tells what is due, and differs from time <= now by at most an
  // interval. `every` must be above zero.
  template <class IsDue>
  std::int64_t due(Real now, std::int64_t known, IsDue&& is_due) const {
    if (!is_due(time(known))) return known;
    // A guess by division, then exactly.
    const Real guess = std::min((now - first) / every, most) - 1;
    std::int64_t count = guess > static_cast<Real>(known) ? static_cast<std::int64_t>(guess) : known;
    while (is_due(time(count))) ++count;
    return count;
  }
};

}  // namespace cairn
