// The catalogue of schemes as the program shows it.
#include <doctest/doctest.h>

#include <set>

#include "program/desk.hpp"

namespace cairn {
namespace {

std::set<std::string> names_of(const json& list) {
  std::set<std::string> names;
  for (const json& one : list) names.insert(one.at("name"));
  return names;
}

json list_of(const Desk& desk, const std::string& options) {
  const Outcome o = desk.cairn(words("schemes --json " + options));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  return json::parse(o.out);
}

TEST_CASE("schemes: filters keep what they name, and only that") {
  const Desk desk;
  const json all = list_of(desk, "");
  CHECK(all.size() >= 10);
  for (const char* key : {"name",          "also",         "family",
                          "order",         "order_damped", "order_spring",
                          "order_sliding", "slides",       "sliding_friction",
                          "calls",         "memory",       "symplectic",
                          "reversible",    "adaptive",     "implicit",
                          "a_stable",      "parameters",   "stability",
                          "staggered",     "reference",    "use"})
    for (const json& one : all) CHECK_MESSAGE(one.contains(key), one.dump(), " lacks ", key);
  const auto check = [&](const std::string& options, bool (*passes)(const json&)) {
    json expected = json::array();
    for (const json& one : all)  // orders and calls are of forces, which hard contacts do not have
      if (!one["hard"] && passes(one)) expected.push_back(one);
    CAPTURE(options);
    CHECK(names_of(list_of(desk, options)) == names_of(expected));
  };
  check("--family splitting", [](const json& j) { return j["family"] == "splitting"; });
  check("--order 4", [](const json& j) { return j["order"] >= 4; });
  check("--damped 2", [](const json& j) { return j["order_damped"] >= 2; });
  check("--calls 1", [](const json& j) { return j["calls"] <= 1; });
  check("--symplectic", [](const json& j) { return j["symplectic"].get<bool>(); });
  check("--reversible", [](const json& j) { return j["reversible"].get<bool>(); });
  check("--adaptive", [](const json& j) { return j["adaptive"].get<bool>(); });
  check("--implicit", [](const json& j) { return j["implicit"].get<bool>(); });
  check("--explicit", [](const json& j) { return !j["implicit"].get<bool>(); });
  check("--slides", [](const json& j) { return j["slides"].get<bool>(); });
  check("--damped 2 --calls 1 --symplectic",
        [](const json& j) { return j["order_damped"] >= 2 && j["calls"] <= 1 && j["symplectic"].get<bool>(); });
  CHECK(names_of(list_of(desk, "--damped 2 --calls 1")).count("velocity_verlet_predicted") == 1);
  CHECK(list_of(desk, "--order 99").empty());

  const Outcome table = desk.cairn(words("schemes"));
  CHECK(table.code == 0);
  for (const std::string& name : names_of(all)) CHECK(table.out.find("\n  " + name + " ") != std::string::npos);
  CHECK(desk.cairn(words("schemes --order 99")).code == 0);
}

TEST_CASE("schemes: one that slides wrongly is refused where there is friction, and nowhere else") {
  const Desk desk;
  const std::string belt = R"(
[run]
step = 1e-5
end = 1e-4
[contact]
stiffness = 1e5
restitution = 0.3
friction = 0.3
[[wall]]
type = "plane"
motion = { velocity = [1, 0, 0] }
[[grain]]
position = [0, 0, 0.009998972699]
radius = 0.01
[guards]
residual = "off"
)";
  write(desk / "belt.toml", belt);
  for (const json& claims : list_of(desk, "")) {
    const std::string name = claims.at("name"), with = " --set run.scheme=" + name;
    INFO(name);
    const bool slides = claims.at("slides");
    if (slides && name != "rk4" && name != "suzuki4") continue;  // runs take their time
    for (const std::string& command :
         {"check belt.toml" + with, "run belt.toml --quiet --set output.report=false --set output.pictures=0" + with}) {
      if (slides && command[0] == 'c') continue;
      const Outcome o = desk.cairn(words(command));
      CHECK(o.code == (slides ? 0 : 2));
      if (slides) continue;
      CHECK(o.err.find("run.scheme = \"" + name + "\" is refused in runs with friction") != std::string::npos);
      if (name == "forest_ruth") CHECK(o.err.find("feel up to 1.35121 mu F_n") != std::string::npos);
      CHECK(o.err.find("kahan_li6, or friction = 0") != std::string::npos);
    }
    if (slides) continue;
    CHECK(desk
              .cairn(words(
                  "run belt.toml --quiet --set output.report=false --set output.pictures=0 --set contact.friction=0" +
                  with))
              .code == 0);
    const Outcome card = desk.cairn(words("schemes " + name));
    CHECK(card.out.find("refused in runs with friction") != std::string::npos);
  }
}

TEST_CASE("schemes: one explained") {
  const Desk desk;
  for (const json& claims : list_of(desk, "")) {
    const std::string name = claims.at("name");
    CAPTURE(name);
    const Outcome o = desk.cairn({"schemes", name});
    REQUIRE(o.code == 0);
    CHECK(o.out.find(claims.at("reference").get<std::string>()) != std::string::npos);
    CHECK(o.out.find("restitution of a whole collision") != std::string::npos);
    const Outcome machine = desk.cairn({"schemes", name, "--json"});
    REQUIRE(machine.code == 0);
    const json one = json::parse(machine.out);
    for (const auto& [key, value] : claims.items()) CHECK(one[key] == value);
    CHECK(one.contains("equations"));
    CHECK(one["stability_at"].size() == 5);
    CHECK(one["stability_at"][0]["limit"] == one["stability"]);
  }
  const Outcome lagging = desk.cairn({"schemes", "velocity_verlet"});
  CHECK(lagging.out.find("a <- a(x, v)   v is h/2 behind x") != std::string::npos);
  CHECK(lagging.out.find("Its order is only 1 with dashpots.") != std::string::npos);
  CHECK(desk.cairn({"schemes", "adams_bashforth2"}).out.find("free flight") != std::string::npos);
}

TEST_CASE("schemes: a run by another name is the run by its own") {
  const Desk desk;
  for (const json& one : list_of(desk, "--calls 1"))
    for (const json& other : one.at("also")) {
      const std::string name = other;
      CAPTURE(name);
      const Outcome a = desk.cairn({"schemes", name}), b = desk.cairn({"schemes", one.at("name")});
      CHECK(a.code == 0);
      CHECK(a.out == b.out);
    }
  const json summary = desk.run("by_another", scenario("bounce"), Words{"--stop-after", "10"} + set({"run.scheme=VV"}));
  CHECK(summary.at("scheme") == "velocity_verlet");
}

TEST_CASE("schemes: implicit ones tell what their steps asked for, in whole runs as in pieces") {
  const Desk desk;
  const Words of = set({"run.scheme=gauss2_previous", "run.end=2", "output.series=0.1"});
  const json whole = desk.run("whole", scenario("bounce"), of);
  CHECK(whole.at("scheme_claims").at("implicit") == true);
  const json& effort = whole.at("effort");
  const Real steps = whole.at("steps"), calls = effort.at("force_calls"), iterations = effort.at("iterations");
  CHECK(calls == doctest::Approx(2 * iterations + 1));
  CHECK(iterations > 2);
  CHECK(effort.at("linear_iterations") == 0);
  // The rows are means of the steps between them.
  const CsvTable series(desk / "whole" / "series.csv");
  const auto column = [&](const char* name) {
    const auto at = std::find(series.names.begin(), series.names.end(), name);
    REQUIRE(at != series.names.end());
    return at - series.names.begin();
  };
  Real sum = 0, before = 0;
  for (const std::vector<Real>& row : series.rows) {
    sum += row[column("iterations")] * (row[column("steps")] - before), before = row[column("steps")];
    CHECK(row[column("linear_iterations")] == 0);
  }
  CHECK(before == steps);
  CHECK(sum == doctest::Approx(iterations * steps));

  const json pieces = desk.run("pieces", scenario("bounce"), of + Words{"--stop-after", "12345"});
  CHECK(pieces.at("steps") == 12345);
  CHECK(desk.resume("pieces").at("effort") == effort);
  CHECK(content(desk / "pieces" / "series.csv") == content(desk / "whole" / "series.csv"));

  const json explicit_run = desk.run("explicit", scenario("bounce"), of + set({"run.scheme=rk4"}));
  CHECK(!explicit_run.contains("effort"));
  const CsvTable plain(desk / "explicit" / "series.csv");
  CHECK(std::find(plain.names.begin(), plain.names.end(), "iterations") == plain.names.end());
}

TEST_CASE("schemes: what is not there is answered with what might be meant") {
  const Desk desk;
  const auto check = [&](const std::string& arguments, std::string_view tells) {
    const Outcome o = desk.cairn(words("schemes " + arguments));
    CAPTURE(arguments);
    CAPTURE(o.err);
    CHECK(o.code == 2);
    CHECK(o.out.empty());
    CHECK(o.tells(tells));
  };
  check("velocity_verlt", "no scheme 'velocity_verlt'; did you mean 'velocity_verlet'?");
  check("zzzzzzzzzzzz", "no scheme 'zzzzzzzzzzzz'; `cairn schemes` lists them all");
  check("--family splitings", "no family 'splitings'");
  check("--family splitings", "did you mean 'splitting'?");
  check("--oder 2", "did you mean '--order'?");
  check("rk4 --order 2", "takes either a name, or filters");
  check("--markdown --json", "takes either a name, or filters");
  check("--implicit --explicit", "excludes");
}

}  // namespace
}  // namespace cairn
