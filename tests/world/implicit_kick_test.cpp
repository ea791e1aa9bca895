// The kick that asks for the force at the velocity it leads to, with many contacts at once.
#include "cairn/integrate/implicit_kick.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>

#include "cairn/analysis/eigenvalues.hpp"
#include "cairn/run/registry.hpp"
#include "determinism/scene.hpp"

using namespace cairn;

namespace {

// Forty spheres pressed into one another, with dashpots strong enough that plain iteration diverges; cohesive and
// without friction the forces are linear in the velocities.
World pressed_heap() {
  World w = linear_world({{"attraction", Attraction::allowed}, {"friction", 0}, {"stiffness", 1000}, {"damping", 40}});
  std::vector<GrainData> grains;
  for (std::uint64_t k = 0; k < 40; ++k) {
    const auto r = [&](std::uint64_t q) { return random_uniform(3, k, q); };
    grains.push_back({.position = {0.2 * r(0), 0.2 * r(1), 0.2 * r(2)},
                      .velocity = {r(3) - 0.5, r(4) - 0.5, r(5) - 0.5},
                      .radius = 0.03 + 0.02 * r(6),
                      .mass = 0.05 + 0.1 * r(7)});
  }
  w.insert(grains);
  w.begin();
  return w;
}

}  // namespace

TEST_CASE("implicit kick: the velocity of many dashpots is that of a dense solve") {
  constexpr Real h = 2e-3;
  World w = pressed_heap();
  REQUIRE(w.contacts() > 100);
  const int n = w.size();
  const auto component = [&](State& y, int k) -> Real& { return y.body.row(BodyRow::v + k / n)[k % n]; };

  // a(v) = a(0) + A v, by columns; then (1 - h A) v = v* + h a(0).
  State still = w.state(), rate, base;
  for (int k = 0; k < 3 * n; ++k) component(still, k) = 0;
  w.rates(still, base);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(3 * n, 3 * n);
  Eigen::VectorXd right(3 * n);
  for (int column = 0; column < 3 * n; ++column) {
    State moved = still;
    component(moved, column) = 1;
    w.rates(moved, rate);
    for (int k = 0; k < 3 * n; ++k) matrix(k, column) -= h * (component(rate, k) - component(base, k));
    right(column) = component(w.state(), column) + h * component(base, column);
  }
  const Eigen::MatrixXd without = Eigen::MatrixXd::Identity(3 * n, 3 * n) - matrix;
  CHECK(std::abs(dominant_eigenpair({without.data(), static_cast<std::size_t>(without.size())}).value) > 2);
  const Eigen::VectorXd solved = matrix.partialPivLu().solve(right);

  const std::int64_t before = w.force_passes();
  implicit_kick(w, h);
  CHECK(w.force_passes() - before < 60);
  Real worst = 0;
  for (int k = 0; k < 3 * n; ++k) worst = std::max(worst, std::fabs(component(w.state(), k) - solved(k)));
  CHECK(worst < 1e-10);
}

TEST_CASE("implicit kick: in a crowd with friction and clips the force belongs to the velocity it led to") {
  for (const char* law : {"linear", "hertz_mindlin"}) {
    World w = crowded_box(law, 1);
    const SchemeEntry& scheme = scheme_named("velocity_verlet_implicit");
    for (int k = 0; k < 20; ++k) scheme.advance(w, 1e-4);
    State state = w.state(), rate;
    const State held = w.current_rate();
    w.rates(state, rate);
    Real worst = 0, largest = 0;
    for (int row = BodyRow::v; row < BodyRow::count; ++row)
      for (int i = 0; i < w.size(); ++i) {
        worst = std::max(worst, std::fabs(rate.body.row(row)[i] - held.body.row(row)[i]));
        largest = std::max(largest, std::fabs(rate.body.row(row)[i]));
      }
    CHECK(w.state().ledger[Channel::dashpot] > 0);
    CHECK(worst < 1e-8 * largest);
  }
}

TEST_CASE("implicit kick: a ball comes to rest whatever its dashpot") {
  const SchemeEntry& scheme = scheme_named("velocity_verlet_implicit");
  for (const Attraction attraction : {Attraction::allowed, Attraction::clipped})
    for (const Real zeta : {0.05, 0.3, 0.9, 2.0, 5.0})
      for (const Real h_omega : {0.05, 0.3, 0.9, 1.5}) {
        INFO("zeta ", zeta, ", h omega ", h_omega);
        constexpr Real stiffness = 1e4, mass = 0.1;
        const Real omega = std::sqrt(stiffness / mass), h = h_omega / omega;
        WorldSettings s = linear_settings({{"attraction", attraction},
                                           {"friction", 0.3},
                                           {"stiffness", stiffness},
                                           {"damping", 2 * zeta * std::sqrt(stiffness * mass)}},
                                          {0, 0, -9.81});
        add_plane(s, {}, {0, 0, 1});
        World w(s);
        const GrainData ball{.position = {0, 0, 0.06}, .velocity = {0.1, 0, -1}, .radius = 0.05, .mass = mass};
        w.insert({&ball, 1});
        w.begin();
        while (w.time() < 10) scheme.advance(w, h);
        CHECK(std::fabs(w.velocity(0).z) < 1e-9);
        CHECK(w.position(0).z == doctest::Approx(0.05 - mass * 9.81 / stiffness).epsilon(1e-9));
      }
}

TEST_CASE("implicit kick: what does not converge ends the run with advice") {
  World w = pressed_heap();
  Exit code = Exit::ok;
  std::string told;
  try {
    implicit_kick(w, 1e6);
  } catch (const Error& e) {
    code = e.code(), told = e.what();
  }
  CHECK(code == Exit::guard);
  CHECK(told.find("take a smaller step") != told.npos);
}
