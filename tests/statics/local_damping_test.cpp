// Locally damped dynamics: its closed form on one grain, and loose grains that land, rearrange and come to rest.
#include "cairn/statics/local_damping.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "../worlds.hpp"
#include "cairn/contact/laws/all.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/statics/cubic.hpp"
#include "cairn/statics/equilibrium.hpp"

namespace cairn::statics {
namespace {

// Grains of a loose lattice above a floor, between walls, that fall on each other.
World loose_lattice(int threads, Real friction) {
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 0.3}, {"friction", friction}}, {0, 0, -9.81});
  s.threads = threads;
  const Real r = 0.01, side = 0.085;
  add_plane(s, {}, {0, 0, 1});
  add_plane(s, {}, {1, 0, 0}), add_plane(s, {side, 0, 0}, {-1, 0, 0});
  add_plane(s, {}, {0, 1, 0}), add_plane(s, {0, side, 0}, {0, -1, 0});
  World world(s);
  std::vector<GrainData> grains;
  std::uint64_t number = 0;
  for (int layer = 0; layer < 5; ++layer)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const auto shake = [&] { return 1e-3 * (random_uniform(11, 0, number++) - 0.5); };
        GrainData g;
        g.radius = r * (1 - 0.2 * random_uniform(12, 0, number)), g.mass = 0.01;
        g.position = {0.0106 + 0.0212 * i + shake(), 0.0106 + 0.0212 * j + shake(), 0.012 + 0.022 * layer};
        grains.push_back(g);
      }
  world.insert(grains);
  return world;
}

}  // namespace

// A body that swings about its rest without a dashpot feels the force (1 - a) F on its way there and (1 + a) F beyond,
// so each half swing takes the amplitude times the root of (1 - a) / (1 + a), at any stiffness.
TEST_CASE("local damping takes the same share of each half swing at any stiffness") {
  for (const Real stiffness : {1e3, 1e5})
    for (const Real share : {0.3, 0.6}) {
      WorldSettings s = linear_settings({{"stiffness", stiffness}, {"damping", 0}}, {0, 0, -9.81});
      add_plane(s, {}, {0, 0, 1});
      World world(s);
      GrainData g;
      g.radius = 0.01, g.mass = 0.01;
      const Real sag = g.mass * 9.81 / stiffness, rest = g.radius - sag;
      g.position = {0, 0, rest + 0.9 * sag};
      world.insert(std::span(&g, 1));
      StaticSystem system(world, 3);
      std::vector<Real> turns{0.9 * sag};  // distances from the rest at which the grain turned back
      Real before = world.position(0).z, last = 0;
      local_damping(
          system,
          {.unbalance = 0, .share = share, .rolling = 0, .most_steps = 4000, .step_share = 0.02, .look_every = 1},
          [&](const Iterate&) {
            const Real now = world.position(0).z, step = now - before;
            if (last != 0 && step * last <= 0) turns.push_back(std::fabs(before - rest));
            if (step != 0) last = step;
            before = now;
            return turns.size() < 5;
          });
      REQUIRE(turns.size() == 5);
      const Real kept = std::sqrt((1 - share) / (1 + share));
      for (std::size_t k = 1; k < turns.size(); ++k)
        CHECK(turns[k] / turns[k - 1] == doctest::Approx(kept).epsilon(0.02));
    }
}

TEST_CASE("a loose lattice comes to rest by itself, with the same bits on 1, 2, 3 and 7 threads") {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 7}) {
    World world = loose_lattice(threads, 0.4);
    StaticSystem system(world, 3);
    const EquilibriumResult r = find_equilibrium(system, {.tolerance = 1e-9});
    CHECK(r.stop == Stop::residual);
    CHECK(r.approach_steps > 1000);
    CHECK(r.balance.ratio <= 1e-9);
    CHECK(r.loose.empty());
    CHECK(world.time() == 0);
    CHECK(world.energies().kinetic == 0);
    Real weight = 0;
    for (const Real m : world.grains().mass) weight += 9.81 * m;
    CHECK(-world.wall_loads()[0].force.z + -world.wall_loads()[1].force.z - world.wall_loads()[2].force.z -
              world.wall_loads()[3].force.z - world.wall_loads()[4].force.z ==
          doctest::Approx(weight).epsilon(1e-8));
    if (threads == 1) first = world.hash();
    CHECK(world.hash() == first);
  }
}

// Alone, or under a lid of three times its mass that is pressed onto it. Its overlap is that of the weights and the
// load above. Its stiffness is zero where it begins, so no contact beforehand tells the step.
TEST_CASE("a grain that falls onto a Hertzian floor comes to rest on it") {
  struct Case {
    Real young, load, height;  // [Pa] [N] [-] of the centre, over the radius
    Method method = Method::newton;
  };
  const Case cases[] = {{1e7, 0, 1.01},
                        {1e9, 0, 1.01},
                        {7e10, 0, 1.01},
                        {1e8, 1.5, 1.01},
                        {1e8, 0, 1, Method::damped},  // it just touches, where no force holds it
                        {1e8, 0, 1 - 1e-8, Method::damped}};
  for (const auto& [young, load, height, method] : cases) {
    CAPTURE(young);
    CAPTURE(load);
    CAPTURE(height);
    Material material;
    material.young = young;
    WorldSettings s;
    s.laws = law_table("hertz_mindlin", {material}, [](auto, auto) { return ContactSettings{{"restitution", 0.5}}; });
    s.gravity = {0, 0, -9.81};
    Surface floor;
    floor.direction = {0, 0, 1};
    s.surfaces = {floor}, s.walls = {"floor"};
    const Real radius = 0.01, mass = 0.01, lid_mass = 0.03;
    if (load > 0) {
      Surface lid;
      lid.point = {0, 0, 2.02 * radius}, lid.direction = {0, 0, -1};
      lid.wall = 1, lid.loaded = 0;
      s.surfaces.push_back(lid), s.walls.push_back("lid");
      s.loaded_walls.push_back({.wall = 1, .mass = lid_mass, .free = {0, 0, 1}, .load = {0, 0, -load}});
    }
    World world(s);
    const GrainData ball{.position = {0, 0, height * radius}, .radius = radius, .mass = mass};
    world.insert({&ball, 1});
    world.begin();
    StaticSystem system(world, 3);
    const EquilibriumResult r = find_equilibrium(system, {.method = method, .tolerance = 1e-9});
    CHECK(r.stop == Stop::residual);
    const Real effective = young / (2 * (1 - material.poisson * material.poisson));
    const Real force = mass * 9.81 + (load > 0 ? lid_mass * 9.81 + load : 0);
    const Real overlap = std::pow(3 * force / (4 * effective * std::sqrt(radius)), 2.0 / 3);
    CHECK((radius - world.position(0).z) / overlap == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("a state that was kept comes back to the bit") {
  World world = loose_lattice(1, 0.4);
  StaticSystem system(world, 3);
  local_damping(system, {.unbalance = 1e-2});
  const std::vector<Real> residual = system.residual();
  const std::uint64_t hash = world.hash();
  system.keep();
  local_damping(system, {.unbalance = 0, .most_steps = 100});
  CHECK(world.hash() != hash);
  system.restore();
  CHECK(world.hash() == hash);
  // The accepted springs lie beyond their limits by a part in 1e12, those of the residual before did not.
  Real differs = 0;
  for (std::size_t i = 0; i < residual.size(); ++i)
    differs = std::max(differs, std::fabs(system.residual()[i] - residual[i]));
  CHECK(differs < 1e-9);
}

TEST_CASE("Newton's method with friction never lets the residual grow far, and gives up in time") {
  World world = loose_lattice(1, 0.4);
  StaticSystem system(world, 3);
  local_damping(system, {.unbalance = 3e-2});
  const NewtonResult r = newton(system, {.most_iterations = 40, .longest_step = 1e-3});
  Real least = r.history.front().residual;
  for (const Iterate& row : r.history) {
    CHECK(row.residual <= 30 * least);
    least = std::min(least, row.residual);
  }
  Cubic cubic(0);  // its residual is 2 and 1 by turns
  const NewtonResult of_cubic = newton(cubic, {.unbalance = 1e-12, .patience = 2, .line_search = false});
  CHECK(of_cubic.stop == Stop::stalled);
  CHECK(of_cubic.iterations == 3);
}

}  // namespace cairn::statics
