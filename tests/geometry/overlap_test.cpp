// How much of a ball and of a line lies in a region: closed forms, parts that make up the whole, and a sum over slices.
#include "cairn/geometry/overlap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"

namespace cairn {
namespace {

constexpr Real r = 0.7;
const Real ball = 4.0 / 3 * pi * r * r * r;
const BoxRegion wide{{-9, -9, -9}, {9, 9, 9}};

// Of the ball about 0.
template <class Inside>
Real counted(Inside&& inside) {
  constexpr int n = 160;
  int hits = 0;
  const Real cell = 2 * r / n;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) {
        const Vector at{-r + (x + 0.5) * cell, -r + (y + 0.5) * cell, -r + (z + 0.5) * cell};
        if (dot(at, at) < r * r && inside(at)) ++hits;
      }
  return hits * cell * cell * cell;
}

TEST_CASE("overlap: a ball inside, outside, and cut by one face or by two") {
  const auto in = [](const BoxRegion& box) { return ball_in(3, {}, r, box); };
  CHECK(in(wide) == doctest::Approx(ball).epsilon(1e-14));
  CHECK(in({{1, -9, -9}, {9, 9, 9}}) == 0);
  BoxRegion cut = wide;
  cut.low.x = 0;
  CHECK(in(cut) == doctest::Approx(ball / 2).epsilon(1e-13));
  const Real h = 0.2;
  cut.low.x = r - h;
  CHECK(in(cut) == doctest::Approx(pi * h * h * (3 * r - h) / 3).epsilon(1e-13));
  BoxRegion slab = wide;
  slab.low.y = -0.1, slab.high.y = 0.3;
  const auto below = [](Real y) { return pi * (r * r * y - y * y * y / 3); };
  CHECK(in(slab) == doctest::Approx(below(0.3) - below(-0.1)).epsilon(1e-13));
  // By symmetry: a quarter and an eighth.
  CHECK(in({{0, 0, -9}, {9, 9, 9}}) == doctest::Approx(ball / 4).epsilon(1e-9));
  CHECK(in({{0, -9, 0}, {9, 9, 9}}) == doctest::Approx(ball / 4).epsilon(1e-9));
  CHECK(in({{0, 0, 0}, {9, 9, 9}}) == doctest::Approx(ball / 8).epsilon(1e-9));
  CHECK(in({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}) == doctest::Approx(0.008).epsilon(1e-9));  // within the ball
}

TEST_CASE("overlap: parts make up the whole, in every dimension") {
  const Real xs[] = {-9, -0.3, 0.45, 9}, ys[] = {-9, -0.6, 0.2, 9}, zs[] = {-9, -0.1, 0.65, 9};
  for (const int dimension : {1, 2, 3}) {
    CAPTURE(dimension);
    Real sum = 0;
    for (int x = 0; x < (dimension > 1 ? 3 : 1); ++x)
      for (int y = 0; y < (dimension > 2 ? 3 : 1); ++y)
        for (int z = 0; z < 3; ++z) {
          const BoxRegion box{{xs[x], ys[y], zs[z]}, {xs[x + 1], ys[y + 1], zs[z + 1]}};
          const Real part = ball_in(dimension, {}, r, box);
          CHECK(part > -1e-12);
          sum += part;
        }
    CHECK(sum == doctest::Approx(ball_volume(dimension, r)).epsilon(1e-6));
  }
}

TEST_CASE("overlap: a disc cut by two sides that meet beyond it, whichever they are") {
  const auto segment = [](Real d) { return r * r * std::acos(d / r) - d * std::sqrt(r * r - d * d); };
  const Real left = pi * r * r - segment(0.6) - segment(0.5);
  for (const Real x : {-0.6, 0.6})
    for (const Real z : {-0.5, 0.5}) {
      const BoxRegion most{{std::min(x, -9 * x), 0, std::min(z, -9 * z)},
                           {std::max(x, -9 * x), 0, std::max(z, -9 * z)}};
      CHECK(ball_in(2, {}, r, most) == doctest::Approx(left).epsilon(1e-12));
      // Beyond the first side alone, before the second one.
      const BoxRegion beside{{std::min(x, 9 * x), 0, std::min(z, -9 * z)},
                             {std::max(x, 9 * x), 0, std::max(z, -9 * z)}};
      CHECK(ball_in(2, {}, r, beside) == doctest::Approx(segment(0.6)).epsilon(1e-12));
    }
}

TEST_CASE("overlap: in a box and in a cylinder as counted on a fine grid") {
  const BoxRegion box{{-0.3, -0.5, -0.6}, {0.4, 0.2, 0.1}};
  const Real in_box = counted([&](const Vector& x) {
    return x.x > box.low.x && x.x < box.high.x && x.y > box.low.y && x.y < box.high.y && x.z > box.low.z &&
           x.z < box.high.z;
  });
  CHECK(ball_in(3, {}, r, box) == doctest::Approx(in_box).epsilon(2e-3));
  for (const Real length : {0.5, 5.0}) {
    const CylinderRegion cylinder{{0.5, 0.1, 0.2}, {0, 0.6, 0.8}, 0.55, length};
    const Real in_cylinder = counted([&](const Vector& x) {
      const Vector d = x - cylinder.centre;
      const Real along = dot(d, cylinder.axis);
      return std::fabs(along) < 0.5 * length && norm(d - along * cylinder.axis) < cylinder.radius;
    });
    CHECK(ball_in(3, {}, r, cylinder) == doctest::Approx(in_cylinder).epsilon(2e-3));
  }
}

TEST_CASE("overlap: a ball in a cylinder of the same radius, in closed form") {
  // Their axes meet: the ball is inside. Half a cylinder's end cuts it in half.
  CHECK(ball_in(3, {}, r, CylinderRegion{{}, {0, 0, 1}, r, 9}) == doctest::Approx(ball).epsilon(1e-12));
  CHECK(ball_in(3, {0, 0, 4.5}, r, CylinderRegion{{}, {0, 0, 1}, 1, 9}) == doctest::Approx(ball / 2).epsilon(1e-12));
  // A thin hole through its middle: the rest of the ball is a napkin ring.
  const Real hole = 0.3, ring = 4.0 / 3 * pi * std::pow(r * r - hole * hole, 1.5);
  CHECK(ball_in(3, {}, r, CylinderRegion{{}, {0, 1, 0}, hole, 9}) == doctest::Approx(ball - ring).epsilon(1e-6));
  // In 2D two circles of equal radius that pass through each other's middle.
  const Real lens = r * r * (2 * pi / 3 - std::sqrt(3) / 2);
  CHECK(ball_in(2, {r, 0, 0}, r, CylinderRegion{{}, {0, 1, 0}, r, 0}) == doctest::Approx(lens).epsilon(1e-12));
}

TEST_CASE("overlap: the part of a line") {
  const BoxRegion box{{0, 0, 0}, {1, 1, 1}};
  CHECK(part_in(3, {-1, 0.5, 0.5}, {3, 0.5, 0.5}, box) == doctest::Approx(0.25));
  CHECK(part_in(3, {0.2, 0.5, 0.5}, {0.4, 0.6, 0.9}, box) == doctest::Approx(1));
  CHECK(part_in(3, {-1, 2, 0.5}, {3, 2, 0.5}, box) == 0);
  CHECK(part_in(3, {-1, 0, 0.5}, {0, -1, 0.5}, box) == 0);
  CHECK(part_in(2, {-1, 7, 0.5}, {3, 7, 0.5}, box) == doctest::Approx(0.25));
  CHECK(part_in(1, {7, 7, -0.5}, {7, 7, 0.5}, box) == doctest::Approx(0.5));
  const CylinderRegion cylinder{{1, 1, 1}, {0, 0, 1}, 2, 4};
  CHECK(part_in(3, {-3, 1, 1}, {5, 1, 1}, cylinder) == doctest::Approx(0.5));
  CHECK(part_in(3, {1, 1, -9}, {1, 1, 11}, cylinder) == doctest::Approx(0.2));
  CHECK(part_in(3, {4, 1, -9}, {4, 1, 11}, cylinder) == 0);
  CHECK(part_in(3, {1, 3.5, -9}, {1, 3.5, 11}, cylinder) == 0);
  CHECK(part_in(3, {1, 4, 0}, {1, 2, 0}, cylinder) == doctest::Approx(0.5));
}

}  // namespace
}  // namespace cairn
