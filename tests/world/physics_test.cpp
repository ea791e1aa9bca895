// Closed forms, conserved quantities and the ledger in the full engine.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "world/steps.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

constexpr Real pi = 3.14159265358979323846;

// Residual of the ledger after `end` seconds at step h and h / 2, as an order.
Real residual_order(const std::function<World()>& make, const std::string& scheme, Real end, int steps) {
  const auto residual = [&](int n) {
    World w = make();
    advance(w, scheme, end / n, n);
    const World::Synchronised now(w, scheme_named(scheme).staggered ? 0.5 * end / n : 0);
    return std::fabs(w.residual());
  };
  const Real a = residual(steps), b = residual(2 * steps);
  return std::log2(a / b);
}

World pressed_pair(Real damping, Real friction) {
  World w = linear_world(
      {{"friction", friction}, {"stiffness", 1000}, {"damping", damping}, {"tangential_damping", damping / 3}});
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.3, 0.1, 0.2}, .spin = {3, -2, 4}, .radius = 0.05, .mass = 0.3},
      {.position = {0.06, 0.03, 0.06}, .velocity = {-0.2, 0.3, -0.1}, .spin = {-1, 5, 2}, .radius = 0.06, .mass = 0.5}};
  w.insert(grains);
  w.begin();
  return w;
}

}  // namespace

TEST_CASE("momentum is kept to round-off by every scheme, angular momentum by splittings too") {
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    INFO(std::string(scheme.claims.name));
    // What is gained of the linear and of the angular momentum in a fortieth of a second.
    const auto gains = [&](int steps) {
      World w = linear_world({{"friction", 0.3}, {"restitution", 0.6}, {"stiffness", 1000}});
      std::vector<GrainData> grains;
      for (std::uint64_t k = 0; k < 30; ++k) {
        const auto r = [&](std::uint64_t q) { return random_uniform(5, k, q); };
        grains.push_back({.position = {0.3 * r(0), 0.3 * r(1), 0.3 * r(2)},
                          .velocity = {r(3) - 0.5, r(4) - 0.5, r(5) - 0.5},
                          .spin = {10 * r(6), 10 * r(7), 10 * r(8)},
                          .radius = 0.03 + 0.03 * r(9),
                          .mass = 0.1 + r(10)});
      }
      w.insert(grains);
      w.begin();
      w.controller().tolerance = 1e300;
      REQUIRE(w.contacts() > 15);
      const Momenta before = w.momenta();
      for (int k = 0; k < steps; ++k) scheme.advance(w, 0.025 / steps);
      const Momenta after = w.momenta();
      CHECK(w.state().ledger[Channel::slip] + w.state().ledger[Channel::dashpot] > 0.01);
      return std::pair{norm(after.linear - before.linear), norm(after.angular - before.angular)};
    };
    const auto [linear, angular] = gains(100);
    CHECK(linear < 1e-13);
    // A quadratic invariant: the kicks and drifts of splittings keep it one by one, others only as the step falls.
    // (Those of trapezoidal and newmark are such for other coordinates than these.)
    if (scheme.claims.symplectic && scheme.claims.name != "trapezoidal" && scheme.claims.name != "newmark")
      CHECK(angular < 1e-13);
    else if (scheme.claims.name == "rk4" || scheme.claims.name == "dormand_prince54")
      CHECK(angular < 1e-9);
    else
      CHECK(gains(200).second < std::max(1e-9, 0.6 * angular));
  }
}

TEST_CASE("two thousand bounces of an elastic ball without drift") {
  WorldSettings s = linear_settings({{"stiffness", 1e4}}, {0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  World w(s);
  const GrainData ball{.position = {0, 0, 0.06}, .radius = 0.05, .mass = 0.1};
  w.insert({&ball, 1});
  w.begin();
  const SchemeEntry& scheme = scheme_named("velocity_verlet");
  int bounces = 0;
  Real worst_first = 0, worst_last = 0;
  bool down = true;
  while (bounces < 2000) {
    scheme.advance(w, 1e-4);
    const Real v = w.state().body.row(BodyRow::v + 2)[0];
    if (down && v > 0) {
      ++bounces;
      down = false;
    } else if (!down && v < 0) {
      down = true;  // at the top
      Real& worst = bounces <= 100 ? worst_first : worst_last;
      worst = std::max(worst, std::fabs(w.residual()));
    }
  }
  const Real energy = 0.1 * 9.81 * 0.01;
  CHECK(worst_first < 2e-3 * energy);
  CHECK(worst_last < 2e-3 * energy);  // no worse after two thousand than after a hundred: no drift
}

TEST_CASE("the ledger's residual converges with the scheme's order inside a contact") {
  const Real end = 0.02;
  const auto elastic = [] { return pressed_pair(0, 100); };
  const auto damped = [] { return pressed_pair(1, 100); };
  const auto sliding = [] { return pressed_pair(0, 0.05); };
  CHECK(residual_order(elastic, "symplectic_euler", end, 100) == doctest::Approx(1).epsilon(0.15));
  CHECK(residual_order(elastic, "velocity_verlet", end, 100) == doctest::Approx(2).epsilon(0.1));
  CHECK(residual_order(elastic, "central_difference", end, 100) == doctest::Approx(2).epsilon(0.1));
  CHECK(residual_order(damped, "velocity_verlet", end, 100) == doctest::Approx(1).epsilon(0.15));
  CHECK(residual_order(damped, "velocity_verlet_predicted", end, 100) == doctest::Approx(2).epsilon(0.1));
  CHECK(residual_order(damped, "taylor3", end, 100) == doctest::Approx(2).epsilon(0.1));
  CHECK(residual_order(damped, "adams_bashforth2", end, 100) == doctest::Approx(2).epsilon(0.1));
  CHECK(residual_order(damped, "rk4", 0.015, 4) > 3.8);
  // With slip from a spring that starts at zero: the instant slip begins is not a multiple of h.
  CHECK(residual_order(sliding, "velocity_verlet_predicted", end, 400) > 1.5);
  CHECK(residual_order(sliding, "rk4", end, 400) > 1.5);
}

TEST_CASE("whole collisions at random phase are first order in the restitution") {
  const auto mean_error = [](Real h) {
    const Real zeta = 0.2, k = 1000, m_eff = 0.05, gamma = 2 * zeta * std::sqrt(k * m_eff);
    const Real exact = restitution_of(zeta, Attraction::clipped);
    Real sum = 0;
    for (std::uint64_t phase = 0; phase < 60; ++phase) {
      World w = linear_world({{"stiffness", k}, {"damping", gamma}});
      const GrainData grains[] = {{.position = {0, 0, 0}, .velocity = {0.5, 0, 0}, .radius = 0.05, .mass = 0.1},
                                  {.position = {0.1 + h * random_uniform(1, phase, 0), 0, 0},
                                   .velocity = {-0.5, 0, 0},
                                   .radius = 0.05,
                                   .mass = 0.1}};
      w.insert(grains);
      w.begin();
      const SchemeEntry& scheme = scheme_named("velocity_verlet_predicted");
      do scheme.advance(w, h);
      while (w.time() < 0.05);
      const std::vector<int> order = by_id(w);
      const auto v = w.state().body.row(BodyRow::v);
      sum += std::fabs(v[order[1]] - v[order[0]] - exact);
    }
    return sum / 60;
  };
  const Real slope = std::log2(mean_error(2.3e-4) / mean_error(2.3e-4 / 8)) / 3;
  CHECK(slope == doctest::Approx(1).epsilon(0.15));
}

TEST_CASE("a sliding sphere ends rolling at 5/7 of its speed, and friction takes 2/7 of its energy") {
  WorldSettings s = linear_settings(
      {{"friction", 0.3}, {"restitution", 0.5}, {"stiffness", 1e5}, {"tangential_damping", 20}}, {0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  World w(s);
  const Real weight = 0.1 * 9.81;
  const GrainData ball{.position = {0, 0, 0.05 - weight / 1e5}, .velocity = {1, 0, 0}, .radius = 0.05, .mass = 0.1};
  w.insert({&ball, 1});
  w.begin();
  const Real stop = 2.0 / 7 / (0.3 * 9.81);  // [s] when slip ends
  advance(w, "velocity_verlet_predicted", 2e-5, static_cast<int>(0.5 * stop / 2e-5));
  CHECK(w.state().body.row(BodyRow::v)[0] == doctest::Approx(1 - 0.3 * 9.81 * w.time()).epsilon(1e-3));
  advance(w, "velocity_verlet_predicted", 2e-5, static_cast<int>(3 * stop / 2e-5));
  CHECK(w.state().body.row(BodyRow::v)[0] == doctest::Approx(5.0 / 7).epsilon(2e-3));
  CHECK(w.state().body.row(BodyRow::w + 1)[0] == doctest::Approx(5.0 / 7 / 0.05).epsilon(2e-3));
  CHECK(w.state().ledger[Channel::slip] + w.state().ledger[Channel::dashpot] ==
        doctest::Approx(0.5 * 0.1 * 2.0 / 7).epsilon(5e-3));
  CHECK(std::fabs(w.residual()) < 1e-4 * 0.05);
  // The wall carries the weight.
  CHECK(w.wall_loads()[0].force.z == doctest::Approx(-weight).epsilon(1e-3));
}

TEST_CASE("the ledger closes while a grain slides, with every scheme") {
  // The spring is dragged beyond its limit in every step and returns; what is heat of that is told by the books alone.
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    INFO(std::string(scheme.claims.name));
    if (scheme.claims.order_spring < std::min(scheme.claims.order, 2)) continue;  // cannot follow the spring
    const auto residual = [&](Real h) {                                           // over the heat
      WorldSettings s = linear_settings({{"friction", 0.3}, {"restitution", 0.5}, {"stiffness", 1e4}}, {0, 0, -9.81});
      add_plane(s, {}, {0, 0, 1});
      World w(s);
      const GrainData ball{.position = {0, 0, 0.05 - 0.1 * 9.81 / 1e4},
                           .velocity = {1, 0.2, 0},
                           .spin = {0, 3, 0},
                           .radius = 0.05,
                           .mass = 0.1};
      w.insert({&ball, 1});
      w.begin();
      w.controller().tolerance = 1e300;
      for (int k = 0; k < static_cast<int>(std::lround(0.05 / h)); ++k) scheme.advance(w, h);
      CHECK(w.state().ledger[Channel::slip] == doctest::Approx(0.3 * 0.1 * 9.81 * 0.05).epsilon(0.25));
      const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
      return std::fabs(w.residual()) / w.state().ledger[Channel::slip];
    };
    const Real coarse = residual(1e-4), fine = residual(2.5e-5);
    CHECK(coarse < (scheme.claims.order == 1 ? 5e-3 : 1.5e-3));
    CHECK(fine < std::max(1e-5, (scheme.claims.order == 1 ? 0.3 : 0.12) * coarse));  // of a quarter of the step
  }
}

TEST_CASE("walls that move: work from outside closes the ledger") {
  for (const char* scheme : {"velocity_verlet_predicted", "rk4", "taylor3", "position_verlet"}) {
    WorldSettings s = linear_settings({{"friction", 0.4}, {"restitution", 0.7}, {"stiffness", 2000}}, {0, 0, -9.81});
    add_plane(s, {}, {0, 0, 1}, {.amplitude = {0.001, 0, 0.002}, .frequency = 25});
    Surface drum;
    drum.wall = 1, drum.direction = {0, 1, 0}, drum.point = {0, 0, 0.1}, drum.shape = InnerCylinder{0.15};
    drum.motion = {.axis = {0, 1, 0}, .centre = {0, 0, 0.1}, .rotation_rate = 5};
    s.surfaces.push_back(drum);
    s.walls.push_back("drum");
    World w(s);
    std::vector<GrainData> grains;
    for (int k = 0; k < 8; ++k)
      grains.push_back({.position = {0.021 * k - 0.08, 0.0, 0.02 + 0.02 * (k % 3)}, .radius = 0.01, .mass = 0.02});
    w.insert(grains);
    w.begin();
    advance(w, scheme, 1e-5, 20000);
    INFO(std::string(scheme));
    CHECK(std::fabs(w.state().ledger[Channel::external]) > 1e-4);
    CHECK(std::fabs(w.residual()) < 0.02 * std::fabs(w.state().ledger[Channel::external]));
  }
}

TEST_CASE("a drum's wall drags what a moving frame would show: a turning plane is a plane") {
  // A plane turned by a right angle about a far axis ends where a resting grain is lifted by exactly the arc's height.
  const Motion motion{.axis = {0, 1, 0}, .centre = {-1, 0, 0}, .rotation_rate = 0.1};
  Surface plane;
  plane.point = {0, 0, 0}, plane.direction = {0, 0, 1}, plane.motion = motion, plane.turns = true;
  const Pose<Real> pose = pose_at(plane, 3.0);
  const Real angle = 0.3;
  CHECK(pose.point.x == doctest::Approx(-1 + std::cos(angle)));
  CHECK(pose.point.z == doctest::Approx(-std::sin(angle)));
  CHECK(pose.direction.x == doctest::Approx(std::sin(angle)));
  CHECK(pose.direction.z == doctest::Approx(std::cos(angle)));
}

TEST_CASE("the torque of grains on a wall is about the origin of coordinates") {
  WorldSettings s = linear_settings({{"stiffness", 1e4}, {"restitution", 1}});
  const Vector point{0.3, 0.1, 0.2};
  add_plane(s, point, {0, 0, 1});
  World w(s);
  w.insert(std::vector<GrainData>{{.position = point + Vector{0, 0, 0.0099}, .radius = 0.01, .mass = 0.01}});
  w.begin();
  const WallLoad load = w.wall_loads()[0];
  CHECK(load.force.z == doctest::Approx(-1));  // 0.1 mm times the stiffness
  CHECK(norm(load.torque - cross(point, load.force)) < 1e-4);
}

TEST_CASE("what an insertion brings is booked") {
  WorldSettings s = linear_settings({{"restitution", 0.5}, {"stiffness", 1000}}, {0, 0, -9.81});
  add_plane(s, {}, {0, 0, 1});
  World w(s);
  const GrainData ball{.position = {0, 0, 0.05}, .radius = 0.05, .mass = 0.1};
  w.insert({&ball, 1});
  w.begin();
  advance(w, "velocity_verlet_predicted", 1e-4, 1000);
  const Real before = w.residual();
  const GrainData second{.position = {0.01, 0, 0.14}, .velocity = {0, 0, -1}, .radius = 0.05, .mass = 0.2};
  w.insert({&second, 1});
  CHECK(w.contacts() == 2);
  CHECK(std::fabs(w.residual() - before) < 1e-14);
  // The acceleration of the grain that was touched is fresh.
  const std::vector<int> order = by_id(w);
  const Real overlap = 0.1 - norm(w.position(order[1]) - w.position(order[0]));
  CHECK(overlap > 0);
  CHECK(w.current_rate().body.row(BodyRow::v + 2)[order[1]] > 0);
  advance(w, "velocity_verlet_predicted", 1e-4, 1000);
  CHECK(std::fabs(w.residual()) < 1e-3);
}
