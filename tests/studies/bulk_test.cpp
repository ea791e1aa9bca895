// The study of bulk measurements: its statistics, its verdicts, and a gas that a plain step cools wrongly.
#include "cairn/studies/bulk/bulk.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/error.hpp"

using namespace cairn;
using namespace cairn::studies;

TEST_CASE("study bulk: mean, standard error and interval of realisations") {
  const BulkResult::Deviation d = statistics_of({1, 2, 3, 6});
  CHECK(d.mean == 3);
  CHECK(d.error == doctest::Approx(std::sqrt(14.0 / 12)));
  CHECK(d.half_width == doctest::Approx(3.182 * d.error));  // Student, three degrees of freedom
  CHECK(std::isnan(statistics_of({1}).error));
}

TEST_CASE("study bulk: a verdict respects chance") {
  BulkResult r;
  r.cases = {{"case", "", 1, {{"value", "1", ""}}, 1, {}}};
  const auto runs_of = [&](const std::vector<Real>& values) {
    BulkResult::Run run{r.settings.schemes[0], 0, 10, true, {}};
    for (const Real v : values) run.starts.push_back({{v}, 1, 1});
    return run;
  };
  r.references = {runs_of({90, 100, 110})};
  using Verdict = BulkResult::Verdict;
  // The starts differ by far more than 1 %; the pairs do not.
  CHECK(r.verdict(runs_of({90.1, 100, 110.1}), 0) == Verdict::within);
  CHECK(r.verdict(runs_of({92, 102.1, 112}), 0) == Verdict::outside);
  CHECK(r.verdict(runs_of({95, 99, 107}), 0) == Verdict::undecided);
  CHECK(r.verdict(runs_of({90, std::nan(""), 110}), 0) == Verdict::unstable);
  // Pairs that move together, and against each other.
  CHECK(r.correlation(runs_of({45, 50, 55}), 0) == doctest::Approx(1));
  CHECK(r.correlation(runs_of({7, 6, 5}), 0) == doctest::Approx(-1));
  CHECK(r.correlation(runs_of({1, 5, 1}), 0) == doctest::Approx(0));
  // Deviations of 5, -1 and -3 %: a standard error of sqrt(52) / 3 % of three starts, to be made 0.5 % over Student's
  // t.
  CHECK(r.starts_that_decide(runs_of({95, 99, 107}), 0) ==
        doctest::Approx(r.settings.starts * 4.303 * 4.303 * (52.0 / 9) / 0.25).epsilon(1e-3));
}

TEST_CASE("study bulk: the same starts, the correction of onsets, and steps that explode") {
  BulkSettings s = BulkSettings::quick();
  s.schemes = select_schemes("velocity_verlet_predicted");
  s.reference = s.schemes[0];
  s.cases = {"cooling", "chute"};
  s.per_collision = {2, 10}, s.finest = 40, s.starts = 2;
  s.sizes = {.chute = 6, .settling = 1, .measuring = 1, .gas = 40, .cooling = 0.1};
  const BulkResult r = study_bulk(s), again = study_bulk(s);
  REQUIRE(r.runs.size() == 2 * 2 * 2);
  for (std::size_t k = 0; k < r.runs.size(); ++k) {
    const BulkResult::Run& run = r.runs[k];
    CHECK(run.starts[0].values[0] != run.starts[1].values[0]);
    if (r.cases[run.in].name == "chute" && run.n == 2) CHECK(r.verdict(run, 0) != BulkResult::Verdict::within);
    if (run.n == 10) {
      CHECK(run.starts[0].values == again.runs[k].starts[0].values);
      CHECK(run.price() > 0);
      // Before chaos the pairs agree far better than the starts among each other.
      CHECK(std::fabs(r.deviation(run, 0).mean) < (run.onset ? 0.05 : 0.2));
    }
  }
  const StudyReport report = show(r);
  CHECK(report.rows.size() == 3 * 2);  // three quantities, without the correction and with
  CHECK(report.tables[0].rows.size() == 3 * 2 * 2);
  s.cases = {"cooling"}, s.plain = false;
  const BulkResult corrected = study_bulk(s);
  CHECK(corrected.checks.empty());
  REQUIRE(corrected.runs.size() == 2);
  for (const BulkResult::Run& run : corrected.runs) CHECK(run.onset);
  CHECK(show(corrected).rows.size() == 1);
  s.cases = {"slide"};
  CHECK_THROWS_AS(study_bulk(s), Error);
  s.cases = {}, s.schemes = select_schemes("dormand_prince54");
  CHECK_THROWS_AS(study_bulk(s), Error);
}
