// Which other ranks may have grains near a place.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "cairn/domain/domain.hpp"
#include "cairn/geometry/cell.hpp"

namespace cairn {

// f(periods) for those by which a box may be moved to meet grains across the borders of the cell, if its middle is
// closer to them than `far`. No more: the parts of space at the borders have no end.
template <class F>
void each_image(const PeriodicCell& cell, const Vector& x, Real far, F&& f) {
  std::array<std::array<Real, 3>, 3> shifts{};  // of each axis, none first
  std::array<int, 3> counts{1, 1, 1};
  for (int axis = 0; axis < 3; ++axis) {
    const Real length = (&cell.length.x)[axis], low = (&cell.origin.x)[axis], at = (&x.x)[axis];
    if (!(length > 0)) continue;
    if (at - low <= far) shifts[axis][counts[axis]++] = length;
    if (low + length - at <= far) shifts[axis][counts[axis]++] = -length;
  }
  for (int k = 0; k < counts[2]; ++k)
    for (int j = 0; j < counts[1]; ++j)
      for (int i = 0; i < counts[0]; ++i) f(Vector{shifts[0][i], shifts[1][j], shifts[2][k]});
}

// The other ranks whose parts of space a cube of half side `reach` [m] about x meets, or an image of it across the
// borders of the cell, if grains are outside of the cell by at most `outside` [m]. Ascending.
inline void ranks_near(const Domain& domain, const PeriodicCell& cell, const Vector& x, Real reach, Real outside,
                       std::vector<int>& ranks) {
  const Vector half{reach, reach, reach};
  const Partition& partition = domain.partition();
  ranks.clear();
  each_image(cell, x, reach + outside, [&](const Vector& shift) {
    const Vector low = x + shift - half, high = x + shift + half;
    if (!partition.within_own(low, high)) partition.ranks_in(low, high, ranks);
  });
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::erase(ranks, domain.ranks().own());
}

}  // namespace cairn
