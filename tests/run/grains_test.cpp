// The first grains: a lattice makes as many as the scenario asks for, or none.
#include "cairn/run/grains.hpp"

#include <doctest/doctest.h>

#include "cairn/run/build.hpp"

namespace cairn {
namespace {

// Of three places along each edge.
Scenario cube(std::int64_t count, Real side = 0.3) {
  Scenario s;
  s.contact["stiffness"] = 1e4;
  s.materials = {Material{}};
  GrainsSpec lattice;
  lattice.radius = 0.05, lattice.spacing = 0.1, lattice.count = count;
  lattice.region = {.kind = RegionSpec::Kind::box, .low = {0, 0, 0}, .high = {side, side, side}};
  s.grains = {lattice};
  return s;
}

std::size_t grains_of(const Scenario& s) {
  return initial_grains(s, world_settings(s)).size();
}

TEST_CASE("lattice: all places without a count, and as many grains as the count says where they fit") {
  CHECK(grains_of(cube(-1)) == 27);
  CHECK(grains_of(cube(27)) == 27);
  CHECK(grains_of(cube(5)) == 5);
}

TEST_CASE("lattice: a count that does not fit is refused, with how many do, as a random packing refuses it") {
  CHECK_THROWS_WITH_AS(grains_of(cube(28)),
                       "grains.0: only 27 of 28 grains of the lattice fit; enlarge the region, reduce the spacing or "
                       "lower the count",
                       Error);
  // In a cylinder the corners of the lattice are left out.
  Scenario round = cube(13);
  round.grains[0].region = {.kind = RegionSpec::Kind::cylinder, .centre = {0, 0, 0}, .radius = 0.2, .length = 0.32};
  CHECK_THROWS_WITH_AS(grains_of(round), doctest::Contains("only 12 of 13 grains of the lattice fit"), Error);
  round.grains[0].count = 12;
  CHECK(grains_of(round) == 12);
}

TEST_CASE("lattice: a region in which no grain fits is refused") {
  CHECK_THROWS_WITH_AS(grains_of(cube(-1, 0.09)),
                       "grains.0: only 0 grains of the lattice fit; enlarge the region or reduce the radius", Error);
}

TEST_CASE("grains: how many there will be is known without making them") {
  const auto expected = [](const Scenario& s) { return expected_grains(s, 0, world_settings(s)); };
  for (const std::int64_t count : {-1, 1, 20, 27})
    CHECK(expected(cube(count)) == static_cast<Real>(grains_of(cube(count))));
  for (const Real side : {0.1, 0.33, 1.7}) {
    Scenario s = cube(-1, side);
    s.grains[0].spacing = 0, s.grains[0].radius = 0.02, s.grains[0].jitter = 0.001, s.grains[0].radius_spread = 0.2;
    CHECK(expected(s) == static_cast<Real>(grains_of(s)));
  }
  CHECK_THROWS_WITH_AS(expected(cube(28)), doctest::Contains("only 27 of 28 grains of the lattice fit"), Error);
  CHECK_THROWS_WITH_AS(expected(cube(-1, 0.09)), doctest::Contains("only 0 grains of the lattice fit"), Error);
  Scenario s = cube(-1);
  s.grains[0].region = {.kind = RegionSpec::Kind::cylinder, .centre = {0, 0, 0}, .radius = 1, .length = 1};
  CHECK(expected(s) == doctest::Approx(static_cast<Real>(grains_of(s))).epsilon(0.15));
  s.grains[0].kind = GrainsSpec::Kind::random, s.grains[0].count = 7;
  CHECK(expected(s) == 7);
  s.grains[0].kind = GrainsSpec::Kind::data, s.grains[0].count = -1, s.grains[0].list.resize(5);
  CHECK(expected(s) == 5);
}

}  // namespace
}  // namespace cairn
