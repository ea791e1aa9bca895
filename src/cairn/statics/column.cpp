#include "cairn/statics/column.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/constants.hpp"

namespace cairn::statics {
namespace {

World world_of(const GrainColumn& c, const std::vector<Real>& heights, Real raised, int threads) {
  WorldSettings s;
  s.laws = law_table(c.law, {Material{}}, [&](auto, auto) {
    return ContactSettings{{"stiffness", c.stiffness}, {"damping", 0}};
  });
  s.gravity = {0, 0, -c.gravity};
  Surface floor;
  floor.direction = {0, 0, 1};
  s.surfaces.push_back(floor);
  s.walls.push_back("floor");
  s.threads = threads;
  World world(s);
  std::vector<GrainData> grains;
  for (const Real z : heights) {
    GrainData g;
    g.position = {0, 0, z + raised}, g.radius = c.radius, g.mass = c.mass;
    grains.push_back(g);
  }
  world.insert(grains);
  return world;
}

}  // namespace

Real GrainColumn::overlap(int j) const {
  return law == "linear" ? load(j) / stiffness : std::pow(load(j) / stiffness, 2.0 / 3);
}

std::vector<Real> GrainColumn::heights() const {
  std::vector<Real> z;
  Real sunk = 0;
  for (int j = 1; j <= count; ++j) {
    sunk += overlap(j);
    z.push_back((2 * j - 1) * radius - sunk);
  }
  return z;
}

Real GrainColumn::elastic_energy() const {
  const Real share = law == "linear" ? 0.5 : 0.4;  // of force times overlap
  Real sum = 0;
  for (int j = 1; j <= count; ++j) sum += share * load(j) * overlap(j);
  return sum;
}

Real GrainColumn::softest() const {
  const Real s = std::sin(pi / (2 * (2 * count + 1)));
  return 4 * stiffness * s * s;
}

Real GrainColumn::largest_frequency() const {
  return 2 * std::sqrt(stiffness / mass) * std::sin(pi * (2 * count - 1) / (2 * (2 * count + 1)));
}

World GrainColumn::world(Real same, Real raised, int threads) const {
  std::vector<Real> z;
  for (int j = 1; j <= count; ++j) z.push_back((2 * j - 1) * radius - j * same);
  return world_of(*this, z, raised, threads);
}

World GrainColumn::world_at_rest(Real raised) const {
  return world_of(*this, heights(), raised, 1);
}

Real GrainColumn::error(const World& world) const {
  const std::vector<Real> z = heights();
  const std::vector<int> order = world.grains().by_id();
  Real most = 0;
  for (std::size_t k = 0; k < order.size(); ++k) most = std::max(most, std::fabs(world.position(order[k]).z - z[k]));
  return most;
}

}  // namespace cairn::statics
