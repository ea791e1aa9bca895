// run.step = "auto": the step that the program chooses and follows.
#include "cairn/run/step_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "cairn/core/constants.hpp"
#include "cairn/run/resolution.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "memory_archive.hpp"
#include "run/simulations.hpp"

using namespace cairn;

namespace {

using Overrides = std::vector<std::string>;

// Grains that fall into a box, in three dimensions; a stiffer and faster one comes when they have settled.
const std::string bed = R"(
[run]
step = "auto"
end = 0.16
[[material]]
name = "soft"
young = 1e7
[[material]]
name = "hard"
young = 1e9
density = 7800
[contact]
law = "hertz_mindlin"
restitution = 0.3
friction = 0.4
[[wall]]
name = "box"
type = "box"
side = "inside"
low = [-0.02, -0.02, 0]
high = [0.02, 0.02, 0.3]
[[grains]]
kind = "random"
low = [-0.02, -0.02, 0]
high = [0.02, 0.02, 0.08]
radius = 0.004
radius_spread = 0.2
count = 60
[[emitter]]
name = "shot"
material = "hard"
position = [0, 0, 0.15]
velocity = [0, 0, -5]
radius = 0.004
first = 0.12
count = 1
)";

// A grain of 1 cm that flies at a floor and returns.
std::string thrown(Real height) {
  return R"(
[run]
step = "auto"
end = 0.05
[space]
gravity = [0, 0, 0]
[contact]
restitution = 0.6
[[wall]]
name = "floor"
[[grain]]
radius = 0.01
velocity = [0, 0, -2]
position = [0, 0, )" +
         std::to_string(height) + "]\n";
}

}  // namespace

TEST_CASE("step choice: steps are preferred numbers, and none is longer than asked for") {
  CHECK(preferred_step(1.25e-5) == 1.2e-5);
  CHECK(preferred_step(1e-6) == 1e-6);
  CHECK(preferred_step(9.99e-8) == 9.1e-8);
  CHECK(preferred_step(3) == 3);
  CHECK(preferred_step(47.5) == 47);
  Real before = 0;
  for (Real longest = 1e-9; longest < 20; longest *= 1.013) {
    const Real step = preferred_step(longest);
    CHECK(step <= longest);
    CHECK(step > longest * 13 / 15 * 0.999);  // the widest gap
    CHECK(step >= before);
    before = step;
  }
}

TEST_CASE("step choice: the first list is not chosen for a step as long as the run") {
  const Simulation short_run = started(thrown(0.5), {"contact.stiffness=1e5"}),
                   long_run = started(thrown(0.5), {"contact.stiffness=1e5", "run.end=50"});
  CHECK(long_run.world().list().skin == short_run.world().list().skin);
  CHECK(long_run.world().list().skin < 0.25 * 0.01);
}

TEST_CASE("step choice: restitution of single collisions within the accuracy, at any phase") {
  const std::map<std::string, Overrides> laws{
      {"linear", {"contact.stiffness=1e5"}},
      {"hertz_mindlin", {"material.0.young=1e8"}},
  };
  for (const auto& [law, numbers] : laws)
    for (const Real accuracy : {0.03, 0.003}) {
      CAPTURE(law);
      CAPTURE(accuracy);
      Overrides all = numbers;
      all.insert(all.end(), {"run.scheme=velocity_verlet_extrapolated", "contact.law=" + law,
                             "run.accuracy=" + std::to_string(accuracy)});
      constexpr int phases = 12;
      Real squares = 0, step = 0;
      for (int k = 0; k < phases; ++k) {
        // Places by the golden ratio, which are no multiples of what a step travels.
        const Real height = 0.0105 + 1e-3 * std::fmod(0.618034 * k, 1.0);
        Simulation s = started("[[material]]\nname = \"a\"\n" + thrown(height), all);
        step = s.scenario().step;
        run_to_end(s);
        const Real e = s.world().velocity(0).z / 2;
        squares += (e / 0.6 - 1) * (e / 0.6 - 1) / phases;
      }
      CHECK(std::sqrt(squares) < accuracy);
      CHECK(step > 0);
    }
}

// Grains without gravity that a lid presses harder and harder: their stiffness cannot be foretold.
const std::string pressed = R"(
[run]
step = "auto"
scheme = "velocity_verlet_predicted"
end = 0.02
[space]
gravity = [0, 0, 0]
[[material]]
name = "soft"
young = 1e7
[contact]
law = "hertz_mindlin"
restitution = 0.3
friction = 0.4
[guards]
overlap = "off"
[[wall]]
name = "box"
type = "box"
side = "inside"
low = [-0.02, -0.02, 0]
high = [0.02, 0.02, 0.3]
[[wall]]
name = "lid"
point = [0, 0, 0.06]
normal = [0, 0, -1]
load = { mass = 0.05, axes = "z", force = [0, 0, -100], damping = 2, times = [0, 0.016], factors = [0.02, 1] }
[[grains]]
kind = "random"
low = [-0.02, -0.02, 0]
high = [0.02, 0.02, 0.06]
radius = 0.004
radius_spread = 0.2
count = 60
)";

TEST_CASE("step choice: the same bits on any threads, and resumed from anywhere") {
  Simulation whole = started(pressed);
  for (std::int64_t next = 500; !whole.over(); next += 500) {
    run_to(whole, next);
    CHECK(whole.scenario().step <= whole.present_step_limit());
  }
  const std::uint64_t hash = whole.world().hash();
  const auto& chosen = whole.step_choice().chosen();
  CHECK(whole.world().time() == doctest::Approx(0.02).epsilon(1e-3));
  REQUIRE(chosen.size() > 2);  // the limit falls
  CHECK(chosen.back().length < 0.7 * chosen.front().length);
  CHECK(std::fabs(whole.residual_fraction()) < 0.01);

  Simulation parallel = started(pressed, {"run.threads=2", "output.series=1e-3"});
  while (!parallel.over()) {
    parallel.advance();
    const auto at_positions = parallel.synchronised();
    parallel.observe();
  }
  CHECK(parallel.world().hash() == hash);

  // 70 steps before a change: a look that comes too soon would find it too soon.
  std::vector<std::int64_t> at{100, 1024, whole.steps() / 2, whole.steps() - 3};
  for (const auto& c : chosen)
    if (c.step > 0) at.insert(at.end(), {c.step - 70, c.step, c.step + 1});
  at.resize(std::min<std::size_t>(at.size(), 6));
  for (const std::int64_t steps : at) {
    CAPTURE(steps);
    Simulation first = started(pressed);
    run_to(first, steps);
    MemoryArchive archive;
    first.for_each_saved(archive);
    archive.loads = true;
    Simulation second(parse_scenario(pressed, "test.toml"));
    second.for_each_saved(archive);
    second.restored();
    run_to_end(second);
    CHECK(second.world().hash() == hash);
    CHECK(second.steps() == whole.steps());
    REQUIRE(second.step_choice().chosen().size() == chosen.size());
    CHECK(second.step_choice().in_words(chosen.size() - 1) == whole.step_choice().in_words(chosen.size() - 1));
  }
}

// A wall far away is faster than all grains, so looks at the contacts alone find what changes.
TEST_CASE("step choice: a bed that is pressed slowly has a stable step at all times, the same bits when resumed") {
  const std::string slow = pressed + R"([[wall]]
name = "far"
point = [0, 0, 1]
normal = [0, 0, -1]
motion = { velocity = [0, 0, 0.5] }
)";
  const Overrides slowly{"run.end=0.4", "run.accuracy=0.2", "wall.lid.load.times=[0, 0.05, 0.1, 0.4]",
                         "wall.lid.load.factors=[0.02, 0.02, 0.1, 10]", "wall.lid.load.damping=200"};
  Simulation whole = started(slow, slowly);
  MemoryArchive archive;
  std::int64_t saved = 0;
  for (std::int64_t look = 256; !whole.over(); look += 256) {
    run_to(whole, look + 1);
    if (whole.world().contacts() > 0) CHECK(whole.scenario().step <= whole.present_step_limit());
    if (saved == 0 && whole.steps() >= 4000) whole.for_each_saved(archive), saved = whole.steps();
  }
  const auto& chosen = whole.step_choice().chosen();
  CHECK(whole.steps() > 16384);
  CHECK(chosen.back().step > saved + 2000);
  CHECK(chosen.back().length < 0.7 * chosen.front().length);
  archive.loads = true;
  Simulation second(parse_scenario(slow, "test.toml", slowly));
  second.for_each_saved(archive);
  second.restored();
  run_to_end(second);
  CHECK(second.world().hash() == whole.world().hash());
}

TEST_CASE("step choice: a run whose step never changes has the bits of a run with that step") {
  const std::string text = "[[material]]\nname = \"a\"\n" + thrown(0.011);
  Simulation chosen = started(text, {"contact.stiffness=1e5"});
  run_to_end(chosen);
  REQUIRE(chosen.step_choice().chosen().size() == 1);
  Simulation fixed = started(text, {"contact.stiffness=1e5", "run.scheme=" + chosen.scheme().name,
                                    "run.step=" + std::to_string(1e6 * chosen.scenario().step) + " us"});
  REQUIRE(fixed.scenario().step == chosen.scenario().step);
  run_to_end(fixed);
  CHECK(fixed.world().hash() == chosen.world().hash());
  CHECK(fixed.steps() == chosen.steps());
}

TEST_CASE("step choice: a change may begin it and end it") {
  const std::string changes = R"(
[[change]]
at = 0.02
run.step = "auto"
run.accuracy = 0.003
[[change]]
at = 0.03
run.step = "5 us"
[[change]]
at = 0.04
run.step = "auto"
contact.stiffness = 4e5
)";
  const std::string text = "[[material]]\nname = \"a\"\n" + thrown(0.011) + changes;
  Simulation s = started(text, {"contact.stiffness=1e5", "run.step=1e-5", "run.scheme=velocity_verlet"});
  CHECK(s.step_choice().step() == 0);
  std::vector<std::pair<Real, Real>> steps;  // when, which
  while (!s.over()) {
    s.advance([] { return true; });
    if (steps.empty() || steps.back().second != s.world().last_step())
      steps.emplace_back(s.world().time(), s.world().last_step());
  }
  REQUIRE(s.step_choice().chosen().size() == 2);
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].second == 1e-5);
  CHECK(steps[1].first == doctest::Approx(0.02).epsilon(0.01));
  CHECK(steps[1].second == s.step_choice().chosen()[0].length);
  CHECK(steps[2].first == doctest::Approx(0.03).epsilon(0.01));
  CHECK(steps[2].second == 5e-6);
  CHECK(steps[3].first == doctest::Approx(0.04).epsilon(0.01));
  // A contact four times as stiff takes half the time.
  CHECK(steps[3].second == doctest::Approx(0.5 * steps[1].second).epsilon(0.15));
  CHECK(s.world().time() == doctest::Approx(0.05).epsilon(1e-3));
}

TEST_CASE("step choice: steps of an output are met to within a step, before and after the step changes") {
  Simulation s = started(bed, {"output.series=2e-4", "emitter.shot.on=false", "run.end=0.01", "grains.0.count=25"});
  std::int64_t rows = 0;
  while (!s.over()) {
    const unsigned due = s.advance();
    if (!(due & Occasion::series)) continue;
    ++rows;
    CHECK(std::fabs(s.world().time() - 2e-4 * static_cast<Real>(rows)) < s.world().last_step());
  }
  CHECK(rows == 50);
}

TEST_CASE("step choice: a strongly damped bed that packs stays stable") {
  for (const char* e : {"0.3", "0.1"}) {
    CAPTURE(e);
    Simulation s = started(bed, {"contact.restitution=" + std::string(e), "emitter.shot.on=false", "run.end=0.12",
                                 "run.scheme=velocity_verlet_predicted", "grains.0.count=25"});
    run_to_end(s);
    CHECK(std::fabs(s.residual_fraction()) < 0.01);
    CHECK(s.largest_overlap().fraction < 0.06);
    CHECK(s.scenario().step <= s.present_step_limit());
    CHECK(s.world().energies().kinetic < 0.05 * s.throughput());
  }
}

TEST_CASE(
    "step choice: a lid as light as a grain moves against all grains below it, and the step is stable from the first "
    "touch") {
  Simulation s = started(R"(
[run]
step = "auto"
end = 0.5
[contact]
stiffness = 1e4
restitution = 0.8
friction = 0.3
[[wall]]
name = "floor"
[[wall]]
name = "lid"
point = [0, 0, 0.0215]
normal = [0, 0, -1]
load = { mass = 0.0105, axes = "z", force = [0, 0, -20] }
[[grains]]
kind = "lattice"
low = [0, 0, 0]
high = [0.2, 0.2, 0.0201]
radius = 0.01
spacing = 0.02000001
)");
  REQUIRE(s.world().size() == 81);
  const Real together = std::sqrt((1 + 81) * 1e4 / 0.0105);  // [rad/s] of lid and grains, undamped
  CHECK(s.scenario().step * together < 2);
  run_to(s, 600);
  CHECK(s.world().contacts() > 0);
  CHECK(std::fabs(s.residual_fraction()) < 0.02);
}

TEST_CASE("step choice: a lid that a load accelerates through free space has its step from the beginning") {
  Simulation s = started(R"(
[run]
step = "auto"
end = 0.03
[space]
gravity = [0, 0, 0]
[[material]]
name = "a"
young = 1e8
[contact]
law = "hertz_mindlin"
restitution = 0.7
friction = 0.3
[[wall]]
name = "floor"
[[wall]]
name = "lid"
point = [0, 0, 0.07]
normal = [0, 0, -1]
load = { mass = 0.05, axes = "z", force = [0, 0, -50] }
[[grain]]
position = [0, 0, 0.01]
radius = 0.01
[guards]
overlap = "off"
)");
  const std::int64_t foretold = s.total_steps();
  const std::string speed = "at 10 m/s";  // sqrt(2 F H / m), from 5 cm above the grain
  CHECK(s.step_choice().reason(0).find(speed) != std::string::npos);
  run_to_end(s);
  CHECK(s.largest_overlap().fraction > 0.05);
  CHECK(s.steps() < 1.2 * static_cast<Real>(foretold));
}

TEST_CASE("step choice: a grain that is thrown at a slow bed meets a step made for it") {
  // One grain at rest, one that arrives at 20 m/s, head-on and of stiff material.
  const std::string text = R"(
[run]
step = "auto"
scheme = "velocity_verlet_implicit"
end = 0.02
[space]
gravity = [0, 0, 0]
[[material]]
name = "soft"
young = 1e7
[[material]]
name = "hard"
young = 1e10
[contact]
law = "hertz_mindlin"
restitution = 0.5
[[grain]]
material = "hard"
position = [0, 0, 0]
radius = 0.01
[[grain]]
material = "soft"
position = [0.1, 0, 0]
velocity = [-0.01, 0, 0]
radius = 0.01
[[emitter]]
position = [0, 0, 0.08]
material = "hard"
velocity = [0, 0, -20]
radius = 0.01
first = 0.004
count = 1
)";
  Simulation s = started(text);
  run_to_end(s);
  const auto row = [&](std::int64_t id) {
    const auto& ids = s.world().grains().id;
    return static_cast<int>(std::find(ids.begin(), ids.end(), id) - ids.begin());
  };
  const Real apart = s.world().velocity(row(2)).z - s.world().velocity(row(0)).z;
  CHECK(apart / 20 == doctest::Approx(0.5).epsilon(0.02));
  // Without the emitter nothing needs so short a step.
  const Simulation alone = started(text, {"emitter.0.on=false"});
  CHECK(s.step_choice().chosen()[0].length < alone.step_choice().chosen()[0].length * 1.01);
}

TEST_CASE("step choice: an accuracy is needed only where steps are chosen, and no scheme chooses twice") {
  CHECK_THROWS_AS(started("[[material]]\nname = \"a\"\n" + thrown(0.011), {"run.scheme=dormand_prince54"}), Error);
}

TEST_CASE("change of step: every scheme keeps its order across it") {
  // A grain that oscillates on a floor without leaving it: m q'' + c q' + k q = 0 about its place at rest.
  constexpr Real k = 1e4, radius = 0.01, density = 2500, g = 9.81;
  const Real m = 4.0 / 3 * pi * radius * radius * radius * density, omega = std::sqrt(k / m), c = 2 * 0.1 * m * omega;
  const Real rest = radius - m * g / k, start = rest - 0.5 * m * g / k;
  const Real decay = c / (2 * m), turn = std::sqrt(omega * omega - decay * decay);
  const auto exact = [&](Real t) {
    const Real a = start - rest;
    const Real x = a * std::exp(-decay * t) * (std::cos(turn * t) + decay / turn * std::sin(turn * t));
    const Real v = -a * std::exp(-decay * t) * omega * omega / turn * std::sin(turn * t);
    return std::pair{rest + x, v};
  };
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    if (scheme.claims.adaptive) continue;
    CAPTURE(scheme.name);
    Real errors[2]{};
    for (const int half : {0, 1}) {
      const Real h = (half ? 0.5 : 1) * 2 * pi / omega / 50, later = 0.62 * h, changes = 30 * (half ? 2 : 1) * h;
      const Real end = changes + 30 * (half ? 2 : 1) * later;
      Scenario s;
      s.scheme = scheme.name, s.step = h, s.end = end, s.onset = false;
      s.gravity = {0, 0, -g};
      s.materials.emplace_back();
      s.materials[0].density = density;
      s.contact["stiffness"] = k, s.contact["damping"] = c;
      s.contact["friction"] = 0.0;
      s.walls.push_back({.name = "floor"});
      s.grain.push_back({.position = {0, 0, start}, .radius = radius});
      s.overlap_allowed_at_start = true;
      Scenario after = s;
      after.step = later;
      ChangeSpec change;
      change.name = "step", change.at = changes;
      change.after = std::make_shared<const Scenario>(after);
      s.changes.push_back(change);
      for (const char* guard : {"overlap", "step", "residual"}) s.guards[guard] = GuardAction::off;
      Simulation run(s);
      run.start();
      run_to_end(run);
      const auto now = run.synchronised();
      const auto [x, v] = exact(run.world().time());
      errors[half] =
          std::hypot(run.world().position(0).z - x, (run.world().velocity(0).z - v) / omega) / (rest - start);
      CHECK(run.steps() == (half ? 120 : 60));
    }
    const int order = scheme.claims.order_damped;
    CAPTURE(errors[0]);
    CAPTURE(errors[1]);
    CHECK((errors[1] < 1e-11 || errors[0] / errors[1] > 0.7 * std::pow(2, order)));
  }
}
