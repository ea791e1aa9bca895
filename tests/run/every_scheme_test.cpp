// Whole scenarios with every scheme of the catalogue.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/text.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"
#include "run/simulations.hpp"

using namespace cairn;

namespace {

// All a soft-contact scenario can have: 3D, a period, rotation, friction, dashpots, with one law rolling, a drum that
// turns, a plate that is shaken, grains that come and go. A contact lasts forty steps; a grain of the bed has several.
const std::string drum = R"(
[run]
step = 1.25e-5
end = 6e-3
[space]
periodic_y = [0, 0.016]
[[material]]
name = "glass"
density = 2500
young = 1e7
[contact]
restitution = 0.7
friction = 0.4
[search]
skin = 1e-4
[[wall]]
name = "drum"
type = "cylinder"
axis = [0, 1, 0]
radius = 0.016
motion = { axis = [0, 1, 0], rate = 30 }
[[wall]]
name = "plate"
point = [0.012, 0, 0]
normal = [-1, 0, 0]
motion = { amplitude = [2e-4, 0, 0], frequency = 150 }
[[grains]]
kind = "random"
region_radius = 0.0135
region_length = 0.016
center = [-0.001, 0.008, -0.001]
axis = [0, 1, 0]
radius = 2e-3
radius_spread = 0.2
count = 60
velocity = [0.2, 0.1, -0.4]
[[emitter]]
low = [-0.009, 0, 0.005]
high = [0.009, 0.016, 0.012]
rate = 2000
radius = 1.8e-3
radius_spread = 0.2
velocity = [0, 0, -0.5]
[[removal]]
name = "drain"
low = [-0.016, 0, -0.016]
high = [-0.004, 0.008, -0.01]
from = 3e-3
[output]
pictures = 0
)";

// Contacts of both laws last some forty steps at the speeds there are.
struct Case {
  const char* law;
  std::vector<std::string> overrides;
};
const Case cases[] = {
    {"linear",
     {"contact.duration=5e-4", "contact.tangential_damping_per_mass=200", "contact.rolling_friction=0.1",
      "contact.rolling_damping=1e-3", "contact.twisting_friction=0.05"}},
    {"hertz_mindlin", {"contact.law=hertz_mindlin"}}};

struct Result {
  std::uint64_t hash;
  LedgerChannels ledger;
  std::int64_t steps, removed, emitted, force_passes, rejected;
  bool operator==(const Result&) const = default;
};

Result result_of(Simulation& s) {
  return {s.world().hash(),
          s.world().state().ledger,
          s.steps(),
          s.removals().grains(0),
          s.emitters().emitted(0),
          s.world().force_passes(),
          s.world().controller().rejected};
}

Scenario scenario(const std::vector<std::string>& overrides) {
  Scenario s = parse_scenario(drum, "test.toml", overrides);
  s.wrong_friction_allowed = true;  // here bits count, not friction
  return s;
}

}  // namespace

TEST_CASE(
    "every scheme runs a drum with everything: on one thread, and on two and resumed half way, to the same bits") {
  for (const Case& c : cases) {
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      INFO(std::string(scheme.claims.name), ", ", std::string(c.law));
      std::vector<std::string> with = c.overrides;
      with.push_back("run.scheme=" + std::string(scheme.claims.name));
      // Of an error per second: where a dashpot's force jumps, a tighter one would take steps below round-off.
      if (scheme.claims.name == "rkf45_relative") with.push_back("run.tolerance=1e-2");
      Simulation whole(scenario(with));
      whole.start();
      run_to_end(whole);
      {
        const auto synchronised = whole.synchronised();
        whole.observe();  // throws where the ledger does not close to 10 %
      }
      const Result result = result_of(whole);
      CHECK(whole.over());
      CHECK(whole.world().rebuilds() > 20);
      CHECK(whole.world().refreshes() > 20);
      CHECK(result.removed >= 1);
      CHECK(result.emitted >= 10);
      for (const int channel : {Channel::dashpot, Channel::slip, Channel::clip}) CHECK(result.ledger[channel] > 0);
      CHECK((result.ledger[Channel::rolling] > 0) == (std::string(c.law) == "linear"));
      if (scheme.claims.order_damped > 1) CHECK(std::fabs(whole.residual_fraction()) < 0.03);

      const FreshFolder folder;
      const ScenarioSource source{"test.toml", drum, with};
      {
        Simulation half(scenario(with));
        half.world().set_threads(2);
        half.start();
        RunFolder run = RunFolder::create(FolderLock::make(folder / "out"), source, half);
        while (half.steps() < result.steps / 2) half.advance([&] { return half.steps() >= result.steps / 2; });
        run.save_checkpoint();
      }
      Simulation resumed(scenario(with));
      resumed.world().set_threads(2);
      RunFolder::resume(FolderLock(folder / "out"), source, resumed);
      CHECK(resumed.steps() == result.steps / 2);
      run_to_end(resumed);
      CHECK(result_of(resumed) == result);
    }
  }
}

TEST_CASE("adaptive schemes: attempts that are rejected leave no trace in a run") {
  const auto half_way =
      [](const SchemeEntry& scheme) {  // with springs, memories and grains that came and went behind it
        std::vector<std::string> with = cases[0].overrides;
        with.insert(with.end(),
                    {"run.scheme=" + std::string(scheme.claims.name), "run.largest_step=5e-4", "run.tolerance=1e-4"});
        Simulation s(scenario(with));
        s.start();
        while (s.world().time() < 0.005) s.advance();
        return s;
      };
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    if (!scheme.claims.adaptive) continue;
    INFO(std::string(scheme.claims.name));
    Simulation eager = half_way(scheme), wise = half_way(scheme);
    REQUIRE(eager.world().hash() == wise.world().hash());
    REQUIRE(eager.world().energies().elastic > 0);
    const std::int64_t rejected = eager.world().controller().rejected;
    const auto one_step = [](Simulation& s) { s.advance([] { return true; }); };
    eager.world().controller().step = 5e-4;
    one_step(eager);
    CHECK(eager.world().controller().rejected > rejected);
    wise.world().controller().step = eager.world().last_step();
    one_step(wise);
    CHECK(wise.world().controller().rejected == rejected);
    CHECK(eager.world().guard_statistics().deepest == wise.world().guard_statistics().deepest);
    run_to_end(eager), run_to_end(wise);
    CHECK(eager.steps() == wise.steps());
    CHECK(eager.world().hash() == wise.world().hash());
    // The ledger is summed in the order of the list, which the far-flung states of an attempt may have renewed.
    for (int k = 0; k < Channel::count; ++k)
      CHECK(eager.world().state().ledger[k] == doctest::Approx(wise.world().state().ledger[k]).epsilon(1e-12));
  }
}

namespace {

// [m] grain by grain, at the end of a pyramid's run.
std::vector<Vector> pyramid(const std::string& scheme, Real end, Real steps, const std::string& change,
                            Real tolerance = 1e-12) {
  Simulation s(read_scenario(CAIRN_SOURCE_DIR "/scenarios/pyramid.toml",
                             {{"contact.stiffness=1e5", change, "run.scheme=" + scheme, "run.end=" + to_text(end),
                               "run.step=" + to_text(end / steps), "run.tolerance=" + to_text(tolerance)}}));
  s.world().controller().smallest = 1e-14 * end;  // an onset of a dashpot asks for little
  s.start();
  run_to_end(s);
  std::vector<Vector> at;
  for (const int i : s.world().grains().by_id()) at.push_back(s.world().position(i));
  return at;
}

Real distance(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  REQUIRE(a.size() == b.size());
  Real most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

}  // namespace

// Thirteen spheres fall, meet the floor and one another, and part. How far into a step a contact begins is chance, so
// errors are means over three steps, of 1/60 to 1/100 of a contact's duration. A scheme sees neither the instant nor,
// with dashpots, the jump of the force: an impulse of first order. Without, the force has a kink, and second order is
// left of any higher. In units of what is there, the speed v and the frequency of the contacts, errors are below 4 v h
// for first order, 4 v h (omega h) for second, and 4 v h (2 zeta) for the impulses missed.
TEST_CASE("every scheme converges to the pyramid at its order, or at what beginnings of contacts leave of it") {
  constexpr Real end = 0.06, k = 1e5, mass = 2700 * 4.0 / 3 * pi * 1e-3, gap = 1.35e-3;
  const Real v = std::sqrt(2 * 9.81 * gap), omega = std::sqrt(2 * k / mass);
  for (const Real damping : {0.0, 60.0}) {
    const std::string change = "contact.damping=" + to_text(damping);
    const std::vector<Vector> truth = pyramid("dormand_prince54", end, 20, change);
    CHECK(distance(truth, pyramid("bogacki_shampine32", end, 20, change)) < 1e-9);
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      if (scheme.claims.adaptive) {
        INFO(change, ", ", std::string(scheme.claims.name));
        // A step adds at most the tolerance, in radii; there are some hundred.
        CHECK(distance(truth, pyramid(std::string(scheme.claims.name), end, 20, change, 1e-6)) < 1e-6 * 0.1 * 100);
        continue;
      }
      constexpr int samples = 3;
      std::array<Real, 2> error{};  // [m] at steps h, and at their halves
      Real h = 0;
      for (int sample = 0; sample < samples; ++sample) {
        const Real steps = 150 + 52 * sample;
        h += end / steps / samples;
        for (const int half : {0, 1})
          error[half] +=
              distance(truth, pyramid(std::string(scheme.claims.name), end, (1 + half) * steps, change)) / samples;
      }
      const Real order = std::log2(error[0] / error[1]);
      const int claimed = damping > 0 ? scheme.claims.order_damped : scheme.claims.order;
      INFO(change, ", ", std::string(scheme.claims.name), ": errors ", error[0], " and ", error[1], " m, order ",
           order);
      CHECK(order > std::min(claimed, damping > 0 ? 1 : 2) - 0.4);
      const Real missed = 2 * damping / (mass * omega);  // 2 zeta
      CHECK(error[0] < 4 * v * h * (scheme.claims.order == 1 ? 1 : omega * h + missed));
    }
  }
}

// A sphere at rest on a belt of 1 m/s, with so many seconds a step, to an end [s].
Scenario sphere_on_belt(const std::string& scheme, const std::string& step, const std::string& end) {
  return parse_scenario("[run]\nscheme = '" + scheme + "'\nstep = " + step + "\nend = " + end + R"(
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
)",
                        "belt.toml", {});
}

// With 20 steps per contact its spring is dragged a hundred times its limit in each. A scheme whose memory carries some
// of that into later steps misses it meanwhile.
TEST_CASE("schemes that remember close the ledger of a sphere that slides, from the first steps on") {
  for (const char* name : {"gear3", "gear4", "bdf2", "hht_alpha", "generalized_alpha", "khakimov_t16", "khakimov_t12",
                           "abm3", "adams_bashforth3"}) {
    Simulation s(sphere_on_belt(name, "3.9e-5", "0.01"));
    s.start();
    while (!(s.advance() & Occasion::finished)) {
    }
    s.measure();
    INFO(std::string(name), ": residual ", s.world().residual(), " J of ", s.world().state().ledger[Channel::external]);
    CHECK(std::fabs(s.world().residual()) < 0.01 * s.world().state().ledger[Channel::external]);
  }
}

// gear3 misses most of the heat of its first steps there, a thousandth of the energy the grain has beside the belt.
TEST_CASE("a slide that begins on a belt is not stopped, though little has been exchanged yet") {
  Simulation s(sphere_on_belt("gear3", "5e-5", "0.02"));
  s.start();
  while (!(s.advance() & Occasion::finished)) s.observe();
  CHECK(s.world().velocity(0).x == doctest::Approx(0.3 * 9.81 * 0.02).epsilon(0.01));
  CHECK(s.throughput() > 0.5 * s.world().grains().mass[0]);
}

// Energy that backward_euler loses is its own damping; the guard still sees it.
TEST_CASE("a residual that a scheme's own damping makes is called so, another is not") {
  const auto message = [](const char* scheme, const char* step) {
    Scenario one = parse_scenario(std::string(R"(
[run]
step = )") + step + R"(
end = 0.02
[contact]
stiffness = 1e5
[[wall]]
type = "plane"
[[grain]]
position = [0, 0, 0.0101]
radius = 0.01
velocity = [0, 0, -1]
[output]
series = 1e-3
[guards]
residual = "warn"
step = "warn"
)",
                                  "test.toml", {});
    one.scheme = scheme;
    Simulation s(one);
    s.start();
    while (!(s.advance() & Occasion::finished)) s.observe();
    for (const GuardReport& g : s.guards())
      if (g.name == std::string("residual")) return g.message;
    return std::string("no guard");
  };
  for (const char* name : {"backward_euler", "bdf2", "generalized_alpha(0)"}) {
    INFO(std::string(name));
    CHECK(message(name, "1e-4").find(" itself damps the stiffest contact at this step, with a damping ratio of ") !=
          std::string::npos);
  }
  CHECK(message("forward_euler", "4e-5").find("the step is too large for forward_euler") != std::string::npos);
  CHECK(message("newmark", "4e-5").find("itself damps") == std::string::npos);
}

// Critical damping: a contact that may pull does not let go.
TEST_CASE("restitution 0: where contacts may pull the bodies stay together, with both laws that have it") {
  for (const char* law : {"stiffness = 1e5", "law = \"hertz_mindlin\""}) {
    const bool hertz = std::string(law).find("law") == 0;
    Scenario one = parse_scenario(std::string(R"(
[run]
step = 5e-6
end = 0.05
scheme = "rk4"
[space]
gravity = [0, 0, 0]
[contact]
restitution = 0
attraction = "allowed"
)") + law + R"(
[[wall]]
type = "plane"
[[grain]]
position = [0, 0, 0.01001]
radius = 0.01
velocity = [0, 0, -0.1]
)" + (hertz ? "[[material]]\nyoung = 1e7\npoisson = 0.3\n" : ""),
                                  "test.toml", {});
    Simulation s(one);
    s.start();
    while (!(s.advance() & Occasion::finished)) {
    }
    INFO(law, ": ", s.world().velocity(0).z, " m/s");
    CHECK(std::fabs(s.world().velocity(0).z) < 1e-4);
    CHECK(s.world().position(0).z <= 0.01);
  }
}

// Grains are poured into a narrow box, hit and rub on one another. What the ledger cannot account for
// falls at the order of the scheme, as far as beginnings and ends of contacts leave of it: second order. Trajectories
// part sooner or later, so residuals are means over two pours, and over what was observed of each.
TEST_CASE("every scheme closes the ledger of a small pour at its order, or at what contacts leave of it") {
  const std::string pour = R"(
[run]
step = 2.5e-5
end = 0.012
[contact]
duration = 1e-3
restitution = 0.6
friction = 0.4
[[wall]]
type = "box"
low = [0, 0, 0]
high = [8e-3, 8e-3, 0.1]
[[emitter]]
low = [0, 0, 5e-3]
high = [8e-3, 8e-3, 1.2e-2]
rate = 1500
count = 15
radius = 1.5e-3
radius_spread = 0.2
velocity = [0.1, 0.05, -0.5]
[output]
series = 1e-3
[guards]
residual = "off"
)";
  const auto check = [&](const SchemeEntry& scheme, bool onset, Real floor) {
    const auto residual = [&](Real part) {  // [-] of the throughput, at a part of the step
      Real sum = 0;
      int count = 0;
      for (const int seed : {1, 2}) {
        Scenario one = parse_scenario(pour, "test.toml", {});
        one.wrong_friction_allowed = true;
        one.scheme = scheme.claims.name, one.step *= part, one.seed = seed, one.onset = onset;
        Simulation s(one);
        s.start();
        for (bool over = false; !over;) {
          over = s.advance() & Occasion::finished;
          const auto synchronised = s.synchronised();
          s.measure();
          if (s.progress() > 0.25) sum += std::fabs(s.residual_fraction()), ++count;
        }
      }
      return sum / count;
    };
    const Real coarse = residual(1), fine = residual(0.25), order = std::log2(coarse / fine) / 2;
    INFO(std::string(scheme.claims.name), ", onset ", onset, ": ", coarse, " and ", fine, ", order ", order);
    // What an implicit scheme remembers of a spring that slides is as it was before it returned to its limit.
    const Claims& c = scheme.claims;
    const int claimed =
        c.family == "implicit" && c.memory > 0 ? std::min(c.order_damped, c.order_sliding) : c.order_damped;
    // Where onsets are corrected its errors of first and of second order nearly cancel, and two pours scatter more than
    // what is left falls: 3.3e-5, 2.4e-5 and 0.7e-5 at 1, 1/4 and 1/16 of the step in the mean of twelve.
    if (c.name == "khakimov_t16" && onset)
      CHECK(std::max(coarse, fine) < 1e-4);
    else if (fine > floor)
      CHECK(order > std::min(claimed, 2) - 0.4);
  };
  // With onsets corrected residuals fall to millionths, where what is left is by chance.
  for (const SchemeEntry& scheme : scheme_catalogue())
    if (!scheme.claims.adaptive) check(scheme, false, 0), check(scheme, true, 2e-6);
}
