// The spring in closed form against a fine integration of its equation.
#include "cairn/contact/spring_drift.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cairn/core/hash.hpp"
#include "cairn/core/lanes.hpp"

using namespace cairn;

namespace {

// Two grains on given paths, which turn about each other, slide, roll and twist.
struct Paths {
  Real ri, rj;
  Real most;  // [m] scale of the limit of the spring; it varies

  Vector d(Real t) const {
    const Real size = ri + rj;
    return size * Vector{0.55 + 0.14 * t + 0.1 * std::sin(1.3 * t), 0.5 - 0.12 * std::sin(t),
                         0.63 + 0.05 * t - 0.1 * (1 - std::cos(t))};
  }
  Vector wi(Real t) const { return {1.5 * std::cos(t), 1.1 * t - 0.4, 0.8 + 0.3 * t}; }
  Vector wj(Real t) const { return {0.7 - t, 0.9 * std::cos(1.2 * t), -0.5 + 1.4 * t}; }
  Real limit(Real t) const { return most * (1 + 0.5 * std::sin(3 * t)); }

  Real overlap(Real t) const { return ri + rj - norm(d(t)); }
  Vector n(Real t) const { return (1 / norm(d(t))) * d(t); }
  Vector u(Real t) const {
    constexpr Real e = 1e-5;
    return (-1 / (2 * e)) * (d(t + e) - d(t - e));
  }
  Vector slip_rate(Real t) const {
    const Vector sum = wi(t) + wj(t), lever_spin = ri * wi(t) + rj * wj(t) - 0.5 * overlap(t) * sum;
    return u(t) - dot(u(t), n(t)) * n(t) + cross(lever_spin, n(t));
  }
  Vector beginning() const {  // [m] slides from the first instant, or never
    const Vector slip = slip_rate(0);
    return most < 1 ? (limit(0) / norm(slip)) * slip : Vector{};
  }
  Vector spin(Real t) const { return (1 / norm(d(t))) * cross(u(t), n(t)) + 0.5 * dot(wi(t) + wj(t), n(t)) * n(t); }
};

struct Spring {
  Vector xi{};
  Real heat = 0;
};

constexpr Real duration = 1;

// In many steps, cut to the limit after each: an error of first order.
Spring reference(const Paths& of, int steps) {
  Spring s{of.beginning()};
  const Real h = duration / steps;
  for (int k = 0; k < steps; ++k) {
    const Real t = k * h;
    const auto rate = [&](Real at, const Vector& xi) { return of.slip_rate(at) + cross(of.spin(at), xi); };
    const Vector k1 = rate(t, s.xi), k2 = rate(t + 0.5 * h, s.xi + 0.5 * h * k1);
    const Vector k3 = rate(t + 0.5 * h, s.xi + 0.5 * h * k2), k4 = rate(t + h, s.xi + h * k3);
    const Vector before = s.xi + h * cross(of.spin(t + 0.5 * h), s.xi);
    s.xi = s.xi + (h / 6) * (k1 + 2 * (k2 + k3) + k4);
    const Real length = norm(s.xi), limit = of.limit(t + h);
    if (length <= limit) continue;
    const Vector kept = (limit / length) * s.xi;
    s.heat += 0.5 * dot(s.xi - kept, before + kept);
    s.xi = kept;
  }
  return s;
}
// Two of them extrapolated.
Spring reference(const Paths& of) {
  constexpr int steps = 20000;
  const Spring coarse = reference(of, steps), fine = reference(of, 2 * steps);
  return {2 * fine.xi - coarse.xi, 2 * fine.heat - coarse.heat};
}

Spring in_drifts(const Paths& of, int steps) {
  Spring s{of.beginning()};
  const Real h = duration / steps;
  for (int k = 0; k < steps; ++k) {
    const Real begin = k * h, end = begin + h, middle = begin + 0.5 * h;
    const Vector wi = of.wi(middle), wj = of.wj(middle);
    const Vector uneven = uneven_spin(of.ri, of.rj, wi - wj);
    const DriftedContact<Real> c{centre_line(of.d(end), of.ri, of.rj), (-1 / h) * (of.d(end) - of.d(begin)),
                                 0.5 * (of.ri + of.rj), wi + wj, &uneven};
    DriftedSpring<Real> drifted;
    spring_over_drift(h, s.xi, c, true, drifted);
    s.xi = drifted.trial;
    if (!(norm(s.xi) > of.limit(end))) continue;
    const SlidSpring<Real> slid = slid_spring(c.line.n, drifted, of.limit(end));
    s.xi = slid.xi, s.heat += slid.heat;
  }
  return s;
}

}  // namespace

TEST_CASE("a spring follows its contact to second order, sticking or sliding") {
  for (const Real most : std::array{1e9, 0.2})
    for (const Real size : std::array{1.0, 5.0, 20.0}) {
      const Paths of{1, size, most};
      const Spring exact = reference(of);
      const auto errors = [&](int steps) {
        const Spring s = in_drifts(of, steps);
        return std::pair{norm(s.xi - exact.xi), std::fabs(s.heat - exact.heat)};
      };
      const auto coarse = errors(300), fine = errors(600);
      INFO("limit ", most, ", sizes 1 : ", size, ", springs ", norm(exact.xi), " heat ", exact.heat);
      CHECK(std::log2(coarse.first / fine.first) > 1.95);
      if (most < 1) CHECK(std::log2(coarse.second / fine.second) > 1.95);
    }
}

TEST_CASE("slip never cools, nor turns a spring against its slip, whatever the limit") {
  std::uint64_t drawn = 0;
  const auto random = [&] { return 2 * random_uniform(5, 0, drawn++) - 1; };
  for (int k = 0; k < 100000; ++k) {
    const Real size = std::pow(10, 3 * random());
    DriftedSpring<Real> s{{random(), random(), random()}, 0, size * Vector{random(), random(), random()}};
    const Real limit = k % 5 == 0 ? 0 : norm(s.trial) * std::fabs(random());
    if (k % 7 == 0) s.old = {};
    if (k % 11 == 0) s.trial = -1 * s.old;
    if (!(norm(s.trial) > limit)) continue;
    const SlidSpring<Real> slid = slid_spring(Vector{0, 0, 1}, s, limit);
    CHECK(slid.heat >= 0);
    CHECK(dot(slid.xi, s.trial) >= 0);
    CHECK(norm(slid.xi) == doctest::Approx(limit).epsilon(1e-14));
  }
}

TEST_CASE("a spring slides as it does alone, beside any others in its pack") {
  const Vector n{0, 0, 1};
  struct Case {
    DriftedSpring<Real> spring;
    Real limit;
  };
  const Vector along{0.3, -0.2, 0.1}, across{0.1, 0.4, -0.2};
  const Case cases[] = {{{along, 0.2, across}, 1},         // sticks
                        {{along, 0.2, across}, 0.2},       // slides and turns
                        {{20 * along, 0, along}, 0.1},     // slides where a trapezoid is too coarse
                        {{along, 0.2, across}, 0},         // without friction
                        {{{}, 0, {}}, 0.1},                // neither spring nor slip
                        {{-1 * across, 0, across}, 1e-9},  // the other way round
                        {{1e-3 * along, 0.5, 1e3 * across}, 1e-3}};
  for (const Case& a : cases)
    for (const Case& b : cases) {
      const auto lanes = [&](auto&& of) {
        Lanes::Part part;
        for (int l = 0; l < lane_count; ++l) part[l] = of(l % 2 == 0 ? a : b);
        return Lanes(part);
      };
      const auto vectors = [&](auto&& of) {
        return Vec3<Lanes>{lanes([&](const Case& c) { return of(c).x; }), lanes([&](const Case& c) { return of(c).y; }),
                           lanes([&](const Case& c) { return of(c).z; })};
      };
      const SlidSpring<Lanes> pack =
          slid_spring({Lanes(n.x), Lanes(n.y), Lanes(n.z)},
                      DriftedSpring<Lanes>{vectors([](const Case& c) { return c.spring.old; }),
                                           lanes([](const Case& c) { return c.spring.twist; }),
                                           vectors([](const Case& c) { return c.spring.trial; })},
                      lanes([](const Case& c) { return c.limit; }));
      for (int l = 0; l < lane_count; ++l) {
        const Case& c = l % 2 == 0 ? a : b;
        const SlidSpring<Real> alone = slid_spring(n, c.spring, c.limit);
        CHECK(Vector{pack.xi.x[l], pack.xi.y[l], pack.xi.z[l]} == alone.xi);
        CHECK(pack.heat[l] == alone.heat);
      }
    }
}
