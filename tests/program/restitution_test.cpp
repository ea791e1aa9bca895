// cairn restitution: what it prints, writes and draws are the same numbers, and they are those of closed forms, of
// cairn check and of runs.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "program/desk.hpp"

namespace cairn {
namespace {

Real off_by(Real a, Real b) {  // doctest's Approx adds 1 to what it is relative to
  return std::fabs(a / b - 1);
}

json collisions(const Desk& desk, const Words& arguments) {
  const Outcome o = desk.cairn(Words{"restitution", "--json"} + arguments);
  REQUIRE_MESSAGE(o.code == 0, o.err);
  return json::parse(o.out);
}

TEST_CASE("restitution: the linear law's table of both attractions") {
  const Desk desk;
  struct Row {
    Real zeta, allowed, clipped;  // e, nine digits
  };
  constexpr Real k = 2e4, radius = 0.02, density = 2500;
  const Real m_eff = 0.5 * density * 4 / 3 * pi * radius * radius * radius;
  for (const Row& r : {Row{0.01, 0.969070904, 0.969264750}, Row{0.1, 0.729247614, 0.744079398},
                       Row{0.3, 0.372326105, 0.450975453}, Row{0.9, 0.001523756, 0.155282748}, Row{3, 0, 0.023769514}})
    for (const std::string attraction : {"allowed", "clipped"}) {
      CAPTURE(r.zeta);
      const json all = collisions(desk, {"--law", "linear", "--radius", "2 cm", "--set", "contact.stiffness=2e4",
                                         "--set", "contact.damping=" + to_text(2 * r.zeta * std::sqrt(k * m_eff)),
                                         "--set", "contact.attraction=" + attraction, "--speeds", "0.1,1"});
      CHECK(off_by(all.at("m_eff"), m_eff) < 1e-14);
      REQUIRE(all.at("points").size() == 2);
      for (const json& point : all.at("points")) {
        const Real e = attraction == "allowed" ? r.allowed : r.clipped;
        CHECK(std::fabs(point.at("restitution").get<Real>() - e) <= 5e-10);
        CHECK(std::fabs(point.at("restitution_closed").get<Real>() - e) <= 5e-10);
        CHECK(point.at("duration").is_null() == (e == 0));
      }
    }
}

TEST_CASE("restitution: of a scenario's pairs, as cairn check tells them") {
  const Desk desk;
  for (const char* name : {"starter", "hopper", "pile"}) {
    CAPTURE(name);
    const Outcome o = desk.cairn(Words{"check", scenario(name), "--json"} + unseen());
    REQUIRE_MESSAGE(o.code == 0, o.err);
    const json contact = json::parse(o.out).at("contacts").at(0);
    const json all = collisions(desk, {scenario(name), "--speeds", "1"});
    CHECK(all.at("first").at("name") == contact.at("first"));
    CHECK(all.at("points").at(0).at("restitution") == contact.at("restitution"));
    CHECK(all.at("points").at(0).at("duration") == contact.at("duration"));
  }
}

TEST_CASE("restitution: pairs by name, radii by option") {
  const Desk desk;
  write(desk / "two.toml",
        "[run]\nstep = 1e-5\nend = 1\n[contact]\nstiffness = 1e4\nrestitution = 0.9\n"
        "[[material]]\nname = 'glass'\ndensity = 2500\n[[material]]\nname = 'steel'\ndensity = 7800\n"
        "[[pair]]\nmaterials = ['glass', 'steel']\nrestitution = 0.5\n"
        "[[wall]]\nname = 'floor'\ntype = 'plane'\nmaterial = 'steel'\n"
        "[[grain]]\nradius = 0.01\nposition = [0, 0, 0.1]\n");
  const auto at_1 = [&](const Words& more) { return collisions(desk, Words{"two.toml", "--speeds", "1"} + more); };
  const auto e = [](const json& all) { return all.at("points").at(0).at("restitution").get<Real>(); };
  const json first = at_1({});  // one grain can meet the floor alone
  CHECK(first.at("second").at("name") == "wall floor");
  CHECK(first.at("r_eff") == 0.01);
  CHECK(off_by(e(first), 0.5) < 1e-10);
  CHECK(off_by(e(at_1({"--pair", "glass,glass"})), 0.9) < 1e-10);
  CHECK(off_by(e(at_1({"--pair", "glass,wall"})), 0.9) < 1e-10);
  const json apart = at_1({"--pair", "glass,steel", "--radius", "1 cm,3 cm"});
  CHECK(off_by(e(apart), 0.5) < 1e-10);
  const Real glass = 2500 * 4 / 3. * pi * 1e-6, steel = 7800 * 4 / 3. * pi * 27e-6;
  CHECK(off_by(apart.at("m_eff"), glass * steel / (glass + steel)) < 1e-14);
  CHECK(off_by(apart.at("r_eff"), 0.0075) < 1e-14);
  CHECK(e(at_1({"--pair", "steel,glass", "--radius", "0.03,0.01"})) == doctest::Approx(e(apart)).epsilon(1e-12));
  CHECK(desk.cairn({"restitution", "two.toml", "--pair", "steel,wall:floor"}).tells("give their radius by --radius"));
}

TEST_CASE("restitution: Hertz's contacts rebound alike at every speed, and the faster the shorter") {
  const Desk desk;
  const json all = collisions(desk, {"--law", "hertz_mindlin", "--set", "material.young=1e7", "--set",
                                     "contact.restitution=0.8", "--speeds", "1 mm/s..10", "--count", "5"});
  const json& points = all.at("points");
  REQUIRE(points.size() == 5);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(off_by(points[k].at("speed"), std::pow(10, -3.0 + static_cast<Real>(k))) < 1e-14);
    CHECK(off_by(points[k].at("restitution"), 0.8) < 1e-10);
    CHECK(points[k].at("duration_closed").is_null());
    if (k > 0)
      CHECK(off_by(points[k - 1].at("duration").get<Real>() / points[k].at("duration").get<Real>(), std::pow(10, 0.2)) <
            1e-9);
  }
}

TEST_CASE("restitution: beside what a scheme realises") {
  const Desk desk;
  const Words pair{scenario("starter"), "--speeds", "1", "--scheme", "velocity_verlet_predicted"};
  const auto spread = [&](const char* steps, const char* onset) {
    const json point = collisions(desk, pair + Words{"--steps", steps, "--onset", onset}).at("points").at(0);
    const Real mean = point.at("realised_mean"), low = point.at("realised_lowest"), high = point.at("realised_highest");
    CHECK(low < mean);
    CHECK(mean < high);
    return std::max(std::fabs(low - point.at("restitution").get<Real>()),
                    std::fabs(high - point.at("restitution").get<Real>()));
  };
  // First order without the correction, second with it.
  CHECK(std::log2(spread("20.4", "off") / spread("40.4", "off")) == doctest::Approx(1).epsilon(0.1));
  CHECK(std::log2(spread("20.4", "on") / spread("40.4", "on")) == doctest::Approx(2).epsilon(0.1));
  // In the run: the error cairn check tells is between the mean's and the farthest one's.
  const json check = json::parse(desk.cairn(Words{"check", scenario("starter"), "--json", "--set",
                                                  "run.scheme=velocity_verlet_predicted"} +
                                            unseen())
                                     .out)
                         .at("shortest_collision");
  const json point = collisions(desk, {scenario("starter"), "--speeds", "1", "--scheme", "velocity_verlet_predicted",
                                       "--steps", to_text(check.at("measured_at_steps").get<Real>())})
                         .at("points")
                         .at(0);
  const Real e = point.at("restitution"), error = check.at("error_onset_on").get<Real>() * e;
  CHECK(std::fabs(point.at("realised_mean").get<Real>() - e) <= error);
  CHECK(std::max(std::fabs(point.at("realised_lowest").get<Real>() - e),
                 std::fabs(point.at("realised_highest").get<Real>() - e)) >= error);
}

TEST_CASE("restitution: the table, its CSV and its figures") {
  const Desk desk;
  const bool drawn = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
  const Words arguments{"restitution", scenario("starter"), "--scheme", "rk4", "--csv", "e.csv"};
  const Outcome o = desk.cairn(arguments + (drawn ? Words{"--svg", "e.svg"} : Words{}));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("glass (radius") != std::string::npos);
  CHECK(o.out.find("wrote e.csv") != std::string::npos);
  const CsvTable table(desk / "e.csv");
  const json points = collisions(desk, {scenario("starter"), "--scheme", "rk4"}).at("points");
  REQUIRE(points.size() == 21);
  for (const std::string& name : table.names) {
    const std::vector<Real> column = table.column(name);
    REQUIRE(column.size() == points.size());
    for (std::size_t k = 0; k < column.size(); ++k) CHECK(points[k].at(name).get<Real>() == column[k]);
  }
  if (drawn) {
    for (const char* file : {"e.svg", "e-duration.svg", "e-overlap.svg"})
      CHECK(content(desk / file).find("speed of the impact [m/s]") != std::string::npos);
    CHECK(content(desk / "e.svg").find("rk4 highest") != std::string::npos);
  }
  CHECK(std::distance(fs::directory_iterator(fs::path(desk / "")), {}) == (drawn ? 4 : 1) + 2);  // .out and .err

  const Outcome without =
      desk.cairn({"restitution", scenario("starter"), "--svg", "f.svg"}, [] { ::setenv("PATH", "/nowhere", 1); });
  CHECK(without.code == 4);
  CHECK(without.tells("gnuplot"));
  CHECK(!fs::exists(desk / "f.svg"));
}

TEST_CASE("restitution: what it cannot understand it says, as bad input") {
  const Desk desk;
  const auto refused = [&](const Words& arguments, const char* message, int code = 2) {
    const Outcome o = desk.cairn(Words{"restitution"} + arguments);
    INFO(o.err);
    CHECK(o.code == code);
    CHECK(o.out.empty());
    CHECK(o.tells(message));
  };
  const std::string starter = scenario("starter");
  refused({"--law", "liner"}, "there is no law 'liner'; did you mean 'linear'?");
  refused({"--law", "linear"}, "contact.stiffness: missing");
  refused({starter, "--law", "hertz_mindlin"}, "does not belong to law 'hertz_mindlin'");
  refused({"nowhere.toml"}, "nowhere.toml", 4);
  refused({starter, "--pair", "glas,glass"}, "there is no material 'glas'; did you mean 'glass'?");
  refused({starter, "--pair", "glass,wall:bx"}, "there is no wall 'bx'; did you mean 'box'?");
  refused({starter, "--pair", "glass"}, "expected A,B");
  for (const char* speeds :
       {"0", "-1", "nan", "inf", "fast", "1 m", "1..", "0..1", "2..1", "1..1", "1..2..3", "", "1,,2"})
    refused({starter, "--speeds", speeds}, "--speeds");
  refused({starter, "--radius", "0"}, "expected a number > 0 in m");
  refused({starter, "--radius", "1 kg"}, "which is not a quantity in m");
  refused({starter, "--pair", "glass,wall:box", "--radius", "1,2"}, "expected one, that of the grain");
  refused({starter, "--scheme", "rk5"}, "did you mean 'rk4'?");
  refused({starter, "--scheme", "dormand_prince54"}, "chooses its own steps");
  refused({starter, "--steps", "20"}, "requires --scheme");
  refused({starter, "--set", "contact.stifness=1"}, "did you mean 'stiffness'?");
  refused({starter, "--spedes", "1"}, "did you mean '--speeds'?");
  CHECK(desk.cairn({"restitution", starter, "--csv", "nowhere/e.csv"}).code == 4);
}

}  // namespace
}  // namespace cairn
