// A plane: solid on its far side, without an end.
#pragma once
#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

#include "cairn/geometry/outline.hpp"
#include "cairn/geometry/shapes/bounds.hpp"
#include "cairn/geometry/shapes/closest_point.hpp"
#include "cairn/geometry/shapes/wall_parameter.hpp"

namespace cairn {

// The pose's point lies on the plane, its direction is the normal towards the grains.
struct PlaneSurface {
  static constexpr std::string_view name = "plane";
  static constexpr bool has_axis = true;  // rotations about the direction do not change it
  static constexpr bool is_flat = true;   // displacements across the direction do not change it

  template <class T>
  ClosestPoint<T> closest(const SeenCentre<T>& grain) const {
    ClosestPoint<T> at;
    at.n = -grain.pose.direction;
    at.distance = dot(grain.from_point(), grain.pose.direction);
    return at;
  }

  Real lowest(const Pose<Real>& pose, const Vector& down) const {
    return dot(pose.direction, down) < -level_sine ? catches_all : catches_none;
  }

  template <class Add>
  void flat_faces(const Pose<Real>& pose, Add&& add) const {
    for (int axis = 0; axis < 3; ++axis) {
      const Real along = (&pose.direction.x)[axis];
      if (!(std::fabs(along) > 1 - 1e-12)) continue;
      FlatFace face{axis, along > 0 ? 1.0 : -1.0, pose.point, pose.point};
      for (int k = 1; k < 3; ++k) (&face.low.x)[(axis + k) % 3] = -no_end, (&face.high.x)[(axis + k) % 3] = no_end;
      add(face);
    }
  }
};

struct PlaneWall {
  static constexpr std::string_view name = "plane";
  using Surfaces = std::tuple<PlaneSurface>;

  Vector point{};          // [m]
  Vector normal{0, 0, 1};  // of any length, towards the grains

  static constexpr WallParameter<PlaneWall> parameters[] = {
      {.name = "point", .unit = "m", .description = "any point of the plane", .value = &PlaneWall::point},
      {.name = "normal",
       .direction = true,
       .description = "direction of the plane's normal, towards the grains; the far side is solid",
       .value = &PlaneWall::normal}};

  template <class Add>
  void surfaces(int /*dimension*/, Add&& add) const {
    add(point, (1 / norm(normal)) * normal, PlaneSurface{});
  }
  bool encloses() const { return false; }
  std::vector<Vector> extent(int /*dimension*/) const { return {}; }
  void draw(Outline& to, const OutlineFrame& frame) const {
    const HalfSpace front = frame.half_space(point, normal);
    to.bounds.push_back(front);
    to.faces.push_back({.corners = cut(front, frame.low, frame.high), .bordered = true});
  }
};

}  // namespace cairn
