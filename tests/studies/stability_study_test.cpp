// The study of stability: its limits against closed forms, and the engine against the maps.
#include "cairn/studies/stability/stability_study.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

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
  for (const auto& region : r.regions) {
    const bool euler = region.scheme->name == "forward_euler", kutta = region.scheme->name == "rk4";
    if (euler || kutta) CHECK(region.alike);
    if (region.scheme->claims.family == "splitting") CHECK(!region.alike);
    // |1 + lambda h| = 1; on the real axis 1 + z + z^2/2 + z^3/6 + z^4/24 = 1 at z = -2.785293563.
    for (std::size_t k = 0; k < region.reach.size() && euler; ++k)
      if (region.reach[k] > 0) CHECK(region.reach[k] == doctest::Approx(2 * region.damping[k]).epsilon(1e-6));
    if (kutta) CHECK(region.reach.back() == doctest::Approx(2.785293563).epsilon(1e-6));
  }
}
