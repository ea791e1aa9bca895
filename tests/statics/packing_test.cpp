// Packings in space: the tangent against differences of forces, bits on threads, loose grains, walls with a load.
#include <doctest/doctest.h>

#include <cmath>

#include "../worlds.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/statics/equilibrium.hpp"

namespace cairn::statics {
namespace {

// Layers of grains in a box, each grain in a hollow of the layer below, slightly pressed together.
World heap(Real friction, int threads, const std::string& law = "linear") {
  WorldSettings s;
  s.laws = law_table(law, {Material{.name = "", .density = 2500, .young = 1e7, .poisson = 0.25}}, [&](auto, auto) {
    return suited(law, {{"stiffness", 1e4}, {"restitution", 0.5}, {"friction", friction}});
  });
  s.gravity = {0, 0, -9.81};
  s.threads = threads;
  const Real r = 0.01, side = 6 * 2 * r;
  add_plane(s, {}, {0, 0, 1});
  add_plane(s, {}, {1, 0, 0}), add_plane(s, {side, 0, 0}, {-1, 0, 0});
  add_plane(s, {}, {0, 1, 0}), add_plane(s, {0, side, 0}, {0, -1, 0});
  World world(s);
  std::vector<GrainData> grains;
  std::uint64_t number = 0;
  for (int layer = 0; layer < 5; ++layer) {
    const int across = layer % 2 == 0 ? 6 : 5;
    for (int i = 0; i < across; ++i)
      for (int j = 0; j < across; ++j) {
        GrainData g;
        const Real shift = layer % 2 == 0 ? 1 : 2;
        const auto shake = [&] { return 2e-4 * r * (random_uniform(7, 0, number++) - 0.5); };
        g.position = {(2 * i + shift) * r + shake(), (2 * j + shift) * r + shake(), r * (1 + 1.41 * layer) + shake()};
        g.radius = r, g.mass = 0.01;
        grains.push_back(g);
      }
  }
  world.insert(grains);
  return world;
}

// The change of the residual along du against K du.
Real tangent_error(Real friction, const std::string& law) {
  World world = heap(friction, 1, law);
  StaticSystem system(world, 3);
  find_equilibrium(system, {.tolerance = 1e-3});
  const Nodes& nodes = system.nodes();
  std::vector<Real> du(nodes.unknowns(), 0.0), product, minus;
  for (std::size_t i = 0; i < du.size(); ++i)
    if (nodes.free[i / nodes.stride()][i % nodes.stride()]) du[i] = random_uniform(3, 0, i) - 0.5;
  system.tangent().apply(du, 0, product, 1);
  const Real share = 1e-9;
  system.attempt(du, -share), minus = system.residual();
  system.attempt(du, share);
  Real error = 0, size = 0;
  for (std::size_t i = 0; i < du.size(); ++i) {
    error = std::max(error, std::fabs((system.residual()[i] - minus[i]) / (2 * share) + product[i]));
    size = std::max(size, std::fabs(product[i]));
  }
  return error / size;
}

}  // namespace

TEST_CASE("the tangent is the derivative of the forces") {
  CHECK(tangent_error(0, "linear") < 1e-5);
  CHECK(tangent_error(0, "hertz_mindlin") < 1e-4);
  CHECK(tangent_error(5, "linear") < 1e-5);  // nothing slips
}

TEST_CASE("the static state has the same bits on 1, 2, 3 and 7 threads") {
  for (const Real friction : {0.0, 0.5}) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 3, 7}) {
      World world = heap(friction, threads);
      StaticSystem system(world, 3, {.method = LinearMethod::iterative});
      const EquilibriumResult r = find_equilibrium(system, {.tolerance = 1e-9});
      CHECK(r.converged());
      CHECK(r.balance.ratio <= 1e-9);
      if (threads == 1) first = world.hash();
      CHECK(world.hash() == first);
    }
  }
}

TEST_CASE("direct and iterative solutions, Newton and damped dynamics, find the same smooth state") {
  World direct = heap(0, 1), iterative = heap(0, 1), damped = heap(0, 1);
  StaticSystem a(direct, 3, {.method = LinearMethod::automatic}), b(iterative, 3, {.method = LinearMethod::iterative}),
      c(damped, 3);
  REQUIRE(find_equilibrium(a, {.tolerance = 1e-10}).converged());
  REQUIRE(find_equilibrium(b, {.tolerance = 1e-10}).converged());
  REQUIRE(find_equilibrium(c, {.method = Method::damped, .tolerance = 1e-10}).converged());
  CHECK(direct.energies().elastic == doctest::Approx(iterative.energies().elastic).epsilon(1e-9));
  CHECK(direct.energies().elastic == doctest::Approx(damped.energies().elastic).epsilon(1e-6));
  // The weight rests on the floor.
  CHECK(-direct.wall_loads()[0].force.z == doctest::Approx(direct.size() * 0.01 * 9.81).epsilon(1e-9));
}

TEST_CASE("a grain that falls is caught, one that nothing holds is named") {
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"damping", 1}}, {0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  World world(s);
  GrainData high, beside;
  high.position = {0, 0, 0.05}, high.radius = 0.01, high.mass = 0.01;
  beside = high, beside.position = {0.1, 0, 0.03};
  world.insert(std::vector<GrainData>{high, beside});
  StaticSystem system(world, 3);
  const EquilibriumResult r = find_equilibrium(system, {});
  CHECK(r.converged());
  CHECK(r.loose.empty());
  const Real rest = 0.01 - 0.01 * 9.81 / 1e4;
  for (int i = 0; i < 2; ++i) CHECK(world.position(i).z == doctest::Approx(rest).epsilon(1e-12));

  WorldSettings empty = linear_settings({{"stiffness", 1e4}, {"damping", 1}});  // no gravity
  World two(empty);
  GrainData alone = high;
  alone.position = {1, 0, 0};
  beside.position = {0.0199, 0, 0}, high.position = {};
  two.insert(std::vector<GrainData>{high, beside, alone});
  StaticSystem pair(two, 3);
  const EquilibriumResult of_pair = find_equilibrium(pair, {.tolerance = 1e-6});
  CHECK(std::count(of_pair.loose.begin(), of_pair.loose.end(), 2) == 1);
  CHECK(of_pair.falling.empty());
}

TEST_CASE("grains that touch nothing rest where nothing pulls, and else are in no equilibrium") {
  GrainData one, other;
  one.radius = other.radius = 0.01, one.mass = other.mass = 0.01, other.position = {1, 0, 0};
  for (const Method method : {Method::newton, Method::southwell, Method::gauss_seidel, Method::damped})
    for (const Real gravity : {0.0, 9.81}) {
      INFO(std::string(method_names[static_cast<int>(method)]), " under gravity of ", gravity);
      World world(linear_settings({{"stiffness", 1e4}, {"damping", 1}}, {0, 0, -gravity}));
      world.insert(std::vector<GrainData>{one, other});
      StaticSystem system(world, 3);
      const EquilibriumResult r = find_equilibrium(system, {.method = method, .most_approach_steps = 20'000});
      CHECK(r.loose == std::vector<std::int64_t>{0, 1});
      CHECK(r.falling.size() == (gravity > 0 ? 2 : 0));
      CHECK(r.converged() == (gravity == 0));
      if (gravity > 0) CHECK(r.stop == Stop::falls);
    }
}

TEST_CASE("grains on their way to a floor when a limit ends the method do not fall without end") {
  GrainData one;
  one.radius = 0.01, one.mass = 0.01, one.position = {0, 0, 0.05};
  for (const Method method : {Method::southwell, Method::gauss_seidel, Method::damped}) {
    INFO(std::string(method_names[static_cast<int>(method)]));
    WorldSettings s = linear_settings({{"stiffness", 1e4}, {"damping", 1}}, {0, 0, -9.81});
    add_plane(s, {}, {0, 0, 1});
    World world(s);
    world.insert(std::span(&one, 1));
    StaticSystem system(world, 3);
    const EquilibriumResult r = find_equilibrium(system, {.method = method, .most_iterations = 2});
    CHECK(r.balance.contacts == 0);
    CHECK(r.stop == Stop::most_iterations);
  }
}

TEST_CASE("a wall with a load sinks until the grains carry it") {
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"damping", 1}}, {0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  add_plane(s, {0, 0, 0.0199}, {0, 0, -1});
  LoadedWall lid;
  lid.wall = 1, lid.mass = 0.5, lid.free = {0, 0, 1}, lid.load = {0, 0, -2};
  s.loaded_walls.push_back(lid);
  s.surfaces[1].loaded = 0;
  World world(s);
  GrainData g;
  g.position = {0, 0, 0.00995}, g.radius = 0.01, g.mass = 0.01;
  world.insert(std::span(&g, 1));
  StaticSystem system(world, 3);
  const EquilibriumResult r = find_equilibrium(system, {.tolerance = 1e-10});
  CHECK(r.converged());
  const Real load = 2 + 0.5 * 9.81;
  CHECK(-world.wall_loads()[0].force.z == doctest::Approx(load + 0.01 * 9.81).epsilon(1e-9));
  CHECK(world.wall_loads()[1].force.z == doctest::Approx(load).epsilon(1e-9));
}

TEST_CASE("a rough block on a slope holds by friction") {
  // Two grains whose springs bear the weight along the slope while that is below the Coulomb limit.
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"damping", 1}, {"friction", 0.5}}, {2, 0, -9.81});
  s.rotation = false;
  add_plane(s, {}, {0, 0, 1});
  World world(s);
  GrainData g;
  g.position = {0, 0, 0.0099}, g.radius = 0.01, g.mass = 0.01;
  world.insert(std::span(&g, 1));
  StaticSystem system(world, 3);
  const EquilibriumResult r = find_equilibrium(system, {.tolerance = 1e-10, .increments = 3});
  CHECK(r.converged());
  CHECK(world.wall_loads()[0].force.x == doctest::Approx(0.02).epsilon(1e-9));
  CHECK(-world.wall_loads()[0].force.z == doctest::Approx(0.0981).epsilon(1e-9));
}

}  // namespace cairn::statics
