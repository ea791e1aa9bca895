// The boundary of a set of the complex plane that is symmetric about the real axis, such as a region of absolute
// stability: marching squares on a grid of rays and circles, so that what lies near the origin is seen as finely as
// what lies far from it. The set may have holes, parts, and no end.
#pragma once
#include <complex>
#include <functional>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct BoundaryGrid {
  Real nearest = 0.002, farthest = 20;  // |z|; the boundary is sought between both
  int circles = 240;                    // intervals of |z|, at equal ratios
  int rays = 144;                       // intervals of the angle from 0 to pi; even: a ray is the imaginary axis
};

// Lines in the upper half plane. Each ends on the real axis or where the grid ends, or is closed: its last point is its
// first. Where a line crosses a side of the grid it is found to 1e-9 of |z|; parts of the set or of its complement that
// fit between four neighbours of the grid are not seen. `inside` is asked at the modulus and the argument of z.
using Polyline = std::vector<std::complex<Real>>;
std::vector<Polyline> boundary_in_upper_half_plane(const std::function<bool(Real modulus, Real argument)>& inside,
                                                   const BoundaryGrid& grid = {});

}  // namespace cairn
