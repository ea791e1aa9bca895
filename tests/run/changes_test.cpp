// Changes of a scenario while it runs.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "memory_archive.hpp"
#include "run/simulations.hpp"

using namespace cairn;

namespace {

const std::string head = R"(
[run]
step = 2e-5
end = 0.1
[contact]
stiffness = 1e4
restitution = 0.5
friction = 0.3
)";

const std::string two_pressed = head + R"(
[[wall]]
name = "floor"
[[wall]]
name = "side"
point = [-0.05, 0, 0]
normal = [1, 0, 0]
[[grain]]
position = [0, 0, 9.95e-3]
radius = 0.01
[[grain]]
position = [0, 0, 2.985e-2]
radius = 0.01
)";

// Grains that fall into a box, and all kinds of changes.
const std::string eventful = head + R"(
[[wall]]
name = "box"
type = "box"
side = "inside"
low = [-0.03, -0.03, 0]
high = [0.03, 0.03, 0.3]
[[wall]]
name = "lid"
point = [0, 0, 0.11]
normal = [0, 0, -1]
load = { mass = 0.05, axes = "z", force = [0, 0, -1], damping = 2 }
[[wall]]
name = "paddle"
present = false
point = [0, 0, -0.05]
[[grains]]
kind = "random"
low = [-0.03, -0.03, 0]
high = [0.03, 0.03, 0.08]
radius = 0.005
radius_spread = 0.2
count = 60
[[emitter]]
name = "hose"
position = [0, 0, 0.095]
velocity = [0, 0, -1]
radius = 0.004
rate = 100
[[change]]
at = 0.02
emitter.hose.on = false
space.gravity = [1, 0, -9]
[[change]]
name = "quiet"
when = "kinetic < 5e-2 J"
look = 10
run.step = 1.5e-5
run.scheme = "gear4"
[[change]]
wait = 0.01
contact.stiffness = 2e4
wall.box.motion = { amplitude = [0, 0, 5e-4], frequency = 40, phase = 0.2 }
wall.paddle.present = true
wall.lid.load.force = [0, 0, -2]
[[change]]
at = 0.08
run.scheme = "verlet"
emitter.hose.on = true
)";

}  // namespace

TEST_CASE("change: energy that a new stiffness or gravity gives is external work") {
  Simulation s = started(two_pressed + R"(
[[change]]
at = 0.001
contact.stiffness = 3e4
space.gravity = [0, 0, -5]
)");
  run_to(s, 50);
  const World& w = s.world();
  const Energies before = w.energies();
  const Real residual = w.residual(before), external = w.energy_ledger(before)[Channel::external];
  s.make_changes();
  REQUIRE(s.changes().done().size() == 1);
  const Energies after = w.energies();
  CHECK(after.elastic == doctest::Approx(3 * before.elastic).epsilon(1e-12));
  CHECK(after.gravitational == doctest::Approx(5 / 9.81 * before.gravitational).epsilon(1e-12));
  CHECK(w.energy_ledger(after)[Channel::external] - external ==
        doctest::Approx(after.mechanical() - before.mechanical()).epsilon(1e-12));
  CHECK(w.residual(after) == doctest::Approx(residual).epsilon(1e-9));
}

TEST_CASE("change: a wall goes on from where it is") {
  Simulation s = started(two_pressed + R"(
[[change]]
at = 0.01
wall.side.motion.velocity = [0.2, 0, 0]
[[change]]
at = 0.03
wall.side.motion = { amplitude = [1e-3, 0, 0], frequency = 25, phase = 0.25 }
[[change]]
at = 0.05
wall.side.motion = { velocity = [-0.2, 0, 0] }
[[change]]
at = 0.07
wall.side.motion = {}
)");
  const auto place = [&] { return s.world().pose(s.world().settings().surfaces[1]).point.x + 0.05; };
  // The oscillation goes from its top to its bottom, 2 mm below, within half a period.
  const std::vector<std::pair<int, Real>> expected{{400, 0},      {750, 0.001},   {1500, 0.004}, {2000, 0.003},
                                                   {2500, 0.002}, {3500, -0.002}, {4500, -0.002}};
  for (const auto& [steps, x] : expected) {
    CAPTURE(steps);
    run_to(s, steps);
    s.make_changes();
    CHECK(place() == doctest::Approx(x).epsilon(1e-9).scale(1e-3));
  }
  run_to_end(s);
  CHECK(s.changes().done().size() == 4);
}

TEST_CASE("change: a table of factors gives a wall the integral of its speed") {
  Simulation s = started(two_pressed + R"(
[[change]]
at = 0.01
wall.side.motion = { velocity = [0.2, 0, 0], times = [0.01, 0.03, 0.05], factors = [0, 1, -0.5] }
)");
  run_to_end(s);
  const Real t = 0.09, factor_integral = 0.5 * 0.02 + 0.25 * 0.02 - 0.5 * (t - 0.05);
  const Pose<Real> pose = s.world().pose(s.world().settings().surfaces[1]);
  CHECK(pose.point.x == doctest::Approx(-0.05 + 0.2 * factor_integral).epsilon(1e-9));
  CHECK(pose.velocity.x == doctest::Approx(-0.1).epsilon(1e-12));
}

TEST_CASE("change: the same bits on any threads, however often the run is observed or resumed") {
  Simulation whole = started(eventful);
  run_to_end(whole);
  REQUIRE(whole.changes().done().size() == 4);
  CHECK(whole.world().time() == doctest::Approx(0.1).epsilon(1e-3));
  const std::uint64_t hash = whole.world().hash();
  CHECK(std::fabs(whole.residual_fraction()) < 0.02);
  // 0, 10 and 20 ms; its times stand still up to 80 ms, and then the lid is in the place of those of 90 and 100 ms.
  CHECK(whole.emitters().emitted(0) == 3);
  CHECK(whole.emitters().waiting(0, 0.1) == 2);

  Simulation observed = started(eventful, {"output.series=1e-3", "run.threads=3"});
  while (!observed.over()) {
    observed.advance();
    const auto at_positions = observed.synchronised();
    observed.observe();
  }
  CHECK(observed.world().hash() == hash);

  const std::vector<ChangeDone>& done = whole.changes().done();
  for (const std::int64_t at :
       {done[0].step, done[1].step + 1, done[2].step - 3, done[2].step + 100, done[3].step + 7}) {
    CAPTURE(at);
    Simulation first = started(eventful);
    run_to(first, at);
    MemoryArchive archive;
    first.for_each_saved(archive);
    archive.loads = true;
    Simulation second(parse_scenario(eventful, "test.toml", {}));
    second.for_each_saved(archive);
    second.restored();
    run_to_end(second);
    CHECK(second.world().hash() == hash);
    CHECK(second.steps() == whole.steps());
  }
}

TEST_CASE("change: a new step ends the run at its time, and outputs keep theirs") {
  Simulation s = started(two_pressed + R"(
[[change]]
at = 0.05
run.step = 1e-5
output.series = 0.01
)",
                         {"output.series=0.025"});
  std::vector<Real> times;
  while (!s.over())
    if (s.advance() & Occasion::series) times.push_back(s.world().time());
  CHECK(s.steps() == 2500 + 5000);
  CHECK(s.world().time() == doctest::Approx(0.1).epsilon(1e-12));
  const std::vector<Real> expected{0.025, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1};
  REQUIRE(times.size() == expected.size());
  for (std::size_t k = 0; k < times.size(); ++k) CHECK(times[k] == doctest::Approx(expected[k]).epsilon(1e-9));
}

TEST_CASE("change: any column of the series may be waited for, those of moments and of a space too") {
  const std::string wait = "[[change]]\nlook = 10\nrun.step = 1e-5\nwhen = \"";
  for (const char* when : {"coordination > 0", "barycentre_x < 1e9", "contacts > 0", "momentum_z < 1e9"}) {
    Simulation s = started(two_pressed + wait + when + "\"\n");
    run_to_end(s);
    CHECK_MESSAGE(s.changes().done().size() == 1, std::string(when));
  }
}

TEST_CASE("change: one that did not happen is named, and those after it wait") {
  Simulation s = started(two_pressed + R"(
[[change]]
name = "never"
when = "kinetic > 1e9 J"
run.step = 1e-5
[[change]]
name = "later"
at = 0.01
run.step = 1e-5
)");
  run_to_end(s);
  s.measure();
  CHECK(s.changes().done().empty());
  for (const GuardReport& g : s.guards())
    if (g.name == "changes")
      CHECK(g.message == "change 'never', 'later' did not happen: kinetic > 1e+09 never held when it was looked at");
}

TEST_CASE("change: the words say when each change happens") {
  const auto words = [](const std::string& changes, Real end) {
    return in_words(parse_scenario(two_pressed + changes, "test.toml", {}).changes, end);
  };
  const std::string out_of_order = "[[change]]\nat = 0.05\nrun.step = 1e-5\n[[change]]\nat = 0.02\nrun.step = 3e-5\n";
  CHECK(words(out_of_order, 0.1) ==
        std::vector<std::string>{
            "change1: at t = 0.05 s: run.step = 1e-05",
            "change2: at t = 0.05 s, not at 0.02 s, because it waits for the change before: run.step = 3e-05"});
  CHECK(words(out_of_order, 0.03)[1].ends_with(" (after the end of the run)"));
  // They are not mere words.
  Simulation s = started(two_pressed + out_of_order);
  run_to_end(s);
  REQUIRE(s.changes().done().size() == 2);
  for (const ChangeDone& done : s.changes().done()) CHECK(done.time == doctest::Approx(0.05));

  CHECK(words("[[change]]\nwait = 0.01\nrun.step = 1e-5\n[[change]]\nwhen = \"kinetic < 1\"\nrun.step = 3e-5\n"
              "[[change]]\nat = 0.005\nrun.step = 1e-5\n[[change]]\nat = 0.02\nrun.step = 3e-5\n[[change]]\n"
              "run.step = 1e-5\n",
              0.1) ==
        std::vector<std::string>{
            "change1: at the start, and 0.01 s more: run.step = 1e-05", "change2: when kinetic < 1: run.step = 3e-05",
            "change3: at t = 0.01 s or later, not at 0.005 s, because it waits for the change before: run.step = 1e-05",
            "change4: at t = 0.02 s, or later, once the change before has happened: run.step = 3e-05",
            "change5: after the change before: run.step = 1e-05"});
}

TEST_CASE("change: a wall that comes where a grain is, is refused") {
  Simulation s = started(two_pressed + R"(
[[wall]]
name = "gate"
present = false
point = [0.005, 0, 0]
normal = [1, 0, 0]
[[change]]
name = "close"
at = 0.01
wall.gate.present = true
)");
  try {
    run_to_end(s);
    FAIL("the run went on");
  } catch (const Error& e) {
    CHECK(e.code() == Exit::guard);
    CHECK(
        std::string(e.what()).starts_with("change 'close' at t = 0.01 s: wall 'gate' comes where grain 0 is, by 150 "));
  }
}

TEST_CASE("change: a wall that begins to rotate does so about its own point, where that has moved") {
  Simulation s = started(two_pressed + R"(
[[wall]]
name = "roller"
type = "cylinder"
side = "outside"
point = [0.5, 0, 0.5]
axis = [0, 1, 0]
radius = 0.01
motion = { velocity = [0, 0, 1] }
[[change]]
at = 0.05
wall.roller.motion = { axis = [0, 1, 0], rate = 3 }
)");
  run_to_end(s);
  const Pose<Real> pose = pose_at(s.world().settings().surfaces.back(), s.world().time());
  CHECK(norm(pose.point - Vector{0.5, 0, 0.55}) < 1e-12);
  CHECK(norm(pose.centre - Vector{0.5, 0, 0.55}) < 1e-12);
}

TEST_CASE("change: a gate that goes sets free what it held") {
  Simulation s = started(two_pressed + R"(
[[change]]
at = 0.02
wall.floor.present = false
)",
                         {"wall.1.point=[-1,0,0]"});
  run_to(s, 1000);
  const Real z = s.world().position(0).z;
  run_to_end(s);
  CHECK(s.world().contacts() == 0);
  CHECK(s.world().position(0).z < z - 0.5 * 9.7 * 0.08 * 0.08);
  CHECK(std::fabs(s.world().residual()) < 1e-5 * s.throughput());
}
