// Grains that come and go: what runs keep of them, and what they leave behind.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/formats/csv.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"
#include "run/arrivals.hpp"
#include "run/simulations.hpp"

using namespace cairn;

TEST_CASE("removals: what is in the region goes, is counted, and leaves no trace in the residual") {
  Simulation s = started(traffic);
  std::int64_t came = 0;
  while (!s.over()) {
    s.advance([] { return true; });
    came = s.emitters().emitted(0) + s.emitters().emitted(1);
    const World& w = s.world();
    for (int i = 0; i < w.size(); ++i) {
      const Vector x = w.state().body.at(BodyRow::x, i);
      const Vector d = x - Vector{0.05, 0.05, 0.01};
      CHECK(!(norm({d.x, d.y, 0}) <= 0.03 && std::fabs(d.z) <= 0.01));
    }
    CHECK(w.size() == 300 + came - s.removals().grains(0) - s.removals().grains(1));
  }
  CHECK(came > 400);
  CHECK(s.removals().grains(0) > 50);
  CHECK(s.removals().grains(1) > 50);
  CHECK(s.removals().mass(0) > 50 * 2500 * 4 * 1e-9);
  s.observe();
  CHECK(std::fabs(s.residual_fraction()) < 0.01);
}

TEST_CASE("who comes and goes far away leaves the residual as it is, with every scheme") {
  const std::string fall = empty_floor + R"(
[[grains]]
kind = "random"
low = [0, 0, 0]
high = [0.05, 0.05, 0.05]
velocity = [0, 0, -0.4]
radius = 4e-3
count = 60
)";
  const std::string traffic_elsewhere = fall + R"(
[[emitter]]
low = [1, 1, 1]
high = [1.1, 1.1, 1.1]
rate = 2000
radius = 4e-3
velocity = [0, 0, 9]
[[removal]]
point = [0, 0, 1.15]
normal = [0, 0, -1]
)";
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    if (scheme.claims.adaptive) continue;  // its steps follow the times of the emitter
    INFO(std::string(scheme.claims.name));
    const auto residual = [&](const std::string& text) {
      const std::vector<std::string> with{"run.end=0.03", "guards.residual=off", "guards.step=off",
                                          "run.scheme=" + std::string(scheme.claims.name)};
      Scenario scenario = parse_scenario(text, "test.toml", with);
      scenario.wrong_friction_allowed = true;  // here energies count, not friction
      Simulation s = started(scenario);
      run_to_end(s);
      if (text != fall) CHECK(s.removals().grains(0) > 10);
      CHECK(s.world().energies().elastic > 0);
      const auto synchronised = s.synchronised();
      return s.world().residual();
    };
    const bool falls = scheme.claims.order == 1;  // others fall exactly
    // What is solved for is solved to a tolerance of the fastest grain there is.
    const Real solved = scheme.claims.implicit ? 1e-11 : 1e-12;
    CHECK(std::fabs(residual(fall) - residual(traffic_elsewhere)) < (falls ? 1e-5 : solved));  // [J] of 0.1 that came
  }
}

TEST_CASE("who is emitted falls as it would alone, with every scheme of second order or more") {
  const Real h = 1e-4, v0 = 0.3, g = 9.81;
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    if (scheme.claims.order < 2) continue;
    INFO(std::string(scheme.claims.name));
    Simulation s = started(
        empty_floor + R"(
[[grain]]
position = [1, 0, 0.05]
radius = 0.01
[[emitter]]
position = [0, 0, 1]
velocity = [0, 0, 0.3]
first = 0.02
radius = 0.01
)",
        {"run.end=0.06", "contact.friction=0", "guards.residual=off", "run.scheme=" + std::string(scheme.claims.name)});
    run_to_end(s);
    const auto synchronised = s.synchronised();
    const World& w = s.world();
    const int i = static_cast<int>(std::find(w.grains().id.begin(), w.grains().id.end(), 1) - w.grains().id.begin());
    REQUIRE(i < w.size());
    const Real t = w.time() - 0.02;
    CHECK(w.velocity(i).z == doctest::Approx(v0 - g * t).epsilon(1e-9));
    CHECK(std::fabs(w.position(i).z - (1 + v0 * t - 0.5 * g * t * t)) < g * h * h);
  }
}

TEST_CASE("the throughput of grains that come and go does not depend on the origin") {
  const auto poured = [](Real floor) {
    const auto at = [&](Real z) { return std::to_string(floor + z); };
    Simulation s = started(empty_floor.substr(0, empty_floor.find("[[wall]]")) + "[[wall]]\npoint = [0, 0, " + at(0) +
                               "]\n[[emitter]]\nlow = [0, 0, " + at(0.02) + "]\nhigh = [0.1, 0.1, " + at(0.06) +
                               "]\nrate = 2000\nradius = 4e-3\n[[removal]]\nlow = [-1, -1, " + at(0) +
                               "]\nhigh = [0.05, 1, " + at(0.02) + "]\n",
                           {"run.end=0.15"});
    run_to_end(s);
    CHECK(s.removals().grains(0) > 10);
    s.observe();
    return s.throughput();
  };
  CHECK(poured(128) == doctest::Approx(poured(0)).epsilon(1e-6));
}

TEST_CASE("coming and going: the same bits on any threads, and after a resume at any time") {
  const auto finish = [](const std::vector<std::string>& overrides, const std::vector<std::int64_t>& stops) {
    const FreshFolder folder;
    const ScenarioSource source{"test.toml", traffic, overrides};
    auto simulation = std::make_unique<Simulation>(parse_scenario(traffic, "test.toml", overrides));
    simulation->start();
    auto run = std::make_unique<RunFolder>(RunFolder::create(FolderLock::make(folder / "out"), source, *simulation));
    for (std::int64_t stop : stops) {
      while (simulation->steps() < stop) run->observe(simulation->advance([&] { return simulation->steps() >= stop; }));
      run->save_checkpoint();
      simulation = std::make_unique<Simulation>(parse_scenario(traffic, "test.toml", overrides));
      run.reset();  // one at a time
      run = std::make_unique<RunFolder>(RunFolder::resume(FolderLock(folder / "out"), source, *simulation));
    }
    run_to_end(*simulation);
    CHECK(simulation->removals().grains(0) > 20);
    const Removals& r = simulation->removals();
    return std::tuple(simulation->world().hash(), simulation->world().state().ledger, r.mass(0), r.mass(1),
                      simulation->emitters().emitted(0));
  };
  for (const char* scheme : {"velocity_verlet_predicted", "adams_bashforth2"}) {
    INFO(std::string(scheme));
    const std::string choice = std::string("run.scheme=") + scheme;
    const auto one = finish({choice, "run.end=0.05"}, {});
    CHECK(finish({choice, "run.end=0.05", "run.threads=2"}, {}) == one);
    CHECK(finish({choice, "run.end=0.05", "run.threads=3"}, {7, 100, 333}) == one);
  }
}

TEST_CASE("a table of sizes is remembered by the checkpoint, whatever becomes of its file") {
  const FreshFolder folder;
  const auto write = [&](const char* sizes) { write_file_atomically(folder / "sieve.csv", sizes); };
  write("radius,passing\n2e-3,0\n4e-3,1\n");
  const std::string text = empty_floor + "[[emitter]]\nlow = [0, 0, 0]\nhigh = [0.1, 0.1, 0.1]\nrate = 1000\n" +
                           "sizes = { kind = \"table\", file = \"" + (folder / "sieve.csv") + "\" }\n";
  const auto scenario = [&] { return parse_scenario(text, "/test.toml"); };
  Scenario loaded = scenario();
  load_data(loaded);
  Simulation whole(loaded);
  whole.start();
  const ScenarioSource source{"/test.toml", text, {}};
  {
    RunFolder run = RunFolder::create(FolderLock::make(folder / "out"), source, whole);
    whole.advance([&] { return whole.steps() >= 200; });
    run.save_checkpoint();
  }
  write("radius,passing\n2e-2,0\n4e-2,1\n");
  Simulation resumed(scenario());
  RunFolder::resume(FolderLock(folder / "out"), source, resumed);
  run_to_end(whole), run_to_end(resumed);
  CHECK(whole.world().size() > 80);
  CHECK(resumed.world().hash() == whole.world().hash());
}

TEST_CASE("the final table of a run begins another") {
  const FreshFolder folder;
  Simulation first = started(traffic, {"run.end=0.02"});
  RunFolder run = RunFolder::create(FolderLock::make(folder / "out"), {"test.toml", traffic, {"run.end=0.02"}}, first);
  run_to_end(first);
  run.finish();
  Scenario again = parse_scenario(empty_floor +
                                      "[space]\nperiodic_x = [0, 0.1]\n[[grains]]\nkind = \"csv\"\nfile = "
                                      "\"final.csv\"\n[initial]\noverlap = \"allow\"\n",
                                  folder / "out/again.toml");
  load_data(again);
  Simulation second(again);
  second.start();
  const World &a = first.world(), &b = second.world();
  REQUIRE(a.size() == b.size());
  const std::vector<int> i = a.grains().by_id(), j = b.grains().by_id();
  for (int k = 0; k < a.size(); ++k) {
    for (int row : {BodyRow::x, BodyRow::v, BodyRow::w})
      CHECK(a.state().body.at(row, i[k]) == b.state().body.at(row, j[k]));
    CHECK(a.grains().radius[i[k]] == b.grains().radius[j[k]]);
    CHECK(a.grains().mass[i[k]] == b.grains().mass[j[k]]);
  }
}

TEST_CASE("what was taken away stands in the series and in the summary") {
  const FreshFolder folder;
  Simulation s = started(traffic, {"run.end=0.02"});
  RunFolder run = RunFolder::create(FolderLock::make(folder / "out"), {"test.toml", traffic, {"run.end=0.02"}}, s);
  while (!s.over()) run.observe(s.advance());
  run.finish();
  const Csv series = Csv::read(folder / "out/series.csv");
  const std::size_t last = series.rows() - 1;
  const Removals& r = s.removals();
  CHECK(series.number(last, series.column("removed_drain", "")) == static_cast<Real>(r.grains(0)));
  CHECK(series.number(last, series.column("removed_drain_mass", "")) == r.mass(0));
  CHECK(series.number(last, series.column("removed_edge", "")) == static_cast<Real>(r.grains(1)));
  CHECK(r.mass(1) > 0);
  const auto summary = nlohmann::json::parse(read_file(folder / "out/summary.json"));
  CHECK(summary.at("removals").at("edge").at("grains") == r.grains(1));
  CHECK(summary.at("removals").at("edge").at("mass") == r.mass(1));
  CHECK(summary.at("emitters").at("hose").at("grains") == 2);
  CHECK(summary.at("emitters").at("hose").at("waiting") == 1);  // for the second is still in its place
}
