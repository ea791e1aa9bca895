// Records of single contacts against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {
namespace {

constexpr Real stiffness = 1e4, mass = 0.1, speed = 0.5, radius = 0.05;
constexpr Real m_eff = mass / 2;

// Two grains that meet head-on after a flight over `gap`.
Scenario head_on(Real gap) {
  Scenario s;
  s.scheme = "rk4";
  s.gravity = {};
  s.law = "linear";
  s.contact["stiffness"] = stiffness;
  s.materials = {{.name = "glass"}};
  const Vector toward{0.6 * speed, 0, 0.8 * speed}, apart = (2 * radius + gap) / speed * toward;
  s.grain = {{.position = {}, .velocity = 0.75 * toward, .radius = radius, .mass = mass},
             {.position = apart, .velocity = -0.25 * toward, .radius = radius, .mass = mass}};
  s.series_every = 0;
  s.guards["overlap"] = GuardAction::off;
  s.contact_events = true;
  return s;
}

std::vector<ContactEvent> events_of(Scenario s) {
  Simulation simulation(std::move(s));
  simulation.start();
  for (unsigned due = 0; !(due & Occasion::finished);) due = simulation.advance();
  std::vector<ContactEvent> all = simulation.contact_events().take();
  for (const ContactEvent& e : simulation.contact_events().standing(simulation.world())) all.push_back(e);
  return all;
}

// What a head-on collision at `speed` is in closed form.
struct Collision {
  Real force, force_time, overlap, duration, restitution;  // [N], [s] from its beginning, [m], [s], [-]
};

// Attraction clipped: the force ends at 2 acos(zeta) / omega_d, the overlap later, in free flight.
Collision linear_collision(Real m, Real zeta) {
  const Real omega = std::sqrt(stiffness / m), root = std::sqrt(1 - zeta * zeta), a = std::acos(zeta);
  const auto decay = [&](Real phase) { return std::exp(-zeta / root * phase); };
  const Real left = speed / (omega * root) * decay(2 * a) * std::sin(2 * a), e = decay(2 * a);
  return {speed * std::sqrt(stiffness * m) * decay(3 * a - pi), (3 * a - pi) / (omega * root), speed / omega * decay(a),
          2 * a / (omega * root) + left / (e * speed), e};
}

struct Errors {
  Real force = 0, force_time = 0, overlap = 0, began = 0, duration = 0, approach = 0, separation = 0;
};

// Relative, root mean square over where in a step the collision begins; times relative to the duration.
Errors errors_of(const Collision& exact, Scenario (*collision)(Real gap), Real zeta, Real m, Real steps) {
  Errors sum;
  constexpr int places = 8;
  for (int k = 0; k < places; ++k) {
    const Real h = exact.duration / steps, flight = (3 + (k + 0.5) / places) * h;
    Scenario s = collision(flight * speed);
    s.step = h;
    s.end = flight + exact.duration + 3 * h;
    if (zeta > 0) s.contact["damping"] = 2 * zeta * std::sqrt(stiffness * m);
    const std::vector<ContactEvent> all = events_of(s);
    REQUIRE(all.size() == 1);
    const ContactEvent& e = all[0];
    CHECK(e.parted == 1);
    CHECK(e.first == 0);
    CHECK(e.peak_tangential_force == 0);
    const auto add = [](Real& to, Real error) { to += error * error / places; };
    add(sum.force, e.peak_force / exact.force - 1);
    add(sum.force_time, (e.peak_force_time - flight - exact.force_time) / exact.duration);
    add(sum.overlap, e.peak_overlap / exact.overlap - 1);
    add(sum.began, (e.began - flight) / exact.duration);
    add(sum.duration, e.duration / exact.duration - 1);
    add(sum.approach, e.approach_speed / speed - 1);
    add(sum.separation, e.separation_speed / (exact.restitution * speed) - 1);
  }
  for (Real* a : {&sum.force, &sum.force_time, &sum.overlap, &sum.began, &sum.duration, &sum.approach, &sum.separation})
    *a = std::sqrt(*a);
  return sum;
}

Scenario on_wall(Real gap) {
  Scenario s = head_on(gap);
  s.grain = {{.position = {0, 0, radius + gap}, .velocity = {0, 0, -speed}, .radius = radius, .mass = mass}};
  s.walls = {{.name = "floor"}};
  return s;
}

// A contact that slides throughout receives mu times the normal impulse 2 m v, and slip changes by 1/m + l^2/I = 7/(2
// m) of it; the slip at the beginning is that of free flight, spin included.
TEST_CASE("contact events: the slip of a sliding collision at its beginning and its end") {
  constexpr Real mu = 0.1, h = 2e-5;
  Scenario s = on_wall(0.03 * speed);
  s.contact["friction"] = mu;
  s.gravity = {0.3, 0, 0};  // along the floor
  s.grain[0].velocity = {3, 4, -speed}, s.grain[0].spin = {0, 20, 0};
  s.step = h, s.end = 0.05;
  const std::vector<ContactEvent> all = events_of(s);
  REQUIRE(all.size() == 1);
  const ContactEvent& e = all[0];
  REQUIRE(e.parted == 1);
  const Vector before{3 + 0.3 * e.began - 20 * radius, 4, 0};  // the lowest point moves with v + w x (-r z)
  CHECK(norm(e.approach_slip - before) < 1e-9);
  const Vector change = e.separation_slip - e.approach_slip - Vector{0.3 * e.duration, 0, 0};
  const Real lever = 1 - pi / 4 * speed * std::sqrt(mass / stiffness) / radius;
  CHECK(norm(change) == doctest::Approx((1 + 2.5 * lever) * mu * 2 * speed).epsilon(1e-4));
  CHECK(dot(change, before) == doctest::Approx(-norm(change) * norm(before)).epsilon(1e-3));  // against the slip
}

TEST_CASE("contact events: a linear collision against its closed form, with orders") {
  for (const Real zeta : {0.0, 0.2}) {
    for (const bool wall : {false, true}) {
      CAPTURE(zeta);
      CAPTURE(wall);
      const Real m = wall ? mass : m_eff;
      const Collision exact = linear_collision(m, zeta);
      if (zeta == 0) {
        CHECK(exact.force == doctest::Approx(speed * std::sqrt(stiffness * m)));
        CHECK(exact.overlap == doctest::Approx(speed * std::sqrt(m / stiffness)));
        CHECK(exact.duration == doctest::Approx(pi * std::sqrt(m / stiffness)));
      }
      const auto collision = wall ? on_wall : head_on;
      const Errors coarse = errors_of(exact, collision, zeta, m, 25), fine = errors_of(exact, collision, zeta, m, 50);
      const auto order = [](Real a, Real b) { return std::log2(a / b); };
      CHECK(order(coarse.force, fine.force) > (zeta > 0 ? 2.7 : 3.7));
      CHECK(order(coarse.overlap, fine.overlap) > 3.7);
      CHECK(order(coarse.force_time, fine.force_time) > 1.7);
      CHECK(fine.force < (zeta > 0 ? 1e-4 : 1e-6));
      CHECK(fine.overlap < 1e-6);
      CHECK(fine.began < 1e-12);
      CHECK(fine.duration < 1e-5);
      CHECK(fine.approach < 1e-12);
      CHECK(fine.separation < 1e-5);
    }
  }
}

// With a scheme of second order the table has its order; its velocities are predicted within the step.
TEST_CASE("contact events: a damped collision by velocity_verlet_predicted is of second order") {
  constexpr Real zeta = 0.2;
  const Collision exact = linear_collision(m_eff, zeta);
  const auto collision = [](Real gap) {
    Scenario s = head_on(gap);
    s.scheme = "velocity_verlet_predicted";
    return s;
  };
  const Errors coarse = errors_of(exact, collision, zeta, m_eff, 50),
               fine = errors_of(exact, collision, zeta, m_eff, 100);
  CHECK(std::log2(coarse.force / fine.force) > 1.8);
  CHECK(std::log2(coarse.separation / fine.separation) > 1.8);
  CHECK(fine.force < 1e-4);
  CHECK(fine.separation < 5e-4);
  CHECK(fine.approach < 1e-12);
}

// F = k d^1.5: (2/5) k d^2.5 = m v^2/2, and it takes 2 d/v times the integral of (1 - x^2.5)^-1/2 over [0, 1].
TEST_CASE("contact events: an elastic Hertz collision") {
  static constexpr Real k = 1e6;  // [N/m^1.5]
  const Real deepest = std::pow(5 * m_eff * speed * speed / (4 * k), 0.4);
  const Collision exact{k * std::pow(deepest, 1.5), 0, deepest, 2.943275 * deepest / speed, 1};
  const auto collision = [](Real gap) {
    Scenario s = head_on(gap);
    s.law = "kuwabara_kono";
    s.contact["stiffness"] = k;
    s.contact["damping"] = 0;
    return s;
  };
  const Errors e = errors_of(exact, collision, 0, m_eff, 50);
  CHECK(e.force < 1e-4);
  CHECK(e.overlap < 1e-4);
  CHECK(e.duration < 1e-4);
  CHECK(e.approach < 1e-12);
  CHECK(e.separation < 1e-4);
}

// central_difference keeps its velocities half a step behind; position_verlet ends with a drift.
TEST_CASE("contact events: a fall onto a floor that rises meets it when and as fast as ballistics says") {
  constexpr Real g = 9.81, drop = 0.1, rises = 0.3;
  for (const char* scheme : {"rk4", "velocity_verlet", "central_difference", "position_verlet", "dormand_prince54"}) {
    CAPTURE(std::string(scheme));
    Scenario s = on_wall(drop);
    s.scheme = scheme;
    s.gravity = {0, 0, -g};
    s.grain[0].velocity = {};
    s.walls[0].motion.velocity = {0, 0, rises};
    s.step = 2e-4;
    s.end = 0.25;
    const std::vector<ContactEvent> all = events_of(s);
    REQUIRE(all.size() == 1);
    const Real began = (std::sqrt(rises * rises + 2 * g * drop) - rises) / g, v = g * began + rises;
    CHECK(all[0].second == -1);
    CHECK(std::fabs(all[0].began / began - 1) < 1e-12);
    CHECK(std::fabs(all[0].approach_speed / v - 1) < 1e-12);
    // Weight shifts the oscillation, which stays harmonic.
    const Real sag = mass * g / stiffness, omega = std::sqrt(stiffness / mass);
    const Real deepest = sag + std::sqrt(sag * sag + v * v / (omega * omega));
    const Real error = scheme == std::string("rk4") ? 1e-5 : 1e-3;
    CHECK(std::fabs(all[0].peak_overlap / deepest - 1) < error);
    CHECK(std::fabs(all[0].peak_force / (stiffness * deepest) - 1) < error);
    CHECK(std::fabs(all[0].separation_speed / v - 1) < error);
  }
}

// Both fall; the load alone brings the lid nearer, at b = F/M. In the elastic contact, too, b only shifts the
// oscillation.
TEST_CASE("contact events: a lid under a load meets a grain, and leaves it, when and as fast as ballistics says") {
  constexpr Real lid = 0.05, load = 10, gap = 1e-3, b = load / lid;
  for (const char* scheme : {"rk4", "velocity_verlet", "central_difference", "position_verlet", "dormand_prince54"}) {
    CAPTURE(std::string(scheme));
    Scenario s = on_wall(0);
    s.scheme = scheme;
    s.gravity = {0, 0, -9.81};
    s.grain[0].position = {0, 0, -radius - gap}, s.grain[0].velocity = {};
    s.walls = {{.name = "lid",
                .shape = PlaneWall{.point = {}, .normal = {0, 0, -1}},
                .load = LoadSpec{.mass = lid, .axes = "z", .force = {0, 0, -load}}}};
    s.step = 7e-5;
    s.end = 0.012;
    const std::vector<ContactEvent> all = events_of(s);
    REQUIRE(!all.empty());
    const ContactEvent& e = all[0];
    REQUIRE(e.parted == 1);
    const Real began = std::sqrt(2 * gap / b), v = b * began, omega2 = stiffness * (1 / mass + 1 / lid),
               sag = b / omega2;
    CHECK(std::fabs(e.began / began - 1) < 1e-12);
    CHECK(std::fabs(e.approach_speed / v - 1) < 1e-12);
    const Real error = scheme == std::string("rk4") ? 1e-5 : 1e-3;
    CHECK(std::fabs(e.separation_speed / v - 1) < error);
    CHECK(std::fabs(e.peak_overlap / (sag + std::sqrt(sag * sag + v * v / omega2)) - 1) < error);
  }
}

TEST_CASE("contact events: two faces of one box are two contacts") {
  Scenario s = head_on(0);
  s.walls = {{.name = "other", .shape = PlaneWall{{0, 0, -9}}},
             {.name = "box", .shape = BoxWall{.low = {0, 0, 0}, .high = {1, 1, 1}}}};
  // It reaches the face at x = 0 after 20 ms, the floor 1 ms later, while it still touches the face.
  s.grain = {{.position = {radius + 0.01, 0.5, radius + 0.0105},
              .velocity = {-speed, 0, -speed},
              .radius = radius,
              .mass = mass}};
  s.step = 1e-4;
  s.end = 0.05;
  const std::vector<ContactEvent> all = events_of(s);
  REQUIRE(all.size() == 2);
  const Real lasts = pi * std::sqrt(mass / stiffness);
  for (int k = 0; k < 2; ++k) {
    CHECK(all[k].first == 0);
    CHECK(all[k].second == -2);
    CHECK(all[k].began == doctest::Approx(0.02 + k * 0.001).epsilon(1e-9));
    CHECK(all[k].duration == doctest::Approx(lasts).epsilon(1e-5));
  }
}

TEST_CASE("contact events: one taken away and one that stands are told from those that part") {
  Scenario s = on_wall(0.01);
  s.step = 1e-4;
  s.walls[0].name = "floor";
  GrainSpec other = s.grain[0];
  other.position.x = 1;
  other.position.z += 0.0025;  // 5 ms later
  s.grain.push_back(other);
  RemovalSpec removal;
  removal.name = "gone";
  removal.region.kind = RegionSpec::Kind::box;
  removal.region.low = {-0.5, -0.5, -1}, removal.region.high = {0.5, 0.5, 1};
  removal.from = 0.024;
  s.removals = {removal};
  s.end = 0.03;
  const std::vector<ContactEvent> all = events_of(s);
  REQUIRE(all.size() == 2);
  const Real ends[] = {0.024, 0.03};
  for (int k = 0; k < 2; ++k) {
    CHECK(all[k].first == k);
    CHECK(all[k].parted == 0);
    CHECK(std::isnan(all[k].separation_speed));
    CHECK(all[k].began + all[k].duration == doctest::Approx(ends[k]).epsilon(1e-9));
    CHECK(all[k].approach_speed == doctest::Approx(speed));
  }
}

}  // namespace
}  // namespace cairn
