#include <doctest/doctest.h>

#include "cairn/studies/statics/statics_view.hpp"

namespace cairn::studies {

TEST_CASE("the figures of the statics study that take seconds agree") {
  StaticsSettings settings = StaticsSettings::quick();
  settings.factors = {10}, settings.relaxed = {5, 10}, settings.bilateral_steps = 100;
  const StaticsResult r = study_statics(settings);
  for (const Page::Row& row : statics_verdicts(r)) CHECK_MESSAGE(row.back() == "agrees", row[0], ": ", row[2]);
  const StaticsResult::Run* const dropped = r.run("newmark", 10, true);
  REQUIRE(dropped != nullptr);
  CHECK(dropped->gained == doctest::Approx(117.891).epsilon(1e-4));
  CHECK(dropped->in_order);
  const StudyReport report = show(r);
  CHECK(report.rows.size() == statics_verdicts(r).size());
  CHECK(report.figures.size() >= 3);
}

}  // namespace cairn::studies
