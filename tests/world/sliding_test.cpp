// Contacts that slide, where friction is Coulomb's and the motion is known: every scheme's claim to it, and the springs
// that a Taylor series leads straight to their limit.
#include "cairn/analysis/sliding.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cairn/core/constants.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

TEST_CASE("every scheme slides as it claims: friction is Coulomb's from 20 steps per contact on") {
  int slide = 0;
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    slide += scheme.claims.slides;
    for (const bool onset : {false, true}) {
      if (onset && scheme.claims.adaptive) continue;
      bool keeps = true;
      for (const SlidingCase& c : sliding_cases) {
        if (!onset && !scheme.claims.adaptive && &c != sliding_cases) continue;  // one tells
        const Sliding found = measure_sliding(c, scheme.advance, scheme.staggered, onset);
        INFO(scheme.name, " on ", std::string(c.name), ", onsets ", std::string(onset ? "" : "not "),
             "corrected: ", found.error[0], ", ", found.error[1], ", ", found.error[2]);
        if (scheme.claims.slides) CHECK(found.keeps());
        keeps = keeps && found.keeps();
      }
      INFO(scheme.name);
      CHECK(keeps == scheme.claims.slides);
    }
  }
  CHECK(slide >= 56);
}

TEST_CASE("a splitting slides where it never asks for a force before its step began; its table tells how wrong it is") {
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    INFO(scheme.name);
    CHECK((std::fabs(scheme.sliding_friction - 1) < 1e-12) == scheme.claims.slides);
  }
  // Forest and Ruth's is theta = 1 / (2 - 2^(1/3)), its first drift.
  const SchemeEntry& forest_ruth = scheme_named("forest_ruth");
  CHECK(forest_ruth.sliding_friction == doctest::Approx(1 / (2 - std::cbrt(2.0))).epsilon(1e-14));
  for (const int steps : {20, 80})  // less half a step without friction, of 20 contacts
    CHECK(1 + sliding_error(sliding_cases[0], forest_ruth.advance, false, steps, true) ==
          doctest::Approx(forest_ruth.sliding_friction * (1 - 0.5 / (20 * steps))).epsilon(1e-3));
}

namespace {

// A sphere on a plane with all kinds of friction.
World on_plane(const Vector& velocity, const Vector& spin, Real twisting) {
  WorldSettings s = linear_settings({{"friction", 0.3}, {"stiffness", 1e5}, {"damping", 6}}, {0, 0, -10});
  if (twisting > 0) s.rolling = {RollingResistance{.rolling_friction = 0.1, .twisting_friction = twisting}};
  add_plane(s, {}, {0, 0, 1});
  World w(s);
  const GrainData ball{
      .position = {0, 0, 0.01 - 1e-6}, .velocity = velocity, .spin = spin, .radius = 0.01, .mass = 0.01};
  w.insert({&ball, 1});
  w.begin();
  w.controller().tolerance = 1e300;
  return w;
}

}  // namespace

TEST_CASE("resistance to twisting is right too while a contact twists") {
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    if (!scheme.claims.slides) continue;
    INFO(scheme.name);
    const auto error = [&](Real h) {
      World w = on_plane({}, {0, 0, 100}, 0.2);
      for (int k = 0; k < static_cast<int>(std::lround(0.02 / h)); ++k) scheme.advance(w, h);
      const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
      const Real loss = 0.2 * 0.1 * 0.01 / (0.4 * 0.01 * 1e-4) * 0.02;  // mu_o F_n L t / I
      return (100 - w.spin(0).z) / loss - 1;
    };
    const Real coarse = error(5e-5), fine = error(1.25e-5);
    CHECK(std::fabs(coarse) < 0.01);
    CHECK(std::fabs(fine) < std::max(1e-4, 0.6 * std::fabs(coarse)));
  }
}

TEST_CASE("a Taylor step that takes a spring beyond its limit ends at the limit, and books what slips") {
  const Real h = 5e-5;  // the trial spring grows to fifty times its limit
  for (const char* name : {"taylor3", "taylor4", "taylor6", "taylor12"}) {
    INFO(std::string(name));
    const SchemeEntry& scheme = scheme_named(name);
    for (const bool twists : {false, true}) {
      World w = twists ? on_plane({}, {0, 0, 100}, 0.2) : on_plane({1, 0, 0}, {}, 0);
      scheme.advance(w, h);
      // The force grows evenly from nothing to the limit: half of it in the mean.
      if (twists)
        CHECK(100 - w.spin(0).z == doctest::Approx(0.5 * 0.2 * 0.1 * 0.01 / (0.4 * 0.01 * 1e-4) * h).epsilon(1e-3));
      else
        CHECK(1 - w.velocity(0).x == doctest::Approx(0.5 * 0.3 * 10 * h).epsilon(1e-3));
      const Real heat = w.state().ledger[twists ? Channel::rolling : Channel::slip];
      CHECK(heat > 0);
      CHECK(std::fabs(w.residual()) < 1e-3 * heat);
      for (int k = 1; k < 40; ++k) scheme.advance(w, h);
      CHECK(std::fabs(w.residual()) < 1e-3 * w.state().ledger[twists ? Channel::rolling : Channel::slip]);
    }
  }
}
