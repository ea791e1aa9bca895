// cairn study onset: what a step that misses the beginning of a contact costs, and what the correction gains.
#include "cairn/studies/onset/onset.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "cairn/core/error.hpp"

namespace cairn::studies {
namespace {

OnsetSettings small(std::vector<std::string> cases, const std::string& schemes, std::vector<Real> per_contact) {
  OnsetSettings s;
  s.make_quick();
  s.cases = std::move(cases);
  s.schemes = select_schemes(schemes);
  s.per_contact = std::move(per_contact);
  s.sizes = {.phases = 60, .billiards = 20, .gas = 60, .tables = 1};
  s.threads = 2;
  return s;
}

const OnsetResult::Entry& at(const OnsetResult& r, const std::string& name, std::size_t measure,
                             const std::string& scheme, Real n) {
  const auto found = std::find_if(r.entries.begin(), r.entries.end(), [&](const OnsetResult::Entry& e) {
    return r.cases[e.in].name == name && e.measure == measure && e.scheme->claims.name == scheme && e.n == n;
  });
  REQUIRE(found != r.entries.end());
  return *found;
}

TEST_CASE("onset: restitution over random phases is of first order with any scheme, and of second once corrected") {
  const OnsetResult r =
      study_onset(small({"impact", "impact_oblique", "hertz_elastic"},
                        "rk4,velocity_verlet_implicit,velocity_verlet_predicted", {10, 14, 20, 28, 40, 80, 160}));
  REQUIRE(r.cases.size() == 3);
  for (const OnsetResult::Case& c : r.cases) {
    INFO(c.name);
    CHECK(c.uncertainty[0] < 1e-9);
    // Another scheme at small steps is as near as its own error, which halves with the step or falls faster.
    REQUIRE(c.checks.size() == 2);
    CHECK(c.checks[1].error[0] < 0.6 * c.checks[0].error[0]);
    CHECK(c.checks[1].error[0] < 1e-3);
  }
  for (const SchemeEntry* s : select_schemes("rk4,velocity_verlet_implicit,velocity_verlet_predicted")) {
    INFO(s->claims.name);
    for (const std::size_t in : {0, 1}) CHECK(onset_slope(r, in, 0, s, false) == doctest::Approx(1.0).epsilon(0.12));
    // Of the finest steps: the next order of velocity_verlet_implicit has the other sign and still counts at 20 steps.
    for (const char* in : {"impact", "impact_oblique"})
      CHECK(std::log2(at(r, in, 0, std::string(s->claims.name), 80).on /
                      at(r, in, 0, std::string(s->claims.name), 160).on) > 1.9);
  }
  // About 0.28 / n for velocity Verlet but for its own error, 0.15 / n for rk4: half of that, for e = 0.8.
  CHECK(80 * at(r, "impact", 0, "rk4", 80).off == doctest::Approx(0.075).epsilon(0.1));
  CHECK(80 * at(r, "impact", 0, "velocity_verlet_implicit", 80).off == doctest::Approx(0.12).epsilon(0.1));
  CHECK(at(r, "impact", 0, "rk4", 20).gain() > 100);
  CHECK(at(r, "impact", 0, "velocity_verlet_implicit", 20).gain() > 50);
  // An elastic Hertz contact begins and ends smoothly: there is little to gain.
  CHECK(at(r, "hertz_elastic", 0, "rk4", 20).gain() < 2);
}

TEST_CASE("onset: many rough grains in three dimensions come out five times better at n = 20") {
  const OnsetResult r = study_onset(small({"gas"}, "velocity_verlet_implicit", {20, 28, 40}));
  CHECK(r.cases[0].collisions > 2);
  for (std::size_t m = 0; m < 3; ++m) {
    INFO(r.cases[0].measures[m].name);
    CHECK(r.cases[0].uncertainty[m] < 1e-8);
    const auto& e = at(r, "gas", m, "velocity_verlet_implicit", 40);
    CHECK(e.gain() > 5);
    CHECK(e.resolved);
  }
}

TEST_CASE("onset: a gas of smooth inelastic spheres cools as Haff's law has it") {
  OnsetSettings settings = small({"cooling"}, "velocity_verlet_implicit", {20});
  settings.cooling_grains = 300;
  settings.cooling_per_contact = {10};
  settings.finer = 2;
  const OnsetResult r = study_onset(settings);
  const OnsetResult::Cooling& c = r.cooling;
  REQUIRE(c.references.size() == 2);
  for (const auto& run : c.references) {
    INFO(run.onset);
    CHECK(run.energy.front() == 1);
    CHECK(cooling_rate(c, run.energy) * c.tau == doctest::Approx(1).epsilon(0.06));
    CHECK(run.residual < 0.02);
  }
  // Of the law itself the rate is the law's.
  std::vector<Real> haff;
  for (const Real t : c.times) haff.push_back(1 / ((1 + t / c.tau) * (1 + t / c.tau)));
  CHECK(cooling_rate(c, haff) * c.tau == doctest::Approx(1));
  CHECK(energy_error(haff, haff) == 0);
}

TEST_CASE("onset: results do not depend on threads, and what cannot be studied is refused") {
  OnsetSettings settings = small({"impact", "billiards"}, "rk4", {7});
  const OnsetResult two = study_onset(settings);
  settings.threads = 1;
  const OnsetResult one = study_onset(settings);
  REQUIRE(one.entries.size() == two.entries.size());
  for (std::size_t k = 0; k < one.entries.size(); ++k) {
    CHECK(one.entries[k].off == two.entries[k].off);
    CHECK(one.entries[k].on == two.entries[k].on);
  }
  const StudyReport report = show(one);
  CHECK(report.findings.size() >= 2);
  CHECK(report.tables[0].rows.size() == one.entries.size());

  CHECK_THROWS_AS(study_onset(small({"impact"}, "dormand_prince54", {7})), Error);
  CHECK_THROWS_AS(study_onset(small({"no_such"}, "rk4", {7})), Error);
  CHECK_THROWS_AS(study_onset(small({"impact"}, "rk4", {0.3})), Error);
  CHECK_THROWS_AS(study_onset(small({"impact"}, "rk4", {20, 1e9})), Error);
}

TEST_CASE("onset: where the correction makes the mean worse though the scatter falls, the findings say so") {
  const OnsetResult r = study_onset(small({"hertz"}, "rk4,velocity_verlet_implicit", {20}));
  std::string said;
  for (const std::string& finding : show(r).findings) said += finding + "\n";
  INFO(said);
  for (const char* scheme : {"rk4", "velocity_verlet_implicit"}) {
    const auto& mean = at(r, "hertz", 1, scheme, 20);
    CHECK(mean.on > 1.5 * mean.off);
    CHECK(said.find(scheme + std::string(" (restitution mean in hertz ")) != said.npos);
  }
  CHECK(said.find("its slope against the step") == said.npos);  // one n gives no slope
}

}  // namespace
}  // namespace cairn::studies
