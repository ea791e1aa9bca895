// Finite walls in a periodic cell: they repeat with it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/world/world.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

constexpr Real length = 0.4;  // [m] of the cell along x

// Grains on bumps flow through a cell that begins at `origin` [m], for 0.4 s.
World flow(Real origin, bool onset, const std::string& scheme) {
  WorldSettings s = linear_settings({{"stiffness", 2000}, {"restitution", 0.4}, {"friction", 0.5}});
  s.gravity = {4, 0, -9}, s.onset = onset;
  s.cell = PeriodicCell::from({origin, 0, 0}, {length, 0, 0});
  s.walls = {"base"};
  for (int k = 0; k < 5; ++k) {
    Surface bump;
    bump.point = {0.08 * k, 0, 0}, bump.shape = SolidBox{{0.03, 0.1, 0.01 + 0.002 * k}};
    s.surfaces.push_back(bump);
  }
  Surface roller;
  roller.point = {0.39, 0, 0.02}, roller.direction = {0, 1, 0}, roller.shape = OuterCylinder{0.01};
  roller.motion = {.axis = {0, 1, 0}, .centre = roller.point, .rotation_rate = 5};
  s.surfaces.push_back(roller);
  World w(s);
  std::vector<GrainData> grains;
  for (std::uint64_t k = 0; k < 14; ++k)
    grains.push_back({.position = {0.055 * static_cast<Real>(k % 7) + 0.005 * random_uniform(3, k, 0), 0,
                                   0.045 + 0.05 * static_cast<Real>(k / 7)},
                      .velocity = {0.5, 0, 0},
                      .radius = 0.02 + 0.004 * random_uniform(3, k, 1),
                      .mass = 0.05});
  w.insert(grains);
  w.begin();
  const SchemeEntry& with = scheme_named(scheme);
  for (int k = 0; k < 1000; ++k) with.advance(w, 4e-4);
  return w;
}

}  // namespace

TEST_CASE("walls of a periodic cell: the motion does not depend on where the cell begins") {
  for (const char* scheme : {"velocity_verlet_extrapolated", "rk4", "adams_bashforth2"})
    for (const bool onset : {false, true}) {
      const World a = flow(0, onset, scheme), b = flow(0.17, onset, scheme), c = flow(-1.03, onset, scheme);
      Real most = 0, travelled = 0;
      for (int i = 0; i < a.size(); ++i) {
        const Vector v = a.velocity(a.grains().index(i));
        most = std::max(most, norm(v - b.velocity(b.grains().index(i))));
        most = std::max(most, norm(v - c.velocity(c.grains().index(i))));
        travelled = std::max(travelled, norm(v));
      }
      const std::string words = scheme + std::string(onset ? ", corrected" : ", plain");
      INFO(words);
      CHECK(most < 1e-6);  // round-off, which collisions enlarge
      CHECK(travelled > 0.3);
      // A contact that runs on over a period would release k L^2 / 2 = 160 J, hundreds of times what dashpots take.
      CHECK(std::fabs(a.residual()) < 0.05 * a.energy_ledger()[Channel::dashpot]);
    }
}
