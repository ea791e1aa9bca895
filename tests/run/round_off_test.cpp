// Motion lost to round-off is told, and only that.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {
namespace {

Scenario lone(const Vector& position, const Vector& velocity) {
  Scenario s;
  s.step = 1e-6;
  s.end = 1e-3;
  s.gravity = {0, 0, 0};
  s.contact["stiffness"] = 1e5;
  s.materials = {Material{}};
  s.grain = {{.position = position, .velocity = velocity, .radius = 0.01}};
  return s;
}

std::string told(const Simulation& s) {
  for (const GuardReport& g : s.guards())
    if (g.name == "round_off") return g.message;
  return "there is no such guard";
}

std::string at_start(Scenario scenario) {
  Simulation s(std::move(scenario));
  s.start();
  return told(s);
}

TEST_CASE("A grain that cannot move is named at the start, with the loss and a better origin") {
  Simulation s(lone({1e6, 0, 0}, {5e-5, 0, 0}));
  s.start();
  const std::string message = told(s);
  // The whole path of the run: v t = 5e-8 m, 5e-6 radii.
  for (const char* word :
       {"|x| = 1e+06", "1.16415e-10 m apart", "grain 0", "less per step than the distance between adjacent numbers",
        "5e-08 m of motion, 5e-06 radii", "shift the origin to (1e+06, 0, 0) m"})
    CHECK_MESSAGE(message.find(word) != std::string::npos, message);
  while (!s.over()) s.advance();
  CHECK(s.world().position(0).x == 1e6);  // so it is

  Simulation near(lone({0, 0, 0}, {5e-5, 0, 0}));
  near.start();
  CHECK(told(near) == "");
  while (!near.over()) near.advance();
  CHECK(near.world().position(0).x == doctest::Approx(5e-8).epsilon(1e-9));
}

TEST_CASE("The loss the message tells bounds the loss there is") {
  // h v = 1.3 spacings: each step goes by one of them.
  const Real u = std::nextafter(1e6, 2e6) - 1e6;
  Simulation s(lone({1e6, 0, 0}, {1.3 * u / 1e-6, 0, 0}));
  s.start();
  const std::string message = told(s);
  CHECK(message.find("keeps only 0.1 decimal digits") != std::string::npos);
  while (!s.over()) s.advance();
  const Real lost = 1.3 * u * 1000 - (s.world().position(0).x - 1e6);
  CHECK(lost == doctest::Approx(0.3 * u * 1000).epsilon(1e-6));
  const Real bound = std::stod(message.substr(message.find("lose up to ") + 11));
  CHECK(bound == doctest::Approx(0.5 * u * 1000).epsilon(1e-5));
}

TEST_CASE("Motion that keeps its digits, or that is none, is not spoken of") {
  CHECK(at_start(lone({1e6, 0, 0}, {1, 0, 0})) == "");     // fast
  CHECK(at_start(lone({1e6, 0, 0}, {0, 0, 5e-5})) == "");  // across
  CHECK(at_start(lone({1e6, 0, 0}, {0, 0, 0})) == "");     // at rest
  CHECK(at_start(lone({1, 0, 0}, {1e-9, 0, 0})) == "");    // slow, near the origin
  Scenario falling = lone({0, 0, 1e6}, {0, 0, 1e-5});      // slow for an instant only
  falling.gravity = {0, 0, -10};
  falling.end = 10;
  CHECK(at_start(falling) == "");

  // A ball that has come to rest on a floor, after a hundred thousand steps.
  Scenario resting = lone({0.3, 0.2, 0.01}, {0, 0, 0});
  resting.gravity = {0, 0, -9.81};
  resting.step = 1e-5, resting.end = 1;
  resting.contact["restitution"] = 0.3;
  resting.walls = {{.name = "floor", .shape = PlaneWall{}}};
  Simulation rest(resting);
  rest.start();
  while (!rest.over()) {
    rest.advance();
    rest.observe();
  }
  CHECK(rest.world().energies().kinetic < 1e-12);
  CHECK(told(rest) == "");
}

TEST_CASE("Ready cases are silent") {
  for (const char* name : {"pour", "chute"}) {
    Scenario scenario = read_scenario(std::string(CAIRN_SOURCE_DIR "/scenarios/") + name + ".toml", {});
    load_data(scenario);
    Simulation s(std::move(scenario));
    s.start();
    for (const GuardReport& g : s.guards())
      if (g.name == "round_off" || g.name == "walls") CHECK(g.message == "");
  }
}

TEST_CASE("A period far away is no help; the key decides what happens") {
  Scenario far = lone({1e6 + 0.5, 0, 0}, {5e-5, 0, 0});
  far.periodic_low = {1e6, 0, 0}, far.periodic_high = {1e6 + 1, 0, 0};
  CHECK(at_start(far).find("shift the origin to") != std::string::npos);
  far.guards["round_off"] = GuardAction::off;
  CHECK(at_start(far) == "");
  far.guards["round_off"] = GuardAction::refuse;
  CHECK_THROWS_WITH_AS(at_start(far), doctest::Contains("motion is lost to round-off"), Error);
}

}  // namespace
}  // namespace cairn
