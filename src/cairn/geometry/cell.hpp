// The periodic cell. A pair meets through its nearest images: an integer number of periods is taken off the plain
// difference of positions, so no shifted copy of a coordinate ever exists (docs/determinism.md).
#pragma once
#include <algorithm>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct PeriodicCell {
  Vector origin{};   // [m] lowest corner
  Vector length{};   // [m] period; 0 where the direction is not periodic
  Vector inverse{};  // [1/m] 1/period; 0 where the direction is not periodic

  static PeriodicCell from(const Vector& origin, const Vector& length) {
    auto inv = [](Real a) { return a > 0 ? 1 / a : 0; };
    return {origin, length, {inv(length.x), inv(length.y), inv(length.z)}};
  }
  bool any() const { return length.x > 0 || length.y > 0 || length.z > 0; }
  // [m^2] A difference of positions whose square is smaller is that of the nearest images.
  Real straight2() const {
    const auto half = [](Real period) { return period > 0 ? 0.499 * period : 1e150; };
    const Real least = std::min({half(length.x), half(length.y), half(length.z)});
    return least * least;
  }
  bool outside(const Vector& a) const {
    const auto beyond = [](Real x, Real low, Real period) { return period > 0 && (x < low || x >= low + period); };
    return beyond(a.x, origin.x, length.x) || beyond(a.y, origin.y, length.y) || beyond(a.z, origin.z, length.z);
  }

  // The shift k L to subtract from the difference d = x_j - x_i to reach the nearest image of j.
  template <class T>
  Vec3<T> image(const Vec3<T>& d) const {
    if (!any()) return {T(0.0), T(0.0), T(0.0)};
    return {length.x * nearest_integer(d.x * inverse.x), length.y * nearest_integer(d.y * inverse.y),
            length.z * nearest_integer(d.z * inverse.z)};
  }
};

}  // namespace cairn
