// The outline of a wall for pictures: convex faces, edges, and the half-spaces in which the wall keeps grains.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// The side of a plane to which its normal points.
struct HalfSpace {
  Vector point, normal;  // [m], unit vector
};

// All points are where the wall is now, in metres.
struct Outline {
  struct Face {
    std::vector<Vector> corners;  // counter-clockwise as seen from the grains
    bool bordered = false;        // its border is drawn, also where other walls cut the face
    bool section = false;         // no surface: where the view cuts a solid
  };
  std::vector<Face> faces;
  std::vector<std::array<Vector, 2>> edges;
  std::vector<HalfSpace> bounds;  // grains are in all of them
  bool ends_with_view = false;    // faces and edges are cut where the view ends

  // Corners are counter-clockwise as seen from inside; the grains may be outside.
  void add_face(std::vector<Vector> corners, bool grains_inside, bool section = false) {
    if (!grains_inside) std::reverse(corners.begin(), corners.end());
    faces.push_back({.corners = std::move(corners), .section = section});
  }
};

// What an outline depends on beside the shape.
struct OutlineFrame {
  int dimension = 3;
  std::function<Vector(const Vector&)> moved;  // where the wall's motion has brought a point [m] by now
  bool turned = false;                         // by a rotation
  Vector low{}, high{};                        // [m] box at which surfaces without an end are cut
  Real tolerance = 0;                          // [m]

  // The points on the side of a moved plane to which `inwards` points, a vector of any length.
  HalfSpace half_space(const Vector& point, const Vector& inwards) const;
  // [m] The range of the box along a unit vector that moves with the wall, from where a point has moved.
  std::pair<Real, Real> range_along(const Vector& point, const Vector& axis) const;
};

// The corners of a box, the first coordinate running fastest.
std::array<Vector, 8> box_corners(const Vector& low, const Vector& high);

// A circle of 72 points, counter-clockwise about the axis, a unit vector.
std::vector<Vector> ring(const Vector& middle, const Vector& axis, Real radius);

// The point of the frame's box nearest to another.
inline Vector cut_off(const Vector& a, const OutlineFrame& frame) {
  return {std::clamp(a.x, frame.low.x, frame.high.x), std::clamp(a.y, frame.low.y, frame.high.y),
          std::clamp(a.z, frame.low.z, frame.high.z)};
}

// Where a plane cuts a box: corners counter-clockwise about the normal; none where it misses the box.
std::vector<Vector> cut(const HalfSpace& plane, const Vector& low, const Vector& high);

}  // namespace cairn
