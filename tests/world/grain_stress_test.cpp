// Forces, torques and stress contributions of grains: closed forms, Newton's law, and sums that must agree.
#include "cairn/world/grain_stress.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

namespace cairn {
namespace {

constexpr Real k = 1000;  // [N/m]

TEST_CASE("grain stress: two pressed grains in a periodic cell, in closed form") {
  WorldSettings settings = linear_settings({{"stiffness", k}});
  settings.cell = PeriodicCell::from({0, 0, 0}, {2, 3, 4});
  World w(settings);
  // Over the border of x: overlap 0.1, force 100 N along x, levers 0.45 and 0.35.
  const GrainData grains[] = {{.position = {1.9, 1, 1}, .radius = 0.5, .mass = 2},
                              {.position = {0.7, 1, 1}, .radius = 0.4, .mass = 1}};
  w.insert(grains);
  w.begin();
  const GrainLoads loads = grain_loads_of(w.scene(), w.state());
  CHECK(loads.force[0].x == doctest::Approx(-100));
  CHECK(loads.force[1].x == doctest::Approx(100));
  CHECK(loads.moment[0].c[0] == doctest::Approx(45));  // compression is positive
  CHECK(loads.moment[1].c[0] == doctest::Approx(35));
  for (const int other : {1, 2, 3, 4, 5}) CHECK(loads.moment[0].c[other] == doctest::Approx(0));
  const Moments all = moments_of(w.scene(), w.state(), 3);
  CHECK(all.contact.c[0] == doctest::Approx(80));  // force times the distance of the centres
  CHECK(all.grain_volume == doctest::Approx(4.0 / 3 * pi * (0.125 + 0.064)));
  CHECK(all.pairs == 1);
  CHECK(all.at_walls == 0);
  CHECK(norm(Vector{all.kinetic.c[0], all.kinetic.c[1], all.kinetic.c[2]}) == 0);
}

// Grains of several sizes that touch, slide and spin, some at a wall.
World crowd(const WorldSettings& settings) {
  World w(settings);
  std::vector<GrainData> grains;
  for (int i = 0; i < 60; ++i)
    grains.push_back({.position = {0.19 * (i % 4), 0.19 * (i / 4 % 4), 0.095 + 0.19 * (i / 16)},
                      .velocity = {0.3 * std::sin(i), 0.2 * std::cos(3 * i), 0.1 * std::sin(7 * i)},
                      .spin = {std::sin(2 * i), std::cos(5 * i), std::sin(i)},
                      .radius = 0.1 + 0.005 * std::sin(11 * i),
                      .mass = 1 + 0.1 * std::cos(i)});
  w.insert(grains);
  w.begin();
  for (int n = 0; n < 20; ++n) scheme_named("velocity_verlet").advance(w, 1e-3);  // so that springs are stretched
  return w;
}

TEST_CASE("grain loads: mass times acceleration, inertia times angular acceleration, as the passes find them") {
  const ContactSettings contact{{"stiffness", k},          {"restitution", 0.6},       {"friction", 0.4},
                                {"rolling_friction", 0.2}, {"twisting_friction", 0.1}, {"rolling_damping", 0.3}};
  WorldSettings settings = linear_settings(contact, {0, 0, -9.81});
  settings.rolling = rolling_table(1, [&](auto, auto) { return contact; });
  add_plane(settings, {0, 0, 0}, {0, 0, 1});
  World w = crowd(settings);
  w.begin();
  const State& rate = w.current_rate();
  const GrainLoads loads = grain_loads_of(w.scene(), w.state());
  const std::vector<int> order = by_id(w);
  REQUIRE(w.contacts() > 60);
  for (std::size_t n = 0; n < order.size(); ++n) {
    const int i = order[n];
    CAPTURE(n);
    const Vector force = w.grains().mass[i] * rate.body.at(BodyRow::v, i),
                 torque = (1 / w.grains().inverse_inertia[i]) * rate.body.at(BodyRow::w, i);
    CHECK(norm(loads.force[n] - force) < 1e-10 * (1 + norm(force)));
    CHECK(norm(loads.torque[n] - torque) < 1e-10 * (1 + norm(torque)));
  }
  // The moments of grains make up that of all contacts.
  const Moments all = moments_of(w.scene(), w.state(), 3);
  SymmetricTensor sum, by_contact;
  for (const SymmetricTensor& t : loads.moment) sum += t;
  for (const ContactView& c : w.closed_contacts()) by_contact += moment_of(c);
  for (int c = 0; c < SymmetricTensor::size; ++c) {
    CHECK(sum.c[c] == doctest::Approx(all.contact.c[c]));
    CHECK(by_contact.c[c] == doctest::Approx(all.contact.c[c]));
  }
  CHECK(all.pairs + all.at_walls == w.contacts());
  CHECK(all.at_walls > 0);
  int touching = 0;
  for (const int t : w.coordination()) touching += t;
  CHECK(touching == 2 * all.pairs + all.at_walls);  // a contact with a wall counts once
}

TEST_CASE("granular temperature: of two that part, of a stream, of a shear flow, and whatever the order") {
  const auto of = [](std::vector<GrainData> grains, int dimension) {
    World w = linear_world({{"stiffness", k}});
    w.insert(grains);
    w.begin();
    return temperature_of(w.scene(), w.state(), dimension);
  };
  const auto at = [](Real x, Real z, const Vector& v, Real mass = 1) {
    return GrainData{.position = {x, 0, z}, .velocity = v, .radius = 0.5, .mass = mass};
  };
  // Masses 1 and 3 at speeds 4 and 0: mean 1, variance (9 + 3) / 4.
  for (const int dimension : {1, 2, 3})
    for (const Real t : of({at(0, 0, {0, 0, 4}), at(0, 1.2, {}, 3)}, dimension))
      CHECK(t == doctest::Approx(3.0 / dimension));
  for (const Real t : of({at(0, 0, {5e7, 0, 4}), at(1.2, 0, {5e7, 0, 4}), at(0, 1.2, {5e7, 0, 4})}, 3)) CHECK(t == 0);
  CHECK(of({at(0, 0, {1, 0, 0}), at(0, 1.6, {})}, 3) == std::vector<Real>{0, 0});  // too far apart to be neighbours
  // A row, speeds 0, 1, 2, ...: inside the neighbourhood is three grains of variance 2/3.
  std::vector<GrainData> row;
  for (int i = 0; i < 9; ++i) row.push_back(at(1.1 * i, 0, {0, 0, 1.0 * i}));
  const std::vector<Real> sheared = of(row, 2);
  for (int i = 1; i < 8; ++i) CHECK(sheared[i] == doctest::Approx(1.0 / 3));
  CHECK(sheared[0] == doctest::Approx(0.125));
}

}  // namespace
}  // namespace cairn
