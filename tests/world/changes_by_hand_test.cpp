// A World whose state or settings its user changes between steps.
#include <doctest/doctest.h>

#include <array>

#include "cairn/core/error.hpp"
#include "world/steps.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

const Vector gravity{0, 0, -9.81};

// A grain that sinks into a floor.
World pressed(const std::string& scheme) {
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 0.5}}, gravity);
  add_plane(s, {}, {0, 0, 1});
  World w(s);
  w.insert(std::array{GrainData{.position = {0, 0, 0.0099}, .velocity = {0, 0, -0.1}, .radius = 0.01, .mass = 0.01}});
  w.begin();
  advance(w, scheme, 1e-4, 5);
  return w;
}

}  // namespace

TEST_CASE("begin() after a change by hand: a scheme remembers nothing of before") {
  for (const std::string scheme :
       {"velocity_verlet", "velocity_verlet_extrapolated", "adams_bashforth4", "abm4", "gear4"}) {
    CAPTURE(scheme);
    World w = pressed(scheme);
    w.state().body.set(BodyRow::x, 0, {0, 0, 1}), w.state().body.set(BodyRow::v, 0, {});
    w.begin();
    advance(w, scheme, 1e-4, 1);
    CHECK(w.velocity(0).z == doctest::Approx(-9.81e-4).epsilon(1e-9));
  }
}

TEST_CASE("settings that a world refuses leave it as it was") {
  World w = pressed("velocity_verlet");
  const std::uint64_t before = w.hash();
  WorldSettings no_law = w.settings(), other_cell = w.settings(), no_thread = w.settings();
  no_law.laws = std::vector<LinearSpringDashpot>();
  other_cell.cell = PeriodicCell::from({0, 0, 0}, {1, 0, 0});
  no_thread.threads = 0;
  for (const WorldSettings& refused : {no_law, other_cell, no_thread}) {
    CHECK_THROWS_AS(w.change_settings(refused, 1e-2), Error);
    CHECK(w.hash() == before);
    CHECK(w.settings().threads == 1);
  }
  CHECK_THROWS_AS(World{no_thread}, Error);
}
