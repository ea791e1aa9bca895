// cairn advise: what it recommends is stable, keeps the accuracy, and is the same in words, JSON and report.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "program/desk.hpp"

namespace cairn {
namespace {

// Two grains that meet obliquely.
constexpr const char* meeting =
    "[run]\nscheme = \"velocity_verlet\"\nstep = 1e-5\nend = 0.1\n[contact]\nstiffness = 1e5\nrestitution = 0.5\n"
    "friction = 0.3\n[space]\ngravity = [0, 0, 0]\n"
    "[[grain]]\nposition = [0, 0, 0]\nradius = 0.01\nvelocity = [1, 0, 0.2]\n"
    "[[grain]]\nposition = [0.03, 0, 0]\nradius = 0.01\n";

TEST_CASE("advise: the recommended step is stable and accurate, and an accuracy of half allows no longer one") {
  const Desk desk;
  std::ofstream(desk / "meeting.toml") << meeting;
  Real longest = 0;
  for (const Real accuracy : {0.01, 0.02}) {
    const Outcome o = desk.cairn({"advise", "meeting.toml", "--scheme", "velocity_verlet_extrapolated,velocity_verlet",
                                  "--accuracy", std::to_string(accuracy), "--json", "--quiet"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    const json of = json::parse(o.out);
    const json& rows = of["advice"];
    REQUIRE(rows.size() == 3);  // the last is the scenario's own setting
    for (const json& row : rows) {
      if (row["own"] != 0) continue;
      CHECK(row["step"].get<Real>() <= 0.8 * row["stable_step"].get<Real>() * (1 + 1e-12));
      CHECK(row["step"].get<Real>() <= row["accurate_step"].get<Real>());
      CHECK(row["restitution_error"].get<Real>() <= accuracy);
      CHECK(row["tangential_error"].get<Real>() <= accuracy);
      CHECK(row["seconds_per_second"].get<Real>() > 0);
    }
    const json& extrapolated = rows[0]["scheme"] == "velocity_verlet_extrapolated" ? rows[0] : rows[1];
    CHECK(extrapolated["step"].get<Real>() >= longest);
    longest = extrapolated["step"];
    const json& own = rows[2];
    CHECK(own["own"] == 1);
    CHECK(own["step"] == 1e-5);
    CHECK(of["findings"][0].get<std::string>().find("Recommended: run.scheme = \"" +
                                                    rows[0]["scheme"].get<std::string>()) == 0);
    CHECK(of["impacts"][0]["restitution"].get<Real>() == doctest::Approx(0.5).epsilon(1e-9));
  }
}

// The states of a grain that bounces depend on all bounces before; what the accuracy promises is each of them.
TEST_CASE(
    "advise: measured restitutions are within the accuracy, bounce by bounce, and those of a coarse step are not") {
  const Desk desk;
  std::ofstream(desk / "bounces.toml")
      << "[run]\nscheme = \"velocity_verlet\"\nonset = \"off\"\nstep = 2e-3\nend = 40\n"
         "[contact]\nstiffness = 1e4\nrestitution = 0.9\n[guards]\nstep = \"off\"\nresidual = \"off\"\n"
         "overlap = \"warn\"\n[[wall]]\ntype = \"plane\"\n"
         "[[grain]]\nposition = [0, 0, 0.2]\nradius = 0.05\nmass = 0.1\n";
  const Outcome o = desk.cairn({"advise", "bounces.toml", "--scheme", "velocity_verlet,velocity_verlet_extrapolated",
                                "--measure", "--window", "1.5", "--json", "--quiet"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json of = json::parse(o.out);
  const json& measured = of["measured"];
  REQUIRE(measured.size() == 3);  // advised, own, and the reference with twice its step
  CHECK(measured[0]["collisions"].get<int>() >= 4);
  CHECK(measured[0]["restitution"].get<Real>() <= 0.01);
  CHECK(measured[1]["restitution"].get<Real>() > 0.01);
  CHECK(measured[2]["restitution"].get<Real>() < 0.005);  // the reference knows them to half of the accuracy
  CHECK(of["findings"][2].get<std::string>().find("within 1 %") != std::string::npos);
  CHECK(of["findings"][3].get<std::string>().find("NOT WITHIN 1 %") != std::string::npos);
}

TEST_CASE("advise: the tangential response is measured beside the restitution, where grains slip") {
  const Desk desk;
  std::ofstream(desk / "oblique.toml")
      << "[run]\nscheme = \"velocity_verlet\"\nonset = \"off\"\nstep = 2e-3\nend = 40\n"
         "[contact]\nstiffness = 1e4\nrestitution = 0.9\nfriction = 0.3\n[guards]\nstep = \"off\"\nresidual = \"off\"\n"
         "overlap = \"warn\"\n[[wall]]\ntype = \"plane\"\n"
         "[[grain]]\nposition = [0, 0, 0.2]\nvelocity = [1, 0, 0]\nradius = 0.05\nmass = 0.1\n";
  const Words advise{"advise",    "oblique.toml", "--scheme", "velocity_verlet,velocity_verlet_extrapolated",
                     "--measure", "--window",     "0.4",      "--json",
                     "--quiet"};
  const Outcome o = desk.cairn(advise);
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json of = json::parse(o.out);
  const json& measured = of["measured"];
  CHECK(measured[0]["alike"].get<int>() >= 1);
  CHECK(measured[0]["tangential"].get<Real>() > 0);
  CHECK(measured[0]["tangential"].get<Real>() <= 0.01);
  CHECK(measured[1]["alike"].get<int>() >= 1);
  CHECK(measured[1]["tangential"].get<Real>() > 0.01);
  CHECK(measured[2]["tangential"].get<Real>() < 0.005);
  const std::string advised = of["findings"][2];
  CHECK(advised.find("Tangential response of ") != std::string::npos);
  CHECK(of["findings"][3].get<std::string>().find("NOT WITHIN 1 %. At the end") != std::string::npos);

  const Outcome smooth = desk.cairn(advise + Words{"--set", "contact.friction=0"});
  REQUIRE_MESSAGE(smooth.code == 0, smooth.err);
  CHECK(json::parse(smooth.out)["measured"][0]["alike"] == 0);
  CHECK(json::parse(smooth.out)["measured"][0]["tangential"].is_null());
}

TEST_CASE("advise: a grain that falls on two others at once collides with none of them alone") {
  const Desk desk;
  std::ofstream(desk / "three.toml")
      << "[run]\nstep = 1e-5\nend = 0.02\n[contact]\nstiffness = 1e5\nrestitution = 0.8\n"
         "[space]\ngravity = [0, 0, 0]\n"
         "[[grain]]\nposition = [-0.011, 0, 0]\nradius = 0.01\n[[grain]]\nposition = [0.011, 0, 0]\nradius = 0.01\n"
         "[[grain]]\nposition = [0, 0, 0.018]\nradius = 0.01\nvelocity = [0, 0, -1]\n";
  const Outcome o = desk.cairn({"advise", "three.toml", "--scheme", "velocity_verlet_extrapolated", "--measure",
                                "--window", "0.02", "--json", "--quiet"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json of = json::parse(o.out);
  CHECK(of["measured"][0]["collisions"] == 0);
  CHECK(of["findings"][2].get<std::string>().find("nothing is measured") != std::string::npos);
}

TEST_CASE("advise: it writes a report where it is told to, and nothing else") {
  const Desk desk;
  std::ofstream(desk / "meeting.toml") << meeting;
  const Outcome o = desk.cairn({"advise", "meeting.toml", "--scheme", "velocity_verlet", "--quiet", "--out", "advice"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("report: advice/report.html") != std::string::npos);
  CHECK(std::filesystem::exists(desk / "advice/report.html"));
  const auto entries = [&] {
    return std::distance(std::filesystem::recursive_directory_iterator(desk / "."),
                         std::filesystem::recursive_directory_iterator{});
  };
  const auto before = entries();
  CHECK(desk.cairn({"advise", "meeting.toml", "--scheme", "velocity_verlet", "--quiet"}).code == 0);
  CHECK(entries() == before);
}

TEST_CASE("advise: what it cannot understand it says, as bad input") {
  const Desk desk;
  std::ofstream(desk / "meeting.toml") << meeting;
  const auto refused = [&](const Words& arguments, int code, const char* message) {
    const Outcome o = desk.cairn(Words{"advise"} + arguments);
    INFO(o.err);
    CHECK(o.code == code);
    CHECK(o.out.empty());
    CHECK(o.tells(message));
  };
  for (const char* accuracy : {"0", "51%", "-1%", "nan", "exact"})
    refused({"meeting.toml", "--accuracy", accuracy}, 2, "expected a share from 0.0001 % to 50 %");
  refused({"meeting.toml", "--scheme", "rk5"}, 2, "there is no scheme 'rk5'; did you mean 'rk4'?");
  refused({"none.toml"}, 4, "cannot read none.toml");
  refused({"meeting.toml", "--window", "1"}, 2, "requires --measure");
}

}  // namespace
}  // namespace cairn
