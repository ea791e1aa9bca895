// Limits of the step on three cases: a damped pair, the closed column, and a settled packing of unequal grains with
// friction. Every explicit scheme of one force evaluation is stable at 0.95 of the limit stated, and grows at 1.1 of
// the limit of its own map.
#include "cairn/analysis/linearised_map.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/case_stability.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {
namespace {

const std::string pair =
    "[run]\nscheme = \"velocity_verlet\"\nstep = 1e-6\nend = 1\n[contact]\nstiffness = 1e5\nrestitution = 0.3\n"
    "friction = 0.5\n[initial]\noverlap = \"allow\"\n[space]\ngravity = [0, 0, 0]\n"
    "[[grain]]\nposition = [0, 0, 0]\nradius = 0.01\n[[grain]]\nposition = [0.0199, 0, 0]\nradius = 0.01\n";

// z_j = (2j - 1) r - (m g / k)(j N - j (j - 1) / 2), at rest under its weight.
std::string column() {
  constexpr int n = 50;
  constexpr Real r = 0.3, m = 1, k = 40000, g = 9.81;
  std::string text =
      "[run]\nscheme = \"central_difference\"\nstep = 1e-3\nend = 1\n[contact]\nstiffness = 40000\nrestitution = 1\n"
      "friction = 0\n[initial]\noverlap = \"allow\"\n[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
      "[[material]]\nname = \"m\"\ndensity = " +
      to_text(m / (4 * pi / 3 * r * r * r)) + "\n";
  for (int j = 1; j <= n; ++j)
    text += "[[grain]]\nradius = 0.3\nposition = [0, 0, " +
            std::to_string((2 * j - 1) * r - m * g / k * (j * n - j * (j - 1) / 2)) + "]\n";
  return text;
}

const std::string packing =
    "[run]\nscheme = \"velocity_verlet_implicit\"\nstep = 2e-5\nend = 0.2\n[guards]\nstep = \"off\"\n"
    "[contact]\nstiffness = 2000\nrestitution = 0.3\nfriction = 0.5\n"
    "[[wall]]\ntype = \"box\"\nlow = [0, 0, 0]\nhigh = [0.02, 0.02, 0.06]\n"
    "[[grains]]\nkind = \"random\"\nlow = [0, 0, 0]\nhigh = [0.02, 0.02, 0.04]\nradius = 5e-3\ncount = 6\n"
    "[[grains]]\nkind = \"random\"\nlow = [0, 0, 0]\nhigh = [0.02, 0.02, 0.06]\nradius = 1e-3\ncount = 40\n";

std::unique_ptr<Simulation> started(const std::string& text) {
  auto simulation = std::make_unique<Simulation>(parse_scenario(text, "test.toml"));
  simulation->start();
  return simulation;
}

std::vector<const SchemeEntry*> simple_schemes() {
  std::vector<const SchemeEntry*> all;
  for (const SchemeEntry& scheme : scheme_catalogue())
    if (const Real undamped = scheme.stability(0);
        scheme.claims.force_evaluations == 1 && !scheme.claims.implicit && undamped > 0 && std::isfinite(undamped))
      all.push_back(&scheme);
  return all;
}

void judge(const Simulation& simulation) {
  const CaseStability of = case_stability(simulation, simple_schemes(), true);
  MESSAGE(of.grains, " grains, ", of.contacts, " contacts");
  CHECK(of.schemes.size() >= 5);
  for (const SchemeOnNetwork& row : of.schemes) {
    INFO(row.scheme);
    MESSAGE(row.scheme, ": stated ", row.limit, " s, own ", row.map_limit / row.limit, " times that; growth at 0.95 ",
            row.growth_below, ", at 1.1 of its own ", row.growth_above);
    CHECK(row.growth_below < 2);
    CHECK(row.map_limit >= 0.999 * row.limit);
    CHECK(row.growth_above > 10);
  }
}

}  // namespace

TEST_CASE("limits of the step: a damped pair") {
  judge(*started(pair));
}

TEST_CASE("limits of the step: the closed column") {
  const auto simulation = started(column());
  const CaseStability of = case_stability(*simulation, {&scheme_named("central_difference")}, false);
  const Real omega = std::sqrt(of.rates.stiffness.value), exact = 2 * 200 * std::cos(pi / 101);
  CHECK(of.contacts == 50);
  CHECK(omega == doctest::Approx(exact).epsilon(1e-9));
  CHECK(std::fabs(omega - 399.8065) < 5e-5);
  CHECK(std::fabs(of.schemes[0].limit - 5.00242e-3) < 5e-9);
  const ContactNetwork network = network_of(simulation->world());
  LinearisedMap map(scheme_named("central_difference").toy, network);
  CHECK(map.growth(0.99 * 5.00242e-3) < 2);
  CHECK(map.growth(1.01 * 5.00242e-3) > 1e30);
  judge(*simulation);
}

TEST_CASE("limits of the step: a settled packing of grains 1:5 with friction") {
  const auto simulation = started(packing);
  while (!(simulation->advance() & Occasion::finished)) {
  }
  CHECK(simulation->world().live_contacts().size() > 30);
  judge(*simulation);
}

}  // namespace cairn
