// Implicit schemes in a World: the derivative they solve with, and what a column of spheres makes of long steps.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "cairn/run/registry.hpp"
#include "determinism/scene.hpp"

using namespace cairn;

namespace {

constexpr Real radius = 0.3, mass = 1, chain_stiffness = 40000, gravity = 9.81;

WorldSettings column_settings(const Vector& g) {
  WorldSettings s = linear_settings({{"attraction", Attraction::allowed}, {"stiffness", chain_stiffness}}, g);
  s.rotation = false;
  add_plane(s, {}, {0, 0, 1});
  return s;
}

// Spheres on one another between two plates that press them together, so that no contact opens: a chain of springs.
World pressed_column(int count) {
  constexpr Real overlap = 0.01;
  WorldSettings s = column_settings({});
  add_plane(s, {0, 0, 2 * radius * count - overlap * (count + 1)}, {0, 0, -1});
  World w(s);
  std::vector<GrainData> grains;
  for (int j = 1; j <= count; ++j)
    grains.push_back({.position = {0, 0, (2 * j - 1) * radius - overlap * j},
                      .velocity = {0, 0, 0.01 * (j % 3 - 0.7)},
                      .radius = radius,
                      .mass = mass});
  w.insert(grains);
  w.begin();
  return w;
}

// [s] of central differences on a chain fixed at both ends.
Real explicit_limit(int count) {
  const Real fastest = 2 * std::sqrt(chain_stiffness / mass) * std::cos(std::numbers::pi / (2 * (count + 1)));
  return 2 / fastest;
}

// What remains of the mechanical energy, less what it was, over all of `steps`: the largest.
Real energy_moves(World w, const std::string& scheme, Real h, int steps) {
  const Real start = w.energies().mechanical();
  Real most = 0;
  for (int k = 0; k < steps; ++k) {
    scheme_named(scheme).advance(w, h);
    most = std::max(most, std::fabs(w.energies().mechanical() / start - 1));
  }
  return most;
}

}  // namespace

TEST_CASE("tangent: the limit of differences of the force") {
  World w = crowded_box("hertz_mindlin", 1, widest_simd(), false, true);
  for (int k = 0; k < 100; ++k) scheme_named("velocity_verlet_predicted").advance(w, 1e-4);
  REQUIRE(w.contacts() > 1000);
  const auto scratch = w.borrow(6);
  State &y = scratch[0], &d = scratch[1], &k = scratch[2], &ahead = scratch[3], &there = scratch[4], &then = scratch[5];
  // Springs that slip have just returned to their limit, where the formula has a corner: a little on.
  w.rates(w.state(), d);
  const Term on{1e-6, &d};
  w.combine(y, w.state(), {&on, 1}, StatePart::everything);
  w.rates(y, d);  // along the motion itself, and athwart, so that all that can be different is
  for (int i = 0; i < w.size(); ++i)
    for (int row = 0; row < BodyRow::count; ++row)
      d.body.row(row)[i] += (row < BodyRow::w ? 1 : 100) * std::sin(7.0 * static_cast<Real>(w.grains().id[i]) + row);
  State* const at = &y;
  w.linearise({&at, 1});
  w.tangent(0, d, k);
  constexpr Real h = 1e-11;
  const Term term{h, &d};
  w.combine(ahead, y, {&term, 1}, StatePart::everything);
  w.rates(y, there), w.rates(ahead, then);
  const auto compare = [&](const auto& before, const auto& after, const auto& exact, int first) {
    Real largest = 0, off = 0;
    for (int i = 0; i < exact.size(); ++i) {
      const Vector difference = (1 / h) * (after.at(first, i) - before.at(first, i));
      largest = std::max(largest, norm(exact.at(first, i)));
      off = std::max(off, norm(difference - exact.at(first, i)));
    }
    CHECK(largest > 0);
    CHECK(off < 1e-4 * largest);
  };
  for (const int row : {BodyRow::x, BodyRow::v, BodyRow::w}) compare(there.body, then.body, k.body, row);
  for (const int row : {BondRow::xi, BondRow::chi}) compare(there.bond, then.bond, k.bond, row);
  for (const int c : {Channel::dashpot, Channel::slip, Channel::rolling, Channel::external}) {
    const Real difference = (then.ledger[c] - there.ledger[c]) / h;
    CHECK(std::fabs(difference - k.ledger[c]) <= 1e-4 * std::fabs(k.ledger[c]));
  }
}

TEST_CASE("closed linear contacts keep their energy at ten and a hundred times the explicit limit") {
  constexpr int count = 12;
  for (const Real times : {10.0, 100.0}) {
    CHECK(energy_moves(pressed_column(count), "newmark", times * explicit_limit(count), 2000) < 1e-11);
    for (const char* scheme : {"trapezoidal", "implicit_midpoint", "gauss2_newton"})
      CHECK(energy_moves(pressed_column(count), scheme, times * explicit_limit(count), 100) < 1e-11);
  }
  CHECK(energy_moves(pressed_column(count), "velocity_verlet", 1.01 * explicit_limit(count), 2000) > 1);
}

TEST_CASE("backward_euler takes of each mode what its formula says") {
  constexpr int count = 12;
  for (const int mode : {1, 5, 12}) {
    World w = pressed_column(count);
    const auto shape = [&](int j) { return std::sin(std::numbers::pi * mode * (j + 1) / (count + 1)); };
    for (int i = 0; i < count; ++i)
      w.state().body.row(BodyRow::v + 2)[i] = 1e-3 * shape(static_cast<int>(w.grains().id[i]));
    w.begin();
    const Real omega = 2 * std::sqrt(chain_stiffness / mass) * std::sin(std::numbers::pi * mode / (2 * (count + 1)));
    const Real h = 3 / omega;
    const Energies before = w.energies();
    const Real rest = before.elastic;  // of the column at rest
    scheme_named("backward_euler").advance(w, h);
    const Energies after = w.energies();
    const Real left = (after.kinetic + after.elastic - rest) / before.kinetic;
    CHECK(left == doctest::Approx(1 / (1 + h * h * omega * omega)).epsilon(1e-6));
    CHECK(w.residual() ==
          doctest::Approx((left - 1) * before.kinetic).epsilon(1e-6));  // a numerical loss, and booked so
  }
}

// 118 J by an independent program.
TEST_CASE("a dropped column gains energy from newmark, and the ledger says that it is the scheme's") {
  constexpr int count = 50;
  constexpr Real h = 10 * 5.00242e-3;
  const auto dropped = [&](const char* scheme) {
    World w(column_settings({0, 0, -gravity}));
    std::vector<GrainData> grains;
    for (int j = 1; j <= count; ++j)
      grains.push_back({.position = {0, 0, (2 * j - 1) * radius + 0.01}, .radius = radius, .mass = mass});
    w.insert(grains);
    w.begin();
    const Real start = w.energies().mechanical();
    for (int k = 0; k < 40; ++k) scheme_named(scheme).advance(w, h);
    const Real gain = w.energies().mechanical() - start;
    CHECK(w.residual() == doctest::Approx(gain));
    return gain;
  };
  CHECK(dropped("newmark") == doctest::Approx(118).epsilon(0.01));
  CHECK(dropped("implicit_midpoint") > 100);
  CHECK(dropped("backward_euler") < 0);
  CHECK(dropped("bdf2") < 0);
}

TEST_CASE("Gauss closes the ledger of a damped linear contact to round-off") {
  const auto residual = [](const char* scheme) {
    World w(linear_settings({{"attraction", Attraction::allowed}, {"stiffness", 1000}, {"damping", 5}}));
    w.insert(std::array<GrainData, 2>{
        {{.position = {0, 0, 0}, .velocity = {0.5, 0, 0}, .radius = 0.05, .mass = 0.1},
         {.position = {0.0999, 0, 0}, .velocity = {-0.5, 0, 0}, .radius = 0.05, .mass = 0.1}}});
    w.begin();
    const Real start = w.energies().mechanical();
    for (int k = 0; k < 10; ++k) scheme_named(scheme).advance(w, 1e-3);
    REQUIRE(w.contacts() == 1);
    CHECK(w.state().ledger[Channel::dashpot] > 0.1 * start);
    return std::fabs(w.residual()) / start;
  };
  for (const char* scheme : {"gauss2_newton", "implicit_midpoint"}) CHECK(residual(scheme) < 1e-14);
  CHECK(residual("rk4") > 1e-7);
  CHECK(residual("trapezoidal") > 1e-6);
}

TEST_CASE("an implicit step in a crowd has the same bits on any threads and lists") {
  const auto hash = [](int threads, bool rebuilt, const char* scheme) {
    World w = crowded_box("linear", threads, widest_simd(), true);
    if (rebuilt) w.rebuild();
    scheme_named(scheme).advance(w, 1e-4);
    CHECK(w.controller().effort.linear_iterations > 10);
    return w.hash();
  };
  for (const char* scheme : {"newmark", "gauss2_newton"}) {
    const std::uint64_t one = hash(1, false, scheme);
    CHECK(hash(3, true, scheme) == one);
  }
}

// A grain meets a plane, or a heavy grain, at steps longer than a contact: their contact is listed within a solve that
// began without any, and guesses of the solve take the two far apart. A list that has them from the start must find the
// same.
TEST_CASE("a contact that is listed within a solve is solved as one listed before") {
  constexpr Real h = 1e-2, r = 0.03;
  struct Found {
    int listed;  // contacts, at the start
    std::string ending;
  };
  const auto found = [&](const std::string& scheme, bool on_plane, Real skin) -> Found {
    WorldSettings s = linear_settings({{"friction", 0.4}, {"restitution", 0.7}, {"stiffness", 1e4}});
    s.skin = s.reach = skin;
    if (on_plane) add_plane(s, {}, {0, 0, 1});
    World w(s);
    w.insert(
        std::array<GrainData, 1>{{{.position = {0, 0, 0.1}, .velocity = {0.1, 0, -1.2}, .radius = r, .mass = 0.01}}});
    if (!on_plane) w.insert(std::array<GrainData, 1>{{{.position = {0, 0, -r}, .radius = r, .mass = 1e3}}});
    w.begin();
    const int listed = w.list().slots();
    std::string ending;
    // A list promises nothing beyond, where grains move by more than half their radius in a step.
    while (w.steps() < 40 && norm(w.velocity(by_id(w)[0])) * h < 0.5 * r) {
      ending = std::to_string(w.hash());
      try {
        scheme_named(scheme).advance(w, h);
      } catch (const Error& e) {  // there is no solution
        return {listed, e.what()};
      }
    }
    CHECK(w.steps() > 5);
    return {listed, ending};
  };
  for (const SchemeEntry& scheme : scheme_catalogue())
    for (const bool on_plane : {true, false}) {
      if (!scheme.claims.implicit) continue;
      CAPTURE(scheme.name);
      CAPTURE(on_plane);
      const Found late = found(scheme.name, on_plane, 1e-4), early = found(scheme.name, on_plane, 1);
      CHECK(late.listed == 0);
      CHECK(early.listed == 1);
      CHECK(late.ending == early.ending);
    }
}
