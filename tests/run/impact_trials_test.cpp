// Steps that keep an accuracy in the collisions of a case.
#include "cairn/run/impact_trials.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/analysis/oblique_impact.hpp"
#include "cairn/contact/laws/all.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/scenario/scenario_file.hpp"

using namespace cairn;

namespace {

Simulation pair(const std::string& contact, const std::string& more = "") {
  Simulation s(parse_scenario(
      "[run]\nstep = 1e-5\nend = 0.1\nscheme = 'rk4'\n[space]\ngravity = [0, 0, 0]\n[contact]\n" + contact +
          "[[grain]]\nposition = [0, 0, 0]\nradius = 0.01\nvelocity = [1, 0, 0]\nmass = 0.01\n"
          "[[grain]]\nposition = [0.03, 0, 0]\nradius = 0.01\nmass = 0.01\n" +
          more,
      "pair.toml", {}));
  s.start();
  return s;
}

}  // namespace

TEST_CASE("impact trials: the expected impact is that of the case, its references are converged") {
  const Simulation s = pair("stiffness = 1e5\nrestitution = 0.7\nfriction = 0.3\n");
  const auto impacts = expected_impacts(s.scenario(), s.world(), {});
  REQUIRE(impacts.size() == 1);
  CHECK(impacts[0].collision.speed == doctest::Approx(1));
  CHECK(impacts[0].restitution == doctest::Approx(0.7).epsilon(1e-8));
  REQUIRE(impacts[0].oblique.size() == 3);
  for (const ObliqueReference& of : impacts[0].oblique) CHECK(of.uncertainty < 1e-4);
  // The last slides, but for its first instants: friction takes mu (1 + e) of the approach speed.
  CHECK(impacts[0].oblique[2].change == doctest::Approx(-0.3 * 1.7).epsilon(0.02));
  CHECK(impacts[0].oblique[2].change > -0.3 * 1.7);
}

TEST_CASE("impact trials: a step that keeps the accuracy keeps it at all smaller steps, and a coarser one does not") {
  const Simulation s = pair("stiffness = 1e5\nrestitution = 0.7\nfriction = 0.3\n");
  const auto impact = expected_impacts(s.scenario(), s.world(), {})[0];
  for (const char* name : {"velocity_verlet", "velocity_verlet_extrapolated"})
    for (const bool onset : {false, true}) {
      const SchemeEntry& scheme = scheme_named(name);
      const Real n = steps_for(impact, scheme, 0.01, onset);
      INFO(scheme.name, ", onset ", onset, ": ", n);
      const auto worst = [&](Real steps) {
        const ImpactError e = impact_error(impact.collision, scheme, steps, onset, impact.oblique);
        return std::max(e.restitution, e.tangential);
      };
      for (const Real finer : {1.0, 1.15, 2.0, 4.0}) CHECK(worst(finer * n) <= 0.01);
      if (n > 3.5) CHECK(!(worst(n / 1.15) <= 0.01));
    }
  const auto steps = [&](const char* name, bool onset) { return steps_for(impact, scheme_named(name), 0.01, onset); };
  CHECK(steps("velocity_verlet_extrapolated", true) < 0.6 * steps("velocity_verlet_extrapolated", false));
  // First order without the correction: ten times the accuracy takes ten times the steps.
  CHECK(steps_for(impact, scheme_named("velocity_verlet"), 0.001, false) / steps("velocity_verlet", false) ==
        doctest::Approx(10).epsilon(0.25));
}

TEST_CASE("impact trials: falls, walls and grains to come count with their speeds") {
  Simulation s(
      parse_scenario("[run]\nstep = 1e-5\nend = 0.1\n[contact]\nstiffness = 1e5\nrestitution = 0.7\n"
                     "[[wall]]\ntype = 'plane'\nmotion = {velocity = [0, 0, 0.5]}\n"
                     "[[grain]]\nposition = [0, 0, 0.02]\nradius = 0.01\nmass = 0.01\n"
                     "[[grain]]\nposition = [0, 0, 1.02]\nradius = 0.01\nmass = 0.01\n",
                     "fall.toml", {}));
  s.start();
  CHECK(expected_speed(s.scenario(), s.world(), {}) == doctest::Approx(0.5 + std::sqrt(2 * 9.81 * 1.01)));
  const GrainData thrown{.position = {0, 0, 0.5}, .velocity = {3, 0, 0}, .radius = 0.005, .mass = 1e-3};
  const std::vector<GrainData> coming(2, thrown);
  CHECK(expected_speed(s.scenario(), s.world(), coming) == doctest::Approx(3.5 + std::sqrt(2 * 9.81 * 1.01)));
  const SchemeEntry& scheme = scheme_named("velocity_verlet_extrapolated");
  const AccurateStep without = accurate_step(s.scenario(), s.world(), {}, scheme, 0.01),
                     with = accurate_step(s.scenario(), s.world(), coming, scheme, 0.01);
  CHECK(without.reached);
  CHECK(with.step == doctest::Approx(without.step * std::sqrt(0.1)).epsilon(1e-6));  // m_eff of the lightest
  CHECK(with.words().find("impacts of ") == 0);
}

TEST_CASE("impact trials: a single grain above a floor falls on it, wherever the point of a side wall is") {
  const auto speed = [](const std::string& more) {
    Simulation s(
        parse_scenario("[run]\nstep = 1e-5\nend = 0.1\n[contact]\nstiffness = 1e5\nrestitution = 0.7\n"
                       "[[grain]]\nposition = [0, 0, 0.06]\nradius = 0.05\nmass = 0.1\n" +
                           more,
                       "drop.toml", {}));
    s.start();
    return expected_speed(s.scenario(), s.world(), {});
  };
  const std::string floor = "[[wall]]\nname = 'floor'\n";
  CHECK(speed(floor) == doctest::Approx(std::sqrt(2 * 9.81 * 0.01)));
  CHECK(speed(floor + "[[wall]]\nname = 'side'\npoint = [1, 0, -5]\nnormal = [-1, 0, 0]\n") == speed(floor));
  const std::string ramp =
      "[[wall]]\nname = 'floor'\nmotion = {velocity = [0, 0, 1], times = [0, 1], factors = [0, 3]}\n";
  CHECK(speed(ramp) == doctest::Approx(3 + std::sqrt(2 * 9.81 * 0.01)));
}

namespace {

// A grain of 1 cm that rests on a floor without gravity, and a lid of 50 g that 50 N press down, 5 cm above it.
Simulation under_lid(const std::vector<std::string>& overrides = {}) {
  Simulation s(
      parse_scenario("[run]\nstep = 1e-5\nend = 0.05\n[space]\ngravity = [0, 0, 0]\n[contact]\nstiffness = 1e5\n"
                     "restitution = 0.7\n[[wall]]\nname = 'floor'\n"
                     "[[wall]]\nname = 'lid'\npoint = [0, 0, 0.07]\nnormal = [0, 0, -1]\n"
                     "load = {mass = 0.05, axes = 'z', force = [0, 0, -50]}\n"
                     "[[grain]]\nposition = [0, 0, 0.01]\nradius = 0.01\nmass = 0.01\n",
                     "lid.toml", overrides));
  s.start();
  return s;
}

}  // namespace

TEST_CASE("impact trials: a loaded wall counts with the speed at which it first touches a grain") {
  constexpr Real m = 0.05, F = 50, H = 0.05, g = 9.81;
  const auto speed = [](const std::vector<std::string>& overrides) {
    const Simulation s = under_lid(overrides);
    return expected_speed(s.scenario(), s.world(), {});
  };
  CHECK(speed({}) == doctest::Approx(std::sqrt(2 * F * H / m)));
  CHECK(speed({"space.gravity=[0,0,-9.81]"}) == doctest::Approx(std::sqrt(2 * (F / m + g) * H)));
  CHECK(speed({"wall.lid.load.times=[0, 0.01, 0.02]", "wall.lid.load.factors=[1, -1, 3]"}) ==
        doctest::Approx(std::sqrt(2 * 3 * F * H / m)));
  // The dashpot holds the load at 50 N / (20 N s/m).
  CHECK(speed({"wall.lid.load.damping=20"}) == doctest::Approx(2.5));
  CHECK(speed({"wall.lid.load.damping=1"}) == doctest::Approx(std::sqrt(2 * F * H / m)));
  // The gap is closed along the axis of motion.
  CHECK(speed({"wall.lid.normal=[0.6, 0, -0.8]"}) ==
        doctest::Approx(std::sqrt(2 * F / m * ((0.06 * 0.8 - 0.01) / 0.8))));
  // It moves away, or nowhere, or does not come so far before the end.
  CHECK(speed({"wall.lid.load.force=[0, 0, 50]"}) == 0);
  CHECK(speed({"wall.lid.load.axes=x"}) == 0);
  CHECK(speed({"wall.lid.present=false"}) == 0);
  CHECK(speed({"run.end=0.009"}) == 0);
  CHECK(speed({"run.end=0.0101"}) == doctest::Approx(std::sqrt(2 * F * H / m)));
}

TEST_CASE("impact trials: a loaded wall that is not flat touches a grain with its edge") {
  Simulation s(
      parse_scenario("[run]\nstep = 1e-5\nend = 0.1\n[space]\ngravity = [0, 0, 0]\n[contact]\nstiffness = 1e5\n"
                     "restitution = 0.7\n[[wall]]\nname = 'ram'\ntype = 'box'\nside = 'outside'\n"
                     "low = [-0.02, -0.02, 0.05]\nhigh = [0.02, 0.02, 0.06]\n"
                     "load = {mass = 0.05, axes = 'z', force = [0, 0, -50]}\n"
                     "[[grain]]\nposition = [0.026, 0, 0]\nradius = 0.01\nmass = 0.01\n",
                     "ram.toml", {}));
  s.start();
  const Real way = 0.05 - std::sqrt(0.01 * 0.01 - 0.006 * 0.006);
  CHECK(expected_speed(s.scenario(), s.world(), {}) == doctest::Approx(std::sqrt(2 * 50 * way / 0.05)).epsilon(1e-3));
}

TEST_CASE("impact trials: a run moves a loaded wall as fast as foretold, and with a dashpot no faster") {
  for (const Real damping : {0.0, 4.0, 40.0}) {
    CAPTURE(damping);
    Simulation s = under_lid({"wall.lid.load.damping=" + std::to_string(damping)});
    const Real foretold = expected_speed(s.scenario(), s.world(), {});
    Real fastest = 0;  // before the contact
    while (!s.over() && s.world().contacts() == 0) {
      fastest = -s.world().state().walls.at(WallRow::v, 0).z;
      s.advance([] { return true; });
    }
    CHECK(!s.over());
    CHECK(fastest <= foretold * (1 + 1e-9));
    if (damping == 0) CHECK(fastest == doctest::Approx(foretold).epsilon(2e-3));  // to a step
    CHECK(fastest > 0.7 * foretold);
  }
}

// Of an independent second method: the closed form, solved mode by mode.
TEST_CASE("impact trials: references of the linear law are its closed form") {
  ImpactMaterial m;
  m.mass = 1e-3, m.radius = 5e-3, m.friction = 0.25, m.stiffness_ratio = 0.3;
  m.chi_1 = 0.8, m.chi_2 = 0, m.chi_3 = 1e-4, m.chi_4 = 0;
  const Real speed = 1e-6 * m.radius / m.chi_3;  // overlaps of a millionth of the radius: the lever is the radius
  for (const Real slope : {0.25, 0.75, 2.0}) {
    const ExactImpact exact(m, ImpactVelocity{slope * speed, speed});
    ContactSettings contact;
    contact["stiffness"] = exact.contact().stiffness, contact["damping"] = exact.contact().damping;
    contact["tangential_ratio"] = exact.contact().tangential_stiffness / exact.contact().stiffness;
    contact["friction"] = m.friction, contact["attraction"] = Attraction::clipped;
    const Collision c{law_table("linear", {Material{}}, [&](std::size_t, std::size_t) { return contact; }), m.mass,
                      m.radius, speed};
    CHECK(head_on(c).restitution == doctest::Approx(exact.outcome().e_n).epsilon(1e-8));
    const ObliqueReference of = oblique_references(c, std::vector{slope})[0];
    INFO(slope, ": ", of.change);
    CHECK(of.change == doctest::Approx(slope * (exact.outcome().e_t - 1)).epsilon(1e-4));
    CHECK(std::fabs(of.change / (slope * (exact.outcome().e_t - 1)) - 1) < 10 * of.uncertainty + 1e-6);
  }
}

TEST_CASE("impact trials: steps up to twice as many are accurate, for schemes whose error changes its sign") {
  const Simulation s = pair("stiffness = 1e5\nrestitution = 0.4\nfriction = 0.3\n");
  const auto impact = expected_impacts(s.scenario(), s.world(), {})[0];
  const auto worst = [&](const SchemeEntry& scheme, Real steps) {
    const ImpactError e = impact_error(impact.collision, scheme, steps, true, impact.oblique);
    return std::max(e.restitution, e.tangential);
  };
  for (const char* name : {"velocity_verlet_extrapolated", "position_verlet", "omelyan_babab"}) {
    const SchemeEntry& scheme = scheme_named(name);
    const Real n = steps_for(impact, scheme, 0.02, true);
    INFO(name, ": ", n);
    for (Real finer = 1; finer < 2; finer *= 1.15) CHECK(worst(scheme, finer * n) <= 0.02 * (1 + 1e-9));
    CHECK(!(worst(scheme, n / 1.15) <= 0.02));
  }
}
