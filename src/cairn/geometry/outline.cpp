#include "cairn/geometry/outline.hpp"

#include <cmath>

#include "cairn/core/constants.hpp"

namespace cairn {

HalfSpace OutlineFrame::half_space(const Vector& point, const Vector& inwards) const {
  const Vector at = moved(point), n = moved(point + inwards) - at;
  return {at, (1 / norm(n)) * n};
}

std::pair<Real, Real> OutlineFrame::range_along(const Vector& point, const Vector& axis) const {
  const Vector from = moved(point), turned_axis = moved(point + axis) - from;
  std::pair<Real, Real> range{1e300, -1e300};
  for (const Vector& a : box_corners(low, high)) {
    const Real along = dot(a - from, turned_axis);
    range = {std::min(range.first, along), std::max(range.second, along)};
  }
  return range;
}

std::array<Vector, 8> box_corners(const Vector& low, const Vector& high) {
  std::array<Vector, 8> all;
  for (int k = 0; k < 8; ++k) all[k] = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
  return all;
}

std::vector<Vector> ring(const Vector& middle, const Vector& axis, Real radius) {
  constexpr int count = 72;
  const Vector u = any_perpendicular(axis), v = cross(axis, u);
  std::vector<Vector> points;
  for (int k = 0; k < count; ++k) {
    const Real a = 2 * pi * k / count;
    points.push_back(middle + radius * (std::cos(a) * u + std::sin(a) * v));
  }
  return points;
}

std::vector<Vector> cut(const HalfSpace& plane, const Vector& low, const Vector& high) {
  const auto c = box_corners(low, high);
  std::vector<Vector> points;
  for (int a = 0; a < 8; ++a)
    for (const int bit : {1, 2, 4}) {
      if (a & bit) continue;
      const Vector &from = c[a], &to = c[a | bit];
      const Real s = dot(from - plane.point, plane.normal), t = dot(to - plane.point, plane.normal);
      if ((s < 0) != (t < 0)) points.push_back(from + (s / (s - t)) * (to - from));
    }
  if (points.size() < 3) return {};
  Vector middle{};
  for (const Vector& p : points) middle += (1.0 / static_cast<Real>(points.size())) * p;
  const Vector u = any_perpendicular(plane.normal), v = cross(plane.normal, u);
  const auto angle = [&](const Vector& p) { return std::atan2(dot(p - middle, v), dot(p - middle, u)); };
  std::sort(points.begin(), points.end(), [&](const Vector& a, const Vector& b) { return angle(a) < angle(b); });
  return points;
}

}  // namespace cairn
