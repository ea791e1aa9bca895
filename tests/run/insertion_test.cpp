// Grains of a scenario: packings, and those that come later.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"
#include "run/arrivals.hpp"
#include "run/simulations.hpp"

using namespace cairn;

namespace {

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

}  // namespace

TEST_CASE("random packings overlap nobody: not one another, nor others, walls, or images") {
  const Scenario s = parse_scenario(empty_floor + R"(
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
  std::string text = empty_floor;
  for (const char* x : {"0", "1"})
    text += std::string("[[grains]]\nkind = \"random\"\nlow = [") + x + ", 0, 0]\nhigh = [" + x +
            ".5, 0.5, 0.5]\nradius = 0.01\ncount = 50\n";
  const Scenario s = parse_scenario(text, "test.toml");
  const std::vector<GrainData> grains = initial_grains(s, world_settings(s));
  REQUIRE(grains.size() == 100);
  for (int k = 0; k < 50; ++k) CHECK(norm(grains[50 + k].position - grains[k].position - Vector{1, 0, 0}) > 1e-6);
}

TEST_CASE("emitters: how many have come when") {
  const std::string scenario = empty_floor + R"(
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
  Simulation s = started(empty_floor + R"(
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
  Simulation s = started(empty_floor + R"(
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
              [&] { started(empty_floor + top); });
  Simulation s = started(empty_floor + top + "[[emitter]]\nposition = [0, 0, 0.02]\nradius = 0.01\nfirst = 0.005\n");
  run_to_end(s);  // the tower waits for the other's grain
  CHECK(s.emitters().emitted(0) == 3);
  CHECK(s.world().size() == 4);
}

TEST_CASE("emitters and removals at absurd intervals") {
  Simulation s = started(empty_floor + R"(
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
              [] { started(empty_floor + "[[emitter]]\nlow = [0, 0, 0]\nhigh = [0.1, 0.1, 0.03]\nradius = 0.02\n"); });
  // The step must be short enough for grains that are not there yet.
  check_error(Exit::guard, "above the stability limit",
              [] { started(empty_floor + "[[emitter]]\nposition = [0, 0, 1]\nfirst = 0.05\nradius = 5e-4\n"); });
}
