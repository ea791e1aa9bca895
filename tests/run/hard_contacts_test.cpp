// Scenarios with hard contacts: impulses and contact dynamics.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "memory_archive.hpp"
#include "run/simulations.hpp"

using namespace cairn;

namespace {

const std::string ball = R"(
[run]
step = 2e-3
end = 4
[contact]
law = "impulse"
restitution = 1
projection = 0
[[wall]]
point = [0, 0, 0]
[[grain]]
position = [0, 0, 1]
radius = 0.1
mass = 2
)";

const std::string billiards = R"(
[run]
step = 1e-3
end = 8
[space]
dimension = 2
gravity = [0, 0]
[contact]
law = "impulse"
restitution = 1
[[grain]]
position = [0.5, 0]
velocity = [1, 0]
radius = 0.3
mass = 5
[[grain]]
position = [2, 0]
radius = 0.3
mass = 2
[[grain]]
position = [2.6, 0]
radius = 0.3
mass = 3
[[grain]]
position = [3.2, 0]
radius = 0.3
mass = 4
[[grain]]
position = [6.4, 0]
velocity = [-2, 0]
radius = 0.3
mass = 5
)";

const std::string column = R"(
[run]
step = 0.01
end = 22
[space]
dimension = 1
[contact]
law = "impulse"
restitution = 0.9
projection = 0.1
[[wall]]
name = "floor"
point = [0]
[[emitter]]
place = "top"
first = 1
every = 1
count = 19
radius = 0.3
mass = 1
[[grain]]
position = [0.3]
radius = 0.3
mass = 1
[guards]
overlap = "off"
)";

const std::string box = R"(
[run]
step = 4e-3
end = 1.2
[contact]
law = "dynamics"
restitution = 0.3
friction = 0.4
[[wall]]
name = "box"
type = "box"
side = "inside"
low = [-0.05, -0.05, 0]
high = [0.05, 0.05, 1]
[[grains]]
kind = "lattice"
low = [-0.05, -0.05, 0]
high = [0.05, 0.05, 0.3]
radius = 0.01
radius_spread = 0.1
spacing = 0.0235
jitter = 5e-4
count = 160
[guards]
travel = "warn"
)";

}  // namespace

TEST_CASE("hard contacts: a ball that bounces keeps its energy, or loses what symplectic Euler takes") {
  for (const char* law : {"impulse", "dynamics"}) {
    Simulation s = started(ball, {std::string("contact.law=") + law});
    const Real e0 = s.world().energies().mechanical();
    run_to_end(s);
    // It falls by 0.9 m, so it lands after 0.428 s and then every 0.857 s.
    CHECK(s.world().hard_contacts().collisions().walls == 5);
    CHECK(s.world().hard_contacts().collisions().grains == 0);
    CHECK(s.world().energies().mechanical() == doctest::Approx(e0).epsilon(1e-12));
    CHECK(std::fabs(s.world().residual()) < 1e-12 * e0);
  }
  // E_n = E_0 - n m g^2 h^2/2: every kick precedes its drift, and impacts turn velocities round.
  Simulation s = started(ball, {"run.scheme=impulse_symplectic_euler"});
  const Real e0 = s.world().energies().mechanical(), g = 9.81, h = 2e-3;
  run_to_end(s);
  const Real lost = static_cast<Real>(s.steps()) * 2 * g * g * h * h / 2;
  CHECK(s.world().energies().mechanical() == doctest::Approx(e0 - lost).epsilon(1e-13));
  CHECK(s.world().residual() == doctest::Approx(-lost).epsilon(1e-11));
}

TEST_CASE("hard contacts: five balls keep energy and momentum through their collisions") {
  for (const char* law : {"impulse", "dynamics"})
    for (const char* restitution : {"1", "0.5"}) {
      Simulation s =
          started(billiards, {std::string("contact.law=") + law, std::string("contact.restitution=") + restitution,
                              "contact.projection=0", "run.tolerance=1e-12"});
      CHECK(s.world().energies().mechanical() == doctest::Approx(12.5));
      // [kg m/s] at first five balls have 15 in all, both ways, so 1e-14 is a fifteenth of what collisions may lose.
      Real momentum = s.world().momenta().linear.x, in_a_step = 0;
      while (!(s.advance([] { return true; }) & Occasion::finished)) {
        const Real now = s.world().momenta().linear.x;
        in_a_step = std::max(in_a_step, std::fabs(now - momentum)), momentum = now;
      }
      CHECK(in_a_step < 1e-14);
      CHECK(s.world().hard_contacts().collisions().grains >= 4);
      CHECK(std::fabs(s.world().momenta().linear.x + 5) < 1e-14);
      CHECK(std::fabs(s.world().residual()) < 1e-10 * 12.5);
      const Real kept = s.world().energies().mechanical() / 12.5;
      if (restitution == std::string("1"))
        CHECK(kept == doctest::Approx(1).epsilon(1e-10));
      else
        CHECK(kept < 0.7);
    }
}

TEST_CASE("hard contacts: simultaneous impulses blow the column up, sequential ones and contact dynamics do not") {
  const auto highest = [](const std::vector<std::string>& changes) {
    Simulation s = started(column, changes);
    Real most = 0;
    while (!(s.advance() & Occasion::finished))
      for (int i = 0; i < s.world().size(); ++i) most = std::max(most, s.world().position(i).z);
    return most;
  };
  const Real top = 0.3 + 19 * 0.6;
  CHECK(highest({"contact.impulses=simultaneous", "guards.travel=off"}) > 2 * top);
  for (const char* law : {"impulse", "dynamics"}) {
    const Real height = highest({std::string("contact.law=") + law});
    CHECK(height < top + 0.05);
    CHECK(height > top - 0.05);
  }
}

TEST_CASE("hard contacts: a packing at rest carries its weight, whatever the number of threads and restarts") {
  Simulation whole = started(box);
  run_to_end(whole);
  const World& w = whole.world();
  Real weight = 0;
  for (const Real m : w.grains().mass) weight += 9.81 * m;
  CHECK(w.wall_loads()[0].force.z == doctest::Approx(-weight).epsilon(1e-3));
  CHECK(w.energies().kinetic < 1e-6 * weight * 0.01);
  CHECK(2.0 * w.contacts() / w.size() > 3);
  // [-] of the radius: what remains of overlaps, and no grain through another.
  const GuardStatistics& statistics = whole.world().guard_statistics();
  CHECK(statistics.deepest < 0.2);
  Real deepest = 0;
  for (const ContactView& c : w.closed_contacts()) deepest = std::max(deepest, c.overlap);
  CHECK(deepest < 0.01 * 0.009);

  for (const int threads : {2, 3, 7}) {
    Simulation s = started(box, {"run.threads=" + std::to_string(threads)});
    run_to_end(s);
    CHECK(s.world().hash() == w.hash());
  }
  Simulation first = started(box);
  while (first.steps() < 130) first.advance([&] { return first.steps() >= 130; });
  MemoryArchive archive;
  first.for_each_saved(archive);
  archive.loads = true;
  Simulation second(parse_scenario(box, "test.toml"));
  second.for_each_saved(archive);
  second.restored();
  run_to_end(second);
  CHECK(second.world().hash() == w.hash());
  CHECK(second.world().hard_contacts().collisions().grains == w.hard_contacts().collisions().grains);
}

TEST_CASE("hard contacts: a wall of finite mass takes the momentum that a fixed one swallows") {
  const std::string text = billiards + R"(
[[wall]]
name = "cushion"
type = "plane"
point = [-1, 0]
normal = [1, 0]
load = { mass = 10 }
)";
  for (const char* law : {"impulse", "dynamics"}) {
    Simulation s = started(text, {std::string("contact.law=") + law, "contact.projection=0", "run.tolerance=1e-12"});
    run_to_end(s);
    CHECK(s.world().hard_contacts().collisions().walls >= 1);
    CHECK(std::fabs(s.world().momenta().linear.x + 5) < 1e-14);
    CHECK(std::fabs(s.world().energies().mechanical() - 12.5) < (law == std::string("impulse") ? 1e-9 : 1e-4));
  }
}

// The load's work and the loss of height are all the energy there is. Bouncing in steps too long for it would dissipate
// more, and never end.
TEST_CASE("hard contacts: a loaded lid comes to rest, and dissipates what its load and weight have done") {
  const std::string text = R"(
[run]
step = 2e-4
end = 0.1
[contact]
law = "dynamics"
restitution = 0.3
friction = 0.4
[[wall]]
name = "floor"
[[wall]]
name = "lid"
point = [0, 0, 0.0215]
normal = [0, 0, -1]
load = { mass = 0.02, axes = "z", force = [0, 0, -10] }
[[grain]]
position = [0, 0, 0.0103]
radius = 0.01
mass = 0.01
[guards]
residual = "warn"
travel = "warn"
)";
  for (const char* force : {"-1", "-10", "-30"}) {
    CAPTURE(std::string(force));
    Simulation s = started(text, {"wall.1.load.force=[0,0," + std::string(force) + "]"});
    run_to_end(s);
    const World& w = s.world();
    const Real load = -std::stod(force), work = load * 0.0015, falls = 9.81 * (0.02 * 0.0015 + 0.01 * 0.0003);
    CHECK(std::fabs(w.state().walls.at(WallRow::v, 0).z) < 1e-9);
    CHECK(w.energies().kinetic < 1e-15);
    CHECK(w.energy_ledger()[Channel::dashpot] == doctest::Approx(work + falls).epsilon(2e-3));
    CHECK(std::fabs(w.residual()) < 1e-3 * work);
    CHECK(w.wall_loads()[0].force.z == doctest::Approx(-load - 0.03 * 9.81).epsilon(1e-3));
  }
}

// It falls by 5 mm and meets the floor at 0.313 m/s, slower than what the load brings to the lid in two steps. An
// impact is met up to a step early.
TEST_CASE("hard contacts: a loaded wall takes no rebound from grains on which it cannot press") {
  const std::string text = R"(
[run]
step = 2e-4
end = 0.035
[contact]
law = "dynamics"
restitution = 0.3
[[wall]]
name = "floor"
[[wall]]
name = "lid"
point = [0, 0, 0.1]
normal = [0, 0, -1]
load = { mass = 0.01, axes = "z", force = [0, 0, 10] }
[[grain]]
position = [0, 0, 0.015]
radius = 0.01
mass = 0.01
)";
  Simulation s = started(text);
  run_to_end(s);
  const Real g = 9.81, h = 2e-4, fall = std::sqrt(2 * 0.005 / g);
  CHECK(std::fabs(s.world().velocity(0).z - (0.3 * g * fall - g * (0.035 - fall))) < 2 * g * h);
}

TEST_CASE("hard contacts: a wall that moves throws a ball, and its work is in the ledger") {
  const std::string text = R"(
[run]
step = 1e-3
end = 1
tolerance = 1e-12
[space]
gravity = [0, 0, 0]
[contact]
restitution = 0.8
friction = 0.5
[[wall]]
point = [0, 0, -0.15]
motion = { velocity = [1, 0, 0.5] }
[[grain]]
position = [0, 0, 0]
velocity = [0, 0, -1]
radius = 0.1
mass = 2
)";
  for (const char* law : {"impulse", "dynamics"}) {
    Simulation s = started(text, {std::string("contact.law=") + law, "contact.projection=0"});
    run_to_end(s);
    const World& w = s.world();
    // v' = u - e (v - u) along the normal; a sphere sticks after 2/7 of the slip has gone, and mu (1 + e) 1.5 suffices.
    // The lever is shorter than the radius by half the overlap, which is at most the approach in a step.
    CHECK(w.velocity(0).z == doctest::Approx(0.5 + 0.8 * 1.5).epsilon(1e-12));
    CHECK(w.velocity(0).x == doctest::Approx(2.0 / 7).epsilon(0.02));
    CHECK(std::fabs(w.residual()) < 1e-12);
    // The work of the wall: impulse times its velocity.
    CHECK(w.energy_ledger()[Channel::external] ==
          doctest::Approx(2 * (2.7 * 0.5 + w.velocity(0).x * 1)).epsilon(1e-12));
    CHECK(w.hard_contacts().collisions().walls == 1);
  }
}

TEST_CASE("hard contacts: results do not depend on when the list is renewed") {
  Simulation plain = started(box, {"run.end=0.4"}), renewed = started(box, {"run.end=0.4"});
  run_to_end(plain);
  while (!(renewed.advance([] { return true; }) & Occasion::finished)) renewed.world().rebuild();
  CHECK(renewed.world().rebuilds() > plain.world().rebuilds() + 50);
  CHECK(renewed.world().hash() == plain.world().hash());
}

TEST_CASE("hard contacts: every kind of wall, an emitter, a removal, a restart and threads give the same bits") {
  const std::string text = R"(
[run]
step = 1e-3
end = 0.6
[contact]
law = "dynamics"
restitution = 0.3
friction = 0.4
[[wall]]
name = "can"
type = "cylinder"
side = "inside"
point = [0, 0, 0]
axis = [0, 0, 1]
radius = 0.08
length = 2
[[wall]]
name = "floor"
type = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
name = "block"
type = "box"
side = "outside"
low = [-0.02, -0.02, 0]
high = [0.02, 0.02, 0.03]
motion = { velocity = [0, 0, 0.005] }
[[wall]]
name = "lid"
type = "plane"
point = [0, 0, 0.25]
normal = [0, 0, -1]
load = { mass = 0.05, axes = "z" }
[[emitter]]
low = [-0.05, -0.05, 0.1]
high = [0.05, 0.05, 0.15]
velocity = [0, 0, -1]
radius = 0.008
mass = 5e-3
rate = 300
count = 60
[[removal]]
name = "hole"
low = [0.02, -0.08, 0]
high = [0.09, 0.08, 0.02]
from = 0.4
every = 0.1
[guards]
travel = "warn"
overlap = "warn"
)";
  for (const char* law : {"impulse", "dynamics"}) {
    const std::vector<std::string> changes{std::string("contact.law=") + law};
    Simulation whole = started(text, changes);
    run_to_end(whole);
    const World& w = whole.world();
    CAPTURE(law);
    CHECK(w.size() > 10);
    CHECK(w.size() < 60);  // some were removed
    for (int i = 0; i < w.size(); ++i) {
      const Vector x = w.position(i);
      CHECK(std::hypot(x.x, x.y) < 0.08);
      CHECK(x.z > 0);
    }
    for (const WallLoad& load : w.wall_loads()) CHECK(norm(load.force) > 0);
    for (const int threads : {2, 3, 7}) {
      Simulation s = started(text, {changes[0], "run.threads=" + std::to_string(threads)});
      run_to_end(s);
      CHECK(s.world().hash() == w.hash());
    }
    Simulation first = started(text, changes);
    while (first.steps() < 450) first.advance([&] { return first.steps() >= 450; });
    MemoryArchive archive;
    first.for_each_saved(archive);
    archive.loads = true;
    Simulation second(parse_scenario(text, "test.toml", changes));
    second.for_each_saved(archive);
    second.restored();
    run_to_end(second);
    CHECK(second.world().hash() == w.hash());
  }
}

TEST_CASE("hard contacts: the guard of overlaps advises a shorter step") {
  // A ball that is met a whole step late.
  Simulation s = started(ball, {"run.step=0.05", "guards.travel=off"});
  std::string fault;
  try {
    run_to_end(s);
  } catch (const Error& e) {
    fault = e.what();
  }
  CHECK(fault.find("an impact is met too late; lower run.step") != std::string::npos);
}

TEST_CASE("hard contacts: scheme, law and step must suit each other") {
  const auto fault = [](const std::vector<std::string>& changes) -> std::string {
    try {
      started(ball, changes);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  CHECK(fault({}) == "");
  CHECK(fault({"run.scheme=rk4"})
            .find("run.scheme: found \"rk4\" with contact.law = \"impulse\"; expected "
                  "\"impulse_leapfrog\"") != std::string::npos);
  CHECK(fault({"run.scheme=moreau_theta"}) != "");
  CHECK(fault({"contact.law=linear", "contact.stiffness=1e5", "run.scheme=impulse_leapfrog"}) != "");
  CHECK(fault({"run.step=auto"}).find("whose contacts have no duration") != std::string::npos);
  CHECK(fault({"run.onset=on"}) != "");
  CHECK(fault({"output.ledger_split=true"}) != "");
}
