// A cylinder: a drum or pipe about the grains, or a solid bar or roller among them.
#pragma once
#include <algorithm>
#include <tuple>

#include "cairn/geometry/shapes/plane.hpp"

namespace cairn {

// [m] Along `down`, the lowest point of a bar about `middle`, along `axis`; half_length 0: without an end.
inline Real lowest_of_bar(const Vector& middle, const Vector& axis, Real half_length, Real radius, const Vector& down) {
  const Real along = std::fabs(dot(axis, down));
  if (half_length == 0 && along > level_sine) return catches_all;
  return dot(middle, down) + half_length * along + radius * std::sqrt(std::max(0.0, 1 - along * along));
}

// A grain as seen from the axis of a cylinder.
template <class T>
struct FromAxis {
  explicit FromAxis(const SeenCentre<T>& grain)
      : radial(grain.perpendicular(grain.from_point())),
        length(sqrt(dot(radial, radial))),
        out((T(1.0) / length) * radial) {
    const Vec3<T> across = grain.perpendicular(grain.velocity());
    turn = (T(1.0) / length) * (across - dot(out, across) * out);
  }

  Vec3<T> radial;  // [m] from the axis
  T length;        // [m] of it
  Vec3<T> out;     // unit, along it; undefined on the axis, as `turn`
  Vec3<T> turn;    // [1/s] of `out`, in a frame that moves with the wall
};

// The grains are inside. The pose's point is the middle of the axis.
struct InnerCylinder {
  static constexpr std::string_view name = "cylinder";
  static constexpr bool has_axis = true;
  static constexpr bool is_flat = false;

  Real radius = 0;  // [m]

  template <class T>
  ClosestPoint<T> closest(const SeenCentre<T>& grain) const {
    const FromAxis<T> from(grain);
    const auto off_axis = from.length > T(0.0);
    ClosestPoint<T> at;
    at.distance = T(radius) - from.length;
    if (any(!off_axis)) at.n = any_perpendicular(grain.pose.direction);  // all points of a circle are as close
    at.take(off_axis, from.out, from.turn, at.distance);
    return at;
  }

  Real lowest(const Pose<Real>& pose, const Vector& down) const {
    return std::fabs(dot(pose.direction, down)) < 1 - level_sine ? catches_all : catches_none;
  }
};

// The grains are outside. The pose's point is the middle of the axis.
struct OuterCylinder {
  static constexpr std::string_view name = "solid cylinder";
  static constexpr bool has_axis = true;
  static constexpr bool is_flat = false;

  Real radius = 0;       // [m]
  Real half_length = 0;  // [m] 0: without an end

  template <class T>
  ClosestPoint<T> closest(const SeenCentre<T>& grain) const {
    const Vec3<T>& axis = grain.pose.direction;
    const Vec3<T> from_point = grain.from_point();
    const T along = dot(from_point, axis);
    const Vec3<T> radial = from_point - along * axis, across = grain.perpendicular(grain.velocity());
    const T length = sqrt(dot(radial, radial));
    ClosestPoint<T> at;
    at.n = (T(-1.0) / length) * radial;
    at.distance = length - T(radius);
    at.n_rate = (T(-1.0) / length) * (across - dot(at.n, across) * at.n);
    if (half_length == 0) return at;
    const auto ahead = along > T(0.0), beside = !(abs(along) > T(half_length)), above = !(length > T(radius));
    const T cap_distance = abs(along) - T(half_length);
    at.take(above && !(beside && at.distance > cap_distance), select(ahead, T(-1.0), T(1.0)) * axis,
            Vec3<T>{T(0.0), T(0.0), T(0.0)}, cap_distance);
    const auto rim = !(above || beside);
    if (!any(rim)) return at;
    const Vec3<T> out = (T(1.0) / length) * radial;
    const T end = select(ahead, T(half_length), T(-half_length));
    at.take_point(rim, (end - along) * axis + (T(radius) - length) * out,
                  (T(radius) / length) * (across - dot(out, across) * out) - grain.velocity());
    return at;
  }

  Real lowest(const Pose<Real>& pose, const Vector& down) const {
    return lowest_of_bar(pose.point, pose.direction, half_length, radius, down);
  }
};

// A pipe with open ends: a thin sheet, on which grains may be on either side. The pose's point is the middle of the
// axis.
struct OpenCylinder {
  static constexpr std::string_view name = "pipe";
  static constexpr bool has_axis = true;
  static constexpr bool is_flat = false;

  Real radius = 0, half_length = 0;  // [m]

  template <class T>
  ClosestPoint<T> closest(const SeenCentre<T>& grain) const {
    const Vec3<T>& axis = grain.pose.direction;
    FromAxis<T> from(grain);
    if (const auto on_axis = !(from.length > T(0.0)); any(on_axis)) {  // all points of a circle are as close
      from.out = select(on_axis, any_perpendicular(axis), from.out);
      from.turn = select(on_axis, Vec3<T>{T(0.0), T(0.0), T(0.0)}, from.turn);
    }
    const T side = select(from.length > T(radius), T(-1.0), T(1.0));
    ClosestPoint<T> at;
    at.n = side * from.out, at.n_rate = side * from.turn, at.distance = abs(T(radius) - from.length);
    const T along = dot(grain.from_point(), axis);
    const auto beyond = abs(along) > T(half_length);
    if (!any(beyond)) return at;
    const T end = select(along > T(0.0), T(half_length), T(-half_length));
    at.take_point(beyond, (end - along) * axis + (T(radius) - from.length) * from.out,
                  T(radius) * from.turn - grain.velocity());
    return at;
  }

  Real lowest(const Pose<Real>& pose, const Vector& down) const {
    return lowest_of_bar(pose.point, pose.direction, half_length, radius, down);
  }
};

struct CylinderWall {
  static constexpr std::string_view name = "cylinder";
  static constexpr int from_dimension = 2;
  using Surfaces = std::tuple<InnerCylinder, OuterCylinder, OpenCylinder>;

  WallSide side = WallSide::inside;
  Vector point{};        // [m] middle of the axis
  Vector axis{0, 0, 1};  // of any length; +y in two dimensions, whatever stands here
  Real radius = 0;       // [m]
  Real length = 0;       // [m] 0: without an end
  bool caps = true;      // closed at both ends; without, a pipe that grains also touch from outside

  static constexpr WallParameter<CylinderWall> parameters[] = {
      {.name = "side", .description = "side of the wall on which the grains are", .value = &CylinderWall::side},
      {.name = "point", .unit = "m", .description = "the middle of the axis", .value = &CylinderWall::point},
      {.name = "axis",
       .direction = true,
       .from_dimension = 3,
       .description = "direction of the cylinder's axis",
       .value = &CylinderWall::axis},
      {.name = "radius",
       .unit = "m",
       .range = positive,
       .required = true,
       .description = "radius of the cylinder",
       .value = &CylinderWall::radius},
      {.name = "length",
       .unit = "m",
       .range = positive,
       .from_dimension = 3,
       .fallback_text = "endless",
       .description = "length of the cylinder along its axis",
       .value = &CylinderWall::length},
      {.name = "caps",
       .from_dimension = 3,
       .needs = "length",
       .description = "whether both ends of the cylinder are closed; needs length. A cylinder with open ends is a thin "
                      "pipe, which grains touch from both sides; a solid one, with side \"outside\", is always closed",
       .value = &CylinderWall::caps}};

  Vector direction(int dimension) const { return dimension == 2 ? Vector{0, 1, 0} : (1 / norm(axis)) * axis; }

  template <class Add>
  void surfaces(int dimension, Add&& add) const {
    const Vector along = direction(dimension);
    if (side == WallSide::outside) return add(point, along, OuterCylinder{radius, 0.5 * length});
    if (open()) return add(point, along, OpenCylinder{radius, 0.5 * length});
    add(point, along, InnerCylinder{radius});
    if (length == 0) return;
    add(point - 0.5 * length * along, along, PlaneSurface{});
    add(point + 0.5 * length * along, -along, PlaneSurface{});
  }
  bool open() const { return side == WallSide::inside && length > 0 && !caps; }
  bool encloses() const { return side == WallSide::inside && !open(); }
  std::vector<Vector> extent(int dimension) const {
    const Vector along = direction(dimension);
    std::vector<Vector> points = ring(point - 0.5 * length * along, along, radius);
    for (const Vector& a : ring(point + 0.5 * length * along, along, radius)) points.push_back(a);
    return points;
  }
  void draw(Outline& to, const OutlineFrame& frame) const {
    const Vector along = direction(frame.dimension);
    if (encloses()) {
      const std::vector<Vector> points = ring(point, along, radius);
      for (std::size_t k = 0; k < points.size(); ++k) {
        const Vector middle = 0.5 * (points[k] + points[(k + 1) % points.size()]);
        to.bounds.push_back(frame.half_space(middle, point - middle));
      }
      if (length > 0)
        for (const Real half : {-0.5 * length, 0.5 * length})
          to.bounds.push_back(frame.half_space(point + half * along, -half * along));
    }
    // A cylinder that is longer than the view ends with it.
    auto [from, last] = frame.range_along(point, along);
    const Real half = 0.5 * length;
    const bool first_end = half > 0 && (frame.turned || from < -half + frame.tolerance);
    const bool last_end = half > 0 && (frame.turned || last > half - frame.tolerance);
    if (first_end) from = -half;
    if (last_end) last = half;
    std::vector<Vector> low = ring(point + from * along, along, radius),
                        high = ring(point + last * along, along, radius);
    for (std::vector<Vector>* points : {&low, &high})
      for (Vector& a : *points) a = frame.moved(a);
    for (const std::vector<Vector>& points : {low, high})
      for (std::size_t k = 0; k < points.size(); ++k) to.edges.push_back({points[k], points[(k + 1) % points.size()]});
    const bool solid = side == WallSide::outside;
    for (std::size_t k = 0; k < low.size(); ++k) {
      const std::size_t next = (k + 1) % low.size();
      to.add_face({low[k], high[k], high[next], low[next]}, !solid);
    }
    if (solid || (caps && first_end)) to.add_face(low, !solid, !first_end);
    if (solid || (caps && last_end)) to.add_face({high.rbegin(), high.rend()}, !solid, !last_end);
  }
};

}  // namespace cairn
