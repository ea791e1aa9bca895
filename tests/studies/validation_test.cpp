// cairn study validation: its references are right, it sees a wrong constant, and its page has the rows it has.
#include "cairn/studies/validation/validation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "cairn/studies/validation/reference.hpp"

namespace cairn {
namespace {

using namespace studies;

// "case, quantity"
std::set<std::string> names_of(const std::vector<ValidationRow>& rows) {
  std::set<std::string> names;
  for (const ValidationRow& row : rows) CHECK(names.insert(row.test + " | " + row.quantity).second);
  return names;
}

void check_same(const std::set<std::string>& found, const std::set<std::string>& expected) {
  for (const std::string& name : expected) CHECK_MESSAGE(found.contains(name), "missing: ", name);
  for (const std::string& name : found) CHECK_MESSAGE(expected.contains(name), "not expected: ", name);
}

// The others take too long here.
const std::vector<std::string> short_cases{"normal", "oblique",  "spinning", "rolling", "turntable",
                                           "piston", "symmetry", "gas",      "drum"};
bool of_long_case(const std::string& row) {
  return row.starts_with("Janssen | ") || row.starts_with("Beverloo | ");
}

TEST_CASE("validation: every comparison of the short cases holds, and its page has the same rows") {
  ValidationSettings settings;
  settings.quick = true, settings.cases = short_cases;
  const ValidationResult r = study_validation(settings);
  for (const ValidationFigure& f : r.figures) {
    INFO(f.test, ", ", f.title);
    CHECK(f.found_x.size() == f.found_y.size());
    CHECK(f.expected_x.size() == f.expected_y.size());
    CHECK(f.found_x.size() > 3);
    for (const auto* numbers : {&f.found_x, &f.found_y, &f.expected_x, &f.expected_y})
      for (const Real a : *numbers) REQUIRE(std::isfinite(a));
    CHECK(std::is_sorted(f.expected_x.begin(), f.expected_x.end()));
  }
  for (const ValidationRow& row : r.rows) {
    INFO(row.test, ", ", row.quantity, ": ", row.found, " against ", row.expected, ", bound ", row.bound);
    CHECK(row.holds());
    CHECK(!row.source.empty());
  }
  std::set<std::string> told;
  std::ifstream page(CAIRN_SOURCE_DIR "/docs/validation.md");
  REQUIRE(page.good());
  bool table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| case | quantity |")) table = true;
    if (!line.starts_with("| ")) table = false;
    if (!table || line.starts_with("| case") || line.starts_with("| ---")) continue;
    const std::size_t second = line.find(" | "), third = line.find(" | ", second + 3);
    const std::string row = line.substr(2, third - 2);
    if (!of_long_case(row)) told.insert(row);
  }
  check_same(told, names_of(r.rows));
}

TEST_CASE("validation: friction that is 1 % off does not hold where friction matters") {
  ValidationSettings settings;
  settings.quick = true, settings.friction = 1.01;
  settings.cases = {"normal", "oblique", "spinning", "rolling"};
  const ValidationResult r = study_validation(settings);
  std::set<std::string> failed;
  for (const ValidationRow* row : r.failed()) failed.insert(row->test);
  check_same(failed, std::set<std::string>{"Chung & Ooi 4", "Chung & Ooi 5", "Chung & Ooi 6", "Chung & Ooi 7",
                                           "Chung & Ooi 8", "Slope", "Belt", "Ball", "Twisting"});
  CHECK(show(r).findings[0].find("COMPARISONS DO NOT HOLD") != std::string::npos);
}

TEST_CASE("validation: a row holds within its bound, and not where there is no number") {
  ValidationRow row{"", "", "1", -2, -2.02, 0.0101, true, ""};
  CHECK(row.deviation() == doctest::Approx(-0.01));
  CHECK(row.holds());
  row.bound = 0.0099;
  CHECK(!row.holds());
  row.relative = false;
  CHECK(!row.holds());
  row.bound = 0.021;
  CHECK(row.holds());
  row.found = std::nan("");
  CHECK(!row.holds());
}

TEST_CASE("validation: the references are those of the literature") {
  // t_c = 2.9432751843 overlap / speed; 15/16 m v^2 = E* sqrt(R) overlap^(5/2).
  const HertzImpact hertz = hertz_impact(1e9, 0.02, 0.005, 0.7);
  CHECK(hertz.duration == doctest::Approx(2.9432751843 * hertz.overlap / 0.7).epsilon(1e-6));
  CHECK(8.0 / 15 * 1e9 * std::sqrt(0.005) * std::pow(hertz.overlap, 2.5) ==
        doctest::Approx(0.5 * 0.02 * 0.7 * 0.7).epsilon(1e-12));
  CHECK(clipped_damping_ratio(0.450975453) == doctest::Approx(0.3).epsilon(1e-8));
  CHECK(clipped_damping_ratio(0.155282748) == doctest::Approx(0.9).epsilon(1e-7));
  CHECK(clipped_damping_ratio(1) == 0);

  // A head-on impact of two spheres: restitution, and momentum.
  const Solid solid{1e8, 0.3, 2500};
  const RoundBody a{-0.01, 0, 1, 0, 0, 0.01, 0.01}, b{0.02, 0, -0.5, 0, 0, 0.02, 0.08};
  RoundCollision c{a, b, moduli_of(solid, solid), 0.4, clipped_damping_ratio(0.7)};
  const RoundOutcome head_on = round_collision(c, 2000);
  CHECK((head_on.second.vx - head_on.first.vx) / 1.5 == doctest::Approx(0.7).epsilon(1e-4));
  CHECK(0.01 * head_on.first.vx + 0.08 * head_on.second.vx == doctest::Approx(0.01 - 0.04).epsilon(1e-12));

  // An oblique one: angular momentum about the origin, halved steps, and friction's impulse where it slides.
  c.first.vy = 0.3;
  const RoundOutcome coarse = round_collision(c, 1000), fine = round_collision(c, 4000);
  CHECK(!fine.slid);
  CHECK(coarse.first.spin == doctest::Approx(fine.first.spin).epsilon(2e-4));
  const auto moment = [](const RoundBody& g) {
    return g.mass * (g.x * g.vy - g.y * g.vx) + 0.4 * g.mass * g.radius * g.radius * g.spin;
  };
  CHECK(moment(fine.first) + moment(fine.second) == doctest::Approx(moment(c.first) + moment(c.second)).epsilon(1e-10));
  c.first.vy = 5;
  const RoundOutcome slides = round_collision(c, 4000);
  CHECK(slides.slid);
}

}  // namespace
}  // namespace cairn
