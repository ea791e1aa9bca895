// A law's own collision against the closed forms of restitution and duration.
#include "cairn/contact/head_on.hpp"

#include <doctest/doctest.h>

#include "cairn/contact/laws.hpp"

namespace cairn {
namespace {

TEST_CASE("head-on: the linear law's restitution, duration and overlap in closed form") {
  constexpr Real m = 0.3, k = 2e4, v = 1.7;
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
    for (const Real e : {1.0, 0.9, 0.5, 0.1}) {
      const auto law = LinearSpringDashpot::from({.attraction = attraction, .restitution = e, .stiffness = k}, {}, {});
      const HeadOn hit = head_on(law, m, 0.01, v);
      const Real zeta = damping_ratio_of(e, attraction);
      CHECK(hit.restitution == doctest::Approx(e).epsilon(1e-6));
      CHECK(hit.duration == doctest::Approx(contact_phase(zeta, attraction) * std::sqrt(m / k)).epsilon(1e-5));
      if (e == 1) CHECK(hit.deepest == doctest::Approx(v * std::sqrt(m / k)).epsilon(1e-4));
    }
}

TEST_CASE("head-on: Hertz's duration and overlap in closed form, and its restitution") {
  constexpr Real m = 0.01, r = 0.005, young = 1e7;
  const Material glass{.young = young, .poisson = 0.2};
  const Real young_eff = young / (2 * (1 - 0.04));
  for (const Real v : {0.01, 1.0}) {
    const HeadOn hit = head_on(HertzMindlin::from({}, glass, glass), m, r, v);
    CHECK(hit.restitution == doctest::Approx(1).epsilon(1e-6));
    const Real deepest = std::pow(15 * m * v * v / (16 * young_eff * std::sqrt(r)), 0.4);
    CHECK(hit.deepest == doctest::Approx(deepest).epsilon(1e-4));
    CHECK(hit.duration == doctest::Approx(2.9432 * deepest / v).epsilon(1e-4));  // Hertz 1881
  }
  for (const Real e : {0.8, 0.3})
    CHECK(head_on(HertzMindlin::from({.restitution = e}, glass, glass), m, r, 1).restitution ==
          doctest::Approx(e).epsilon(1e-5));
}

}  // namespace
}  // namespace cairn
