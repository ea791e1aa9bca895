// Rolling and twisting resistance in the full engine: closed forms, orders, what is kept.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>

#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "world/steps.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

constexpr Real g = 9.81;

WorldSettings settings(const ContactSettings& contact, const Vector& gravity = {}, const std::string& law = "linear") {
  WorldSettings s;
  const auto same = [&](auto, auto) { return suited(law, contact); };
  s.laws = law_table(law, {Material{.young = 1e5, .poisson = 0.3}}, same);
  s.rolling = rolling_table(1, same);
  s.gravity = gravity;
  return s;
}

constexpr Real r = 0.01, m = 0.01, k = 1e4, inertia = 0.4 * m * r * r;

// A sphere on a plane z = 0 under gravity at this angle, sunk in as deep as it comes to rest.
World on_incline(ContactSettings contact, Real angle, const Vector& spin = {}, const Motion& motion = {},
                 bool onset = false) {
  contact["stiffness"] = k;
  WorldSettings s = settings(contact, {g * std::sin(angle), 0, -g * std::cos(angle)});
  add_plane(s, {}, {0, 0, 1}, motion);
  s.onset = onset;
  World w(s);
  w.insert(std::vector<GrainData>{
      {.position = {0, 0, r - m * g * std::cos(angle) / k}, .spin = spin, .radius = r, .mass = m}});
  w.begin();
  return w;
}

// Two spheres pressed together that roll and twist.
World pressed_pair(const std::string& law, Real rolling_friction, Real damping) {
  World w(settings({{"friction", 100},
                    {"restitution", damping > 0 ? std::optional(0.7) : std::nullopt},
                    {"stiffness", 1000},
                    {"rolling_friction", rolling_friction},
                    {"twisting_friction", rolling_friction},
                    {"rolling_stiffness_ratio", 2},
                    {"rolling_damping", damping},
                    {"twisting_damping", damping}},
                   {}, law));
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.3, 0.1, 0.2}, .spin = {3, -2, 4}, .radius = 0.05, .mass = 0.3},
      {.position = {0.06, 0.03, 0.06}, .velocity = {-0.2, 0.3, -0.1}, .spin = {-1, 5, 2}, .radius = 0.06, .mass = 0.5}};
  w.insert(grains);
  w.begin();
  return w;
}

// Spins [rad/s], and the spring of rolling in steps of a tenth of a millimetre.
std::vector<Real> rolling_of(const World& w) {
  std::vector<Real> a;
  for (const int i : by_id(w))
    for (int row = BodyRow::w; row < BodyRow::count; ++row) a.push_back(w.state().body.row(row)[i]);
  for (int row = BondRow::chi; row < w.state().bond.rows(); ++row) a.push_back(1e4 * w.state().bond.row(row)[0]);
  return a;
}

}  // namespace

TEST_CASE("without rolling resistance a state has no rows for it") {
  World w = linear_world({{"friction", 0.5}, {"stiffness", 1e3}});
  w.insert(std::vector<GrainData>{{.radius = 1, .mass = 1}});
  w.begin();
  CHECK(w.state().bond.rows() == 3);
  CHECK(w.current_rate().bond.rows() == 3);
  CHECK(pressed_pair("linear", 1, 0).state().bond.rows() == 6);
}

TEST_CASE("a sphere rolls down where the slope is above rolling_friction, at the closed form's acceleration") {
  const Real mu = 0.2;
  const ContactSettings contact{
      {"friction", 0.9}, {"restitution", 0.3}, {"tangential_damping", 2}, {"rolling_friction", mu}};
  for (const Real angle : {0.25, 0.4}) {
    World w = on_incline(contact, angle);
    advance(w, "velocity_verlet_predicted", 2e-5, 5000);
    const Real t = w.time(), v = w.velocity(0).x;
    advance(w, "velocity_verlet_predicted", 2e-5, 5000);
    // m a = m g sin - F, I a/r_c = F r_c - mu N r with r_c from centre to contact point.
    const Real normal = m * g * std::cos(angle), rc = r - normal / k;
    const Real a = (g * std::sin(angle) - mu * g * std::cos(angle) * r / rc) / (1 + inertia / (m * rc * rc));
    CHECK((w.velocity(0).x - v) / (w.time() - t) == doctest::Approx(a).epsilon(1e-8));
    CHECK(a == doctest::Approx(5.0 / 7 * g * (std::sin(angle) - mu * std::cos(angle))).epsilon(2e-3));
    CHECK(w.spin(0).y * rc == doctest::Approx(w.velocity(0).x).epsilon(1e-8));
    // What became heat is the torque times the angle, less what the spring has stored.
    CHECK(w.state().ledger[Channel::rolling] == doctest::Approx(mu * normal * w.position(0).x * r / rc).epsilon(0.01));
    CHECK(std::fabs(w.residual()) < 1e-4 * w.energies().kinetic);
  }
}

TEST_CASE("below rolling_friction it swings about rest as the two springs do, and with dashpots stops there") {
  const Real angle = 0.15, mu = 0.4;
  ContactSettings contact{
      {"friction", 0.9}, {"tangential_ratio", 0.5}, {"rolling_friction", mu}, {"rolling_stiffness_ratio", 0.3}};
  const Real kt = 0.5 * k, kr = 0.3 * kt, force = m * g * std::sin(angle), rc = r - m * g * std::cos(angle) / k;
  // m x'' = F - kt (x - rc a), I a'' = kt rc (x - rc a) - kr r^2 a: with x = X/sqrt(m), a = A/sqrt(I) a symmetric
  // matrix.
  const Real sm = std::sqrt(m), si = std::sqrt(inertia);
  const Real p = kt / m, q = -kt * rc / (sm * si), s = (kt * rc * rc + kr * r * r) / inertia;
  const Real half = 0.5 * (p - s), root = std::sqrt(half * half + q * q);
  const Real rest_a = force * rc / (kr * r * r), rest_x = force / kt + rc * rest_a;
  const auto exact = [&](Real t) {  // x, a
    Real x = rest_x, a = rest_a;
    for (const Real side : {1.0, -1.0}) {
      const Real squared = 0.5 * (p + s) + side * root;
      const Real u = q, v = squared - p, length2 = u * u + v * v;  // the mode
      const Real from = -(rest_x * sm * u + rest_a * si * v) / length2 * std::cos(std::sqrt(squared) * t);
      x += from * u / sm, a += from * v / si;
    }
    return std::pair{x, a};
  };
  const auto worst = [&](const std::string& scheme, int steps) {
    World w = on_incline(contact, angle);
    Real off = 0, turned = 0;
    for (int j = 0; j < steps; ++j) {
      const Real before = w.spin(0).y;
      advance(w, scheme, 0.02 / steps, 1);
      turned += 0.5 * (before + w.spin(0).y) * 0.02 / steps;
      off = std::max(off, std::fabs(w.position(0).x / exact(w.time()).first - 1) * (w.time() > 1e-3));
    }
    CHECK(turned == doctest::Approx(exact(0.02).second).epsilon(1e-3));
    return off;
  };
  CHECK(worst("rk4", 2000) < 1e-7);
  const Real coarse = worst("velocity_verlet_predicted", 500), fine = worst("velocity_verlet_predicted", 1000);
  CHECK(std::log2(coarse / fine) == doctest::Approx(2).epsilon(0.05));
  CHECK(fine < 2e-3);

  contact["rolling_damping"] = 5, contact["tangential_damping"] = 2;
  World w = on_incline(contact, angle);
  advance(w, "velocity_verlet_predicted", 2e-5, 10000);
  CHECK(norm(w.velocity(0)) < 1e-12);
  CHECK(w.position(0).x == doctest::Approx(rest_x).epsilon(1e-9));
  CHECK(w.energies().elastic ==
        doctest::Approx(0.5 * (force * force / kt + kr * r * r * rest_a * rest_a + k * (r - rc) * (r - rc))));
  const std::vector<ContactView> all = w.closed_contacts();
  CHECK(all[0].torque.y == doctest::Approx(-force * rc));
}

TEST_CASE("a top stops twisting when the closed form says, and the plane feels its torque") {
  const Real mu = 0.05, spin = 50, ratio = 0.5;
  const ContactSettings contact{{"friction", 0.5}, {"twisting_friction", mu}, {"twisting_stiffness_ratio", ratio}};
  const Real normal = m * g, kt = ratio * 2.0 / 7 * k, limit = mu * normal / kt;
  // The spring first: r w' = -(k r^2/I) spring; then a constant torque.
  const Real omega = std::sqrt(kt * r * r / inertia), amplitude = r * spin / omega;
  const Real yields = std::asin(limit / amplitude) / omega, left = spin * std::cos(omega * yields);
  const Real slowing = mu * normal * r / inertia, stops = yields + left / slowing;
  for (const char* scheme : {"velocity_verlet_predicted", "rk4", "adams_bashforth3", "taylor3"}) {
    INFO(std::string(scheme));
    World w = on_incline(contact, 0, {0, 0, spin});
    const Real h = 1e-5;
    Real before = 0;
    while (w.spin(0).z > 0) {
      before = w.spin(0).z;
      advance(w, scheme, h, 1);
      if (std::fabs(w.time() - 0.2) < h / 2) {
        CHECK(w.spin(0).z == doctest::Approx(left - slowing * (0.2 - yields)).epsilon(1e-4));
        CHECK(w.wall_loads()[0].torque.z == doctest::Approx(mu * normal * r).epsilon(1e-12));
      }
      REQUIRE(w.time() < 2 * stops);
    }
    const Real found = w.time() - h * w.spin(0).z / (w.spin(0).z - before);
    CHECK(found == doctest::Approx(stops).epsilon(1e-4));
    CHECK(w.state().ledger[Channel::rolling] + w.energies().elastic - 0.5 * normal * normal / k ==
          doctest::Approx(0.5 * inertia * spin * spin).epsilon(1e-4));
    CHECK(norm(w.velocity(0)) < 1e-12);
  }
}

TEST_CASE("a turntable takes a sphere along, and its work is in the ledger") {
  // Until the sphere turns with the table: I w = mu N r t.
  const Motion motion{.axis = {0, 0, 1}, .centre = {}, .rotation_rate = 20};
  for (const bool onset : {false, true}) {
    World w =
        on_incline({{"friction", 0.5}, {"twisting_friction", 0.05}, {"twisting_damping", 0.1}}, 0, {}, motion, onset);
    advance(w, "velocity_verlet_predicted", 2e-5, 2500);
    CHECK(w.spin(0).z == doctest::Approx(0.05 * m * g * r / inertia * w.time()).epsilon(2e-3));
    CHECK(std::fabs(w.residual()) < 1e-4 * w.state().ledger[Channel::external]);
    advance(w, "velocity_verlet_predicted", 2e-5, 40000);
    CHECK(w.spin(0).z == doctest::Approx(20).epsilon(1e-6));
    CHECK(w.state().ledger[Channel::external] ==
          doctest::Approx(inertia * 20 * 20).epsilon(1e-3));  // half of it is heat
  }
}

TEST_CASE("a rigidly rotating pair keeps the springs of rolling and twisting in its frame") {
  World w = pressed_pair("linear", 100, 0.3);
  const Vector turning{1, -2, 3}, chi{0.01, -0.02, 0.005};
  for (int i = 0; i < 2; ++i) {
    w.state().body.set(BodyRow::v, i, cross(turning, w.state().body.at(BodyRow::x, i)));
    w.state().body.set(BodyRow::w, i, turning);
  }
  w.state().bond.set(BondRow::chi, 0, chi);
  w.begin();
  CHECK(norm(w.current_rate().bond.at(BondRow::chi, 0) - cross(turning, chi)) < 1e-16);
  CHECK(w.current_rate().ledger[Channel::rolling] == 0);
}

TEST_CASE("a rolling pair converges with the orders of its schemes, sticking and slipping, and so does its ledger") {
  const Real end = 0.006;
  for (const char* law : {"linear", "hertz_mindlin"})
    for (const bool slips : {false, true})
      for (const char* scheme : {"symplectic_euler", "velocity_verlet_predicted", "velocity_verlet_implicit",
                                 "forest_ruth", "adams_bashforth3", "taylor4", "rk4"}) {
        const Claims& claims = scheme_named(scheme).claims;
        const Real damping = claims.order_damped < claims.order_spring ? 0 : 0.3;
        const Real order = slips ? claims.order_sliding : claims.order_spring;
        if (slips && claims.order_sliding < claims.order) continue;  // they find the end of each step's slip too late
        INFO(std::string(law), ", ", std::string(scheme), ", slips ", slips);
        const auto run = [&](const char* with, int steps) {
          World w = pressed_pair(law, slips ? 0.002 : 100, damping);
          advance(w, "rk4", 1e-5, 400);  // past the beginning of the slip, which schemes find to first order only
          advance(w, with, end / steps, steps);
          REQUIRE(w.contacts() == 1);
          return std::pair{rolling_of(w), std::fabs(w.residual())};
        };
        const auto best = run("rk4", 3200).first;
        const auto error = [&](const std::vector<Real>& a) {
          Real most = 0;
          for (std::size_t j = 0; j < a.size(); ++j) most = std::max(most, std::fabs(a[j] - best[j]));
          return most;
        };
        const int steps = (slips ? 4 : 1) * (order > 3 ? 25 : order > 2 ? 50 : 100);
        const auto [coarse, coarse_residual] = run(scheme, steps);
        const auto [fine, fine_residual] = run(scheme, 2 * steps);
        CHECK(std::log2(error(coarse) / error(fine)) > order - 0.2);
        if (claims.order_damped >= order && fine_residual > 1e-11)
          CHECK(std::log2(coarse_residual / fine_residual) > order - 0.2);
      }
}

TEST_CASE("momenta of a crowd that rolls are kept, beginnings and ends of contacts included") {
  for (const bool onset : {false, true})
    for (const char* scheme : {"velocity_verlet_predicted", "forest_ruth", "rk4", "adams_bashforth2"}) {
      INFO(std::string(scheme), ", onset ", onset);
      WorldSettings s = settings({{"friction", 0.4},
                                  {"restitution", 0.6},
                                  {"stiffness", 1000},
                                  {"rolling_friction", 0.2},
                                  {"twisting_friction", 0.1},
                                  {"rolling_damping", 0.05}});
      s.onset = onset;
      World w(s);
      std::vector<GrainData> grains;
      for (std::uint64_t j = 0; j < 30; ++j) {
        const auto random = [&](std::uint64_t q) { return random_uniform(5, j, q); };
        grains.push_back({.position = {0.3 * random(0), 0.3 * random(1), 0.3 * random(2)},
                          .velocity = {random(3) - 0.5, random(4) - 0.5, random(5) - 0.5},
                          .spin = {10 * random(6), 10 * random(7), 10 * random(8)},
                          .radius = 0.03 + 0.03 * random(9),
                          .mass = 0.1 + random(10)});
      }
      w.insert(grains);
      w.begin();
      const Momenta before = w.momenta();
      advance(w, scheme, 1e-4, 1000);
      const Momenta after = w.momenta();
      CHECK(w.contact_count().ended > 15);
      CHECK(w.state().ledger[Channel::rolling] > 1e-3);
      CHECK(norm(after.linear - before.linear) < 1e-13);
      CHECK(norm(after.angular - before.angular) < (std::string(scheme) == "rk4"             ? 1e-7
                                                    : scheme_named(scheme).claims.symplectic ? 1e-13
                                                                                             : 1e-3));
      CHECK(std::fabs(w.residual()) < 1e-3 * w.initial_energy());
    }
}

TEST_CASE("the spring of rolling begins where the contact does, not at the end of its step") {
  // Root mean square error of the spring in the middle of an impact, over where in a step that begins. The reference
  // has it begin between two steps.
  const auto error = [](const char* scheme, Real h) {
    Real sum = 0;
    constexpr int phases = 8;
    for (int phase = 0; phase < phases; ++phase) {
      const Real gap = 4e-4 * (phase + 0.5) / phases;
      const auto run = [&](const char* with, Real step, bool onset) {
        WorldSettings s = settings({{"friction", 0.5},
                                    {"stiffness", 1000},
                                    {"damping", 0.5},
                                    {"rolling_friction", 10},
                                    {"twisting_friction", 10},
                                    {"rolling_damping", 0.2}});
        s.onset = onset;
        World w(s);
        w.insert(std::vector<GrainData>{{.velocity = {0.5, 0, 0}, .spin = {3, 4, 5}, .radius = 0.05, .mass = 0.1},
                                        {.position = {0.1 + gap, 0, 0},
                                         .velocity = {-0.5, 0, 0},
                                         .spin = {-5, 2, 0},
                                         .radius = 0.05,
                                         .mass = 0.1}});
        w.begin();
        advance(w, with, step, static_cast<int>(std::lround(8e-3 / step)));
        REQUIRE(w.contacts() == 1);
        return w.state().bond.at(BondRow::chi, 0);
      };
      const Vector off = run(scheme, h, true) - run("rk4", 5e-6, true);
      sum += dot(off, off);
    }
    return std::sqrt(sum / phases);
  };
  for (const char* scheme : {"velocity_verlet_predicted", "heun2", "rk4", "adams_bashforth2"}) {
    INFO(std::string(scheme));
    const Real coarse = error(scheme, 4e-4), fine = error(scheme, 1e-4);
    CHECK(0.5 * std::log2(coarse / fine) > 1.7);
  }
}
