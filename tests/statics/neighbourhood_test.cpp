// The surroundings of one grain, solved alone and given back.
#include "cairn/statics/neighbourhood.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "../worlds.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/statics/equilibrium.hpp"
#include "cairn/statics/local_damping.hpp"

namespace cairn::statics {
namespace {

constexpr Real r = 0.01;

// Layers of rough grains above a floor, so many of them each way, periodic to the sides.
World bed(int across = 6, int threads = 1) {
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 0.3}, {"friction", 0.4}}, {0, 0, -9.81});
  const Real side = across * 2.1 * r;
  s.cell = PeriodicCell::from({}, {side, side, 0});
  s.threads = threads;
  add_plane(s, {}, {0, 0, 1});
  World world(s);
  std::vector<GrainData> grains;
  std::uint64_t number = 0;
  for (int layer = 0; layer < 6; ++layer)
    for (int i = 0; i < across; ++i)
      for (int j = 0; j < across; ++j) {
        const auto shake = [&] { return 1e-3 * random_uniform(5, 0, number++); };
        GrainData g;
        g.radius = r * (1 - 0.2 * random_uniform(6, 0, number)), g.mass = 0.01;
        g.position = {2.1 * r * i + shake(), 2.1 * r * j + shake(), r + 2.1 * r * layer + shake()};
        grains.push_back(g);
      }
  world.insert(grains);
  return world;
}

std::vector<Vector> places(const World& world) {
  std::vector<Vector> all(world.size());
  for (int i = 0; i < world.size(); ++i) all[world.grains().id[i]] = world.position(i);
  return all;
}

// The grain that is nearest to the edge of the cell, two layers above the floor.
int node_at_edge(const StaticSystem& system) {
  int best = 0;
  for (int k = 0; k < system.nodes().grains; ++k) {
    const auto off = [&](int node) {
      const Vector x = system.world().state().body.at(BodyRow::x, system.nodes().row[node]);
      return std::fabs(x.x) + std::fabs(x.z - 4 * r);
    };
    if (off(k) < off(best)) best = k;
  }
  return best;
}

}  // namespace

TEST_CASE("a neighbourhood has the forces of the whole, and gives back what it was given") {
  World world = bed();
  StaticSystem whole(world, 3);
  local_damping(whole, {.unbalance = 1e-2});
  const std::vector<Real> residual = whole.residual();
  const std::vector<Vector> before = places(world);
  const int node = node_at_edge(whole);
  Neighbourhood part(whole, node, 3 * r);
  REQUIRE(part.system().world().size() < world.size());
  // Every free grain has all its contacts there, over the edge of the cell, too, with their springs.
  const int stride = whole.nodes().stride();
  int free = 0;
  for (int k = 0; k < part.system().nodes().grains; ++k) {
    if (part.system().holds(k)) {
      CHECK(part.system().unbalanced_force(k) == 0);
      continue;
    }
    ++free;
    bool found = false;
    for (int all = 0; all < whole.nodes().grains && !found; ++all) {
      Real off = 0;
      for (int c = 0; c < stride; ++c)
        off = std::max(off, std::fabs(part.system().residual()[k * stride + c] - residual[all * stride + c]));
      found = off < 1e-12;
    }
    CHECK(found);
  }
  CHECK(free > 5);
  CHECK(part.farthest() == 0);
  part.give_back(whole);
  CHECK(places(world) == before);
  Real differs = 0;
  for (std::size_t i = 0; i < residual.size(); ++i)
    differs = std::max(differs, std::fabs(whole.residual()[i] - residual[i]));
  CHECK(differs < 1e-12);
}

TEST_CASE("in a neighbourhood the free grains come to rest, and no other moves") {
  World world = bed();
  StaticSystem whole(world, 3);
  local_damping(whole, {.unbalance = 3e-2});
  const int node = node_at_edge(whole);
  const std::vector<Vector> before = places(world);
  const Vector centre = world.state().body.at(BodyRow::x, whole.nodes().row[node]);
  Neighbourhood part(whole, node, 3 * r);
  std::vector<Vector> held;
  for (int i = 0; i < part.system().world().size(); ++i)
    if (part.system().holds(part.system().world().grains().id[i])) held.push_back(part.system().world().position(i));
  const LocalDampingResult moved = local_damping(part.system(), {.unbalance = 1e-7, .rolling = 0});
  REQUIRE(moved.stop == Stop::residual);
  CHECK(part.farthest() > 0);
  std::size_t k = 0;
  for (int i = 0; i < part.system().world().size(); ++i)
    if (part.system().holds(part.system().world().grains().id[i]))
      CHECK(part.system().world().position(i) == held[k++]);
  part.give_back(whole);
  const std::vector<Vector> after = places(world);
  int went = 0;
  for (std::size_t id = 0; id < after.size(); ++id) {
    const Vector straight = before[id] - centre;
    const bool near = norm(straight - world.settings().cell.image(straight)) <= 3 * r;
    if (!near) CHECK(after[id] == before[id]);
    went += after[id] != before[id];
  }
  CHECK(went > 5);
  // All contacts of the grain itself are known in the whole, with the springs found there.
  CHECK(whole.unbalanced_force(node) < 1e-5 * whole.balance().mean_force);
}

TEST_CASE("grains followed alone come to the same bits on 1 and 7 threads") {
  std::uint64_t first = 0;
  for (const int threads : {1, 7}) {
    World world = bed(13, threads);
    StaticSystem whole(world, 3);
    local_damping(whole, {.unbalance = 5e-2});
    REQUIRE(world.size() > 1000);
    Neighbourhood part(whole, node_at_edge(whole), 3 * r);
    const LocalDampingResult moved = local_damping(part.system(), {.unbalance = 1e-7, .rolling = 0});
    REQUIRE(moved.stop == Stop::residual);
    CHECK(part.farthest() > 0);
    part.give_back(whole);
    const EquilibriumResult found = find_equilibrium(whole, {.tolerance = 1e-4, .approach = 1e-2});
    CHECK(found.converged());
    if (threads == 1) first = world.hash();
    CHECK(world.hash() == first);
  }
}

}  // namespace cairn::statics
