// The matrix of a linearisation against its own products: two ways to the same derivative.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

// Grains pressed together on a floor, with springs of all kinds stretched.
World packing(const std::string& law, bool rolls) {
  const auto contact = [&](auto, auto) {
    ContactSettings c{{"friction", 0.4}, {"restitution", 0.8}, {"stiffness", 2e3}, {"tangential_damping", 0.2}};
    if (rolls) c["rolling_friction"] = 0.2, c["twisting_friction"] = 0.1, c["rolling_damping"] = 0.05;
    return suited(law, c);
  };
  WorldSettings s;
  s.laws = law_table(law, {Material{.young = 1e6}}, contact);
  s.rolling = rolling_table(1, contact);
  s.onset = false;
  add_plane(s, {0, 0, 0}, {0, 0, 1});
  World w(s);
  std::vector<GrainData> grains;
  for (std::uint64_t k = 0; k < 24; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(3, k, q) - 0.5; };
    grains.push_back({.position = {0.09 * static_cast<Real>(k % 3), 0.09 * static_cast<Real>(k / 3 % 2),
                                   0.045 + 0.09 * static_cast<Real>(k / 6)},
                      .velocity = {random(0), random(1), random(2)},
                      .spin = {20 * random(3), 20 * random(4), 20 * random(5)},
                      .radius = 0.05,
                      .mass = 0.5});
  }
  w.insert(grains);
  w.begin();
  for (int k = 0; k < 20; ++k) scheme_named("velocity_verlet_predicted").advance(w, 1e-4);
  return w;
}

TEST_CASE("linearisation: the direct solution fulfils the equations that products with the matrix give") {
  for (const char* law : {"linear", "hertz_mindlin"})
    for (const bool rolls : {false, true}) {
      CAPTURE(law);
      CAPTURE(rolls);
      World w = packing(law, rolls);
      REQUIRE(w.contacts() > 40);
      const auto scratch = w.borrow(5);
      State &at = scratch[0], &right = scratch[1], &solution = scratch[2], &along = scratch[3], &product = scratch[4];
      w.combine(at, w.state(), {}, StatePart::everything);
      w.rates(at, right);
      for (State* y : {&solution, &along, &product}) w.combine(*y, right, {}, StatePart::everything);
      constexpr Real h = 5e-3;  // many times the limit of stability
      State* const stage = &at;
      w.linearise({&stage, 1});
      State *const given = &right, *const found = &solution;
      REQUIRE(w.solve(std::array{h}, std::array{h}, {&given, 1}, {&found, 1}));
      // along: the change of the stage by the change `solution` of its rate.
      const Term none{-1, &along}, by{h, &solution}, drift{h, &along};
      w.combine(along, along, {&none, 1}, StatePart::everything);
      w.combine(along, along, {&by, 1}, StatePart::velocities | StatePart::springs);
      w.combine(along, along, {&drift, 1}, StatePart::carried);
      w.tangent(0, along, product);
      const Term less[] = {{-1, &product}, {-1, &right}};
      w.combine(product, solution, less, StatePart::velocities | StatePart::springs);  // what is left
      constexpr unsigned unknown = StatePart::velocities | StatePart::springs;
      CHECK(w.inner_product(product, product, unknown) < 1e-20 * w.inner_product(right, right, unknown));
    }
}

}  // namespace
