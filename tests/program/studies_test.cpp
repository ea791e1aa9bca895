// cairn study as its user meets it.
#include <cstdlib>

#include "cairn/core/constants.hpp"
#include "cairn/studies/impact/impact_exact.hpp"
#include "cairn/studies/shown.hpp"
#include "program/desk.hpp"

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
  for (const char* name : {"orders", "work-precision", "onset"}) CHECK(list.out.find(name) != list.out.npos);
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
  refused("study onset --scheme dormand_prince54", "schemes of fixed step");
  refused("study onset --case impacts", "there is no case 'impacts'; there are impact,");
  refused("study work-precision --case nowhere.toml", "nowhere.toml");
  refused("study work-precision --steps 0", "--steps: found '0', expected a number above 0");
  refused("study work-precision --steps 1e-4,x", "--steps: found 'x', expected a number above 0");
  refused("study work-precision --end -1", "--end: found '-1', expected a number above 0");
}

TEST_CASE("onset: the program tells what is gained, and leaves tables and figures of it") {
  const Desk desk;
  const Outcome o = desk.cairn(words(
      "study onset --quick --case impact,chain --scheme rk4,velocity_verlet_implicit --steps 14,20,28 --csv e.csv"));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("steps per contact the correction divides the error by these factors: ") != o.out.npos);
  const fs::path folder = desk / "results" / "study-onset";
  CHECK(content(folder / "onset.csv").find("\nimpact,linear,rk4,restitution,20,") != std::string::npos);
  CHECK(content(folder / "onset.csv") == content(desk / "e.csv"));
  CHECK(content(folder / "slopes.csv").find("\nchain,linear,rk4,velocity,") != std::string::npos);
  CHECK(content(folder / "report.html").find("Case chain") != std::string::npos);
  for (const char* figure : {"error_impact", "error_chain", "measures_impact"})
    CHECK(fs::exists(folder / "figures" / (std::string(figure) + ".csv")));
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
    CHECK(!nothing.tells("gnuplot is not installed"));
    CHECK(fs::exists(desk / "fall" / "figures" / "step_one_step.svg"));
  }

  // Any scenario, by file; grains come and go.
  const Outcome other = desk.cairn(Words{"study", "work-precision", "--case", scenario("starter"), "--end", "0.01",
                                         "--steps", "1e-4,5e-5", "--scheme", "rk4", "--out", "there"});
  CHECK_MESSAGE(other.code == 0, other.err);
  CHECK(fs::exists(desk / "there" / "report.html"));
}

TEST_CASE("impact --exact: the program tells the rebound at the angles asked for, all digits of it") {
  const Desk desk;
  const Outcome o = desk.cairn(words("study impact --exact --csv mine.csv"));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const std::string csv = content(desk / "mine.csv");
  CHECK(csv.find("\n# units: alpha_deg [deg], e_n [1], e_t [1], beta_deg [deg], omega_f [rad/s], K_y [N/m], ") !=
        csv.npos);
  CHECK(csv.find("\nalpha_deg,e_n,e_t,beta_deg,omega_f,K_y,gamma_y,K_x,t_f,modes\n0.45,") != csv.npos);
  CHECK(csv.find(",stick slide+ stick slide-\n") != csv.npos);

  const Outcome grid = desk.cairn(words("study impact --exact --angles 7:83:20 --speed 2 --json"));
  REQUIRE_MESSAGE(grid.code == 0, grid.err);
  const json parsed = json::parse(grid.out);
  REQUIRE(parsed["exact"].size() == 20);
  for (std::size_t k = 0; k < 20; ++k) {
    const json& row = parsed["exact"][k];
    const Real alpha = 7 + 4 * static_cast<Real>(k);
    CHECK(row["alpha_deg"] == alpha);
    const ExactImpact impact({}, 2, alpha * pi / 180);
    CHECK(row["e_n"].get<Real>() == doctest::Approx(impact.outcome().e_n).epsilon(1e-14));
    CHECK(row["e_t"].get<Real>() == doctest::Approx(impact.outcome().e_t).epsilon(1e-14));
    CHECK(row["beta_deg"].get<Real>() == doctest::Approx(impact.outcome().beta * 180 / pi).epsilon(1e-14));
    CHECK(row["omega_f"].get<Real>() == doctest::Approx(impact.outcome().omega_f).epsilon(1e-13));
    CHECK(row["t_f"].get<Real>() == doctest::Approx(impact.contact().duration).epsilon(1e-14));
  }

  // Without a file, in columns; the same digits.
  const Outcome shown = desk.cairn(words("study impact --exact --angles 40:40:1"));
  REQUIRE(shown.code == 0);
  CHECK(shown.out.starts_with("alpha_deg  e_n "));
  CHECK(std::count(shown.out.begin(), shown.out.end(), '\n') == 2);
  CHECK(desk.cairn(words("study impact --exact --quiet")).out.empty());

  for (const char* angles :
       {"0:90:0", "0:45:3", "45:90:3", "60:30:3", "10:20:1", "10:10:2", "10:20:2.5", "10:20:-3", "10:20", "10:20:30:40",
        "a:b:c", "1e400:2:3", "nan:nan:1", "middle", "", "10:20:3 ", "10:20:99999999999999999999"}) {
    const Outcome wrong = desk.cairn(Words{"study", "impact", "--exact", "--angles", angles});
    INFO("angles ", angles, ": ", wrong.err);
    CHECK(wrong.code == 2);
    CHECK(wrong.tells("--angles"));
  }
  const Outcome slow = desk.cairn(words("study impact --exact --speed 0"));
  CHECK(slow.code == 2);
  CHECK(slow.tells("--speed: found '0', expected a number above 0"));
}

TEST_CASE("impact: the program leaves tables, figures and a report; --csv has what is asked for") {
  const Desk desk;
  const Outcome o = desk.cairn(words("study impact --scheme rk4,taylor2 --steps 18:20 --angles 5:85:9 --csv mine.csv"));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const fs::path folder = desk / "results" / "study-impact";
  const std::string html = content(folder / "report.html"), csv = content(desk / "mine.csv");
  CHECK(csv.find("\nscheme,n,ard_e_n,ard_e_t,ard_beta,ard_omega\nrk4,18,") != csv.npos);
  CHECK(csv.find("\ntaylor2,20,") != csv.npos);
  CHECK(html.find("the time-grid error of e_n is 4 % at n = 18") != html.npos);
  for (const char* figure : {"fig2_e_n_a", "fig3_omega_a", "fig5_e_t_a", "fig6_beta_a_corrected", "fig7_a",
                             "fig8_e_n_a", "fig12_beta_a", "bed8_e_t_a", "phase_corrected_e_n"})
    CHECK_MESSAGE(fs::exists(folder / "figures" / (std::string(figure) + ".csv")), figure);

  const Outcome grid = desk.cairn(
      words("study impact --scheme rk4 --steps 17:18 --angles 5:85:9 --grid --onset on --csv grid.csv --quiet"));
  REQUIRE_MESSAGE(grid.code == 0, grid.err);
  const std::string table = content(desk / "grid.csv");
  CHECK(table.find("\nscheme,n,dev_e_n,dev_e_t,dev_beta,dev_omega,tot_e_n,tot_e_t,tot_beta,tot_omega\nrk4,17,") !=
        table.npos);
  CHECK(std::count(table.begin(), table.end(), '\n') == 5);

  const auto refused = [&](const std::string& command, const std::string& told) {
    const Outcome wrong = desk.cairn(words(command));
    CHECK(wrong.code == 2);
    CHECK_MESSAGE(wrong.tells(told), wrong.err);
  };
  refused("study impact --scheme rkf45_absolute", "'rkf45_absolute' chooses its own steps");
  refused("study impact --steps 0:3", "--steps: found '0:3', expected FROM:TO");
  refused("study impact --steps 10:3", "--steps: found '10:3'");
  refused("study impact --steps 4:x", "--steps: found '4:x'");
  refused("study impact --onset maybe", "--onset");
  refused("study impact --share 0", "--share");
  refused("study impact --exact --steps 5:8", "--steps has no meaning with --exact");
  refused("study impact --exact --scheme rk4", "--scheme has no meaning with --exact");
  refused("study impact --exact --grid", "--grid has no meaning with --exact");
  refused("study impact --scheme rk4 --onset on",
          "--onset selects the time-grid error that --csv writes; it needs --grid");
  refused("study onset --steps 20,1e9", "expected from 1 to 1000 steps per contact");
  const Outcome nothing = desk.cairn(Words{"study", "impact", "--scheme", ""});
  CHECK(nothing.code == 2);
  CHECK_MESSAGE(nothing.tells("--scheme"), nothing.err);

  // Earlier results are kept beside, unless told otherwise.
  const auto angles = [&](const std::string& at, const Words& more = {}) {
    return desk.cairn(words("study impact --scheme rk4 --steps 18:18 --out twice --angles " + at) + more);
  };
  CHECK(angles("40:40:1").code == 0);
  const std::string first = content(desk / "twice/report.html");
  CHECK(angles("50:50:1").tells("the earlier results in twice are kept in twice.1; --force replaces them"));
  const bool kept = content(desk / "twice.1/report.html") == first,
             fresh = content(desk / "twice/report.html") != first;
  CHECK(kept);
  CHECK(fresh);
  CHECK(angles("60:60:1", {"--force"}).err.find("kept") == std::string::npos);
  CHECK(!fs::exists(desk / "twice.2"));

  // Before minutes of work, not after them; nothing is left behind, and what was there stays.
  const Outcome nowhere = desk.cairn(words("study impact --csv nowhere/a.csv --out unwritten"));
  CHECK(nowhere.code == 4);
  CHECK_MESSAGE(nowhere.tells("cannot write nowhere/a.csv"), nowhere.err);
  CHECK(!fs::exists(desk / "unwritten"));
  write(desk / "mine.csv", "old");
  studies::check_writable((desk / "mine.csv").string());
  CHECK(content(desk / "mine.csv") == "old");
  studies::check_writable((desk / "new.csv").string());
  CHECK(!fs::exists(desk / "new.csv"));
}

TEST_CASE("impact --exact: angles are round where they can be, and grazing ones keep their cosine") {
  const std::vector<Real> middles = studies::impact_angles("mid");
  REQUIRE(middles.size() == 100);
  CHECK(middles.front() == 0.45);
  CHECK(middles[18] == 16.65);
  CHECK(middles.back() == 89.55);
  CHECK(studies::impact_angles("7:77:8") == std::vector<Real>{7, 17, 27, 37, 47, 57, 67, 77});
  const ImpactVelocity v = studies::impact_velocity(2, 90 - 0x1p-30);
  CHECK(v.vy / (0x1p-29 * pi / 180) == doctest::Approx(1).epsilon(1e-15));
  CHECK(v.vx == doctest::Approx(2).epsilon(1e-15));
  const ImpactVelocity w = studies::impact_velocity(2, 30);
  CHECK(w.vx == doctest::Approx(1).epsilon(1e-15));
}

}  // namespace
}  // namespace cairn
