// Grains of a scenario: packings, those that come, those that go.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/formats/csv.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"
#include "run/simulations.hpp"

using namespace cairn;

namespace {

const std::string head = R"(
[run]
step = 1e-4
end = 0.1
[contact]
stiffness = 1e3
restitution = 0.5
friction = 0.3
[[wall]]
point = [0, 0, 0]
)";

// [m] the smallest gap between two grains, through periods too.
Real smallest_gap(const std::vector<GrainData>& grains, const PeriodicCell& cell) {
  Real least = 1e30;
  for (std::size_t i = 0; i < grains.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vector d = grains[i].position - grains[j].position;
      least = std::min(least, norm(d - cell.image(d)) - grains[i].radius - grains[j].radius);
    }
  return least;
}

// Everything at once: rain from a region, a hose, a drain that lets half of it out, all in a period.
const std::string traffic = head + R"(
[space]
periodic_x = [0, 0.1]
[[grains]]
kind = "random"
low = [0, 0, 0]
high = [0.1, 0.1, 0.1]
radius = 4e-3
radius_spread = 0.2
count = 300
[[wall]]
name = "sides"
point = [0, 0, 0]
normal = [0, 1, 0]
[[wall]]
point = [0, 0.1, 0]
normal = [0, -1, 0]
[[emitter]]
name = "rain"
low = [0, 0, 0.12]
high = [0.1, 0.1, 0.16]
rate = 5000
velocity = [0, 0, -0.6]
sizes = { kind = "lognormal", median = 3e-3, deviation = 0.2, by = "mass" }
[[emitter]]
name = "hose"
position = [0.05, 0.05, 0.2]
velocity = [0.3, 0, -0.5]
radius = 5e-3
times = [0, 0.001, 0.0015, 0.05]
[[removal]]
name = "drain"
region_radius = 0.03
region_length = 0.02
center = [0.05, 0.05, 0.01]
[[removal]]
name = "edge"
low = [0, 0, 0]
high = [0.02, 0.1, 0.05]
from = 0.01
every = 0.005
)";

}  // namespace

TEST_CASE("random packings overlap nobody: not one another, nor others, walls, or images") {
  const Scenario s = parse_scenario(head + R"(
[space]
periodic_x = [0, 0.2]
[[wall]]
type = "cylinder"
side = "outside"
point = [0.1, 0.1, 0.1]
axis = [0, 1, 0]
radius = 0.03
[[grain]]
position = [0.05, 0.05, 0.05]
radius = 0.03
[[grains]]
kind = "random"
low = [0, 0, -0.05]
high = [0.2, 0.2, 0.2]
sizes = { kind = "normal", mean = 6e-3, deviation = 1e-3 }
count = 700
[[grains]]
kind = "random"
low = [-0.05, 0, 0]
high = [0.15, 0.2, 0.2]
radius = 3e-3
count = 500
)",
                                    "test.toml");
  const WorldSettings world = world_settings(s);
  const std::vector<GrainData> grains = initial_grains(s, world);
  CHECK(grains.size() == 1201);
  CHECK(smallest_gap(grains, world.cell) >= 0);
  for (const GrainData& g : grains)
    for (const Surface& surface : world.surfaces)
      CHECK(nearest(surface, pose_at(surface, 0.0), PeriodicCell{}, g.position, Vector{}).distance >= g.radius);
}

TEST_CASE("two random fillings of like boxes are not copies of each other") {
  std::string text = head;
  for (const char* x : {"0", "1"})
    text += std::string("[[grains]]\nkind = \"random\"\nlow = [") + x + ", 0, 0]\nhigh = [" + x +
            ".5, 0.5, 0.5]\nradius = 0.01\ncount = 50\n";
  const Scenario s = parse_scenario(text, "test.toml");
  const std::vector<GrainData> grains = initial_grains(s, world_settings(s));
  REQUIRE(grains.size() == 100);
  for (int k = 0; k < 50; ++k) CHECK(norm(grains[50 + k].position - grains[k].position - Vector{1, 0, 0}) > 1e-6);
}

TEST_CASE("emitters: how many have come when") {
  const std::string scenario = head + R"(
[guards]
step = "warn"
[[emitter]]
name = "rate"
low = [0, 0, 1]
high = [0.2, 0.2, 1.2]
rate = 333
first = 0.01
radius = 2e-3
[[emitter]]
name = "count"
low = [0, 0, 2]
high = [0.2, 0.2, 2.2]
every = 0.002
count = 7
radius = 2e-3
[[emitter]]
name = "times"
region_radius = 0.1
region_length = 0.2
center = [0, 0, 3]
times = [0, 0, 0.03, 0.2]
velocity = [1, 0, 0]
spin = [0, 5, 0]
radius = 2e-3
radius_spread = 0.5
)";
  for (const char* scheme : {"velocity_verlet_predicted", "dormand_prince54"}) {
    INFO(std::string(scheme));
    Simulation s = started(scenario, {std::string("run.scheme=") + scheme, "output.series=0.0025"});
    CHECK(s.world().size() == 3);
    for (int k = 1; k <= 40; ++k) {
      while (!(s.advance() & Occasion::series)) {
      }
      const Real t = s.world().time();
      const auto due = [&](Real first, Real every) {
        return t < first - 1e-9 ? 0 : static_cast<int>(std::floor((t - first) / every + 1e-6)) + 1;
      };
      CHECK(s.emitters().emitted(0) == due(0.01, 1.0 / 333));
      CHECK(s.emitters().emitted(1) == std::min(7, due(0, 0.002)));
      CHECK(s.emitters().emitted(2) == (t < 0.03 - 1e-9 ? 2 : 3));
    }
    CHECK(s.over());
    CHECK(s.world().size() == s.emitters().emitted(0) + 7 + 3);
    CHECK(s.emitters().report(s.world().time()).empty());
    for (int i = 0; i < s.world().size(); ++i) {
      const Vector x = s.world().position(i);
      if (x.z < 2.5) continue;
      CHECK(s.world().state().body.at(BodyRow::w, i) == Vector{0, 5, 0});
      const Real since = -s.world().velocity(i).z / 9.81;  // it came
      CHECK(norm({x.x - since, x.y, 0}) < 0.1);
    }
  }
}

TEST_CASE("emitters: a full region makes wait, and says so") {
  Simulation s = started(head + R"(
[[emitter]]
name = "full"
low = [0, 0, 0]
high = [0.02, 0.02, 0.02]
rate = 1e5
velocity = [0, 0, 0]
radius = 4e-3
[[emitter]]
name = "blocked"
position = [0, 0, 1]
every = 0.001
count = 200
radius = 1e-2
[[emitter]]
name = "buried"
position = [0, 0, 0.5e-2]
radius = 1e-2
)");
  run_to_end(s);
  World& w = s.world();
  CHECK(s.emitters().emitted(0) >= 4);
  CHECK(s.emitters().emitted(0) + s.emitters().waiting(0, w.time()) == 10001);
  // Each of the others starts from rest in the same place, when the one before has fallen by its diameter.
  const Real fall = std::sqrt(2 * 0.02 / 9.81);
  CHECK(std::fabs(static_cast<Real>(s.emitters().emitted(1)) - (1 + std::floor(0.1 / fall))) <= 1);
  CHECK(s.emitters().emitted(2) == 0);  // in the floor
  CHECK(w.guard_statistics().deepest < 0.1);
  s.observe();
  const GuardReport& report = s.guards().back();
  CHECK(report.name == "emitters");
  CHECK(report.message.find("emitter 'full': ") == 0);
  CHECK(report.message.find(
            "emitter 'buried': 1 of the 1 grains due by t = 0.1 s were not inserted, because there was no room") !=
        std::string::npos);
}

TEST_CASE("emitters: nobody comes into another, nor through a period") {
  // Without weight or speed all stay where they came, so gaps say how they were placed.
  Simulation s = started(head + R"(
[space]
gravity = [0, 0, 0]
periodic_x = [0, 0.1]
[[wall]]
type = "cylinder"
side = "outside"
point = [0.1, 0.05, 0.05]
axis = [0, 1, 0]
radius = 0.02
[[grain]]
position = [0.002, 0.05, 0.01]
radius = 8e-3
[[emitter]]
low = [-0.05, 0, -0.02]
high = [0.05, 0.1, 0.1]
rate = 50000
sizes = { kind = "normal", mean = 4e-3, deviation = 8e-4 }
[[emitter]]
region_radius = 0.05
region_length = 0.1
center = [0.08, 0.05, 0.05]
axis = [0, 1, 0]
rate = 50000
radius = 3e-3
[[emitter]]
position = [0.099, 0.05, 0.01]
radius = 3e-3
)",
                         {"run.end=0.01"});
  run_to_end(s);
  const World& w = s.world();
  CHECK(s.emitters().emitted(0) > 200);
  CHECK(s.emitters().emitted(1) > 200);
  CHECK(s.emitters().emitted(2) == 0);
  std::vector<GrainData> grains;
  for (int i = 0; i < w.size(); ++i)
    grains.push_back({.position = w.state().body.at(BodyRow::x, i), .radius = w.grains().radius[i], .mass = 1});
  CHECK(smallest_gap(grains, w.settings().cell) >= -1e-15);
  for (const GrainData& g : grains)
    for (const Surface& surface : w.settings().surfaces)
      CHECK(nearest(surface, pose_at(surface, 0.0), PeriodicCell{}, g.position, Vector{}).distance >= g.radius - 1e-15);
  CHECK(w.contacts() == 0);
}

TEST_CASE("emitters and removals in two dimensions") {
  Simulation s = started(R"(
[run]
step = 1e-4
end = 0.1
[space]
dimension = 2
[contact]
stiffness = 1e3
[[emitter]]
low = [0, 0.1]
high = [0.2, 0.2]
velocity = [0, -2]
rate = 2000
radius = 4e-3
[[removal]]
name = "hole"
region_radius = 0.05
center = [0.1, 0]
[[removal]]
name = "below"
point = [0, 0]
normal = [0, 1]
)");
  run_to_end(s);
  CHECK(s.removals().grains(0) > 3);
  CHECK(s.removals().grains(1) > 1);
  CHECK(s.world().size() + s.removals().grains(0) + s.removals().grains(1) == s.emitters().emitted(0));
  for (int i = 0; i < s.world().size(); ++i) CHECK(s.world().position(i).y == 0);
}

TEST_CASE("emitters: on top") {
  const std::string top = "[[emitter]]\nname = \"tower\"\nplace = \"top\"\nevery = 0.01\ncount = 3\nradius = 0.01\n";
  check_error(Exit::bad_input,
              "emitter 'tower' inserts each grain on the highest grain, but there is no grain at the start; expected a "
              "[[grain]], or position in place of place = \"top\"",
              [&] { started(head + top); });
  Simulation s = started(head + top + "[[emitter]]\nposition = [0, 0, 0.02]\nradius = 0.01\nfirst = 0.005\n");
  run_to_end(s);  // the tower waits for the other's grain
  CHECK(s.emitters().emitted(0) == 3);
  CHECK(s.world().size() == 4);
}

TEST_CASE("emitters and removals at absurd intervals") {
  Simulation s = started(head + R"(
[[emitter]]
name = "once"
position = [0, 0, 0.1]
radius = 0.01
rate = 1e-310
[[emitter]]
name = "tower"
place = "top"
radius = 0.01
rate = 1e12
[[removal]]
name = "sink"
low = [-1, -1, 1]
high = [1, 1, 2]
every = 1e-300
[[removal]]
name = "late"
low = [-1, -1, 2]
high = [1, 1, 3]
from = 0.001
every = 1e-300
)",
                         {"run.end=0.01"});
  CHECK(s.emitters().emitted(0) == 1);
  run_to_end(s);
  CHECK(s.emitters().emitted(0) == 1);
  CHECK(s.emitters().waiting(0, 1e300) == 0);
  CHECK(s.emitters().emitted(1) == 101);  // one in each step
  CHECK(s.emitters().emitted(1) + s.emitters().waiting(1, s.world().time()) == 10'000'000'001);
  CHECK(s.world().size() + s.removals().grains(0) == 102);
  CHECK(s.removals().grains(0) > 10);
}

TEST_CASE("emitters: impossible ones are refused at the start") {
  check_error(Exit::bad_input, "emitter 'emitter1': its region has no room for a grain of radius 0.02 m",
              [] { started(head + "[[emitter]]\nlow = [0, 0, 0]\nhigh = [0.1, 0.1, 0.03]\nradius = 0.02\n"); });
  // The step must be short enough for grains that are not there yet.
  check_error(Exit::guard, "above the stability limit",
              [] { started(head + "[[emitter]]\nposition = [0, 0, 1]\nfirst = 0.05\nradius = 5e-4\n"); });
}

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
  const std::string fall = head + R"(
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
        head + R"(
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
    Simulation s = started(head.substr(0, head.find("[[wall]]")) + "[[wall]]\npoint = [0, 0, " + at(0) +
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
  const std::string text = head + "[[emitter]]\nlow = [0, 0, 0]\nhigh = [0.1, 0.1, 0.1]\nrate = 1000\n" +
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
  run.finish({.wall_seconds = 1});
  Scenario again = parse_scenario(head +
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
  run.finish({.wall_seconds = 1});
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
