// The formula of rolling and twisting resistance, apart from any World.
#include "cairn/contact/rolling.hpp"

#include <doctest/doctest.h>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/hash.hpp"

using namespace cairn;

namespace {

struct Case {
  ContactKinematics<Real> kinematics{};
  Vector velocity, chi;
  NormalLoad<Real> normal_load{};
};

Case random_case(std::uint64_t k) {
  const auto r = [&](std::uint64_t q) { return random_uniform(3, k, q) - 0.5; };
  Case c;
  const Vector n{r(0), r(1), r(2)};
  c.kinematics.n = (1 / norm(n)) * n;
  c.kinematics.contact_spin = {r(3), r(4), r(5)};
  c.kinematics.overlap = 1e-3;
  c.velocity = {r(6), r(7), r(8)};
  c.chi = 0.01 * Vector{r(9), r(10), r(11)};
  c.normal_load = {r(12) + 0.5, 200 * (r(13) + 0.6), 0};
  return c;
}

constexpr RollingResistance resistance{.rolling_friction = 0.3,
                                       .twisting_friction = 0.1,
                                       .rolling_stiffness_ratio = 0.8,
                                       .twisting_stiffness_ratio = 0.5,
                                       .rolling_damping = 0.4,
                                       .twisting_damping = 0.2};

}  // namespace

TEST_CASE("rolling: within its limits, odd to the last bit, and what leaves the energy leaves it") {
  int within = 0, beyond = 0;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const Case c = random_case(k);
    const RollingResponse<Real> r = resistance.response(c.kinematics, c.velocity, c.chi, c.normal_load);
    const Vector& n = c.kinematics.n;
    const Real along = dot(r.torque, n);
    CHECK(norm(r.torque - along * n) <= 0.3 * c.normal_load.fn * (1 + 1e-12));
    CHECK(std::fabs(along) <= 0.1 * c.normal_load.fn * (1 + 1e-12));
    // The bodies in the other order.
    ContactKinematics<Real> turned = c.kinematics;
    turned.n = -c.kinematics.n;
    const RollingResponse<Real> other = resistance.response(turned, -c.velocity, -c.chi, c.normal_load);
    CHECK(other.torque == -r.torque);
    CHECK(other.rate == -r.rate);
    CHECK(other.returned == -r.returned);
    CHECK(other.power == r.power);
    CHECK(other.cut == r.cut);
    CHECK(other.released == r.released);
    // d U/dt by differences along the motion of spring and normal: power balance, and no energy from nothing.
    const Real h = 1e-6;
    const auto stored = [&](Real t) {
      const Vector then = n + t * cross(c.kinematics.contact_spin, n);
      return resistance.elastic_energy((1 / norm(then)) * then, c.chi + t * r.rate, c.normal_load.stiffness);
    };
    const Real storing = (stored(h) - stored(-h)) / (2 * h);
    const Real balance = dot(r.torque, c.velocity) + storing + r.power;
    CHECK(std::fabs(balance) < 1e-6 * (std::fabs(storing) + std::fabs(r.power) + 1e-3));
    CHECK(r.cut >= -1e-15);
    CHECK(r.released >= 0);
    // A spring returned to its limits gives the same elastic torque and stays.
    const RollingResponse<Real> after = resistance.response(c.kinematics, c.velocity, r.returned, c.normal_load);
    CHECK(norm(after.torque - r.torque) < 1e-12);
    CHECK(std::fabs(after.power - r.cut) < 1e-12);
    if (r.beyond)
      ++beyond;
    else
      ++within;
    // Open: no torque, no rate, and nothing is left.
    ContactKinematics<Real> open = c.kinematics;
    open.overlap = 0;
    const RollingResponse<Real> gone = resistance.response(open, c.velocity, c.chi, c.normal_load);
    CHECK(gone.torque == Vector{});
    CHECK(gone.rate == Vector{});
    CHECK(gone.returned == Vector{});
    CHECK(gone.released == doctest::Approx(resistance.elastic_energy(n, c.chi, c.normal_load.stiffness)));
  }
  CHECK(within > 200);
  CHECK(beyond > 200);
}

TEST_CASE("rolling: each of the two alone, and both need friction") {
  const Case c = random_case(1);
  const RollingResistance rolls{.rolling_friction = 0.3}, twists{.twisting_friction = 0.3};
  const RollingResponse<Real> a = rolls.response(c.kinematics, c.velocity, c.chi, c.normal_load);
  const RollingResponse<Real> b = twists.response(c.kinematics, c.velocity, c.chi, c.normal_load);
  CHECK(std::fabs(dot(a.torque, c.kinematics.n)) < 1e-16);
  CHECK(norm(a.torque) > 0);
  CHECK(norm(cross(b.torque, c.kinematics.n)) < 1e-16);
  CHECK(norm(b.torque) > 0);
  const auto table = [](const ContactSettings& s) { return rolling_table(1, [&](auto, auto) { return s; }); };
  CHECK(table({{"friction", 0.5}}).empty());
  CHECK(table({{"friction", 0.5}, {"rolling_friction", 0.1}}).size() == 1);
  for (const char* name : {"rolling_friction", "twisting_friction"})
    CHECK_THROWS_WITH(
        require_settings<LinearSpringDashpot>({{"stiffness", 1e3}, {name, 0.1}}),
        ("law linear: rolling_friction: found without friction; expected friction > 0 beside it, because its stiffness "
         "is a multiple of the tangential stiffness"));
}
