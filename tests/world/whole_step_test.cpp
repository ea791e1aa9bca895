// Contacts over whole steps, with springs in closed form, against the general kernel, which follows them by stages.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

struct Outcome {
  std::vector<Vector> numbers;  // velocities and spins
  Real residual;                // [J]
};

using Start = std::vector<GrainData>;

// Three grains of different sizes that meet obliquely and spin.
const Start meeting{
    {.position = {0, 0, 0}, .velocity = {0.3, 0, 0.1}, .spin = {20, -9, 31}, .radius = 0.01, .mass = 0.01},
    {.position = {0.0301, 0.002, 0}, .velocity = {-0.4, 0.3, 0}, .spin = {-4, 40, 7}, .radius = 0.02, .mass = 0.05},
    {.position = {-0.005, -0.0251, 0.003},
     .velocity = {0, 0.5, -0.1},
     .spin = {12, 3, -25},
     .radius = 0.015,
     .mass = 0.02}};
// Three that touch already, and go on touching.
Start touching() {
  Start grains = meeting;
  grains[1].position = {0.0297, 0.002, 0}, grains[2].position = {-0.005, -0.0241, 0.003};
  for (GrainData& g : grains) g.velocity = 0.1 * g.velocity, g.spin = 0.1 * g.spin;
  return grains;
}

// In a time that the steps divide.
Outcome collide(WorldSettings s, const Start& grains, const std::string& scheme, Real end, int steps, bool general) {
  s.general_kernel = general;
  World w(s);
  w.insert(grains);
  w.begin();
  const Real h = end / steps;
  for (int k = 0; k < steps; ++k) scheme_named(scheme).advance(w, h);
  REQUIRE(w.contact_count().begun + w.contacts() >= 2);
  Outcome out{{}, w.residual(w.energies())};
  for (const int i : by_id(w))
    for (const int row : {BodyRow::v, BodyRow::w}) out.numbers.push_back(w.state().body.at(row, i));
  return out;
}

Real distance(const Outcome& a, const Outcome& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k)
    sum += dot(a.numbers[k] - b.numbers[k], a.numbers[k] - b.numbers[k]);
  return std::sqrt(sum);
}

// Eight times as many steps bring both kernels, and both sides of the balance, so many times closer.
void check_order(const WorldSettings& s, const Start& grains, const std::string& scheme, Real end, int coarse) {
  Real apart[2], residual[2];
  for (const int fine : {0, 1}) {
    const int steps = fine ? 8 * coarse : coarse;
    const Outcome closed = collide(s, grains, scheme, end, steps, false);
    const Outcome staged = collide(s, grains, scheme, end, steps, true);
    apart[fine] = distance(closed, staged), residual[fine] = std::fabs(closed.residual);
  }
  INFO("apart ", apart[0], " and ", apart[1], ", residual ", residual[0], " and ", residual[1]);
  CHECK(apart[1] > 0);  // they are two
  CHECK(apart[0] / apart[1] > 40);
  CHECK(residual[0] / residual[1] > 40);
}

}  // namespace

TEST_CASE("both kernels agree to second order, and the ledger closes to second order") {
  for (const Real friction : {0.05, 0.3, 5.0})
    for (const Real tangential_damping : {0.0, 3.0}) {
      INFO("friction ", friction, ", tangential damping ", tangential_damping);
      WorldSettings s = linear_settings({{"stiffness", 2e4},
                                         {"restitution", 0.7},
                                         {"friction", friction},
                                         {"tangential_ratio", 0.8},
                                         {"tangential_damping", tangential_damping}});
      s.onset = true;
      // Beside a dashpot contacts begin to slide within a step, and the asymptotic range is reached later.
      check_order(s, meeting, "velocity_verlet_predicted", 0.02, tangential_damping > 0 ? 8000 : 4000);
    }
}

TEST_CASE("springs that stiffen: both kernels agree to second order while contacts last") {
  for (const Real friction : {0.05, 5.0})
    for (const Real restitution : {1.0, 0.6}) {
      INFO("friction ", friction, ", restitution ", restitution);
      ContactSettings settings{{"friction", friction}};
      if (restitution < 1) settings["restitution"] = restitution;
      WorldSettings s;
      s.laws = law_table("hertz_mindlin", {Material{.name = "glass", .young = 2e6, .poisson = 0.3}},
                         [&](auto, auto) { return settings; });
      s.onset = false;
      check_order(s, touching(), "velocity_verlet_predicted", 2e-3, 200);
    }
}
