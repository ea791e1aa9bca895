// The solvers of hard contacts, on bodies and contacts alone.
#include "cairn/hard/impulses.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/hard/dynamics.hpp"
#include "cairn/hard/projection.hpp"

using namespace cairn;
using namespace cairn::hard;

namespace {

Body ball(Real mass, const Vector& velocity, Real radius = 0) {
  const Real inertia = 0.4 * mass * radius * radius;
  return {velocity, {}, {1 / mass, 1 / mass, 1 / mass}, radius > 0 ? 1 / inertia : 0};
}

// Touching, in a row along x; each contact is ready for a solver.
std::vector<Contact> row_of(std::span<const Body> bodies, Real restitution, Real friction = 0, Real radius = 0) {
  std::vector<Contact> contacts;
  for (int i = 0; i + 1 < std::ssize(bodies); ++i) {
    Contact c{.i = i, .j = i + 1, .n = {1, 0, 0}, .lever_i = radius, .lever_j = radius};
    c.restitution = restitution, c.friction = friction;
    c.before = relative_velocity(bodies, c);
    contacts.push_back(c);
  }
  prepare(bodies, contacts);
  return contacts;
}

Real energy(std::span<const Body> bodies) {
  Real sum = 0;
  for (const Body& b : bodies) {
    if (b.inverse_mass.x > 0) sum += 0.5 / b.inverse_mass.x * dot(b.v, b.v);
    if (b.inverse_inertia > 0) sum += 0.5 / b.inverse_inertia * dot(b.w, b.w);
  }
  return sum;
}
Real momentum(std::span<const Body> bodies) {
  Real sum = 0;
  for (const Body& b : bodies) sum += b.v.x / b.inverse_mass.x;
  return sum;
}

}  // namespace

TEST_CASE("impulses: two balls collide as Newton's restitution says, by every solver") {
  for (const Real e : {0.0, 0.4, 1.0}) {
    const std::vector<Body> start{ball(2, {3, 0, 0}), ball(5, {-1, 0, 0})};
    const Real before = energy(start);
    // v_1' = v_1 - (1 + e) m_2/(m_1 + m_2) (v_1 - v_2); the energy lost is (1 - e^2) m_eff u^2/2.
    const Real first = 3 - (1 + e) * 5.0 / 7 * 4, lost = 0.5 * (1 - e * e) * 10.0 / 7 * 16;
    for (const int solver : {0, 1, 2}) {
      std::vector<Body> bodies = start;
      std::vector<Contact> contacts = row_of(bodies, e);
      const Outcome o = solver == 0   ? simultaneous_impulses(bodies, contacts)
                        : solver == 1 ? sequential_impulses(bodies, contacts, 1e-12, 10)
                                      : contact_dynamics(bodies, contacts, {1e-3, 1e-12, 10});
      CAPTURE(e);
      CAPTURE(solver);
      CHECK(o.converged);
      CHECK(bodies[0].v.x == doctest::Approx(first).epsilon(1e-14));
      CHECK(momentum(bodies) == doctest::Approx(1).epsilon(1e-14));
      CHECK(o.work.inelastic == doctest::Approx(lost).epsilon(1e-13));
      CHECK(energy(bodies) + o.work.inelastic == doctest::Approx(before).epsilon(1e-14));
    }
  }
}

// Both bodies take the same number J, so round-off alone changes the sum P of m v: with u = 2^-53, a velocity v + w J
// errs by u |v'| + 2 u |w J|, and each m v and their sum by u again. |J| <= 2 S and S' <= 5 S, where S is the sum of |m
// v|, so a collision changes P by less than 25 u S = 2.8e-15 S. Contact dynamics takes J in a few parts.
TEST_CASE("impulses: a collision keeps the momentum to 25 units of round-off, which is below 1e-14") {
  std::uint64_t number = 0;
  const auto random = [&] { return random_uniform(21, 0, number++); };
  constexpr Real round_off = 0x1p-53;
  for (const int solver : {0, 1, 2}) {
    Real worst = 0;  // [-] of S
    for (int k = 0; k < 1000; ++k) {
      const auto mass = [&] { return std::pow(10, 6 * random() - 3); };
      std::vector<Body> bodies{ball(mass(), {random(), 0, 0}), ball(mass(), {-random(), 0, 0})};
      std::vector<Contact> contacts = row_of(bodies, random());
      // In more digits, so that only the errors of the velocities count.
      const auto sum = [&](bool absolute) {
        long double p = 0;
        for (const Body& b : bodies) {
          const long double one = static_cast<long double>(b.v.x) / b.inverse_mass.x;
          p += absolute ? std::fabs(one) : one;
        }
        return p;
      };
      const long double before = sum(false), size = sum(true);
      if (solver == 0)
        simultaneous_impulses(bodies, contacts);
      else if (solver == 1)
        sequential_impulses(bodies, contacts, 1e-12, 10);
      else
        contact_dynamics(bodies, contacts, {1e-3, 1e-12, 10});
      worst = std::max(worst, static_cast<Real>(std::fabs(sum(false) - before) / size));
    }
    CAPTURE(solver);
    CHECK(worst > 0);
    CHECK(worst < 25 * round_off);
  }
}

TEST_CASE("impulses: the first ball of Newton's cradle stops, and the last one flies off") {
  std::vector<Body> bodies(5, ball(1, {}));
  bodies[0].v.x = 2;
  std::vector<Contact> contacts = row_of(bodies, 1);
  const Outcome o = sequential_impulses(bodies, contacts, 1e-12, 100);
  CHECK(o.converged);
  for (int i = 0; i < 4; ++i) CHECK(std::fabs(bodies[i].v.x) < 1e-14);
  CHECK(bodies[4].v.x == doctest::Approx(2));
}

TEST_CASE("impulses: a solver that runs out of sweeps says so") {
  std::vector<Body> bodies(5, ball(1, {}));
  bodies[4].v.x = -2;  // against the order of the contacts
  std::vector<Contact> contacts = row_of(bodies, 1);
  const Outcome o = sequential_impulses(bodies, contacts, 1e-12, 1);
  CHECK_FALSE(o.converged);
  CHECK(o.sweeps == 2);  // one more without rebounds

  // One sweep carries an impulse from the floor by one grain.
  std::vector<Body> column(20, ball(1, {-1, 0, 0}));
  column.insert(column.begin(), Body{});
  std::vector<Contact> below = row_of(column, 0);
  const Outcome few = contact_dynamics(column, below, {1e-3, 1e-9, 3});
  CHECK_FALSE(few.converged);
  CHECK(few.residual > 1e-9);
}

TEST_CASE("impulses: bodies that are apart, or move apart, take none") {
  for (const int solver : {0, 1, 2}) {
    std::vector<Body> bodies{ball(1, {-1, 0, 0}), ball(1, {1, 0, 0}), ball(1, {0, 0, 0})};
    std::vector<Contact> contacts = row_of(bodies, 1);
    contacts[1].gap = 0.1;  // is reached after 0.1 s
    const Outcome o = solver == 0   ? simultaneous_impulses(bodies, contacts)
                      : solver == 1 ? sequential_impulses(bodies, contacts, 1e-12, 10)
                                    : contact_dynamics(bodies, contacts, {1e-3, 1e-12, 10});
    CHECK(o.converged);
    CHECK(bodies[0].v.x == -1);
    CHECK(bodies[1].v.x == 1);
    CHECK(bodies[2].v.x == 0);
    CHECK(o.work.inelastic == 0);
  }
}

TEST_CASE("contact dynamics: a gap closes in one step, and an impact drives others together that rebound, too") {
  // A body without impact may come as near as its gap.
  std::vector<Body> near{ball(1, {3, 0, 0}), Body{}};
  std::vector<Contact> contacts = row_of(near, 0.5);
  contacts[0].gap = 1e-3, contacts[0].before = {};
  CHECK(contact_dynamics(near, contacts, {1e-3, 1e-12, 100}).converged);
  CHECK(near[0].v.x == doctest::Approx(1));
  // Bodies at rest sink in to their resting overlap, at most at `slowest`.
  for (const Real slowest : {5.0, 0.5}) {
    near[0].v.x = 3;
    contacts = row_of(near, 0.5);
    contacts[0].resting_overlap = 1e-3, contacts[0].slowest = slowest, contacts[0].before = {};
    CHECK(contact_dynamics(near, contacts, {1e-3, 1e-12, 100}).converged);
    CHECK(near[0].v.x == doctest::Approx(std::min(1.0, slowest)));
  }
  // Newton's cradle with e = 1: the last one flies off, although only the first pair approached.
  std::vector<Body> cradle(4, ball(1, {}));
  cradle[0].v.x = 2;
  std::vector<Contact> row = row_of(cradle, 1);
  const Real before = energy(cradle);
  CHECK(contact_dynamics(cradle, row, {1e-3, 1e-12, 1000}).converged);
  CHECK(energy(cradle) == doctest::Approx(before).epsilon(1e-9));
}

TEST_CASE("impulses: simultaneous ones never gain in a row of equal masses; three grains in a ring gain for e > 1/3") {
  // A row: the largest gain of any start is that of all contacts closing alike.
  for (const Real e : {0.3, 0.7, 1.0}) {
    std::vector<Body> bodies;
    for (int i = 0; i < 8; ++i) bodies.push_back(ball(1, {std::cos(1.7 * i * i), 0, 0}));
    std::vector<Contact> contacts = row_of(bodies, e);
    const Real before = energy(bodies);
    const Outcome o = simultaneous_impulses(bodies, contacts);
    CHECK(energy(bodies) <= before * (1 + 1e-14));
    CHECK(energy(bodies) + o.work.inelastic == doctest::Approx(before).epsilon(1e-13));
  }
  // A ring of three that all approach its centre at v: each takes from two contacts the impulse (1 + e) m u/2 with the
  // approach u = sqrt(3) v, which adds up to (1 + e) 3/2 m v. So v' = -(1 + 3 e)/2 v, and |v'| > v for e > 1/3.
  for (const Real e : {0.2, 1.0 / 3, 0.6}) {
    std::vector<Body> bodies;
    std::vector<Vector> at;
    for (int i = 0; i < 3; ++i) {
      const Real angle = 2 * M_PI * i / 3;
      at.push_back({std::cos(angle), std::sin(angle), 0});
      bodies.push_back(ball(1, -at[i]));
    }
    std::vector<Contact> contacts;
    for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      Contact c{.i = i, .j = j, .n = (1 / norm(at[j] - at[i])) * (at[j] - at[i])};
      c.restitution = e;
      contacts.push_back(c);
    }
    prepare(bodies, contacts);
    const Outcome o = simultaneous_impulses(bodies, contacts);
    const Real expected = 0.5 * (1 + 3 * e);
    CHECK(norm(bodies[0].v) == doctest::Approx(expected).epsilon(1e-13));
    CHECK((o.work.inelastic < -1e-12) == (e > 0.34));
  }
}

TEST_CASE("impulses: friction stops the slip or is mu times the normal impulse") {
  constexpr Real radius = 0.1, mass = 2, down = 1, along = 3;
  for (const Real mu : {0.1, 2.0}) {
    for (const bool dynamics : {false, true}) {
      std::vector<Body> bodies{ball(mass, {down, along, 0}, radius), Body{}};
      std::vector<Contact> contacts = row_of(bodies, 0.5, mu, radius);
      contacts[0].lever_j = 0;
      prepare(bodies, contacts);
      const Real before = energy(bodies);
      const Outcome o = dynamics ? contact_dynamics(bodies, contacts, {1e-3, 1e-13, 200})
                                 : sequential_impulses(bodies, contacts, 1e-13, 200);
      CHECK(o.converged);
      CHECK(bodies[0].v.x == doctest::Approx(-0.5 * down));
      // A sphere sticks after 2/7 of its tangential speed has gone, if friction suffices.
      const Real p = 1.5 * mass * down, sticking = 2.0 / 7 * mass * along;
      const Real taken = std::min(sticking, mu * p);
      CHECK(bodies[0].v.y == doctest::Approx(along - taken / mass).epsilon(1e-12));
      CHECK(norm(bodies[0].w) == doctest::Approx(taken * radius / (0.4 * mass * radius * radius)).epsilon(1e-12));
      CHECK(energy(bodies) + o.work.inelastic + o.work.slip == doctest::Approx(before).epsilon(1e-13));
    }
  }
}

// Per impulse a sphere's surface changes by 7/2 of 1/m, and a wall by 1/M along the axes on which it moves. So slip
// along a free axis stops by the impulse s/(7/(2 m) + 1/M), along another one by 2 m s/7.
TEST_CASE("impulses: friction on a wall that moves along some axes stops the slip, or is mu times the normal impulse") {
  constexpr Real radius = 0.01, m = 0.01, M = 0.002, down = 0.5, slip_x = 0.1, slip_y = 0.07, e = 0.5;
  for (const Vector& axes : {Vector{0, 0, 1}, Vector{1, 0, 0}, Vector{0, 1, 1}})
    for (const Real mu : {0.01, 1.0}) {
      CAPTURE(axes);
      CAPTURE(mu);
      std::vector<Body> bodies{ball(m, {slip_x, slip_y, -down}, radius), Body{.inverse_mass = (1 / M) * axes}};
      std::vector<Contact> contacts{{.i = 0, .j = 1, .n = {0, 0, -1}, .lever_i = radius}};
      contacts[0].restitution = e, contacts[0].friction = mu;
      prepare(bodies, contacts);
      const Outcome o = sequential_impulses(bodies, contacts, 1e-13, 10);
      const Real normal = (1 + e) * down / (1 / m + axes.z / M);
      CHECK(contacts[0].normal == doctest::Approx(normal).epsilon(1e-14));
      const Vector sticks{slip_x / (3.5 / m + axes.x / M), slip_y / (3.5 / m + axes.y / M), 0};
      const Vector slides = mu * normal / std::hypot(slip_x, slip_y) * Vector{slip_x, slip_y, 0};
      CHECK(norm(contacts[0].tangential + (mu < 0.1 ? slides : sticks)) < 1e-13 * norm(sticks));
      const Vector after = relative_velocity(bodies, contacts[0]);
      if (mu > 0.1) CHECK(std::hypot(after.x, after.y) < 1e-15);
      CHECK(after.z == doctest::Approx(e * down).epsilon(1e-13));
      const Real before = 0.5 * m * (slip_x * slip_x + slip_y * slip_y + down * down);
      const Real now = 0.5 * m * dot(bodies[0].v, bodies[0].v) +
                       0.2 * m * radius * radius * dot(bodies[0].w, bodies[0].w) +
                       0.5 * M * dot(bodies[1].v, bodies[1].v);
      CHECK(now + o.work.inelastic + o.work.slip == doctest::Approx(before).epsilon(1e-13));
    }
}

// Where the wall moves across its normal, too, the normal impulse makes it slip. Nothing gains by it.
TEST_CASE("impulses: no collision with an oblique wall that moves along some axes gains energy") {
  std::uint64_t number = 0;
  const auto random = [&] { return 2 * random_uniform(22, 0, number++) - 1; };
  const auto vector = [&] { return Vector{random(), random(), random()}; };
  constexpr Real radius = 0.1;
  for (int k = 0; k < 1000; ++k) {
    const Vector axes{Real(k % 2), Real(k / 2 % 2), Real(k / 4 % 2)}, n = vector();
    const Real M = std::pow(10, 2 * random());
    std::vector<Body> bodies{ball(1, vector(), radius),
                             Body{.v = along_axes(axes, vector()), .inverse_mass = (1 / M) * axes}};
    bodies[0].w = 10 * vector();
    std::vector<Contact> contacts{{.i = 0, .j = 1, .n = (1 / norm(n)) * n, .lever_i = radius}};
    contacts[0].restitution = std::fabs(random()), contacts[0].friction = 1 + random();
    prepare(bodies, contacts);
    const auto energy_now = [&] {
      return 0.5 * dot(bodies[0].v, bodies[0].v) + 0.2 * radius * radius * dot(bodies[0].w, bodies[0].w) +
             0.5 * M * dot(bodies[1].v, bodies[1].v);
    };
    const Real before = energy_now();
    sequential_impulses(bodies, contacts, 1e-12, 100);
    CHECK(energy_now() <= before * (1 + 1e-14));
    CHECK(dot(relative_velocity(bodies, contacts[0]), contacts[0].n) < 1e-11);
  }
}

TEST_CASE("contact dynamics: a column at rest takes the impulses of its weight") {
  // Velocities -g h of a free fall, and nothing approached before: the impulse under grain i is the weight above it.
  constexpr int count = 20;
  constexpr Real g = 9.81, h = 0.01;
  std::vector<Body> bodies(count, ball(1, {-g * h, 0, 0}));
  bodies.insert(bodies.begin(), Body{});  // the floor
  std::vector<Contact> contacts;
  for (int i = 0; i < count; ++i) contacts.push_back({.i = i, .j = i + 1, .n = {1, 0, 0}});
  for (Contact& c : contacts) c.restitution = 0.9, c.slowest = 2 * g * h;
  prepare(bodies, contacts);
  const Outcome o = contact_dynamics(bodies, contacts, {h, 1e-10, 10'000});
  CHECK(o.converged);
  for (int i = 0; i < count; ++i) CHECK(contacts[i].normal == doctest::Approx((count - i) * g * h).epsilon(1e-6));
  // The solution is the first guess of the next step: one look suffices.
  for (int i = 1; i <= count; ++i) bodies[i].v = {-g * h, 0, 0};
  CHECK(contact_dynamics(bodies, contacts, {h, 1e-8, 10'000}).sweeps == 1);
}

TEST_CASE("projection: overlaps go in the ratio of inverse masses") {
  std::vector<Place> places{{{}, {1, 1, 1}}, {{}, {0.25, 0.25, 0.25}}, {}};
  const std::vector<Overlap> overlaps{
      {.i = 0, .j = 1, .line = {0.9, 0, 0}, .touching = 1, .factor = 0.5},
      {.i = 1, .j = 2, .line = {1, 0, 0}, .touching = -0.2, .at_wall = true, .factor = 1}};
  simultaneous_projection(places, overlaps);
  CHECK(places[0].shift.x == doctest::Approx(-0.5 * 0.1 * 0.8));
  CHECK(places[1].shift.x == doctest::Approx(0.5 * 0.1 * 0.2));
  CHECK(places[2].shift.x == 0);  // a wall stays
  // Overlap that may stay does.
  std::vector<Overlap> allowed{overlaps[0]};
  allowed[0].allowed = 0.04;
  places[0].shift = places[1].shift = {};
  simultaneous_projection(places, allowed);
  CHECK(places[1].shift.x - places[0].shift.x == doctest::Approx(0.5 * 0.06));
  places[0].shift = places[1].shift = {};
  sequential_projection(places, allowed, 1e-9, 1000);
  CHECK(places[1].shift.x - places[0].shift.x == doctest::Approx(0.06).epsilon(1e-7));
  // A body that overlaps a wall leaves it.
  std::vector<Place> by_wall{{{}, {1, 1, 1}}, {}};
  const std::vector<Overlap> sunk{
      {.i = 0, .j = 1, .line = {0, 0, -1}, .touching = 0.2, .at_wall = true, .factor = 0.5}};
  CHECK(sequential_projection(by_wall, sunk, 1e-9, 1000) < 100);
  CHECK(by_wall[0].shift.z == doctest::Approx(0.2).epsilon(1e-7));
  // To the end: the pair moves apart, until nothing is left, and not into the wall.
  places[0].shift = places[1].shift = {};
  CHECK(sequential_projection(places, overlaps, 1e-9, 1000) < 100);
  CHECK(places[1].shift.x - places[0].shift.x == doctest::Approx(0.1).epsilon(1e-7));
}
