// The oblique impact through the engine, against closed forms and against one-step maps of its normal motion.
#include "cairn/analysis/impact_runs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/run/registry.hpp"

namespace cairn {
namespace {

ImpactScheme scheme(const char* name) {
  const SchemeEntry& e = scheme_named(name);
  return {e.advance, e.staggered, e.claims.memory};
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
  const auto apart = [&](const char* name) {
    const Real sampled = run_phased(impact, scheme(name), 20, 0.9, Onset::sampled).e_n;
    return std::fabs(run_phased(impact, scheme(name), 20, 0.9, Onset::simulated).e_n / sampled - 1);
  };
  CHECK(apart("forward_euler") < 1e-7);
  CHECK(apart("adams_bashforth2") < 1e-7);
  CHECK(apart("rk4") > 1e-2);
  CHECK(apart("velocity_verlet") > 1e-2);
}

}  // namespace
}  // namespace cairn
