// Contacts over whole steps, with springs in closed form, against the general kernel, which follows them by stages.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

struct Outcome {
  std::vector<Vector> numbers;  // velocities and spins
  Real residual;                // [J]
};

// Three grains of different sizes that meet obliquely and spin, in a time that the steps divide.
Outcome collide(int steps, bool general, Real friction) {
  constexpr Real end = 0.02;
  WorldSettings s =
      linear_settings({{"stiffness", 2e4}, {"restitution", 0.7}, {"friction", friction}, {"tangential_ratio", 0.8}});
  s.onset = true, s.general_kernel = general;
  World w(s);
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.3, 0, 0.1}, .spin = {20, -9, 31}, .radius = 0.01, .mass = 0.01},
      {.position = {0.0301, 0.002, 0}, .velocity = {-0.4, 0.3, 0}, .spin = {-4, 40, 7}, .radius = 0.02, .mass = 0.05},
      {.position = {-0.005, -0.0251, 0.003},
       .velocity = {0, 0.5, -0.1},
       .spin = {12, 3, -25},
       .radius = 0.015,
       .mass = 0.02}};
  w.insert(grains);
  w.begin();
  const Real h = end / steps;
  for (int k = 0; k < steps; ++k) scheme_named("velocity_verlet_predicted").advance(w, h);
  REQUIRE(w.contact_count().begun >= 2);
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

}  // namespace

TEST_CASE("both kernels agree to second order, and the ledger closes to second order") {
  for (const Real friction : {0.05, 0.3, 5.0}) {
    Real apart[2], residual[2];
    for (const int fine : {0, 1}) {
      const int steps = fine ? 32000 : 4000;
      const Outcome closed = collide(steps, false, friction), staged = collide(steps, true, friction);
      apart[fine] = distance(closed, staged), residual[fine] = std::fabs(closed.residual);
    }
    INFO("friction ", friction, ": apart ", apart[0], " and ", apart[1], ", residual ", residual[0], " and ",
         residual[1]);
    CHECK(apart[1] > 0);  // they are two
    CHECK(apart[0] / apart[1] > 40);
    CHECK(residual[0] / residual[1] > 40);
  }
}
