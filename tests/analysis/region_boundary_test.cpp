// Boundaries of sets of the complex plane that are known in closed form.
#include "cairn/analysis/region_boundary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/core/constants.hpp"

using namespace cairn;

namespace {

using Complex = std::complex<Real>;

std::vector<Polyline> boundary(const std::function<bool(const Complex&)>& inside) {
  return boundary_in_upper_half_plane(
      [&](Real modulus, Real argument) { return inside(std::polar(modulus, argument)); });
}
bool closed(const Polyline& line) {
  return line.size() > 2 && line.front() == line.back();
}
// The largest distance of a line from the circle, and how much of the circle's angle it covers.
struct OnCircle {
  Real off = 0, angle = 0;
};
OnCircle on_circle(const Polyline& line, const Complex& centre, Real radius) {
  OnCircle of;
  for (std::size_t k = 0; k < line.size(); ++k) {
    of.off = std::max(of.off, std::fabs(std::abs(line[k] - centre) - radius));
    if (k > 0) of.angle += std::arg((line[k] - centre) / (line[k - 1] - centre));
  }
  return of;
}

}  // namespace

TEST_CASE("region boundary: a disc about the real axis is half a circle, a disc above it a closed line") {
  const std::vector<Polyline> half = boundary([](const Complex& z) { return std::abs(z + 3.0) <= 2; });
  REQUIRE(half.size() == 1);
  CHECK(!closed(half[0]));
  CHECK(on_circle(half[0], -3, 2).off < 1e-7);
  CHECK(std::fabs(on_circle(half[0], -3, 2).angle) == doctest::Approx(3.14159265));

  const Complex centre(0.5, 2);
  const std::vector<Polyline> whole = boundary([&](const Complex& z) { return std::abs(z - centre) <= 0.7; });
  REQUIRE(whole.size() == 1);
  CHECK(closed(whole[0]));
  CHECK(on_circle(whole[0], centre, 0.7).off < 1e-7);
  CHECK(std::fabs(on_circle(whole[0], centre, 0.7).angle) == doctest::Approx(2 * 3.14159265));
}

TEST_CASE("region boundary: no ray need leave a set once, and sets have holes and parts") {
  // A disc with a hole, a second part on the right, and everything far away.
  const Complex hole(-3, 1);
  const auto inside = [&](const Complex& z) {
    return (std::abs(z + 3.0) <= 2 && std::abs(z - hole) > 0.4) || std::abs(z - 2.0) <= 0.5 || std::abs(z) >= 10;
  };
  const std::vector<Polyline> lines = boundary(inside);
  REQUIRE(lines.size() == 4);
  int discs = 0, holes = 0, parts = 0, far = 0;
  for (const Polyline& line : lines) {
    discs += on_circle(line, -3, 2).off < 1e-7;
    holes += on_circle(line, hole, 0.4).off < 1e-7 && closed(line);
    parts += on_circle(line, 2, 0.5).off < 1e-7;
    far += on_circle(line, 0, 10).off < 1e-6;
  }
  CHECK(discs == 1);
  CHECK(holes == 1);
  CHECK(parts == 1);
  CHECK(far == 1);
}

TEST_CASE("region boundary: two opposite quadrants are one part where they join, and two where they do not") {
  // In the middle of one cell of the grid, which has corners of each kind face to face.
  const BoundaryGrid grid;
  const Complex middle =
      std::polar(grid.nearest * std::pow(grid.farthest / grid.nearest, 162.5 / grid.circles), pi * 72.5 / grid.rays);
  for (const auto& [width, parts] : {std::pair{1e-5, 1}, {-1e-5, 2}}) {
    const std::vector<Polyline> lines = boundary([&, by = width](const Complex& z) {
      const Complex from = (z - middle) / middle;  // along the ray and across
      return from.real() * from.imag() > -by && std::abs(from) < 0.5;
    });
    CHECK(std::ssize(lines) == parts);
    for (const Polyline& line : lines) {
      CHECK(closed(line));
      CHECK(line.size() > 40);
    }
  }
}

TEST_CASE("region boundary: what has none") {
  CHECK(boundary([](const Complex&) { return true; }).empty());
  CHECK(boundary([](const Complex&) { return false; }).empty());
}
