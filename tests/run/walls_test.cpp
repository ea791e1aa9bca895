// Walls that meet in one plane: what a grain feels there, and that its user learns of it.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/run/build.hpp"
#include "cairn/run/seams.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {
namespace {

constexpr Real radius = 0.01, mass = 0.01, gravity = 9.81, stiffness = 1e4;
constexpr Real sunk = mass * gravity / stiffness;  // [m] static overlap

WallSpec solid(const std::string& name, const Vector& low, const Vector& high) {
  return {.name = name, .shape = BoxWall{WallSide::outside, low, high}};
}

WallSpec plane(const std::string& name, const Vector& point, const Vector& normal) {
  return {.name = name, .shape = PlaneWall{point, normal}};
}

const std::vector<WallSpec> halves{solid("left", {-1, -1, -1}, {0, 1, 0}), solid("right", {0, -1, -1}, {1, 1, 0})};

Scenario rolling(const std::vector<WallSpec>& walls, Real speed) {
  Scenario s;
  s.step = 5e-5;
  s.gravity = {0, 0, -gravity};
  s.contact["stiffness"] = stiffness;
  s.contact["restitution"] = 1;
  s.materials = {Material{}};
  s.walls = walls;
  const Real start = 2 * std::sqrt(2 * radius * sunk);  // two radii of the contact circle before the seam
  s.grain = {{.position = {-start, 0, radius - sunk}, .velocity = {speed, 0, 0}, .radius = radius, .mass = mass}};
  s.end = 2 * start / speed;
  return s;
}

// [m] by how much a frictionless grain rises on its way across x = 0.
Real rise(const std::vector<WallSpec>& walls, Real speed) {
  Simulation s(rolling(walls, speed));
  s.start();
  Real highest = 0;
  while (!s.over()) {
    s.advance([] { return true; });
    highest = std::max(highest, s.world().position(0).z - (radius - sunk));
  }
  return highest;
}

std::string told(const std::vector<WallSpec>& walls) {
  return seam_message(world_settings(rolling(walls, 1)), radius);
}

// A pipe with open ends along z, from -0.05 to 0.05.
Scenario piped(const Vector& position, const Vector& velocity) {
  Scenario s;
  s.step = 1e-5, s.end = 0.12, s.gravity = {};
  s.contact["stiffness"] = stiffness, s.contact["restitution"] = 1;
  s.materials = {Material{}};
  s.walls = {{.name = "pipe", .shape = CylinderWall{.radius = 0.02, .length = 0.1, .caps = false}}};
  s.grain = {{.position = position, .velocity = velocity, .radius = 0.005, .mass = 0.01}};
  return s;
}

Vector after_pipe(const Vector& position, const Vector& velocity) {
  Simulation s(piped(position, velocity));
  s.start();
  while (!s.over()) s.advance();
  return s.world().position(0);
}

TEST_CASE("A pipe with open ends holds a grain within, from either side, and none beyond its ends") {
  CHECK(after_pipe({}, {0.2, 0, 1}).x == doctest::Approx(0.024).epsilon(1e-9));  // out before it comes so far
  CHECK(after_pipe({0.1, 0, 0.08}, {-1, 0, 0}).x == doctest::Approx(-0.02).epsilon(1e-9));  // across, above the end
  const Real collision = pi * std::sqrt(mass / stiffness);                                  // [s]
  const Vector inside = after_pipe({0.01, 0, 0}, {0.1, 0, 0}), outside = after_pipe({0.035, 0, 0}, {-0.1, 0, 0});
  const Vector on_rim = after_pipe({0.02, 0, 0.06}, {0, 0, -0.1});
  CHECK(inside.x == doctest::Approx(0.015 - 0.1 * (0.07 - collision)).epsilon(1e-3));
  CHECK(outside.x == doctest::Approx(0.025 + 0.1 * (0.02 - collision)).epsilon(1e-3));
  CHECK(on_rim.z == doctest::Approx(0.055 + 0.1 * (0.07 - collision)).epsilon(1e-3));
}

TEST_CASE(
    "A seam of two solid boxes lifts a grain by half its static overlap when slow, never by more than all of it") {
  CHECK(rise(halves, 0.005) == doctest::Approx(0.5 * sunk).epsilon(0.03));
  Real most = 0;
  for (const Real speed : {0.02, 0.05, 0.1, 0.2, 0.4}) {
    const Real lifted = rise(halves, speed);
    CHECK(lifted < sunk);
    most = std::max(most, lifted);
  }
  CHECK(most > 0.6 * sunk);
  // Neither one box nor a plane does.
  CHECK(std::fabs(rise({solid("whole", {-1, -1, -1}, {1, 1, 0})}, 0.1)) < 1e-9 * sunk + 1e-15);
  CHECK(std::fabs(rise({plane("floor", {0, 0, 0}, {0, 0, 1})}, 0.1)) < 1e-9 * sunk + 1e-15);
}

TEST_CASE("The message of a seam names both walls, the place and the remedy") {
  const std::string message = told(halves);
  for (const char* word : {"'left'", "'right'", "z = 0 m", "(0, -1, 0) to (0, 1, 0)", "combine the walls into one box"})
    CHECK_MESSAGE(message.find(word) != std::string::npos, message);
  Simulation s(rolling(halves, 1));
  s.start();
  for (const GuardReport& g : s.guards())
    if (g.name == "walls") CHECK(g.message == message);
}

TEST_CASE("Seams are named where a grain can have two contacts, and nowhere else") {
  const auto boxes = [](const Vector& low, const Vector& high) {
    return std::vector<WallSpec>{solid("a", {0, 0, 0}, {1, 1, 1}), solid("b", low, high)};
  };
  // Flush at y = 0, y = 1 and z = 0, where under gravity none lies.
  CHECK(told(boxes({1, 0, 0}, {2, 1, 1.1})) == "");
  Scenario weightless = rolling(boxes({1, 0, 0}, {2, 1, 1.1}), 1);
  weightless.gravity = {};
  CHECK(seam_message(world_settings(weightless), radius) != "");
  CHECK(told(boxes({1, -1, -1}, {2, 2, 2})) == "");        // a step everywhere
  CHECK(told(boxes({1.001, 0, 0}, {2, 1, 1})) == "");      // a gap
  CHECK(told(boxes({1, 1, 0}, {2, 2, 1})) == "");          // tops share a corner alone
  CHECK(told(boxes({0.2, 0.2, 1}, {0.8, 0.8, 2})) == "");  // one on the other
  CHECK(told(boxes({0.2, 0.2, 0.5}, {0.8, 0.8, 1})).find("overlap from") != std::string::npos);

  const std::vector<WallSpec> floor{plane("floor", {0, 0, 0}, {0, 0, 1})};
  const auto with = [&](const WallSpec& other) {
    std::vector<WallSpec> all = floor;
    all.push_back(other);
    return told(all);
  };
  CHECK(with(solid("block", {0, 0, 0}, {1, 1, 1})) == "");  // stands on it
  CHECK(with(solid("slab", {0, 0, -1}, {1, 1, 0})).find("overlap from") != std::string::npos);
  CHECK(with(plane("again", {3, 4, 0}, {0, 0, 1})).find("coincide") != std::string::npos);
  CHECK(with(plane("ceiling", {0, 0, 1}, {0, 0, -1})) == "");

  // Walls repeat with the cell: these meet across its end, or reach past it into each other.
  const auto repeated = [&](Real high) {
    Scenario s = rolling({solid("a", {0, -1, -1}, {1, 2, 0}), solid("b", {2, -1, -1}, {high, 2, 0})}, 1);
    s.periodic_high = {3, 0, 0};
    return seam_message(world_settings(s), radius);
  };
  CHECK(repeated(2.9) == "");
  CHECK(repeated(3).find("combine") != std::string::npos);
  CHECK(repeated(3.2).find("overlap from") != std::string::npos);

  // Where a third wall covers the seam no grain comes.
  std::vector<WallSpec> covered = halves;
  covered.push_back(plane("cover", {0, 0, 0.5}, {0, 0, 1}));
  CHECK(told(covered) == "");
  // One that moves away, one that slides along.
  std::vector<WallSpec> moving = halves;
  moving[1].motion.velocity = {0, 0, 0.1};
  CHECK(told(moving).find("z = 0") == std::string::npos);
  moving[1].motion.velocity = {0, 0.1, 0};
  CHECK(told(moving).find("z = 0") != std::string::npos);
}

TEST_CASE("A wall rotates about its own point where no centre is given, a box about the origin") {
  const Vector point{0.3, 0, 0.2};
  const auto turning = [](WallSpec wall) {
    wall.motion.axis = {0, 1, 0}, wall.motion.rotation_rate = 2;
    return wall;
  };
  const auto pose = [](const WallSpec& wall) {
    return pose_at(world_settings(rolling({wall}, 1)).surfaces.at(0), 0.5);
  };
  WallSpec drum = turning({.name = "drum", .shape = CylinderWall{.point = point, .axis = {0, 1, 0}, .radius = 0.1}});
  CHECK(norm(pose(drum).point - point) < 1e-15);
  CHECK(norm(pose(drum).centre - point) < 1e-15);
  CHECK(norm(pose(turning(plane("floor", point, {0, 0, 1}))).centre - point) < 1e-15);
  WallSpec box = turning({.name = "box", .shape = BoxWall{WallSide::inside, {0.1, 0, 0}, {0.2, 1, 1}}});
  CHECK(norm(pose(box).centre) == 0);
  drum.motion.centre = Vector{};  // then it orbits
  const Vector orbited{point.x * std::cos(1) + point.z * std::sin(1), 0, point.z * std::cos(1) - point.x * std::sin(1)};
  CHECK(norm(pose(drum).point - orbited) < 1e-14);
}

}  // namespace
}  // namespace cairn
