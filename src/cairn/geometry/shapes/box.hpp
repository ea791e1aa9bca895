// A box with sides along the axes of coordinates: six planes about the grains, or a solid among them.
#pragma once
#include <optional>
#include <tuple>

#include "cairn/geometry/shapes/plane.hpp"

namespace cairn {

// [m] Along `down`, the lowest point of a box.
inline Real lowest_of_box(const Vector& middle, const Vector& half_size, const Vector& down) {
  Real lowest = dot(middle, down);
  for (int k = 0; k < 3; ++k)
    if (const Real part = std::fabs((&down.x)[k]); part > level_sine) lowest += part * (&half_size.x)[k];
  return lowest;
}

// "high" is at fault unless a box from low to high has room in every direction there is.
inline std::optional<ParameterFault> box_fault(const Vector& low, const Vector& high, int dimension) {
  if ((dimension > 1 && low.x >= high.x) || (dimension > 2 && low.y >= high.y) || low.z >= high.z)
    return ParameterFault{{"high"}, "no room between low and high", "high > low in every direction"};
  return {};
}

// About the pose's point. The pose carries one direction only, so the box cannot rotate.
struct SolidBox {
  static constexpr std::string_view name = "solid box";
  static constexpr bool has_axis = false;
  static constexpr bool is_flat = false;

  Vector half_size{};  // [m]

  template <class T>
  ClosestPoint<T> closest(const SeenCentre<T>& grain) const {
    const Vec3<T> from_point = grain.from_point();
    const T dx = abs(from_point.x) - T(half_size.x), dy = abs(from_point.y) - T(half_size.y),
            dz = abs(from_point.z) - T(half_size.z);
    const auto by_x = !(dx < dy) && !(dx < dz), by_y = !by_x && !(dy < dz);
    const auto side = [](const T& a) { return select(a > T(0.0), T(-1.0), T(1.0)); };
    ClosestPoint<T> at;
    at.n = {select(by_x, side(from_point.x), T(0.0)), select(by_y, side(from_point.y), T(0.0)),
            select(by_x || by_y, T(0.0), side(from_point.z))};
    at.distance = select(by_x, dx, select(by_y, dy, dz));
    Vec3<T> q = from_point, q_rate = grain.velocity();
    const auto clamp = [](T& a, Real half, T& rate) {
      const auto out = abs(a) > T(half);
      a = select(out, select(a > T(0.0), T(half), T(-half)), a), rate = select(out, T(0.0), rate);
      return out;
    };
    const auto x_out = clamp(q.x, half_size.x, q_rate.x), y_out = clamp(q.y, half_size.y, q_rate.y),
               z_out = clamp(q.z, half_size.z, q_rate.z);
    const auto outside = x_out || y_out || z_out;
    if (any(outside)) at.take_point(outside, q - from_point, q_rate - grain.velocity());
    return at;
  }

  Real lowest(const Pose<Real>& pose, const Vector& down) const { return lowest_of_box(pose.point, half_size, down); }

  template <class Add>
  void flat_faces(const Pose<Real>& pose, Add&& add) const {
    for (int axis = 0; axis < 3; ++axis) {
      const Real half = (&half_size.x)[axis];
      if (half >= no_end) continue;
      for (const Real side : {-1.0, 1.0}) {
        FlatFace face{axis, side, pose.point - half_size, pose.point + half_size};
        (&face.low.x)[axis] = (&face.high.x)[axis] = (&pose.point.x)[axis] + side * half;
        add(face);
      }
    }
  }
};

struct BoxWall {
  static constexpr std::string_view name = "box";
  using Surfaces = std::tuple<SolidBox>;

  WallSide side = WallSide::inside;
  Vector low{}, high{};  // [m] corners

  static constexpr WallParameter<BoxWall> parameters[] = {
      {.name = "side", .description = "side of the wall on which the grains are", .value = &BoxWall::side},
      {.name = "low", .unit = "m", .required = true, .description = "lowest corner", .value = &BoxWall::low},
      {.name = "high", .unit = "m", .required = true, .description = "highest corner", .value = &BoxWall::high}};

  std::optional<ParameterFault> fault(int dimension) const { return box_fault(low, high, dimension); }

  template <class Add>
  void surfaces(int dimension, Add&& add) const {
    if (side == WallSide::outside) {
      Vector half_size = 0.5 * (high - low);
      if (dimension < 3) half_size.y = no_end;
      if (dimension < 2) half_size.x = no_end;
      add(0.5 * (low + high), Vector{}, SolidBox{half_size});
      return;
    }
    for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}}) {
      if ((axis.y > 0 && dimension < 3) || (axis.x > 0 && dimension < 2)) continue;
      add(low, axis, PlaneSurface{});
      add(high, -axis, PlaneSurface{});
    }
  }
  bool encloses() const { return side == WallSide::inside; }
  std::vector<Vector> extent(int /*dimension*/) const {
    const auto points = box_corners(low, high);
    return {points.begin(), points.end()};
  }
  void draw(Outline& to, const OutlineFrame& frame) const {
    const Vector size = high - low;
    if (side == WallSide::inside)
      for (const Vector& along : {Vector{size.x, 0, 0}, Vector{0, size.y, 0}, Vector{0, 0, size.z}})
        if (norm(along) > 0)
          to.bounds.push_back(frame.half_space(low, along)), to.bounds.push_back(frame.half_space(high, -along));
    Vector from = low, last = high;
    if (frame.dimension < 3) from.y = frame.low.y, last.y = frame.high.y;
    if (frame.dimension < 2) from.x = frame.low.x, last.x = frame.high.x;
    auto c = box_corners(from, last);
    for (Vector& a : c) a = frame.moved(a);
    if (side == WallSide::inside) {
      to.ends_with_view = !frame.turned;  // no side is drawn where the view cuts the box
    }
    // A solid is cut where the view ends, and shows its section there.
    const auto whole = c;
    if (side == WallSide::outside && !frame.turned) {
      for (Vector& a : c) a = cut_off(a, frame);
      if (!(norm(c.back() - c.front()) > 0)) return;
    }
    for (int k = 0; k < 8; ++k)
      for (const int bit : {1, 2, 4})
        if (!(k & bit)) to.edges.push_back({c[k], c[k | bit]});
    // Counter-clockwise as seen from inside.
    static constexpr int faces[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                        {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
    for (const auto& f : faces) {
      const int across = 7 & ~(f[0] ^ f[2]);                           // the axis, as a bit
      if (across == 2 && frame.dimension < 3 && encloses()) continue;  // there are no walls before and behind grains
      const bool section = across == 2   ? frame.dimension < 3 || c[f[0]].y != whole[f[0]].y
                           : across == 1 ? c[f[0]].x != whole[f[0]].x
                                         : c[f[0]].z != whole[f[0]].z;
      to.add_face({c[f[0]], c[f[1]], c[f[2]], c[f[3]]}, encloses(), section);
    }
  }
};

}  // namespace cairn
