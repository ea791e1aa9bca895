// The oblique impact through the engine, against closed forms and against one-step maps of its normal motion.
#include "cairn/analysis/impact_runs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/studies/impact/impact.hpp"

namespace cairn {
namespace {

ImpactScheme scheme(const char* name) {
  return studies::impact_scheme(scheme_named(name));
}

Impact impact_at(Real degrees) {
  const Real alpha = degrees * pi / 180;
  return {{}, {3.85 * std::sin(alpha), 3.85 * std::cos(alpha)}};
}

// y'' = -(K y + gamma y')/m by a one-step method whose step is the polynomial sum (h A)^k / k! of so many terms.
struct Oscillator {
  Real y, v;

  void step(const Impact& impact, int terms, Real h) {
    const Real k = impact.contact.stiffness / impact.material.mass, g = impact.contact.damping / impact.material.mass;
    Oscillator term = *this, sum = *this;
    for (int j = 1; j <= terms; ++j) {
      term = {h / j * term.v, -h / j * (k * term.y + g * term.v)};
      sum.y += term.y, sum.v += term.v;
    }
    *this = sum;
  }
  bool over(const Impact& impact) const {
    return v < 0 && impact.contact.stiffness * y + impact.contact.damping * v <= 0;
  }
};

// The benchmark's equations of the normal motion as it prints them, each from the state it starts from; `end` says
// after each step whether it was the last.
class Printed {
 public:
  Printed(const Impact& impact, int n)
      : impact_(impact),
        h_(impact.contact.duration / n),
        k_(impact.contact.stiffness / impact.material.mass),
        g_(impact.contact.damping / impact.material.mass) {}

  template <class End>
  Oscillator khakimov(std::string_view which, Oscillator o, const End& end) const {
    const Real slope = -k_;  // da/dr
    Oscillator before{};
    Real a_before = 0;
    for (int step = 1;; ++step) {
      const Real a = acceleration(o);
      Oscillator next = o;
      if (which == "khakimov_t16") {
        next.y = o.y + o.v * h_ + a * h_ * h_ / 2 + slope * o.v * h_ * h_ * h_ / 6;
        next.v = (o.v + a * h_ + slope * o.v * h_ * h_ / 3) / (1 - slope * h_ * h_ / 6);
      } else if (step == 1) {
        next.step(impact_, 4, h_);
      } else {
        const Real divisor = 1 - slope * h_ * h_ / 12;
        if (which == "khakimov_t12")
          next.y = o.y + (o.v * h_ + (7 * a - a_before) * h_ * h_ / 12) / divisor;
        else
          next.y = before.y + (o.y - before.y + o.v * h_ + a * h_ * h_ / 2) / divisor;
        const Real after = acceleration({next.y, o.v + h_ * (1.5 * a - 0.5 * a_before)});
        next.v = o.v + (8 * a + 5 * after - a_before) * h_ / 12;
      }
      before = o, a_before = a, o = next;
      if (end(o, step)) return o;
    }
  }
  template <class End>
  Oscillator verlet(Oscillator o, const End& end) const {
    Oscillator before = o;
    o.step(impact_, 4, h_);
    for (int step = 1;; ++step) {
      if (end(o, step)) return o;
      const Real y = 2 * o.y - before.y + acceleration(o) * h_ * h_;
      const Oscillator next{y, (y - before.y) / (2 * h_)};
      before = o, o = next;
    }
  }
  template <class End>
  Oscillator position_verlet(Oscillator o, const End& end) const {  // o.y half a step before o.v
    for (int step = 1;; ++step) {
      o.v += h_ * acceleration(o);
      if (end(o, step)) return o;
      o.y += h_ * o.v;
    }
  }
  template <class End>
  Oscillator adams_bashforth2(Oscillator o, const End& end) const {
    Oscillator rate_before{};
    for (int step = 1;; ++step) {
      const Oscillator rate{o.v, acceleration(o)};
      if (step == 1)
        o.step(impact_, 4, h_);
      else
        o.y += h_ * (1.5 * rate.y - 0.5 * rate_before.y), o.v += h_ * (1.5 * rate.v - 0.5 * rate_before.v);
      rate_before = rate;
      if (end(o, step)) return o;
    }
  }
  template <class End>
  Oscillator gear3(Oscillator o, const End& end) const {
    Real a = acceleration(o), b = -k_ * o.v - g_ * a;
    for (int step = 1;; ++step) {
      const Oscillator p{o.y + h_ * o.v + h_ * h_ / 2 * a + h_ * h_ * h_ / 6 * b, o.v + h_ * a + h_ * h_ / 2 * b};
      const Real predicted = a + h_ * b, off = acceleration(p) - predicted;
      o = {p.y + off * h_ * h_ / 12, p.v + 5 * off * h_ / 12};
      a = predicted + off, b += off / h_;
      if (end(o, step)) return o;
    }
  }

 private:
  Real acceleration(const Oscillator& o) const { return -k_ * o.y - g_ * o.v; }
  const Impact& impact_;
  Real h_, k_, g_;
};

TEST_CASE("impact runs: the normal motion is that of the scheme's one-step map, also where the contact pulls") {
  struct Method {
    const char* name;
    int terms;
  };
  for (const auto& [name, terms] : {Method{"forward_euler", 1}, Method{"rk4", 4}})
    for (const Real degrees : {0.45, 40.95, 80.0, 89.55})
      for (const int n : {4, 7, 20, 100}) {
        INFO(name, ", ", degrees, " degrees, n = ", n);
        const Impact impact = impact_at(degrees);
        const Real h = impact.contact.duration / n, vy = impact.velocity.vy;
        Oscillator o{0, vy};
        for (int k = 0; k < n; ++k) o.step(impact, terms, h);
        CHECK(run_aligned(impact, scheme(name), n).e_n == doctest::Approx(-o.v / vy).epsilon(1e-7));
        for (const Real phase : {0.3, 1 - 1e-12}) {
          Oscillator late{phase * h * vy, vy};
          while (!late.over(impact)) late.step(impact, terms, h);
          CHECK(run_phased(impact, scheme(name), n, phase, Onset::sampled).e_n ==
                doctest::Approx(-late.v / vy).epsilon(1e-7));
        }
      }
}

TEST_CASE("impact runs: many steps lead to the exact rebound, whatever the scheme and the way it is come upon") {
  constexpr int n = 3000;
  for (const char* name : {"velocity_verlet_predicted", "central_difference", "rk4", "adams_bashforth3", "gear4"})
    for (const Real degrees : {5.0, 30.0, 60.0}) {
      const Impact impact = impact_at(degrees);
      const auto far = [&](const ImpactOutcome& found) {
        const ImpactOutcome e = relative_error(found, impact.exact);
        return std::max({e.e_n, e.e_t, e.beta, e.omega_f});
      };
      INFO(name, ", ", degrees, " degrees");
      CHECK(far(run_aligned(impact, scheme(name), n)) < 1e-3);
      for (const Onset onset : {Onset::sampled, Onset::simulated})
        CHECK(far(run_phased(impact, scheme(name), n, 0.5, onset)) < 2e-3);
    }
}

TEST_CASE("impact runs: Khakimov's divisions are those that are printed") {
  for (const char* name : {"khakimov_t12", "khakimov_d12", "khakimov_t16"})
    for (const Real degrees : {0.45, 60.0, 89.55})
      for (const int n : {4, 7, 20, 100}) {
        INFO(name, ", ", degrees, " degrees, n = ", n);
        const Impact impact = impact_at(degrees);
        const Real vy = impact.velocity.vy;
        const Oscillator o = Printed(impact, n).khakimov(name, {0, vy}, [&](auto&, int step) { return step == n; });
        CHECK(run_aligned(impact, scheme(name), n).e_n == doctest::Approx(-o.v / vy).epsilon(1e-7));
      }
}

TEST_CASE("impact runs: in the time grid each scheme starts at the first sample in contact, as it is printed") {
  for (const Real degrees : {0.45, 60.0, 89.55})
    for (const int n : {7, 20, 75})
      for (const Real phase : {0.3, 0.75, 1 - 1e-12}) {
        INFO(degrees, " degrees, n = ", n, ", phase ", phase);
        const Impact impact = impact_at(degrees);
        const Real vy = impact.velocity.vy;
        const Oscillator first{phase * impact.contact.duration / n * vy, vy};
        const Printed printed(impact, n);
        const auto over = [&](const Oscillator& o, int) { return o.over(impact); };
        const auto found = [&](const char* name) {
          return run_phased(impact, scheme(name), n, phase, Onset::sampled).e_n;
        };
        const auto is = [&](const Oscillator& o) { return doctest::Approx(-o.v / vy).epsilon(1e-6); };
        CHECK(found("verlet") == is(printed.verlet(first, over)));
        CHECK(found("position_verlet") == is(printed.position_verlet(first, over)));
        CHECK(found("adams_bashforth2") == is(printed.adams_bashforth2(first, over)));
        CHECK(found("gear3") == is(printed.gear3(first, over)));
        CHECK(found("khakimov_d12") == is(printed.khakimov("khakimov_d12", first, over)));
      }
}

TEST_CASE("impact runs: Verlet's velocity is the printed one, of the last two steps") {
  const Impact impact = impact_at(30);
  for (const int n : {4, 12, 50}) {
    const Oscillator o = Printed(impact, n).verlet({0, impact.velocity.vy}, [&](auto&, int step) { return step == n; });
    CHECK(run_aligned(impact, scheme("verlet"), n).e_n == doctest::Approx(-o.v / impact.velocity.vy).epsilon(1e-6));
  }
}

TEST_CASE("impact runs: staggered velocities are those given half a step before the contact") {
  // v_{n-1/2} after n kicks: y is one drift further.
  const Impact impact = impact_at(30);
  const int n = 12;
  const Real h = impact.contact.duration / n, m = impact.material.mass;
  Oscillator o{0, impact.velocity.vy};
  for (int k = 0; k < n; ++k) {
    o.v -= h * (impact.contact.stiffness * o.y + impact.contact.damping * o.v) / m;
    o.y += h * o.v;
  }
  CHECK(run_aligned(impact, scheme("central_difference"), n).e_n ==
        doctest::Approx(-o.v / impact.velocity.vy).epsilon(1e-7));
}

TEST_CASE("impact runs: a simulation feels the contact in the step that leads into it") {
  // rk4's stages do, a scheme of settled states does not; velocity Verlet closes that step with half a kick.
  const Impact impact = impact_at(30);
  const auto apart = [&](const char* name, Onset onset = Onset::sampled) {
    const Real sampled = run_phased(impact, scheme(name), 20, 0.9, onset).e_n;
    return std::fabs(run_phased(impact, scheme(name), 20, 0.9, Onset::simulated).e_n / sampled - 1);
  };
  CHECK(apart("forward_euler") < 1e-7);
  CHECK(apart("adams_bashforth2", Onset::remembered) < 1e-7);
  CHECK(apart("rk4") > 1e-2);
  CHECK(apart("velocity_verlet") > 1e-2);
}

}  // namespace
}  // namespace cairn
