// How far surfaces go: for the checks that a grain has a floor, and that no grain rolls over a seam of two walls.
#pragma once
#include <limits>

#include "cairn/core/vec3.hpp"

namespace cairn {

// The lowest point of a surface, in metres along the direction of a fall: these where every fall may end on it, and
// where none must.
inline constexpr Real catches_all = std::numeric_limits<Real>::infinity(), catches_none = -catches_all;
inline constexpr Real level_sine = 1e-9;  // [-] sine of an angle that does not count
inline constexpr Real no_end = 1e30;      // [m] size of what goes on without an end

// A flat face across an axis of coordinates. Where two of them meet in one plane, a grain touches both.
struct FlatFace {
  int axis;          // 0, 1, 2
  Real side;         // 1 or -1: side of the face, along the axis, on which the grains are
  Vector low, high;  // [m] corners, equal along the axis
};

}  // namespace cairn
