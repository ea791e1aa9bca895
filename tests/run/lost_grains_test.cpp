// Grains that no contact holds are told: too fast for the step, or below everything. And the ledger is looked at
// whether or not anything is written.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {
namespace {

// A grain above a plate of a fifth of its radius.
Scenario shot(Real speed) {
  Scenario s;
  s.step = 1e-5;
  s.end = 0.02;
  s.gravity = {0, 0, 0};
  s.contact["stiffness"] = 1e5;
  s.contact["restitution"] = 0.5;
  s.materials = {Material{}};
  WallSpec plate;
  plate.name = "plate";
  plate.shape = BoxWall{WallSide::outside, {-1, -1, 0}, {1, 1, 0.001}};
  s.walls = {plate};
  s.grain = {{.position = {0, 0, 0.05}, .velocity = {0, 0, -speed}, .radius = 0.005}};
  return s;
}

std::string told(const Simulation& s, const std::string& guard) {
  for (const GuardReport& g : s.guards())
    if (g.name == guard) return g.message;
  return "there is no such guard";
}

// What the run stops with; empty: it comes to its end.
std::string stops(Simulation& s) {
  try {
    s.start();
    while (!s.over()) s.advance();
  } catch (const Error& e) {
    CHECK(e.code() == Exit::guard);
    return e.what();
  }
  return "";
}

std::string told_falling(const Scenario& scenario) {
  Simulation s(scenario);
  s.start();
  return told(s, "falling");
}

bool has(const std::string& all, const std::string& part) {
  return all.find(part) != std::string::npos;
}

TEST_CASE("A grain that passes a plate unseen is refused, one that does not is left alone") {
  Simulation fast(shot(1000));
  const std::string words = stops(fast);
  CHECK_MESSAGE(has(words, "grain 0 moves by 0.01 m in one step, 2 times its radius at t = 0 s"), words);
  CHECK(has(words, "guards.travel"));

  Scenario warned = shot(1000);
  warned.guards = {{"travel", GuardAction::warn}, {"overlap", GuardAction::off}, {"residual", GuardAction::off}};
  Simulation through(warned);
  CHECK(stops(through) == "");
  CHECK(through.world().position(0).z < -10);  // behind the plate
  CHECK(has(told(through, "travel"), "contacts may be"));

  Simulation deep(shot(60));
  deep.start();
  CHECK(has(told(deep, "travel"), "0.12 times its radius"));
  Simulation slow(shot(1));
  CHECK(stops(slow) == "");
  CHECK(told(slow, "travel") == "");
}

TEST_CASE("A grain that grows fast on its way is seen within a hundred steps, without any row of the series") {
  Scenario s = shot(1);
  s.walls.clear();
  s.grain.push_back({.position = {0.5, 0, 0}, .velocity = {0, 0, 0}, .radius = 0.005});
  s.grain.push_back({.position = {1, 0, 0}, .velocity = {0, 0, 1}, .radius = 0.005});
  s.series_every = 0;
  EmitterSpec gun;
  gun.name = "gun";
  gun.grain = {.position = {0.25, 0, 1}, .velocity = {0, 0, -1000}, .radius = 0.005};
  gun.first = 0.01;
  s.emitters = {gun};
  Simulation late(s);
  const std::string words = stops(late);
  CHECK_MESSAGE(has(words, "grain 3 moves by 0.0075 m in one step, 1.5 times its radius"),
                words);  // beside what all share
  CHECK(late.steps() > 1000);
  CHECK(late.steps() <= 1100);
}

TEST_CASE("A wall that jumps over grains is refused; one that slides along itself is not") {
  Scenario s = shot(0);
  WallSpec& plate = s.walls[0];
  plate.shape = PlaneWall{};
  plate.motion.velocity = {1000, 0, 0};
  Simulation belt(s);
  CHECK(stops(belt) == "");
  plate.motion.velocity = {0, 0, -1000};
  Simulation hammer(s);
  CHECK(has(stops(hammer), "wall 'plate' moves by 0.01 m in one step, 2 radii of the smallest grain"));
}

TEST_CASE("Grains that fall for ever are told, and only those") {
  Scenario beside = shot(1);
  beside.gravity = {0, 0, -9.81};
  CHECK(told_falling(beside) == "");  // above the plate
  beside.grain.push_back({.position = {5, 0, -0.1}, .velocity = {0, 0, -1}, .radius = 0.005});
  beside.grain.push_back({.position = {5, 0, -0.2}, .velocity = {0, 0, -1}, .radius = 0.005});
  beside.grain.push_back({.position = {6, 0, -0.3}, .velocity = {0, 0, 3}, .radius = 0.005});  // comes back up
  const std::string words = told_falling(beside);
  CHECK_MESSAGE(has(words, "2 grains fall for ever, the lowest of them grain 2, at (5, 0, -0.2) m"), words);

  Scenario caught = beside;
  WallSpec floor;
  floor.name = "floor", floor.shape = PlaneWall{{0, 0, -100}, {0, 0.6, 0.8}};
  caught.walls.push_back(floor);
  CHECK(told_falling(caught) == "");
  caught.walls.back().shape = PlaneWall{{-9, 0, 0}, {1, 0, 0}};  // a side wall catches no grain
  CHECK(told_falling(caught) == words);

  Scenario taken = beside;
  RemovalSpec drain;
  drain.name = "drain", drain.region.kind = RegionSpec::Kind::half_space, drain.region.point = {0, 0, -1};
  drain.region.normal = {0, 0, 1};
  taken.removals = {drain};
  CHECK(told_falling(taken) == "");

  Scenario round = beside;
  round.periodic_low.z = -1, round.periodic_high.z = 1;
  CHECK(told_falling(round) == "");
  beside.gravity = {0, 0, 0};
  CHECK(told_falling(beside) == "");
}

TEST_CASE("A grain that falls for ever stops no run, however fast it gets") {
  Scenario s = shot(1);
  s.gravity = {0, 0, -9.81};
  s.walls[0].shape = BoxWall{WallSide::outside, {1, 1, 0}, {2, 2, 0.001}};
  s.step = 1e-3, s.end = 1;
  s.contact["stiffness"] = 10;
  Simulation falls(s);
  CHECK(stops(falls) == "");
  CHECK(has(told(falls, "falling"), "grain 0"));
}

TEST_CASE("The ledger is looked at without any row of the series, too") {
  Scenario s = shot(0);
  s.scheme = "velocity_verlet";
  s.contact["restitution"] = 1;
  s.gravity = {0, 0, -9.81};
  s.grain[0].position.z = 0.0062;
  s.walls[0].shape = BoxWall{WallSide::outside, {-1, -1, -1}, {1, 1, 0.001}};
  const Real mass = 2500 * 4.18879020478639 * 1.25e-7;
  s.step = 2.01 * std::sqrt(mass / 1e5);  // unstable, and slow to grow
  s.end = 30000 * s.step;
  s.series_every = 0;
  for (const char* guard : {"step", "overlap", "travel", "finite"}) s.guards[guard] = GuardAction::off;
  Simulation unseen(s);
  CHECK(has(stops(unseen), "the ledger's residual"));
  CHECK(unseen.steps() % 1000 == 0);
  CHECK(unseen.steps() < 30000);
}

}  // namespace
}  // namespace cairn
