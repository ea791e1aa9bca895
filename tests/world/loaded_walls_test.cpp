// Walls of finite mass, which forces move.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "cairn/run/registry.hpp"
#include "world/steps.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

const std::string schemes[] = {"velocity_verlet_predicted",
                               "velocity_verlet_implicit",
                               "verlet",
                               "rk4",
                               "gear4",
                               "newmark",
                               "adams_bashforth3",
                               "taylor3",
                               "taylor3_backward",
                               "GauCol"};

// A plane above the origin that moves along the vertical.
void add_lid(WorldSettings& s, Real mass, Real height = 0) {
  add_plane(s, {0, 0, height}, {0, 0, -1});
  s.surfaces.back().loaded = static_cast<int>(s.loaded_walls.size());
  s.loaded_walls.push_back({.wall = s.surfaces.back().wall, .mass = mass, .free = {0, 0, 1}});
}

Real lid_velocity(const World& w) {
  return w.state().walls.at(WallRow::v, 0).z;
}

// [J] of a lid with load, weight and dashpot on three grains on a floor, under a scheme of such a step.
Real residual_under_load(const std::string& scheme, int steps) {
  WorldSettings s = linear_settings({{"stiffness", 2e4}, {"restitution", 0.6}, {"friction", 0.3}}, {0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  add_lid(s, 0.05, 0.0201);
  s.loaded_walls[0].load = {0, 0, -20}, s.loaded_walls[0].damping = 3;
  s.loaded_walls[0].ramp = {{0, 2e-3, 5e-3}, {0.2, 1, 0.5}};
  World w(s);
  std::vector<GrainData> grains;
  for (int k = 0; k < 3; ++k)
    grains.push_back({.position = {0.03 * k, 0, 0.00999}, .spin = {0, 5, 0}, .radius = 0.01, .mass = 0.01});
  w.insert(grains);
  w.begin();
  advance(w, scheme, 8e-3 / steps, steps);
  REQUIRE(w.contacts() >= 3);
  return std::fabs(w.residual());
}

}  // namespace

TEST_CASE("loaded wall: a head-on collision keeps the momentum and has the law's restitution") {
  const Real mass = 0.01, wall_mass = 0.03, speed = 1, e = 0.6;
  for (const std::string& scheme : schemes) {
    CAPTURE(scheme);
    WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", e}, {"attraction", 1}});
    s.onset = true;
    add_lid(s, wall_mass);
    World w(s);
    w.insert(
        std::array{GrainData{.position = {0, 0, -0.0103}, .velocity = {0, 0, speed}, .radius = 0.01, .mass = mass}});
    w.begin();
    const Real m_eff = 1 / (1 / mass + 1 / wall_mass), h = pi * std::sqrt(m_eff / 1e4) / 200;
    advance(w, scheme, h, 1200);
    const Real lag = scheme_named(scheme).staggered ? 0.5 * h : 0;
    const World::Synchronised now(w, lag);
    const Real v = w.velocity(0).z, together = mass * speed / (mass + wall_mass);
    CHECK(w.contact_count().ended == 1);
    CHECK(mass * v + wall_mass * lid_velocity(w) == doctest::Approx(mass * speed).epsilon(1e-12));
    CHECK(w.momenta().linear.z == doctest::Approx(mass * speed).epsilon(1e-12));
    CHECK(lid_velocity(w) - v == doctest::Approx(e * speed).epsilon(2e-3));
    CHECK(v == doctest::Approx(together - e * speed * wall_mass / (mass + wall_mass)).epsilon(2e-3));
  }
}

TEST_CASE("loaded wall: the ledger closes to second order") {
  for (const std::string scheme : {"velocity_verlet_predicted", "velocity_verlet_implicit", "rk4", "newmark"}) {
    CAPTURE(scheme);
    const Real coarse = residual_under_load(scheme, 400), fine = residual_under_load(scheme, 3200);
    INFO("residual ", coarse, " and ", fine);
    CHECK(std::log2(coarse / fine) / 3 > 1.6);
  }
}

TEST_CASE("loaded wall: under a load alone it moves as a body thrown, and the load's work is force times way") {
  std::vector<std::string> all(std::begin(schemes), std::end(schemes));
  all.insert(all.end(), {"velocity_verlet", "velocity_verlet_extrapolated", "position_verlet", "central_difference",
                         "pefrl4", "suzuki4"});
  for (const std::string& scheme : all) {
    CAPTURE(scheme);
    WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 1}}, {0, 0, -9.81});
    add_lid(s, 2, 10);
    s.loaded_walls[0].load = {5, 5, 4};  // along the axes that are not free it does nothing
    World w(s);
    w.insert(std::array{GrainData{.radius = 0.01, .mass = 0.01}});
    w.begin();
    const Real h = 1e-3;
    advance(w, scheme, h, 100);
    const World::Synchronised now(w, scheme_named(scheme).staggered ? 0.5 * h : 0);
    const Real a = 4.0 / 2 - 9.81, t = 0.1;
    CHECK(w.state().walls.at(WallRow::x, 0).z == doctest::Approx(0.5 * a * t * t).epsilon(1e-9));
    CHECK(lid_velocity(w) == doctest::Approx(a * t).epsilon(1e-9));
    CHECK(w.state().walls.at(WallRow::x, 0).x == 0);
    CHECK(w.energy_ledger()[Channel::external] == doctest::Approx(4 * 0.5 * a * t * t).epsilon(1e-9));
    CHECK(std::fabs(w.residual()) < 1e-12);
  }
}

TEST_CASE(
    "loaded wall: schemes that choose their steps move it where nothing else moves, and where there is no grain") {
  for (const char* scheme : {"rkf45_absolute", "dormand_prince54"})
    for (const bool grain : {false, true}) {
      INFO(scheme, ", a grain: ", grain);
      WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 1}});
      add_lid(s, 2, 10);
      s.loaded_walls[0].load = {0, 0, 4};
      World w(s);
      if (grain) w.insert(std::array{GrainData{.radius = 0.01, .mass = 0.01}});
      w.begin();
      while (w.time() < 0.1) scheme_named(scheme).advance(w, 1e-3);
      CHECK(lid_velocity(w) == doctest::Approx(2 * w.time()).epsilon(1e-9));
    }
}

TEST_CASE("loaded wall: the same bits on any threads, with any list and instruction set") {
  const auto hash = [](int threads, Simd simd, bool rebuild) {
    WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 0.5}, {"friction", 0.4}}, {0, 0, -9.81});
    s.onset = true, s.threads = threads, s.simd = simd;
    s.cell = PeriodicCell::from({0, 0, 0}, {0.1, 0.1, 0});
    add_plane(s, {}, {0, 0, 1});
    add_lid(s, 0.2, 0.065);
    s.loaded_walls[0].load = {0, 0, -8};
    World w(s);
    std::vector<GrainData> grains;
    for (int k = 0; k < 300; ++k)
      grains.push_back({.position = {0.01 * (k % 10) + 0.001 * (k % 3), 0.01 * (k / 10 % 10) + 0.001 * (k % 7 % 2),
                                     0.006 + 0.012 * (k / 100)},
                        .radius = 0.0045,
                        .mass = 1e-3});
    w.insert(grains);
    w.begin();
    for (int k = 0; k < 1500; ++k) {
      if (rebuild && k % 50 == 0) w.rebuild();
      scheme_named("velocity_verlet_predicted").advance(w, 4e-5);
    }
    REQUIRE(w.state().walls.at(WallRow::x, 0).z < -0.01);
    return w.hash();
  };
  const std::uint64_t one = hash(1, Simd::baseline, false);
  CHECK(hash(3, Simd::baseline, false) == one);
  CHECK(hash(1, widest_simd(), false) == one);
  CHECK(hash(2, widest_simd(), true) == one);
}
