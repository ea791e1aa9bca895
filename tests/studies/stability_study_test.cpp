// The study of stability: its limits against closed forms, and the engine against the maps.
#include "cairn/studies/stability/stability_study.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::studies;

TEST_CASE("study stability: paper, map and engine agree; the column; Euler's region is a circle") {
  StabilitySettings settings;
  settings.schemes = select_schemes(
      "velocity_verlet,velocity_verlet_extrapolated,velocity_verlet_implicit,rk4,"
      "forward_euler,newmark,dormand_prince54");
  settings.dampings = {0, 0.1, 0.5}, settings.steps = 5000;
  const StabilityResult r = study_stability(settings);
  CHECK(r.limits.size() == 6 * 3);  // without the adaptive scheme
  CHECK(r.omega_max == doctest::Approx(399.8065).epsilon(1e-7));
  for (const auto& l : r.limits) {
    INFO(l.scheme->name, ", zeta ", l.damping);
    if (!std::isnan(l.closed)) CHECK(l.computed == doctest::Approx(l.closed).epsilon(1e-7));
    if (l.scheme->name == "newmark(0.25,0.5)") CHECK(std::isinf(l.computed));
    if (l.computed > 0 && std::isfinite(l.computed)) CHECK(l.simulated == doctest::Approx(l.computed).epsilon(2e-3));
  }
  CHECK(r.columns.size() == 4);  // schemes with a limit without damping
  for (const auto& c : r.columns) {
    INFO(c.scheme->name);
    CHECK(!c.below);
    CHECK(c.above);
  }
  REQUIRE(r.networks.size() == 3);
  for (const auto& network : r.networks) {
    INFO(network.name);
    CHECK(network.schemes.size() == 2);  // explicit, with one force evaluation and a limit without damping
    for (const SchemeOnNetwork& of : network.schemes) {
      INFO(of.scheme);
      CHECK(of.growth_below < 2);
      CHECK(of.growth_above > 10);
      CHECK(of.map_limit >= 0.999 * of.limit);
      CHECK(StabilityResult::Network::holds(of));
    }
  }
  const SchemeOnNetwork& verlet = r.networks[1].schemes[0];
  CHECK(verlet.limit == doctest::Approx(5.00242e-3).epsilon(1e-6));  // of the column
  CHECK(r.networks[2].contacts > 30);
  const StudyReport shown = show(r);
  const auto found = [&](const std::string& words) {
    return std::any_of(shown.findings.begin(), shown.findings.end(),
                       [&](const std::string& f) { return f.find(words) != f.npos; });
  };
  CHECK(found("On contact networks 6 of 6 pairs of scheme and network are stable at 0.95"));
  CHECK(r.regions.size() == 6);
}

namespace {

struct Axes {
  std::vector<Real> real, imaginary;  // where lines pass the real axis, and the positive imaginary one
};
Axes axes_of(const StabilityResult::Region& region) {
  Axes of;
  for (const Polyline& line : region.boundary) {
    for (const std::complex<Real>& end : {line.front(), line.back()})
      if (std::fabs(end.imag()) < 1e-12) of.real.push_back(end.real());
    for (std::size_t k = 1; k < line.size(); ++k)
      if (line[k - 1].real() * line[k].real() < 0)
        of.imaginary.push_back((line[k - 1].imag() * line[k].real() - line[k].imag() * line[k - 1].real()) /
                               (line[k].real() - line[k - 1].real()));
  }
  return of;
}

// Every point of the boundary has a growth of 1 by the method's own stability function.
template <class Function>
void check_boundary(const char* scheme, bool unbounded, const Function& growth) {
  INFO(scheme);
  const StabilityResult::Region region = absolute_stability(scheme_named(scheme));
  CHECK(region.alike);
  CHECK(region.unbounded == unbounded);
  std::size_t points = 0;
  Real worst = 0, worst_on_axis = 0;
  for (const Polyline& line : region.boundary)
    for (const std::complex<Real>& z : line) {
      Real& of = std::fabs(z.imag()) < 1e-12 ? worst_on_axis : worst;
      ++points, of = std::max(of, std::fabs(growth(z) - 1));
    }
  CHECK(points > 100);
  CHECK(worst < 1e-8);
  CHECK(worst_on_axis < 2e-7);  // roots are double there, and known to the root of the solver's tolerance
}

}  // namespace

TEST_CASE("study stability: regions of absolute stability are those of the methods' stability functions") {
  using Complex = std::complex<Real>;
  check_boundary("forward_euler", false, [](const Complex& z) { return std::abs(1.0 + z); });
  check_boundary("heun2", false, [](const Complex& z) { return std::abs(1.0 + z + z * z / 2.0); });
  check_boundary("rk4", false, [](const Complex& z) {
    return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
  });
  check_boundary("adams_bashforth2", false, [](const Complex& z) {  // r^2 = r + z (3 r - 1)/2
    const Complex half = 0.5 + 0.75 * z, root = std::sqrt(half * half - 0.5 * z);
    return std::max(std::abs(half + root), std::abs(half - root));
  });
  check_boundary("backward_euler", true, [](const Complex& z) { return 1 / std::abs(1.0 - z); });
  check_boundary("implicit_midpoint", true, [](const Complex& z) { return std::abs((2.0 + z) / (2.0 - z)); });
  check_boundary("bdf2", true, [](const Complex& z) {  // (3 - 2 z) r^2 = 4 r - 1
    const Complex root = std::sqrt(1.0 + 2.0 * z);
    return std::max(std::abs((2.0 + root) / (3.0 - 2.0 * z)), std::abs((2.0 - root) / (3.0 - 2.0 * z)));
  });

  const auto axes = [](const char* scheme) { return axes_of(absolute_stability(scheme_named(scheme))); };
  const Axes kutta = axes("rk4");
  REQUIRE(kutta.real.size() == 1);
  CHECK(kutta.real[0] == doctest::Approx(-2.785293563).epsilon(1e-7));
  REQUIRE(!kutta.imaginary.empty());
  CHECK(kutta.imaginary.back() == doctest::Approx(2 * std::sqrt(2)).epsilon(1e-3));  // between two points of the line
  for (const auto& [scheme, end] : {std::pair{"forward_euler", -2.0},
                                    {"heun2", -2.0},
                                    {"adams_bashforth2", -1.0},
                                    {"backward_euler", 2.0},
                                    {"bdf2", 4.0}}) {
    INFO(scheme);
    const Axes of = axes(scheme);
    REQUIRE(of.real.size() == 1);
    CHECK(of.real[0] == doctest::Approx(end).epsilon(1e-7));
  }
  for (const Polyline& line : absolute_stability(scheme_named("implicit_midpoint")).boundary)
    for (const Complex& z : line) CHECK(std::fabs(z.real()) < 1e-6);  // the left half plane
}

TEST_CASE("study stability: schemes that treat velocities otherwise have the oscillator's region") {
  for (const char* scheme : {"taylor3", "taylor7", "taylor12"})
    CHECK_MESSAGE(!absolute_stability(scheme_named(scheme)).alike, scheme);
  CHECK(absolute_stability(scheme_named("gauss2_zero")).alike);
  const StabilityResult::Region region = absolute_stability(scheme_named("velocity_verlet"));
  CHECK(!region.alike);
  CHECK(!region.unbounded);
  Real worst = 0;
  for (const Polyline& line : region.boundary)
    for (const std::complex<Real>& z : line)
      if (z.real() < -1e-6) {
        const Real zeta = -z.real() / std::abs(z);
        worst = std::max(worst, std::fabs(std::abs(z) - closed_limit(scheme_named("velocity_verlet"), zeta)));
      }
  CHECK(worst < 1e-7);
}
