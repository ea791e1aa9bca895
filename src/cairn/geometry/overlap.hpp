// How much of a ball, or of a line, lies in a box or in a cylinder. In 2D a ball is a disc across y and a cylinder a
// circle, in 1D both are intervals of z; volumes are then areas and lengths.
#pragma once
#include "cairn/core/vec3.hpp"

namespace cairn {

struct BoxRegion {
  Vector low, high;  // [m]
};
struct CylinderRegion {
  Vector centre, axis;          // [m]; a unit vector
  Real radius = 0, length = 0;  // [m]
};

Real ball_volume(int dimension, Real radius);

Real volume_of(int dimension, const BoxRegion& box);
Real volume_of(int dimension, const CylinderRegion& cylinder);

// The part of the ball about `centre` that lies inside. Exact to round-off in 1D and 2D, and in 3D unless a ball
// reaches an edge of the box or the cylinder's curved side: then it is an integral over exact slices, good to 1e-6 of
// the ball.
Real ball_in(int dimension, const Vector& centre, Real radius, const BoxRegion& box);
Real ball_in(int dimension, const Vector& centre, Real radius, const CylinderRegion& cylinder);

// [-] The part of the line from `from` to `to` that lies inside.
Real part_in(int dimension, const Vector& from, const Vector& to, const BoxRegion& box);
Real part_in(int dimension, const Vector& from, const Vector& to, const CylinderRegion& cylinder);

}  // namespace cairn
