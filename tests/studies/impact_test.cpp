// cairn study impact: its figures are those of the benchmark's definitions.
#include "cairn/studies/impact/impact.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/impact/impact_claims.hpp"

namespace cairn::studies {
namespace {

ImpactSettings settings_of(const std::string& schemes, std::vector<int> steps) {
  ImpactSettings s;
  s.schemes = select_fixed_steps(schemes);
  s.steps = std::move(steps);
  s.grid_steps = s.simulated_steps = {20};
  s.grid_each = 25;
  s.cost_repeats = 1;
  return s;
}

const ImpactErrors& ard(const ImpactResult& r, const char* scheme, int n) {
  const auto at = std::find_if(r.accuracy.begin(), r.accuracy.end(),
                               [&](const auto& a) { return a.scheme->claims.name == scheme && a.n == n; });
  REQUIRE(at != r.accuracy.end());
  return at->ard;
}

TEST_CASE("impact: the accuracies the document tells and a reference confirms") {
  const ImpactResult r =
      study_impact(settings_of("forward_euler,taylor2,taylor3,taylor4,position_verlet,omelyan_babab,forest_ruth,rk4,"
                               "adams_bashforth2,abm2,central_difference,velocity_verlet_predicted",
                               {4, 5, 6, 7, 8, 9, 10, 21, 43, 44, 100}));
  const auto e_n = [&](const char* scheme, int n) { return ard(r, scheme, n)[0]; };
  CHECK(e_n("forward_euler", 100) == doctest::Approx(4.33).epsilon(0.002));
  CHECK(e_n("taylor2", 100) == doctest::Approx(1.92).epsilon(0.003));
  struct Below {  // 1 % from n on
    const char* scheme;
    int n;
  };
  for (const auto& [scheme, n] : {Below{"position_verlet", 9}, Below{"taylor3", 7}, Below{"taylor4", 6},
                                  Below{"forest_ruth", 6}, Below{"central_difference", 44}}) {
    INFO(scheme);
    CHECK(e_n(scheme, n) < 1);
    CHECK(e_n(scheme, n - 1) > 1);
  }
  CHECK(e_n("omelyan_babab", 4) < 1);
  CHECK(e_n("rk4", 4) < 1);
  CHECK(e_n("abm2", 8) < e_n("adams_bashforth2", 8));
  CHECK(e_n("abm2", 7) > e_n("adams_bashforth2", 7));
  for (const char* scheme : {"position_verlet", "omelyan_babab", "forest_ruth", "rk4", "abm2", "central_difference",
                             "velocity_verlet_predicted"}) {
    INFO(scheme);
    CHECK(ard(r, scheme, 21)[1] < 4);
  }
  CHECK(ard(r, "forward_euler", 21)[1] > 4);
}

TEST_CASE("impact: the time-grid error of rk4 is that of the document") {
  ImpactSettings s = settings_of("rk4", {20});
  s.grid_steps = {18, 75, 76};
  s.grid_each = 1;
  const ImpactResult r = study_impact(s);
  std::vector<const ImpactResult::Grid*> grid;
  for (const auto& g : r.grid)
    if (g.onset == Onset::sampled) grid.push_back(&g);
  REQUIRE(grid.size() == 3);
  CHECK(grid[0]->dev[0] == doctest::Approx(4.168).epsilon(2e-4));
  CHECK(grid[0]->tot[0] == doctest::Approx(4.1685).epsilon(2e-4));
  CHECK(grid[0]->dev[1] < 4);
  CHECK(grid[1]->dev[0] > 1);
  CHECK(grid[2]->dev[0] < 1);
  const auto corrected =
      std::find_if(r.grid.begin(), r.grid.end(), [](const auto& g) { return g.onset == Onset::corrected; });
  REQUIRE(corrected != r.grid.end());
  CHECK(corrected->dev[0] < 1e-3);
  CHECK(corrected->dev[1] < 0.4);
}

TEST_CASE("impact: deviations are from the same scheme aligned, totals from the exact rebound") {
  ImpactSettings s = settings_of("forward_euler", {20});
  s.angles = {30};
  const ImpactResult r = study_impact(s);
  const Impact impact(s.material, impact_velocity(s.speed, 30));
  const SchemeEntry& e = scheme_named("forward_euler");
  const ImpactScheme scheme{e.advance, e.staggered, e.claims.memory};
  const ImpactOutcome aligned = run_aligned(impact, scheme, 20);
  CHECK(r.accuracy[0].ard[1] == doctest::Approx(100 * relative_error(aligned, impact.exact).e_t));
  Real dev = 0, tot = 0;
  for (const Real phase : impact_phases()) {
    const ImpactOutcome found = run_phased(impact, scheme, 20, phase, Onset::sampled);
    dev = std::max(dev, 100 * std::fabs(found.e_t / aligned.e_t - 1));
    tot = std::max(tot, 100 * std::fabs(found.e_t / impact.exact.e_t - 1));
  }
  CHECK(std::fabs(dev - tot) > 1);
  CHECK(r.grid[0].dev[1] == doctest::Approx(dev));
  CHECK(r.grid[0].tot[1] == doctest::Approx(tot));
}

TEST_CASE("impact: no result depends on threads") {
  ImpactSettings s = settings_of("velocity_verlet_predicted,abm3,taylor3", {5, 12, 20});
  s.threads = 1;
  const ImpactResult one = study_impact(s);
  s.threads = 2;
  const ImpactResult two = study_impact(s);
  REQUIRE(one.accuracy.size() == 9);
  REQUIRE(one.grid.size() == 10);  // one more of abm3, whose start can be read in two ways
  for (std::size_t k = 0; k < one.accuracy.size(); ++k) CHECK(one.accuracy[k].ard == two.accuracy[k].ard);
  for (std::size_t k = 0; k < one.grid.size(); ++k) {
    CHECK(one.grid[k].dev == two.grid[k].dev);
    CHECK(one.grid[k].tot == two.grid[k].tot);
  }
  REQUIRE(!one.phases.empty());
  for (std::size_t k = 0; k < one.phases.size(); ++k) CHECK(one.phases[k].dev == two.phases[k].dev);
}

TEST_CASE("impact: the tables and verdicts that are shown") {
  ImpactSettings s = settings_of("rk4,forward_euler,taylor2,verlet", {4, 20, 100});
  s.table = Onset::corrected;
  const StudyReport report = show(study_impact(s));
  CHECK(report.tables[0].name == "time_grid_corrected");
  CHECK(report.tables[0].rows.size() == 4);
  CHECK(report.tables[0].columns[2].name == "dev_e_n");
  CHECK(report.tables[0].columns[9].name == "tot_omega");
  CHECK(report.tables[1].name == "accuracy");
  CHECK(report.tables[1].columns[5].name == "ard_omega");
  CHECK(report.tables[1].rows.size() == 12);
  for (const auto& table : report.tables)
    for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
  for (const Figure& f : report.figures)
    for (const Curve& c : f.curves) {
      INFO(f.name, ", ", c.name);
      CHECK(c.y.size() == f.at.size());
    }
  Page page("", "");
  report.body(report, page, [](const Figure&, const std::string&) {});
  const std::string html = page.html();
  CHECK(html.find("FE and TY2 never get below 1 % in e_n") != html.npos);
  CHECK(html.find("this run lacks schemes that the claim needs") != html.npos);
  CHECK(html.find("does not hold for Cairn's verlet") != html.npos);
}

TEST_CASE("impact: a verdict follows from what was measured") {
  ImpactSettings settings;
  settings.steps = {6, 9, 12, 20, 100};
  const auto verdict = [&](const std::vector<Real>& errors, const char* claimed) {
    ImpactResult r;
    r.settings = settings;
    for (const SchemeEntry* s : settings.schemes)
      for (std::size_t k = 0; k < errors.size(); ++k)
        r.accuracy.push_back({s, settings.steps[k], {errors[k], errors[k], 0, 0}});
    for (const Claim& c : claims_of(r))
      if (c.claimed == claimed) return c.verdict;
    return std::string("none");
  };
  const char* one = "PV gets below 1 % in e_n at about 10 steps";
  CHECK(verdict({2, 0.5, 0.4, 0.3, 0.2}, one) == "holds");
  CHECK(verdict({0.9, 0.5, 0.4, 0.3, 0.2}, one) == "does not hold");
  CHECK(verdict({2, 0.5, 0.4, 1.1, 0.2}, one) == "does not hold");
  CHECK(verdict({2, 0.5, 0.4, std::nan(""), 0.2}, one) == "does not hold");
  const char* most = "most schemes are below 4 % in e_t for n > 20";
  CHECK(verdict({9, 9, 9, 9, 3}, most) == "holds");
  CHECK(verdict({3, 3, 3, 3, 5}, most) == "does not hold");

  // Nothing is said of what did not run: schemes, numbers of steps on both sides of those claimed, other impacts.
  const char* both = "BABABAB and RK are below 1 % in e_n from 6 steps on";
  CHECK(verdict({0.5, 0.5, 0.5, 0.5, 0.5}, both) == "holds");
  settings.schemes = select_fixed_steps("position_verlet,rk4");
  CHECK(verdict({0.5, 0.5, 0.5, 0.5, 0.5}, both) == not_measured);
  CHECK(verdict({9, 9, 9, 9, 3}, most) == not_measured);
  CHECK(verdict({2, 0.5, 0.4, 0.3, 0.2}, one) == "holds");
  settings.angles = {30};
  CHECK(verdict({2, 0.5, 0.4, 0.3, 0.2}, one) == not_measured);
  settings = {};
  settings.steps = {20};
  CHECK(verdict({9}, "FE and TY2 never get below 1 % in e_n for n \u2264 100") == not_measured);
  CHECK(verdict({9}, both) == "does not hold");
  CHECK(verdict({0.1}, most) == not_measured);
  CHECK(verdict({0.1}, both) == not_measured);
  settings.steps = {5, 50};
  CHECK(verdict({2, 0.1}, one) == not_measured);
  CHECK(verdict({2, 2}, one) == "does not hold");
}

TEST_CASE("impact: schemes that choose their own steps are left out, or refused") {
  for (const SchemeEntry* e : select_fixed_steps("")) CHECK(!e->claims.adaptive);
  try {
    select_fixed_steps("rk4,dormand_prince54");
    FAIL_CHECK("no error");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("'dormand_prince54' chooses its own steps") != std::string::npos);
  }
}

}  // namespace
}  // namespace cairn::studies
