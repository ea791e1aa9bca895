// cairn study as its user meets it.
#include <cstdlib>

#include "desk.hpp"

namespace cairn {
namespace {

TEST_CASE("orders: the program writes a report, figures and tables, and tells of wrong words") {
  const Desk desk;
  const Outcome o = desk.cairn(words("study orders --quick --scheme rk4,central_difference --csv mine.csv"));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("results/study-orders/report.html") != o.out.npos);
  CHECK(o.out.find("18 of 18 slopes of 2 schemes agree") != o.out.npos);
  const fs::path folder = desk / "results" / "study-orders";
  const std::string html = content(folder / "report.html");
  for (const char* name : {"rk4", "central_difference"}) CHECK(html.find(name) != html.npos);
  CHECK(fs::exists(folder / "figures" / "conservative_splitting.csv"));
  CHECK(fs::exists(folder / "figures" / "pair_both_one_step.gp"));
  const std::string points = content(folder / "orders.csv"), slopes = content(folder / "slopes.csv");
  CHECK(points.find("\nscheme,case,steps,h,error\n") != points.npos);
  CHECK(points.find("\nrk4,pair_both,") != points.npos);
  CHECK(slopes.find("\nscheme,case,claimed,measured,") != slopes.npos);
  CHECK(content(desk / "mine.csv") == points);

  const Outcome j = desk.cairn(words("study orders --quick --scheme rk4 --json --out there"));
  REQUIRE(j.code == 0);
  const json parsed = json::parse(j.out);
  CHECK(parsed["study"] == "orders");
  REQUIRE(parsed["slopes"].size() == 9);
  CHECK(parsed["slopes"][0]["scheme"] == "rk4");
  CHECK(parsed["slopes"][0]["claimed"] == 4);
  CHECK(parsed["slopes"][0]["measured"].get<Real>() == doctest::Approx(4).epsilon(0.025));
  CHECK(fs::exists(desk / "there" / "report.html"));

  const Outcome list = desk.cairn(words("study"));
  CHECK(list.code == 0);
  for (const char* name : {"orders", "work-precision"}) CHECK(list.out.find(name) != list.out.npos);
  const Outcome help = desk.cairn(words("study orders --help"));
  CHECK(help.code == 0);
  CHECK(help.out.find("--quick") != help.out.npos);
  const auto refused = [&](const std::string& command, const std::string& told) {
    const Outcome wrong = desk.cairn(words(command));
    CHECK(wrong.code == 2);
    CHECK_MESSAGE(wrong.tells(told), wrong.err);
  };
  refused("study order", "no study 'order'; did you mean 'orders'?");
  refused("study orders --shceme rk4", "did you mean '--scheme'?");
  refused("study orders --scheme rk5", "'rk5'; did you mean 'rk4'?");
  refused("study work-precision --case nowhere.toml", "nowhere.toml");
  refused("study work-precision --steps 0", "--steps: found '0', expected a number above 0");
  refused("study work-precision --steps 1e-4,x", "--steps: found 'x', expected a number above 0");
  refused("study work-precision --end -1", "--end: found '-1', expected a number above 0");
}

TEST_CASE("work-precision: the program leaves its tables, figures and a report that names the schemes") {
  const Desk desk;
  const Outcome o =
      desk.cairn(words("study work-precision --quick --end 0.06 --scheme rk4,velocity_verlet,dormand_prince54 --json"));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json parsed = json::parse(o.out);
  REQUIRE(parsed["work_precision"].size() == 24);
  CHECK(parsed["cheapest"].size() > 2);
  for (const json& level : parsed["cheapest"]) {
    CHECK(level["force_calls"].get<Real>() > 0);
    CHECK(level["seconds"].get<Real>() > 0);
  }
  const fs::path folder = desk / "results" / "study-work-precision";
  const std::string csv = content(folder / "work_precision.csv"), html = content(folder / "report.html");
  CHECK(csv.find("\nscheme,family,h,steps,force_calls,seconds,error_position,error_velocity,residual,") != csv.npos);
  for (const char* name : {"rk4", "velocity_verlet", "dormand_prince54"}) CHECK(html.find(name) != html.npos);
  for (const char* figure : {"overview", "calls_splitting", "seconds_embedded", "step_one_step"})
    CHECK(fs::exists(folder / "figures" / (std::string(figure) + ".csv")));

  // Before anything touches, no scheme errs; that is told, and figures without a point keep none from being drawn.
  const Outcome nothing = desk.cairn(
      words("study work-precision --quick --case starter --end 0.02 --scheme rk4,dormand_prince54 --out fall"));
  CHECK_MESSAGE(nothing.code == 0, nothing.err);
  CHECK(nothing.out.find("Every run is below every level of error") != nothing.out.npos);
  CHECK(nothing.out.find("halving a fixed step") == nothing.out.npos);
  if (std::system("command -v gnuplot >/dev/null 2>&1") == 0) {
    CHECK(!nothing.tells("without gnuplot"));
    CHECK(fs::exists(desk / "fall" / "figures" / "step_one_step.svg"));
  }

  // Any scenario, by file; grains come and go.
  const Outcome other = desk.cairn(Words{"study", "work-precision", "--case", scenario("starter"), "--end", "0.01",
                                         "--steps", "1e-4,5e-5", "--scheme", "rk4", "--out", "there"});
  CHECK_MESSAGE(other.code == 0, other.err);
  CHECK(fs::exists(desk / "there" / "report.html"));
}

}  // namespace
}  // namespace cairn
