// Distributions of sizes against their closed forms.
#include "cairn/run/sizes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cairn/core/elementary.hpp"
#include "cairn/core/hash.hpp"
#include "fresh_folder.hpp"

using namespace cairn;

namespace {

Real normal(Real z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// Largest distance of what comes out for evenly spread u from a cumulative distribution by number.
template <class F>
Real kolmogorov(const Sizes& sizes, F&& cumulative) {
  constexpr int count = 20000;
  Real most = 0;
  for (int k = 0; k < count; ++k) {
    const Real u = (k + 0.5) / count;
    most = std::max(most, std::fabs(cumulative(sizes.radius(u)) - u));
  }
  return most;
}

// Of a function of the radius over the distribution.
template <class F>
Real mean(const Sizes& sizes, F&& f) {
  constexpr int count = 200000;
  Real sum = 0;
  for (int k = 0; k < count; ++k) sum += f(sizes.radius((k + 0.5) / count));
  return sum / count;
}

}  // namespace

TEST_CASE("exponential and logarithm are those of the library to a few units in the last place") {
  for (int k = 0; k < 10000; ++k) {
    const Real x = 600 * (2 * random_uniform(1, 0, k) - 1);
    CHECK(std::fabs(stable_exp(x) / std::exp(x) - 1) < 1e-15);
    const Real a = std::exp(x / 3);
    CHECK(std::fabs(stable_log(a) - std::log(a)) <= 4e-16 * std::max(0.5, std::fabs(std::log(a))));
  }
  for (Real x = -0.9; x < 1; x += 1e-4) CHECK(std::fabs(stable_acos(x) / std::acos(x) - 1) < 2e-15);
  for (Real y = 1e-12; y < 1e4; y *= 1.01) CHECK(std::fabs(stable_acosh(1 + y) / std::acosh(1 + y) - 1) < 1e-15);
  CHECK(stable_acos(1) == 0);
  CHECK(stable_acosh(1) == 0);
  CHECK(stable_exp(0) == 1);
  CHECK(stable_exp(-800) == 0);
  CHECK(stable_exp(800) == std::numeric_limits<Real>::infinity());
  CHECK(stable_log(1) == 0);
}

TEST_CASE("sizes: uniform") {
  const Sizes one(0.01, 0, {});
  CHECK(one.radius(0.3) == 0.01);
  const Sizes spread(0.01, 0.2, {});
  CHECK(spread.smallest() == 0.008);
  CHECK(spread.largest() == 0.012);
  CHECK(kolmogorov(spread, [](Real r) { return (r - 0.008) / 0.004; }) < 1e-12);
}

TEST_CASE("sizes: normal, cut") {
  const Real mu = 5e-3, sigma = 5e-4;
  const Sizes by_default(0, 0, SizeSpec{.mean = mu, .deviation = sigma});
  CHECK(by_default.smallest() == doctest::Approx(3.5e-3).epsilon(1e-12));
  CHECK(by_default.largest() == doctest::Approx(6.5e-3).epsilon(1e-12));
  CHECK(kolmogorov(by_default,
                   [&](Real r) { return (normal((r - mu) / sigma) - normal(-3)) / (normal(3) - normal(-3)); }) < 1e-6);
  CHECK(mean(by_default, [](Real r) { return r; }) == doctest::Approx(mu).epsilon(1e-9));
  // The variance of a normal distribution cut at 3 deviations: 1 - 6 phi(3) / (Phi(3) - Phi(-3)).
  const Real phi = std::exp(-4.5) / std::sqrt(2 * 3.14159265358979323846);
  CHECK(mean(by_default, [&](Real r) { return (r - mu) * (r - mu); }) / (sigma * sigma) ==
        doctest::Approx(1 - 6 * phi / (normal(3) - normal(-3))).epsilon(1e-4));

  const Sizes tail(0, 0,
                   SizeSpec{.mean = mu, .deviation = sigma, .low = 9e-3, .high = 1.2e-2});  // from 8 deviations on
  const Real from = normal(-8), to = normal(-14);
  CHECK(kolmogorov(tail, [&](Real r) { return (from - normal((mu - r) / sigma)) / (from - to); }) < 1e-4);
}

TEST_CASE("sizes: lognormal, by number and by mass") {
  const SizeSpec spec{.kind = SizeSpec::Kind::lognormal, .median = 1e-3, .deviation = 0.2, .low = 2e-4, .high = 5e-3};
  const Sizes by_number(0, 0, spec);
  CHECK(kolmogorov(by_number, [](Real r) { return normal(std::log(r / 1e-3) / 0.2); }) < 1e-6);
  CHECK(mean(by_number, [](Real r) { return std::log(r / 1e-3); }) == doctest::Approx(0).epsilon(1e-6));
  CHECK(mean(by_number, [](Real r) { return std::log(r / 1e-3) * std::log(r / 1e-3); }) ==
        doctest::Approx(0.04).epsilon(1e-3));
  // Hatch and Choate 1929: lognormal by mass about M is lognormal by number about M exp(-3 s^2).
  SizeSpec mass = spec;
  mass.by = SizeSpec::By::mass;
  const Sizes by_mass(0, 0, mass);
  CHECK(kolmogorov(by_mass, [](Real r) { return normal(std::log(r / 1e-3) / 0.2 + 3 * 0.2); }) < 1e-5);
}

TEST_CASE("sizes: a list, by number and by mass") {
  SizeSpec spec{.kind = SizeSpec::Kind::list, .radii = {2e-3, 1e-3, 4e-3}, .shares = {3, 1, 0}};
  const Sizes by_number(0, 0, spec);
  CHECK(by_number.smallest() == 1e-3);
  CHECK(by_number.largest() == 2e-3);  // of the last there is none
  CHECK(mean(by_number, [](Real r) { return r == 2e-3; }) == doctest::Approx(0.75).epsilon(1e-4));
  CHECK(mean(by_number, [](Real r) { return r == 1e-3; }) == doctest::Approx(0.25).epsilon(1e-4));
  spec.by = SizeSpec::By::mass;  // three quarters of the mass in grains of eightfold mass
  const Sizes by_mass(0, 0, spec);
  CHECK(mean(by_mass, [](Real r) { return r == 2e-3; }) == doctest::Approx((3.0 / 8) / (3.0 / 8 + 1)).epsilon(1e-4));
}

TEST_CASE("sizes: a table, by number and by mass") {
  SizeSpec spec{.kind = SizeSpec::Kind::table, .radii = {1e-3, 2e-3, 2e-3, 4e-3}, .passing = {0, 0.5, 0.75, 1}};
  const Sizes by_number(0, 0, spec);
  CHECK(by_number.radius(0) == 1e-3);
  CHECK(by_number.radius(0.25) == doctest::Approx(1.5e-3));
  CHECK(by_number.radius(0.6) == 2e-3);
  CHECK(by_number.radius(0.875) == doctest::Approx(3e-3));
  CHECK(by_number.radius(1 - 1e-16) <= 4e-3);
  spec.by = SizeSpec::By::mass;
  const Sizes by_mass(0, 0, spec);
  // The mass of what is smaller than r, over all of it.
  const auto passing = [&](Real limit) {
    return mean(by_mass, [&](Real r) { return r < limit ? r * r * r : 0; }) /
           mean(by_mass, [](Real r) { return r * r * r; });
  };
  CHECK(passing(1.5e-3) == doctest::Approx(0.25).epsilon(1e-3));
  CHECK(passing(1.9999e-3) == doctest::Approx(0.5).epsilon(1e-3));
  CHECK(passing(2.0001e-3) == doctest::Approx(0.75).epsilon(1e-3));
  CHECK(passing(3e-3) == doctest::Approx(0.875).epsilon(1e-3));
}

TEST_CASE("sizes: what is no distribution is refused") {
  using Kind = SizeSpec::Kind;
  const auto check = [](const char* message, const SizeSpec& spec) {
    check_error(Exit::bad_input, message, [&] { Sizes(0, 0, spec); });
  };
  check("sizes.low: found -0.5 m (the default is 3 deviations below the mean or the median); expected a number > 0",
        {.mean = 1, .deviation = 0.5});
  check("sizes.deviation: found 0", {.mean = 1});
  check("sizes.high: found 1 m, not above low = 2 m", {.mean = 1, .deviation = 0.1, .low = 2.0, .high = 1.0});
  check("sizes.median: found 0", {.kind = Kind::lognormal, .deviation = 0.1});
  check("sizes.deviation: found 12; expected less than 10", {.kind = Kind::lognormal, .median = 1, .deviation = 12});
  check("sizes.radii: found none", {.kind = Kind::list});
  check("sizes.shares: found 1; expected one for each of the 2 radii",
        {.kind = Kind::list, .radii = {1, 2}, .shares = {1}});
  check("sizes.shares: found -1", {.kind = Kind::list, .radii = {1, 2}, .shares = {2, -1}});
  check("sizes.shares: found a sum that is zero or infinite; expected a finite sum > 0",
        {.kind = Kind::list, .radii = {1, 2}, .shares = {0, 0}});
  check("sizes.file: expected at least two rows", {.kind = Kind::table});
}
