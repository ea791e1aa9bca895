// Walls: the distance to a surface grows at the rate its normal says, the normal turns at the rate told, and a moved
// wall is the same wall seen from a moved frame.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/geometry/cell.hpp"
#include "geometry/example_walls.hpp"

using namespace cairn;

namespace {

// The surfaces of all shapes, at rest and moved in all ways that they can.
std::vector<Surface> all_surfaces() {
  std::vector<Surface> all;
  const auto add = [&](const Vector& point, const Vector& direction, const auto& shape) {
    Surface s;
    s.shape = shape, s.point = point, s.direction = direction;
    s.motion = {.velocity = {0.3, -0.1, 0.2}, .amplitude = {0, 0.1, 0.05}, .frequency = 0.7, .phase = 0.2};
    all.push_back(s);
    if (!shape.has_axis) return;
    s.motion.axis = normalised({0.2, -1, 0.4}), s.motion.centre = {0.3, 0, 0.1}, s.motion.rotation_rate = 1.3;
    s.turns = rotation_changes(s), all.push_back(s);
  };
  const auto add_sides = [&](auto shape) {
    shape.surfaces(3, add);
    for (const auto& p : shape.parameters)
      if (p.name == "side") {
        shape.*std::get<WallSide decltype(shape)::*>(p.value) = WallSide::outside;
        shape.surfaces(3, add);
      }
  };
  std::apply([&](auto... shape) { (add_sides(example<decltype(shape)>()), ...); }, WallShapes{});
  add({0.1, -0.2, 0.05}, normalised({1, 2, -0.5}), OuterCylinder{0.6});  // without an end
  add({0.1, -0.2, 0.05}, normalised({1, 2, -0.5}), OpenCylinder{0.6, 0.5});
  return all;
}

}  // namespace

TEST_CASE("walls: distance and normal change at the rates they are given with") {
  constexpr Real t = 0.4, dt = 1e-6;
  int looked = 0;
  for (const Surface& s : all_surfaces())
    for (std::uint64_t k = 0; k < 200; ++k) {
      const Vector x = random_vector(k, 0), v = random_vector(k, 3);
      const auto at = [&](Real time) { return nearest(s, pose_at(s, time), PeriodicCell{}, x + (time - t) * v, v); };
      const Nearest<Real> now = at(t), before = at(t - dt), after = at(t + dt);
      // Edges and faces of a box or a bounded cylinder join without a common normal rate.
      if (norm(after.n_rate - before.n_rate) > 1e-3 * (1 + norm(now.n_rate)) || std::fabs(now.distance) < 0.01)
        continue;
      ++looked;
      CHECK(std::fabs(norm(now.n) - 1) < 1e-14);
      CHECK(norm((0.5 / dt) * (after.n - before.n) - now.n_rate) < 1e-6 * (1 + norm(now.n_rate)));
      // The gap closes as fast as the grain moves along the normal relative to the wall's material.
      CHECK(std::fabs((0.5 / dt) * (after.distance - before.distance) + dot(v - now.velocity, now.n)) < 1e-6);
    }
  CHECK(looked > 1000);
}

TEST_CASE("walls: the contact point of a surface lies on it") {
  for (const Surface& s : all_surfaces())
    for (std::uint64_t k = 0; k < 100; ++k) {
      const Pose<Real> pose = pose_at(s, 0.0);
      const Vector x = random_vector(k, 6);
      const Nearest<Real> near = nearest(s, pose, PeriodicCell{}, x, Vector{});
      CHECK(std::fabs(nearest(s, pose, PeriodicCell{}, x + near.distance * near.n, Vector{}).distance) < 1e-12);
    }
}

TEST_CASE("walls: a grain on the axis of a cylinder is pushed across the axis") {
  for (const SurfaceShape& shape : {SurfaceShape{InnerCylinder{0.5}}, SurfaceShape{OpenCylinder{0.5, 0.1}}})
    for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}, normalised({1, 2, -0.5})}) {
      Surface s;
      s.shape = shape, s.point = {0, 0, 0}, s.direction = axis;
      const Nearest<Real> at = nearest(s, pose_at(s, 0.0), PeriodicCell{}, Vector{}, Vector{1, 2, 3});
      CHECK(std::fabs(norm(at.n) - 1) < 1e-15);
      CHECK(std::fabs(dot(at.n, axis)) < 1e-15);
      CHECK(at.distance == 0.5);
    }
}

TEST_CASE("walls: an open pipe is a sheet that ends in two rims") {
  Surface s;
  s.shape = OpenCylinder{0.3, 0.5}, s.direction = {0, 0, 1};
  const auto seen = [&](const Vector& x) { return nearest(s, pose_at(s, 0.0), PeriodicCell{}, x, Vector{}); };
  const auto is = [&](const Vector& x, Real distance, const Vector& n) {
    CHECK(seen(x).distance == doctest::Approx(distance).epsilon(1e-14));
    CHECK(norm(seen(x).n - n) < 1e-14);
  };
  is({0.2, 0, 0.1}, 0.1, {1, 0, 0});
  is({0, 0.45, -0.5}, 0.15, {0, -1, 0});
  is({0.26, 0, 0.53}, 0.05, {0.8, 0, -0.6});
  is({0, -0.34, -0.53}, 0.05, {0, 0.8, 0.6});
  CHECK(seen({0, 0, 0.9}).distance == doctest::Approx(0.5).epsilon(1e-14));  // on the axis, above the rim
  CHECK(seen({0, 0, 0.9}).n.z == doctest::Approx(-0.8).epsilon(1e-14));
}

TEST_CASE("periodic cell: the nearest image is at most half a period away, by whole periods") {
  const PeriodicCell cell = PeriodicCell::from({-1, 0, 0}, {2, 0, 0.5});
  for (std::uint64_t k = 0; k < 100; ++k) {
    const Vector d = 5.0 * random_vector(k, 9), shift = cell.image(d);
    CHECK(std::fabs(d.x - shift.x) <= 1);
    CHECK(shift.y == 0);
    CHECK(std::fabs(d.z - shift.z) <= 0.25);
    CHECK(shift.x == 2 * std::round(shift.x / 2));
  }
}
