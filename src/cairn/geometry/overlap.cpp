#include "cairn/geometry/overlap.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "cairn/core/constants.hpp"

namespace cairn {
namespace {

constexpr int points = 32;  // of a piece of the integral over slices

struct GaussRule {
  std::array<Real, points> at, weight;  // on [-1, 1]

  GaussRule() {
    for (int k = 0; k < points; ++k) {
      Real x = std::cos(pi * (k + 0.75) / (points + 0.5)), slope = 1;
      for (int turn = 0; turn < 8; ++turn) {  // Newton's method on the Legendre polynomial
        Real p = 1, before = 0;
        for (int n = 0; n < points; ++n) {
          const Real next = ((2 * n + 1) * x * p - n * before) / (n + 1);
          before = p, p = next;
        }
        slope = points * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      at[k] = x, weight[k] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

// The volume of a ball between two heights from its centre, from the areas that slices of radius rho have inside. The
// area has kinks where rho passes `kinks`; the angle removes those at the ends of the ball.
template <class Area>
Real integral(Real r, Real from, Real to, const std::vector<Real>& kinks, Area&& area) {
  static const GaussRule rule;
  const Real first = std::asin(std::clamp(from / r, -1.0, 1.0)), last = std::asin(std::clamp(to / r, -1.0, 1.0));
  std::vector<Real> ends{first, last};
  for (const Real rho : kinks) {
    if (!(rho < r)) continue;
    const Real angle = std::acos(rho / r);
    for (const Real a : {-angle, angle})
      if (a > first && a < last) ends.push_back(a);
  }
  std::sort(ends.begin(), ends.end());
  Real sum = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const Real middle = 0.5 * (ends[k] + ends[k + 1]), half = 0.5 * (ends[k + 1] - ends[k]);
    for (int p = 0; p < points; ++p) {
      const Real rho = r * std::cos(middle + half * rule.at[p]);
      sum += half * rule.weight[p] * area(rho) * rho;
    }
  }
  return sum;
}

// Of the disc about 0 the area with X <= x.
Real disc_below(Real r, Real x) {
  const Real a = std::clamp(x, -r, r);
  return r * r * (0.5 * pi + std::asin(a / r)) + a * std::sqrt(std::max(0.0, r * r - a * a));
}
// And with Y <= y too.
Real disc_below(Real r, Real x, Real y) {
  if (x <= -r || y <= -r) return 0;
  if (x * x + y * y >= r * r) {
    if (x < 0 && y < 0) return 0;
    if (x < 0) return disc_below(r, x);
    if (y < 0) return disc_below(r, y);
    return disc_below(r, x) + disc_below(r, y) - pi * r * r;
  }
  return 0.25 * pi * r * r + x * y + 0.5 * (x * std::sqrt(r * r - x * x) + y * std::sqrt(r * r - y * y)) +
         0.5 * r * r * (std::asin(x / r) + std::asin(y / r));
}
Real disc_in_rectangle(Real r, Real x0, Real x1, Real y0, Real y1) {
  return disc_below(r, x1, y1) - disc_below(r, x0, y1) - disc_below(r, x1, y0) + disc_below(r, x0, y0);
}
// The area that two discs share whose centres are `d` apart.
Real discs_share(Real a, Real b, Real d) {
  if (d >= a + b) return 0;
  const Real small = std::min(a, b);
  if (d <= std::fabs(a - b)) return pi * small * small;
  const auto half_angle = [&](Real r, Real other) {
    return std::acos(std::clamp((d * d + r * r - other * other) / (2 * d * r), -1.0, 1.0));
  };
  const Real u = half_angle(a, b), v = half_angle(b, a);
  return a * a * (u - std::sin(u) * std::cos(u)) + b * b * (v - std::sin(v) * std::cos(v));
}

// Of a ball the part beyond a plane at `distance` from its centre.
Real cap(Real r, Real distance) {
  const Real h = std::clamp(r - distance, 0.0, 2 * r);
  return pi * h * h * (3 * r - h) / 3;
}

// Cuts [first, last] to where from + s by lies between low and high.
void clip(Real from, Real by, Real low, Real high, Real& first, Real& last) {
  if (by == 0) {
    if (from < low || from > high) last = first;
    return;
  }
  const Real a = (low - from) / by, b = (high - from) / by;
  first = std::max(first, std::min(a, b)), last = std::min(last, std::max(a, b));
}

}  // namespace

Real ball_volume(int dimension, Real radius) {
  if (dimension == 1) return 2 * radius;
  return dimension == 2 ? pi * radius * radius : 4.0 / 3 * pi * radius * radius * radius;
}

Real volume_of(int dimension, const BoxRegion& box) {
  const Vector size = box.high - box.low;
  return size.z * (dimension > 1 ? size.x : 1) * (dimension > 2 ? size.y : 1);
}

Real volume_of(int dimension, const CylinderRegion& c) {
  return pi * c.radius * c.radius * (dimension > 2 ? c.length : 1);
}

Real ball_in(int dimension, const Vector& centre, Real r, const BoxRegion& box) {
  const Vector low = box.low - centre, high = box.high - centre;
  if (dimension == 1) return std::max(0.0, std::min(high.z, r) - std::max(low.z, -r));
  if (dimension == 2) return disc_in_rectangle(r, low.x, high.x, low.z, high.z);
  const Real inside[3][2] = {{-low.x, high.x}, {-low.y, high.y}, {-low.z, high.z}};  // of each face
  Real volume = ball_volume(3, r);
  std::vector<std::pair<int, Real>> cuts;
  for (int axis = 0; axis < 3; ++axis)
    for (const Real distance : inside[axis]) {
      if (distance <= -r) return 0;
      if (distance < r) cuts.emplace_back(axis, distance), volume -= cap(r, distance);
    }
  const auto meet = [&](const auto& a, const auto& b) {  // beyond both faces there is something of the ball
    const Real x = std::max(0.0, a.second), y = std::max(0.0, b.second);
    return a.first != b.first && x * x + y * y < r * r;
  };
  for (const auto& a : cuts)
    for (const auto& b : cuts)
      if (meet(a, b)) {
        std::vector<Real> kinks;
        for (const Real x : {low.x, high.x}) {
          kinks.push_back(std::fabs(x));
          for (const Real y : {low.y, high.y}) kinks.push_back(std::sqrt(x * x + y * y));
        }
        for (const Real y : {low.y, high.y}) kinks.push_back(std::fabs(y));
        return integral(r, low.z, high.z, kinks,
                        [&](Real rho) { return disc_in_rectangle(rho, low.x, high.x, low.y, high.y); });
      }
  return volume;
}

Real ball_in(int dimension, const Vector& centre, Real r, const CylinderRegion& c) {
  const Vector d = centre - c.centre;
  const Real along = dimension > 2 ? dot(d, c.axis) : 0, off = norm(d - along * c.axis);
  if (dimension < 3) return discs_share(r, c.radius, off);
  const Real low = -0.5 * c.length - along, high = 0.5 * c.length - along;
  if (off >= c.radius + r || low >= r || high <= -r) return 0;
  if (off + r <= c.radius) return ball_volume(3, r) - cap(r, -low) - cap(r, high);
  return integral(r, low, high, {std::fabs(c.radius - off), c.radius + off},
                  [&](Real rho) { return discs_share(rho, c.radius, off); });
}

Real part_in(int dimension, const Vector& from, const Vector& to, const BoxRegion& box) {
  const Vector by = to - from;
  Real first = 0, last = 1;
  clip(from.z, by.z, box.low.z, box.high.z, first, last);
  if (dimension > 1) clip(from.x, by.x, box.low.x, box.high.x, first, last);
  if (dimension > 2) clip(from.y, by.y, box.low.y, box.high.y, first, last);
  return std::max(0.0, last - first);
}

Real part_in(int dimension, const Vector& from, const Vector& to, const CylinderRegion& c) {
  const Vector by = to - from, d = from - c.centre;
  Real first = 0, last = 1;
  if (dimension > 2) clip(dot(d, c.axis), dot(by, c.axis), -0.5 * c.length, 0.5 * c.length, first, last);
  const Vector across = by - dot(by, c.axis) * c.axis, off = d - dot(d, c.axis) * c.axis;
  const Real a = dot(across, across), b = dot(across, off), e = dot(off, off) - c.radius * c.radius;
  if (a == 0) return e <= 0 ? std::max(0.0, last - first) : 0;
  const Real root = b * b - a * e;
  if (root <= 0) return 0;
  const Real half = std::sqrt(root) / a;
  return std::max(0.0, std::min(last, -b / a + half) - std::max(first, -b / a - half));
}

}  // namespace cairn
