// cairn study validation as its user meets it.
#include "cairn/core/constants.hpp"
#include "program/desk.hpp"

namespace cairn {
namespace {

TEST_CASE("validation: the program tells by its exit code whether all holds") {
  const Desk desk;
  const Outcome good = desk.cairn(words("study validation --quick --case normal,symmetry --csv rows.csv"));
  REQUIRE_MESSAGE(good.code == 0, good.err);
  CHECK(good.out.find("comparisons hold.") != good.out.npos);
  const fs::path folder = desk / "results" / "study-validation";
  const std::string csv = content(desk / "rows.csv"), html = content(folder / "report.html");
  CHECK(csv.find("\ntest,quantity,unit,reference,found,deviation,bound,relative,holds,source\n") != csv.npos);
  CHECK(csv.find("\"largest force, glass\",N,") != csv.npos);
  CHECK(html.find("largest overlap, limestone") != html.npos);
  CHECK(fs::exists(folder / "figures" / "chung_ooi_1_force_over_overlap_glass.csv"));

  const Outcome bad = desk.cairn(words("study validation --quick --case normal --scheme forward_euler"));
  CHECK(bad.code == 3);
  CHECK_MESSAGE(bad.tells("comparisons are outside their bounds; the first is Chung & Ooi 1, largest force, glass"),
                bad.err);
  CHECK(bad.out.find("COMPARISONS DO NOT HOLD") != bad.out.npos);
  CHECK(bad.out.find("report: ") != bad.out.npos);

  const Outcome j = desk.cairn(words("study validation --quick --case turntable --json"));
  REQUIRE(j.code == 0);
  const json parsed = json::parse(j.out);
  REQUIRE(parsed["validation"].size() == 2);
  CHECK(parsed["validation"][0]["reference"].get<Real>() == doctest::Approx(2.0 / 7 * 4 * pi));
  CHECK(parsed["validation"][0]["holds"] == 1);
  const Outcome m = desk.cairn(words("study validation --quick --case turntable --markdown"));
  CHECK(m.code == 0);
  CHECK(m.out.starts_with("| case | quantity | reference | Cairn | deviation | bound | holds |"));

  const auto refused = [&](const std::string& command, const std::string& told) {
    const Outcome wrong = desk.cairn(words(command));
    CHECK(wrong.code == 2);
    CHECK_MESSAGE(wrong.tells(told), wrong.err);
  };
  refused("study validation --scheme dormand_prince54", "chooses its own steps");
  refused("study validation --scheme rk4,rk5", "rk4,rk5");
  refused("study validation --case normals", "there is no case 'normals'; did you mean 'normal'?");
}

}  // namespace
}  // namespace cairn
