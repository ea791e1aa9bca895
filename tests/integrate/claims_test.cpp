// Every claim of every scheme, measured on toys, and the orders of the tables of Runge-Kutta methods.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "cairn/analysis/stability.hpp"
#include "cairn/analysis/toys/toy_cases.hpp"
#include "cairn/integrate/schemes/all.hpp"
#include "cairn/run/registry.hpp"
#include "integrate/order_conditions.hpp"

using namespace cairn;
using namespace cairn::toys;

namespace {

// How far the mean energy of the undriven Duffing oscillator moves in 1e5 steps, relative to its own swing.
Real energy_drift(const ToyScheme& scheme) {
  constexpr int steps = 100'000, window = 10'000;
  constexpr Real h = 0.1;
  const Duffing law{.cubic = 1};
  Toy toy(law, conservative_case().start);
  toy.controller().tolerance = any_error;
  Real low = std::numeric_limits<Real>::infinity(), high = -low, first = 0, last = 0;
  for (int k = 0; k < steps; ++k) {
    scheme.advance(toy, h);
    const Real e = law.energy(synchronised(toy, scheme.staggered, h));
    if (!(e < 1e6)) return std::numeric_limits<Real>::infinity();
    if (k < window) first += e, low = std::min(low, e), high = std::max(high, e);
    if (k >= steps - window) last += e;
  }
  if (last < 0.5 * first) return std::numeric_limits<Real>::infinity();  // comes to rest
  return std::fabs(last - first) / window / (high - low);
}

// A step, the velocities turned round, a step: how far from where it began, velocities turned back. On a conservative
// force and in the middle of a motion. Staggered velocities are turned where they stand: half a step on, seen
// backwards.
Real way_back(const ToyScheme& scheme) {
  constexpr Real h = 0.4;  // so large that no order takes a scheme back by mere accuracy
  Toy toy(Duffing{.cubic = 1}, conservative_case().start);
  toy.controller().tolerance = any_error;
  for (int k = 0; k < 10; ++k) scheme.advance(toy, h);
  const BodyMotion<Real> start{toy.state().body.at(BodyRow::x, 0), toy.state().body.at(BodyRow::v, 0), {}};
  const auto turn = [&] { toy.state().body.set(BodyRow::v, 0, -toy.state().body.at(BodyRow::v, 0)); };
  if (scheme.staggered) {
    // x_n, v_{n-1/2} goes to x_{n+1}, v_{n+1/2}; backwards from x_n with -v_{n+1/2} it must come to x_{n-1},
    // -v_{n-1/2}.
    scheme.advance(toy, h);
    const Vector after = toy.state().body.at(BodyRow::v, 0);
    Toy back(Duffing{.cubic = 1}, {start.x, -after, {}});
    back.kick(0.5 * h);  // the first step takes half a kick away
    scheme.advance(back, h);
    return norm(back.state().body.at(BodyRow::v, 0) + start.v) +
           norm(back.state().body.at(BodyRow::x, 0) + h * start.v - start.x);
  }
  scheme.advance(toy, h);
  turn();
  toy.force(0, StageKind::stage);
  scheme.advance(toy, h);
  turn();
  return norm(toy.state().body.at(BodyRow::x, 0) - start.x) + norm(toy.state().body.at(BodyRow::v, 0) - start.v);
}

struct Figures {
  Claims claims;
  Convergence order, damped, spring, sliding;
  Real evaluations;  // per step
  int memory, memory_read;
  Real drift, way_back, excursion;
};

Figures measure(const SchemeEntry& e) {
  Figures f{};
  f.claims = e.claims;
  const ToyScheme& scheme = e.toy;
  const auto order = [&](const Case& c) { return c.convergence(scheme, 16384 / e.claims.force_evaluations); };
  f.order = order(cases().conservative);
  f.damped = order(cases().damped);
  f.spring = order(cases().spring);
  f.sliding = order(cases().sliding);
  f.drift = energy_drift(scheme);
  f.way_back = way_back(scheme);

  Toy toy(conservative_case().law, conservative_case().start);  // without a dashpot to solve for
  toy.controller().tolerance = any_error;
  constexpr Real h = 0.01;
  for (int k = 0; k < 8; ++k) scheme.advance(toy, h);
  constexpr int steps = 10;
  if (!e.splitting) toy.controller().solver_tolerance = any_error;  // one iteration is enough
  toy.body.evaluations = 0;
  for (int k = 0; k < steps; ++k) {
    const Real begin = toy.body.earliest = toy.body.latest = toy.state().time;
    scheme.advance(toy, h);
    f.excursion = std::max({f.excursion, (begin - toy.body.earliest) / h, (toy.body.latest - begin) / h - 1});
  }
  f.evaluations = static_cast<Real>(toy.body.evaluations) / steps;

  Amplifier amplifier(scheme, 0.1);
  const Amplification matrix = amplifier(h);
  f.memory = amplifier.memories();
  for (int i = 0; i < f.memory; ++i) {
    bool read = false;
    for (int row = 0; row < matrix.size; ++row) read |= matrix(row, 4 + 2 * i) != 0 || matrix(row, 5 + 2 * i) != 0;
    f.memory_read += read;
  }
  return f;
}

std::string row(const Figures& f) {
  char line[512];
  std::snprintf(line, sizeof line,
                "\n%-26s order  damped  spring sliding  calls memory   drift    back  beyond"
                "\n%-26s%6.3f%8.3f%8.3f%8.3f%7.3g%7d%8.1g%8.1g%8.4f"
                "\n%-26s%6.3f%8.3f%8.3f%8.3f",
                "measured", std::string(f.claims.name).c_str(), f.order.order, f.damped.order, f.spring.order,
                f.sliding.order, f.evaluations, f.memory_read, f.drift, f.way_back, f.excursion, "in the limit",
                f.order.limit, f.damped.limit, f.spring.limit, f.sliding.limit);
  return line;
}

}  // namespace

TEST_CASE("the toys' references agree with another method and with the closed form") {
  const auto differs = [](const Case& c) {
    return distance(c.run(toy_scheme<schemes::Rk4>(), 20000), c.exact.outcome);
  };
  CHECK(differs(cases().conservative) < 2e-11);
  CHECK(differs(cases().spring) < 1e-11);
  CHECK(differs(cases().sliding) < 1e-11);
  CHECK(differs(cases().damped) < 1e-12);
}

TEST_CASE("every scheme keeps its claims") {
  for (const SchemeEntry& e : scheme_catalogue()) {
    const Figures f = measure(e);
    const Claims& c = f.claims;
    INFO(row(f));
    CHECK(f.order.keeps(c.order));
    CHECK(f.damped.keeps(c.order_damped));
    CHECK(f.spring.keeps(c.order_spring));
    CHECK(f.sliding.keeps(c.order_sliding));
    CHECK(f.evaluations == c.force_evaluations);  // all of them, those that close a step included
    CHECK(f.memory == c.memory);                  // what a restart saves
    CHECK(f.memory_read == c.memory);
    CHECK((f.drift < 0.02) == c.symplectic);
    CHECK((f.way_back < 1e-11) == c.reversible);
    CHECK(std::fabs(f.excursion - c.excursion) <= 1e-9);
  }
}

TEST_CASE("A-stable schemes make no damped oscillator grow at any step, all others some") {
  for (const SchemeEntry& e : scheme_catalogue()) {
    Real largest = 0, at = 0, of = 0;
    for (const Real zeta : {0.0, 0.1, 1.0, 10.0}) {
      Amplifier amplifier(e.toy, zeta);
      // h omega from 1e-2 to 1e4: the double root of critical damping comes so near 1 beyond that round-off decides.
      for (int k = -8; k <= 16; ++k) {
        const Real h_omega = std::pow(10, 0.25 * k), radius = spectral_radius(amplifier(h_omega));
        if (radius > largest) largest = radius, at = h_omega, of = zeta;
      }
    }
    INFO(e.name, ": ", largest, " at h omega = ", at, ", zeta = ", of);
    CHECK((largest <= 1 + 1e-9) == e.claims.a_stable);
  }
}

TEST_CASE("a free body flies straight at its own velocity in every scheme") {
  for (const SchemeEntry& e : scheme_catalogue()) {
    INFO(e.name);
    const BodyMotion<Real> start{{1, -2, 3}, {0.3, 0.7, -0.9}, {4, 5, 6}};
    Toy toy(Oscillator{.stiffness = 0, .damping = 0}, start);
    toy.controller().tolerance = any_error;
    for (int k = 0; k < 100; ++k) e.toy.advance(toy, 0.25);
    CHECK(toy.state().body.at(BodyRow::v, 0) == start.v);
    CHECK(toy.state().body.at(BodyRow::w, 0) == start.w);
    CHECK(norm(toy.state().body.at(BodyRow::x, 0) - (start.x + 25.0 * start.v)) <
          1e-13 * (e.claims.symplectic ? e.claims.force_evaluations : 1));  // each drift rounds
    CHECK(toy.state().time == 25);
  }
}

TEST_CASE("series are the Taylor coefficients of the motion") {
  // Four coefficients and a fifth of the positions alone: velocities to h^5, positions to h^6.
  const Case c = spring_case();
  const auto errors = [&](Real h) {
    Toy toy(c.law, c.start);
    const auto scratch = toy.borrow(6);
    State* k[] = {&scratch[0], &scratch[1], &scratch[2], &scratch[3], &scratch[4]};
    toy.series(toy.state(), 4, k, h);
    const Term terms[] = {{h, k[0]}, {h * h, k[1]}, {h * h * h, k[2]}, {h * h * h * h, k[3]}, {std::pow(h, 5), k[4]}};
    State& there = scratch[5];
    toy.combine(there, toy.state(), terms, StatePart::everything);
    for (int n = 0; n < 100; ++n) runge_kutta::step(toy, schemes::Rk4::tableau, h / 100);
    const auto off = [&](int row) { return norm(there.body.at(row, 0) - toy.state().body.at(row, 0)); };
    return std::array{off(BodyRow::x), off(BodyRow::v), off(BodyRow::w),
                      norm(there.bond.at(0, 0) - toy.state().bond.at(0, 0)), std::fabs(there.time - toy.state().time)};
  };
  const auto coarse = errors(0.04), fine = errors(0.02);
  CHECK(std::log2(coarse[0] / fine[0]) == doctest::Approx(6).epsilon(0.05));
  for (int k : {1, 2, 3}) CHECK(std::log2(coarse[k] / fine[k]) == doctest::Approx(5).epsilon(0.05));
  CHECK(fine[4] < 1e-15);
}

TEST_CASE("series of any order: the coefficients of a damped oscillator follow its recurrence") {
  // (n + 1)(n + 2) x_{n+2} + 2 zeta (n + 1) x_{n+1} + x_n = 0.
  constexpr Real zeta = 0.15;
  const BodyMotion<Real> start = damped_case().start;
  Toy toy(Oscillator{.stiffness = 1, .damping = 2 * zeta}, start);
  const auto scratch = toy.borrow(most_series_orders);
  State* k[most_series_orders];
  for (int n = 0; n < most_series_orders; ++n) k[n] = &scratch[n];
  toy.series(toy.state(), most_series_orders, k, 0.1);
  Vector x = start.x, next = start.v;  // coefficients n and n + 1
  for (int n = 0; n < most_series_orders; ++n) {
    const Vector after = (-1.0 / ((n + 1) * (n + 2))) * (x + 2 * zeta * (n + 1) * next);
    CHECK(norm(k[n]->body.at(BodyRow::x, 0) - next) <= 1e-14 * norm(next));
    CHECK(norm(k[n]->body.at(BodyRow::v, 0) - Real(n + 2) * after) <= 1e-13 * norm(Real(n + 2) * after));
    x = next, next = after;
  }
}

TEST_CASE("where a fixed-point iteration diverges the step is refused in words, and the state is as it was") {
  for_each_scheme([](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::guess; }) {
      INFO(std::string(S::claims.name));
      const BodyMotion<Real> start = damped_case().start;
      Toy toy(Oscillator{.stiffness = 1, .damping = 0.1}, start);
      Exit code = Exit::ok;
      std::string words;
      try {
        advance<S>(toy, 4);  // h omega / sqrt(12) > 1
      } catch (const Error& e) {
        code = e.code(), words = e.what();
      }
      CHECK(code == Exit::guard);
      CHECK(words.find(
                "the stages of the step from t = 0 s did not converge in 100 iterations: the last iteration changed "
                "them by ") == 0);
      CHECK(words.find(" tolerances; take a smaller step, or gauss2_newton") != words.npos);
      CHECK(toy.state().body.at(BodyRow::x, 0) == start.x);
      CHECK(toy.state().body.at(BodyRow::v, 0) == start.v);
      CHECK(toy.steps() == 0);
    }
  });
}

TEST_CASE("the tables of Runge-Kutta methods meet the order conditions of their claims") {
  int counts[8] = {};
  for (const auto& tree : trees(schemes::Rk4::tableau, 7)) ++counts[tree.size];
  const int known[] = {0, 1, 1, 2, 4, 9, 20, 48};  // rooted trees, OEIS A000081
  for (int size = 1; size <= 7; ++size) CHECK(counts[size] == known[size]);
  for_each_scheme([](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::tableau; }) {
      INFO(std::string(S::claims.name));
      CHECK(order_of(S::tableau, S::tableau.b) == S::claims.order);
      if constexpr (S::claims.adaptive)  // the estimate is a difference of neighbouring orders
        CHECK(std::abs(order_of(S::tableau, S::tableau.embedded) - S::claims.order) == 1);
    }
  });
}
