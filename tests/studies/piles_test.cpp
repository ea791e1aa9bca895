// The parts of the study of piles that take seconds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "cairn/studies/piles/piles_view.hpp"

namespace cairn::studies {
namespace {

PilesResult parts_of_the_study() {
  PilesResult r;
  r.balls = single_balls(), r.thrown = thrown_balls();
  for (const Real stiffness : {4000.0, 8000.0, 40000.0}) r.soft.push_back(soft_column(stiffness, true));
  for (const auto& [step, first] : {std::pair{0.01, 1}, {0.005, 15}}) {
    r.hard.push_back(hard_column("simultaneous", step, first, 25));
    for (const bool neighbours_only : {false, true}) r.hard.push_back(column_by_hand(neighbours_only, step, first, 25));
  }
  for (const char* law : {"impulse", "dynamics", "linear"})
    for (const bool lossy : {false, true}) r.billiards.push_back(billiards(law, lossy));
  r.cushion = billiards("impulse", false, true);
  return r;
}

}  // namespace

TEST_CASE("piles: the document's columns, balls and explosions") {
  const PilesResult r = parts_of_the_study();
  int agree = 0;
  for (const Page::Row& row : verdict_rows(r)) {
    if (row[1].starts_with("stable for k_p")) continue;  // has no jitter here
    CHECK_MESSAGE(row[3] == "agrees", row[0], ": ", row[2]);
    ++agree;
  }
  CHECK(agree == 11);

  // Heights and the extent of the lowest grain, by an independent program.
  const Real expected[3][2] = {{58.560, 0.2956}, {67.812, 0.4370}, {76.478, 0.5679}};
  for (int k = 0; k < 3; ++k) {
    CHECK(std::fabs(r.soft[k].height - expected[k][0]) < 0.01);
    CHECK(std::fabs(r.soft[k].bottom - expected[k][1]) < 2e-4);
  }
  CHECK(std::fabs(r.soft[0].half_time - 11.653) < 1e-3);
  CHECK(r.soft[0].half_emitted == 117);
  CHECK(std::isnan(r.soft[2].half_time));
  for (const Real step : {0.01, 0.005}) {
    CHECK(column_of(r, "neighbours only", step)->exploded == 0);
    CHECK(column_of(r, "all overlaps by hand", step)->exploded == column_of(r, "simultaneous", step)->exploded);
  }
}

TEST_CASE("piles: one impulse after the other, and contact dynamics, keep the column standing that explodes") {
  for (const char* method : {"sequential", "dynamics"})
    for (const auto& [step, first] : {std::pair{0.01, 1}, {0.005, 15}}) {
      const HardColumn c = hard_column(method, step, first, 60);
      CAPTURE(method);
      CAPTURE(step);
      CHECK(c.exploded == 0);
      CHECK(c.grains == 60);
      CHECK(c.height > 0.99 * 60 * 0.6);
      CHECK(c.height < 1.001 * 60 * 0.6);
    }
}

TEST_CASE("piles: one ball in two dimensions by both models") {
  const std::vector<Course> thrown = thrown_balls();
  REQUIRE(thrown.size() == 2);
  const Course &hard = thrown[0], &soft = thrown[1];
  // It falls by 1.7 m; each impact leaves 0.64 of the energy above the floor. A spring's contact lasts 16 ms.
  const Real weight = 9.81, above = 1.7;
  for (const Course& c : thrown) {
    CHECK(c.energy.front() == doctest::Approx(weight * 2 + 0.5));
    CHECK(c.at_walls.back() >= 3);
    CHECK(c.at_grains.back() == 0);
    CHECK(c.x.back() == doctest::Approx(4).epsilon(1e-9));  // nothing acts along the floor
    const Real flight = std::sqrt(2 * above / weight);
    Real after = 0;  // the energy between the first and the second impact
    for (std::size_t k = 0; k < c.time.size(); ++k)
      if (c.time[k] < flight + 0.8 * flight) after = c.energy[k];
    CHECK(after == doctest::Approx(weight * 0.3 + 0.5 + 0.64 * weight * above).epsilon(0.01));
  }
  Real apart = 0;
  for (std::size_t k = 0; k < std::min(hard.time.size(), soft.time.size()) && hard.time[k] < 1; ++k)
    apart = std::max(apart, std::fabs(hard.height[k] - soft.height[k]));
  CHECK(apart < 0.1);
}

}  // namespace cairn::studies
