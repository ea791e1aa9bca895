// The computed stability of the schemes, against figures of an independent program, against closed forms, and against
// the stability functions of Runge-Kutta, Taylor and Adams methods, which know nothing of how a step is taken.
#include "cairn/analysis/stability.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <complex>
#include <string>

#include "cairn/integrate/schemes/all.hpp"
#include "cairn/run/registry.hpp"

namespace cairn {
namespace {

using Complex = std::complex<Real>;

constexpr Real zetas[] = {0, 0.05, 0.1, 0.2, 0.5};

const SchemeEntry* find(const std::string& name) {
  for (const SchemeEntry& e : scheme_catalogue())
    if (e.claims.name == name) return &e;
  return nullptr;
}

Complex lambda(Real zeta) {  // of q'' + 2 zeta q' + q = 0, underdamped
  return {-zeta, std::sqrt(1 - zeta * zeta)};
}

// The definition again, by small steps alone.
template <class Radius>
Real first_end(const Radius& radius) {
  Real h = 0;
  while (radius(h + 1e-3) <= 1 + 1e-9) h += 1e-3;
  Real low = h, high = h + 1e-3;
  for (int k = 0; k < 40; ++k) (radius(0.5 * (low + high)) <= 1 + 1e-9 ? low : high) = 0.5 * (low + high);
  return low < 0.1 ? 0 : low;
}

// The scheme's spectral radii at many steps, and its limits, are those of `radius(h omega, zeta)`.
template <class Radius>
void check_radii(const SchemeEntry& scheme, const Radius& radius) {
  INFO(std::string(scheme.claims.name));
  for (const Real zeta : zetas) {
    INFO("zeta = ", zeta);
    for (Real h = 0.05; h < 4; h += 0.15)
      CHECK(scheme.spectral_radius(h, zeta) == doctest::Approx(radius(h, zeta)).epsilon(1e-10));
    CHECK(std::fabs(scheme.stability(zeta) - first_end([&](Real h) { return radius(h, zeta); })) < 2e-8);
  }
}

}  // namespace

TEST_CASE("stability limits are those of closed forms and of an independent program") {
  constexpr Real none = -1;  // no figure
  struct Row {
    const char* name;
    std::array<Real, 5> limit;  // at each of zetas
    Real tolerance = 6e-5;      // four decimals
  };
  const auto closed = [](const char* name, auto&& form) {
    Row row{.name = name, .limit = {}, .tolerance = 1e-8};
    for (int k = 0; k < 5; ++k) row.limit[k] = form(zetas[k]);
    return row;
  };
  std::vector<Row> rows{
      closed("velocity_verlet_predicted", [](Real z) { return 2 * (std::sqrt(1 + 4 * z * z) - 2 * z); }),
      closed("velocity_verlet_implicit", [](Real) { return 2; }),
      {"rk4", {2.8284, 2.9098, 2.9509, 2.9401, 2.6225}},  // 2.950853 by |R| = 1 below; the page has 2.9510
      {"taylor3", {0, 1.1929, 1.5940, 1.9317, 2}},
      {"omelyan_babab", {2.5531, 2.4662, 2.3998, 2.3136, 3.2275}},
      {"forest_ruth", {1.5734, 1.5844, 1.5957, 1.6193, 1.6969}},
      {"verlet", {2, 1.3651, 1.3177, 1.2283, 1}},
      {"gear3", {1.4142, 1.2427, 1.0943, 0.8597, 0.4821}},
  };
  for (const char* name : {"symplectic_euler", "central_difference", "velocity_verlet", "position_verlet"})
    rows.push_back(closed(name, [](Real z) { return 2 * (std::sqrt(z * z + 1) - z); }));  // Feng 2005
  for (const char* name : {"forward_euler", "taylor2", "adams_bashforth2", "adams_bashforth5", "abm4", "gear4"})
    rows.push_back({name, {0, none, none, none, none}});
  for (const Row& row : rows) {
    const SchemeEntry* scheme = find(row.name);
    REQUIRE_MESSAGE(scheme, std::string(row.name));
    for (int k = 0; k < 5; ++k) {
      if (row.limit[k] == none) continue;
      INFO(std::string(row.name), " at zeta = ", zetas[k]);
      CHECK(std::fabs(scheme->stability(zetas[k]) - row.limit[k]) <= row.tolerance);
    }
  }
}

TEST_CASE("Runge-Kutta methods amplify as their stability functions say") {
  // R(z) = 1 + z b (1 - z A)^-1 1 (Hairer & Wanner II, IV.3), by substitution, at both z = h lambda: conjugates.
  int seen = 0;
  for_each_scheme([&](auto scheme) {
    using S = decltype(scheme);
    if constexpr (requires { S::tableau; }) {
      constexpr std::size_t n = S::tableau.b.size();
      ++seen;
      check_radii(*find(std::string(S::claims.name)), [](Real h, Real zeta) {
        const Complex z = h * lambda(zeta);
        std::array<Complex, n> stage;
        Complex r = 1;
        for (std::size_t i = 0; i < n; ++i) {
          stage[i] = 1;
          for (std::size_t j = 0; j < i; ++j) stage[i] += z * S::tableau.a[i][j] * stage[j];
          r += z * S::tableau.b[i] * stage[i];
        }
        return std::abs(r);
      });
    }
  });
  CHECK(seen >= 2);
  const Real limit = find("rk4")->stability(0.1);
  CHECK(limit == doctest::Approx(2.950853).epsilon(3e-7));
  const Complex z = limit * lambda(0.1);
  CHECK(std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))) == doctest::Approx(1).epsilon(1e-7));
}

TEST_CASE("Adams and Bashforth's methods amplify as the roots of their characteristic polynomials") {
  // y_{n+1} = y_n + h sum b_j f_{n-j}: the roots of r^k - r^{k-1} - z sum b_j r^{k-1-j}, of a companion matrix.
  const std::vector<std::vector<Real>> weights{{3. / 2, -1. / 2},
                                               {23. / 12, -16. / 12, 5. / 12},
                                               {55. / 24, -59. / 24, 37. / 24, -9. / 24},
                                               {1901. / 720, -2774. / 720, 2616. / 720, -1274. / 720, 251. / 720}};
  for (const auto& b : weights) {
    const SchemeEntry* scheme = find("adams_bashforth" + std::to_string(b.size()));
    REQUIRE(scheme);
    check_radii(*scheme, [&](Real h, Real zeta) {
      const auto k = static_cast<Eigen::Index>(b.size());
      Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(k, k);
      for (Eigen::Index j = 0; j < k; ++j) companion(0, j) = h * lambda(zeta) * b[j];
      companion(0, 0) += 1;
      for (Eigen::Index j = 1; j < k; ++j) companion(j, j - 1) = 1;
      return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues().cwiseAbs().maxCoeff();
    });
  }
}

TEST_CASE("splittings without damping keep the product of their roots, right up to the limit") {
  for (const char* name : {"velocity_verlet", "central_difference", "position_verlet", "forest_ruth"}) {
    INFO(std::string(name));
    const SchemeEntry& scheme = *find(name);
    const Real limit = scheme.stability(0);
    for (const Real apart : {1e-2, 1e-4, 1e-6, 1e-7})
      CHECK(std::fabs(scheme.spectral_radius(limit - apart, 0) - 1) < 1e-12);
    CHECK(scheme.spectral_radius(limit + 1e-7, 0) > 1 + 1e-4);
    for (const Real h : {1e-2, 1e-4, 1e-6}) CHECK(std::fabs(scheme.spectral_radius(h, 0) - 1) < 1e-12);
  }
  // Kick and drift: r + 1/r = 2 - h^2, so beyond 2 the larger root is -s - sqrt(s^2 - 1) with s = h^2/2 - 1.
  const Real s = 0.5 * 2.1 * 2.1 - 1;
  CHECK(find("velocity_verlet")->spectral_radius(2.1, 0) == doctest::Approx(s + std::sqrt(s * s - 1)).epsilon(1e-12));
}

namespace {

// The matrix of order 2 with this trace and determinant.
Amplification companion(Real trace, Real determinant) {
  Amplification matrix(2);
  matrix(0, 0) = trace, matrix(0, 1) = -determinant, matrix(1, 0) = 1;
  return matrix;
}

}  // namespace

TEST_CASE("the limit is the first end, however narrow the instability is") {
  constexpr Real at = 1.2345678;
  for (const Real width : {1e-1, 1e-3, 1e-5, 1e-7}) {  // roots on the unit circle meet at -1 and part for a while
    INFO("width ", width);
    const auto meeting = [&](Real h) { return companion(2 * ((h - at - width / 2) * (h - at + width / 2) - 1), 1); };
    CHECK(stability_limit(meeting) == doctest::Approx(at - width / 2).epsilon(1e-8));
  }
  for (const Real width : {1e-1, 1e-3}) {  // a decaying root grows for a while
    INFO("width ", width);
    const auto peak = [&](Real h) {
      Amplification matrix(2);
      matrix(0, 0) = 1 - (h - at - width / 2) * (h - at + width / 2), matrix(1, 1) = 0.5, matrix(0, 1) = 1;
      return matrix;
    };
    CHECK(stability_limit(peak) == doctest::Approx(at - width / 2).epsilon(2e-6));
  }
  // Roots that meet and pass: two steps of half the length of kick, drift, kick touch -1 at 2 sqrt(2); the limit is 4.
  const auto twice = [](Real h) {
    const Real a = 1 - h * h / 8, b = h / 2, c = -b * (1 - h * h / 16);
    Amplification matrix(2);
    matrix(0, 0) = matrix(1, 1) = a * a + b * c, matrix(0, 1) = 2 * a * b, matrix(1, 0) = 2 * a * c;
    return matrix;
  };
  CHECK(stability_limit(twice) == doctest::Approx(4).epsilon(1e-8));
}

TEST_CASE("weakly unstable, without a limit, and without a matrix") {
  CHECK(stability_limit([](Real h) { return companion(2 - 4 * h * h, 1 + 1e-7 * h); }) == 0);
  CHECK(stability_limit([](Real h) { return companion(2 - 500 * h * h, 1); }) == 0);  // ends at sqrt(4/500) = 0.0894
  CHECK(stability_limit([](Real h) { return companion(2 - 300 * h * h, 1); }) ==      // at sqrt(4/300)
        doctest::Approx(std::sqrt(4.0 / 300)).epsilon(1e-7));
  CHECK(std::isinf(stability_limit([](Real h) { return companion(2 / (1 + h), 1 / (1 + h)); })));
  const auto broken = [](Real h) { return companion(h < 0.7 ? 1 : std::nan(""), 1); };
  CHECK(stability_limit(broken) == doctest::Approx(0.7).epsilon(1e-7));
  CHECK(std::isinf(spectral_radius(broken(1))));
}

TEST_CASE("memories in units far from those of positions do not blur the radius") {
  // Rotation by 0.01 seen through a third coordinate whose unit is 1e-9, as high derivatives have it.
  constexpr Real small = 1e-9, turn = 0.01;
  Amplification matrix(3);
  const Real c = std::cos(turn), s = std::sin(turn);
  matrix(0, 0) = c, matrix(0, 2) = -s * small;
  matrix(1, 0) = 0.5, matrix(1, 1) = 0.25;
  matrix(2, 0) = s / small, matrix(2, 2) = c;
  CHECK(std::fabs(spectral_radius(matrix) - 1) < 1e-14);
}

TEST_CASE("what the motion does not read is no part of its growth") {
  Amplification matrix(4);
  matrix(0, 0) = 0.5, matrix(0, 2) = 0.1;
  matrix(2, 1) = 1, matrix(2, 2) = 0.8;  // read, by the position
  matrix(3, 0) = 7, matrix(3, 3) = 2;
  CHECK(spectral_radius(matrix) == doctest::Approx(0.8).epsilon(1e-14));
}

}  // namespace cairn
