// cairn stability: what it prints, writes and draws are the same numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <utility>

#include "cairn/core/constants.hpp"
#include "program/desk.hpp"

namespace cairn {
namespace {

json schemes(const Desk& desk) {
  json all = json::parse(desk.cairn({"schemes", "--json"}).out);
  std::erase_if(all.get_ref<json::array_t&>(), [](const json& one) { return one["hard"].get<bool>(); });
  return all;
}

TEST_CASE("stability: one scheme and one zeta are one object, several a list") {
  const Desk desk;
  const Outcome one = desk.cairn({"stability", "--scheme", "rk4", "--zeta", "0.1", "--json"});
  REQUIRE_MESSAGE(one.code == 0, one.err);
  CHECK(json::parse(one.out) == json({{"scheme", "rk4"}, {"zeta", 0.1}, {"limit", 2.95085}}));
  const Outcome weak = desk.cairn({"stability", "--scheme", "adams_bashforth2", "--zeta", "0", "--json"});
  CHECK(json::parse(weak.out) ==
        json({{"scheme", "adams_bashforth2"}, {"zeta", 0.0}, {"limit", 0.0}, {"weakly_unstable", true}}));
  const Outcome two = desk.cairn({"stability", "--scheme", "rk4,velocity_verlet", "--zeta", "0,0.5", "--json"});
  const json list = json::parse(two.out);
  REQUIRE(list.size() == 4);
  CHECK(list[1] == json({{"scheme", "rk4"}, {"zeta", 0.5}, {"limit", 2.62254}}));
  CHECK(list[2] == json({{"scheme", "velocity_verlet"}, {"zeta", 0.0}, {"limit", 2.0}}));
  const Outcome all = desk.cairn({"stability", "--all", "--json"});
  CHECK(json::parse(all.out).size() == 5 * schemes(desk).size());
  CHECK(desk.cairn({"stability", "--json"}).out == all.out);
}

TEST_CASE("stability: critical damping makes every root double, and the limit stays that of the real axis") {
  const Desk desk;  // the root -1 of Adams and Bashforth's polynomials: h omega = 2 / (the sum of all |b_j|)
  const auto [two, three, four] = std::array{1.0, 6. / 11, 0.3};
  const Outcome o = desk.cairn({"stability", "--scheme", "AB2,AB3,AB4", "--zeta", "1", "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json list = json::parse(o.out);
  CHECK(list[0]["limit"].get<Real>() == doctest::Approx(two).epsilon(1e-5));
  CHECK(list[1]["limit"].get<Real>() == doctest::Approx(three).epsilon(1e-5));
  CHECK(list[2]["limit"].get<Real>() == doctest::Approx(four).epsilon(1e-5));
}

TEST_CASE("stability: the table, its CSV and the catalogue agree") {
  const Desk desk;
  const Outcome o = desk.cairn({"stability", "--csv", "limits.csv"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("wrote limits.csv") != std::string::npos);
  const CsvTable table(desk / "limits.csv");
  CHECK(table.column("zeta") == std::vector<Real>{0, 0.05, 0.1, 0.2, 0.5});
  for (const json& scheme : schemes(desk)) {
    const std::string name = scheme["name"];
    const auto column = std::find_if(table.names.begin(), table.names.end(), [&](const std::string& column) {
      return column.substr(0, column.find('(')) == name;  // with its numbers, if it takes some
    });
    REQUIRE_MESSAGE(column != table.names.end(), name);
    const json& limit = scheme["stability"];  // null: none
    CHECK(table.column(*column)[0] == (limit.is_null() ? std::numeric_limits<Real>::infinity() : limit.get<Real>()));
    CHECK(o.out.find("\n" + name) != std::string::npos);
  }
  CHECK(table.column("rk4")[2] == doctest::Approx(2.950853).epsilon(3e-7));
}

TEST_CASE("stability: figures of the limits, and of one scheme's growth") {
  const Desk desk;
  const Outcome o = desk.cairn({"stability", "--scheme", "rk4", "--plot"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const CsvTable limits(desk / "stability/limit.csv");
  REQUIRE(limits.rows.size() == 101);
  CHECK(limits.column("damping ratio zeta").back() == 1);
  CHECK(limits.column("rk4")[10] == doctest::Approx(2.950853).epsilon(3e-7));
  const std::string radius = content(desk / "stability/spectral_radius.csv");
  CHECK(radius.find("h omega,zeta 0,zeta 0.05,zeta 0.1,zeta 0.2,zeta 0.5") != std::string::npos);
  CHECK(o.out.find("wrote stability/spectral_radius.csv") != std::string::npos);
  const bool drawn = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
  CHECK(fs::exists(desk / "stability/limit.svg") == drawn);

  const Outcome some =
      desk.cairn({"stability", "--scheme", "rk4,velocity_verlet,gear3", "--plot", "--out", "plots", "--json"});
  REQUIRE_MESSAGE(some.code == 0, some.err);
  CHECK(json::parse(some.out).is_array());
  CHECK(some.tells("wrote plots/limit.csv"));
  const CsvTable of_three(desk / "plots/limit.csv");
  CHECK(of_three.names.size() == 1 + 3);
  for (const char* scheme : {"rk4", "velocity_verlet", "gear3"}) CHECK(of_three.column(scheme).size() == 101);
  CHECK(!fs::exists(desk / "plots/spectral_radius.csv"));
}

TEST_CASE("stability: a run with a weakly unstable scheme is told so, one with another is not") {
  const Desk desk;
  for (const auto& [scheme, weak] : {std::pair{"AB2", true}, {"gear3", false}}) {
    const Outcome o = desk.cairn({"run", CAIRN_SOURCE_DIR "/scenarios/pyramid.toml", "--set", "run.end=0.001", "--set",
                                  std::string("run.scheme=") + scheme, "--out", scheme});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    CHECK(((o.out + o.err).find("is weakly unstable: a contact without damping") != std::string::npos) == weak);
  }
}

TEST_CASE("stability: what it cannot understand it says, as bad input") {
  const Desk desk;
  const auto refused = [&](const Words& arguments, const char* message) {
    const Outcome o = desk.cairn(Words{"stability"} + arguments);
    INFO(o.err);
    CHECK(o.code == 2);
    CHECK(o.out.empty());
    CHECK(o.tells(message));
  };
  refused({"--scheme", "rk5"}, "there is no scheme 'rk5'; did you mean 'rk4'?");
  refused({"--scheme", "RK4"}, "there is no scheme 'RK4'; did you mean 'rk4'?");
  refused({"--scheme", "ab3"}, "there is no scheme 'ab3'; did you mean 'AB3'?");
  for (const char* zeta : {"-0.1", "nan", "inf", "1e999", "0.1x", "damped", "0,x"})
    refused({"--zeta", zeta}, "expected damping ratios");
  refused({"--all", "--scheme", "rk4"}, "excludes");
  CHECK(desk.cairn({"stability", "--csv", "nowhere/limits.csv"}).code == 4);
}

// Two grains that overlap: the damped pair.
constexpr const char* damped_pair =
    "[run]\nscheme = \"velocity_verlet\"\nstep = 1e-6\nend = 1\n[contact]\nstiffness = 1e5\nrestitution = 0.3\n"
    "friction = 0.5\n[initial]\noverlap = \"allow\"\n[space]\ngravity = [0, 0, 0]\n"
    "[[grain]]\nposition = [0, 0, 0]\nradius = 0.01\n[[grain]]\nposition = [0.0199, 0, 0]\nradius = 0.01\n";

TEST_CASE("stability: a damped pair has the eigenvalues and the limit of its closed form") {
  const Desk desk;
  std::ofstream(desk / "pair.toml") << damped_pair;
  const Outcome o = desk.cairn({"stability", "pair.toml", "--scheme", "velocity_verlet,rk4", "--map", "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json of = json::parse(o.out);
  const Real m_eff = 0.5 * 2500 * 4 * pi / 3 * 1e-6, omega = std::sqrt(1e5 / m_eff);
  const Real zeta = of["lambda_damping"]["value"].get<Real>() / (2 * omega);
  CHECK(of["contacts"] == 1);
  CHECK(of["lambda_stiffness"]["value"].get<Real>() == doctest::Approx(omega * omega).epsilon(1e-9));
  // A contact that never pulls opens at zero force: ln e = -zeta (pi - 2 asin zeta) / sqrt(1 - zeta^2).
  const Real restitution = std::exp(-zeta * (pi - 2 * std::asin(zeta)) / std::sqrt(1 - zeta * zeta));
  CHECK(restitution == doctest::Approx(0.3).epsilon(1e-6));
  const json &verlet = of["schemes"][0], &rk4 = of["schemes"][1];
  // With the dashpot taken at the half step behind: h omega = 2 (sqrt(1 + zeta^2) - zeta).
  const Real limit = 2 * (std::sqrt(1 + zeta * zeta) - zeta) / omega;
  CHECK(verlet["limit"].get<Real>() == doctest::Approx(limit).epsilon(1e-6));
  CHECK(verlet["map_ratio"].get<Real>() == doctest::Approx(1).epsilon(1e-3));
  CHECK(verlet["growth_at_1.1_map_limit"].get<Real>() > 10);
  CHECK(verlet["proven"] == true);
  CHECK(rk4["proven"] == false);
}

TEST_CASE("stability: what it cannot do for a case it says") {
  const Desk desk;
  std::ofstream(desk / "pair.toml") << damped_pair;
  const auto refused = [&](const Words& arguments, int code, const char* message) {
    const Outcome o = desk.cairn(Words{"stability"} + arguments);
    INFO(o.err);
    CHECK(o.code == code);
    CHECK(o.tells(message));
  };
  refused({"none.toml"}, 4, "cannot read none.toml");
  refused({"--at", "nofolder"}, 4, "nothing to resume in nofolder");
  refused({"--map"}, 2, "--map and --set need a case");
  refused({"pair.toml", "--zeta", "0.1"}, 2, "excludes");
  refused({"pair.toml", "--scheme", "rk5"}, 2, "there is no scheme 'rk5'");
  refused({"pair.toml", "--set", "a.b=1"}, 2, "a: no such key");
  REQUIRE(desk.cairn({"run", "pair.toml", "--stop-after", "3", "--out", "run", "--quiet"}).code == 0);
  CHECK(desk.cairn({"stability", "pair.toml", "--at", "run", "--set", "contact.stiffness=2e5"}).code == 0);
  std::ofstream(desk / "floor.toml") << damped_pair << "[[wall]]\nname = \"floor\"\npoint = [0, 0, -1]\n";
  refused({"floor.toml", "--at", "run"}, 2,
          "--at run: found a run with the walls none; expected those of floor.toml: floor");
  std::ofstream(desk / "steel.toml") << damped_pair << "[[material]]\nname = \"steel\"\n";
  refused({"steel.toml", "--at", "run"}, 2, "expected those of steel.toml: steel");
}

}  // namespace
}  // namespace cairn
