// One oblique collision of two spinning spheres: the ledger closes with every law, form of the tangential force,
// attraction and correction of onsets, and smooth spheres leave without a spin.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

struct Case {
  std::string law;
  ContactSettings contact;
  bool onset = true;
};

ContactSettings fitted() {
  return {{"friction", 0.3},
          {"restitution_factor", 0.8},
          {"restitution_exponent", 0.2},
          {"duration_factor", 1.2e-3},
          {"duration_exponent", 0.2}};
}

// Every law with friction. Those of round surfaces last as long as the linear one, 1.2 ms or so.
std::vector<Case> laws() {
  const ContactSettings linear{{"friction", 0.3}, {"restitution", 0.5}, {"stiffness", 1e5}};
  ContactSettings damped = linear;
  damped["tangential_damping"] = 5;
  std::vector<Case> all{{"linear", linear}, {"linear", damped}, {"extended_linear", fitted()}};
  for (const TangentialForm form : {TangentialForm::total, TangentialForm::conservative, TangentialForm::incremental}) {
    const ContactSettings round{{"friction", 0.3}, {"restitution", 0.5}, {"stiffness", 1e7}, {"tangential", form}};
    all.push_back({"hertz_mindlin", round}), all.push_back({"kuwabara_kono", round});
    for (const Real exponent : {0.0, 1.0}) {
      all.push_back({"extended_nonlinear", round});
      all.back().contact["damping_exponent"] = exponent;
    }
  }
  return all;
}

std::string name_of(const Case& c) {
  static const char* const forms[] = {"total", "conservative", "incremental"};
  return c.law + " " + forms[static_cast<int>(c.contact["tangential"].value_or(0))] + " exponent " +
         std::to_string(c.contact["damping_exponent"].value_or(1)) +
         (c.contact["attraction"] == Attraction::allowed ? " allowed" : " clipped") + (c.onset ? " on" : " off");
}

// The spheres come to touch at a time that `phase` shifts by a step and fly apart within 2 ms.
World collision(const Case& c, Real h, Real phase) {
  WorldSettings s;
  s.laws =
      law_table(c.law, {Material{.young = 2e8, .poisson = 0.25}}, [&](auto, auto) { return suited(c.law, c.contact); });
  s.gravity = {}, s.onset = c.onset;
  World w(s);
  const Vector first{0.5, 0.2, 1}, second{-0.1, 0.3, -0.4}, at{0.0061, -0.0102, 0.0163};
  const Real mass = 0.010471975511965978;
  const Vector shift = (phase * h) * (second - first);
  const GrainData grains[] = {
      {.velocity = first, .spin = {30, -20, 50}, .radius = 0.01, .mass = mass},
      {.position = at - shift, .velocity = second, .spin = {-10, 40, 5}, .radius = 0.01, .mass = mass}};
  w.insert(grains);
  w.begin();
  return w;
}

// Root mean square over phases of what the ledger misses, over the kinetic energy at the start.
Real missed(const Case& c, const SchemeEntry& scheme, Real h, int phases) {
  Real sum = 0;
  for (int k = 0; k < phases; ++k) {
    World w = collision(c, h, (k + 0.5) / phases);
    const auto steps = std::lround(2e-3 / h);
    for (long i = 0; i < steps; ++i) scheme.advance(w, h);
    CHECK(w.contact_count().ended == 1);
    const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
    sum += std::pow(w.residual() / w.initial_energy(), 2);
    if (c.onset)
      CHECK(std::fabs(w.state().ledger[Channel::onset]) < (scheme.staggered ? 3e-4 : 1e-5) * w.initial_energy());
  }
  return std::sqrt(sum / phases);
}

}  // namespace

TEST_CASE("one oblique collision: the ledger closes to the scheme's order, whatever the law") {
  constexpr Real coarse = 8e-6, fine = coarse / 8;  // 150 and 1,200 steps a contact
  constexpr int phases = 3;
  for (Case c : laws())
    for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
      for (const bool corrected : {true, false})
        // Slip that begins and ends within steps leaves an error of second order whatever the scheme, and a contact
        // that begins or ends there uncorrected one of first order.
        for (const auto& [scheme, order] :
             {std::pair{"rk4", 2.0}, {"velocity_verlet_predicted", 2.0}, {"central_difference", 1.0}}) {
          c.contact["attraction"] = attraction, c.onset = corrected;
          INFO(name_of(c), " ", std::string(scheme));
          const Real at_coarse = missed(c, scheme_named(scheme), coarse, phases),
                     at_fine = missed(c, scheme_named(scheme), fine, phases);
          const Real expected = corrected ? order : 1;
          const bool tiny =
              at_fine < 1e-7;  // where the phases of slip's beginnings scatter more than the errors differ
          CHECK((tiny || std::log2(at_coarse / at_fine) / 3 > expected - 0.35));
          CHECK(at_fine < (order == 1 ? 3e-3 : corrected ? 2e-5 : 1e-4));
        }
}

TEST_CASE("one oblique collision: with a tiny step nothing is missed but 1e-9") {
  for (Case c : laws())
    for (const Attraction attraction : {Attraction::clipped, Attraction::allowed}) {
      c.contact["attraction"] = attraction;
      INFO(name_of(c));
      CHECK(missed(c, scheme_named("rk4"), c.law.ends_with("linear") ? 8e-8 : 1.6e-7, 1) < 1e-9);
    }
}

TEST_CASE("one oblique collision: with corrections it ends as a tiny step without them has it") {
  for (Case c : laws())
    for (const Attraction attraction : {Attraction::clipped, Attraction::allowed}) {
      c.contact["attraction"] = attraction;
      INFO(name_of(c));
      const auto after = [&](bool corrected, Real h) {
        c.onset = corrected;
        World w = collision(c, h, 0.5);
        const auto steps = std::lround(2e-3 / h);
        for (long i = 0; i < steps; ++i) scheme_named("rk4").advance(w, h);
        return w.velocity(w.grains().index(0));
      };
      CHECK(norm(after(true, 1e-6) - after(false, 1.25e-7)) < 2e-4);
    }
}

TEST_CASE("smooth spheres that did not spin do not after a collision, to the last bit") {
  for (const char* law : {"linear", "hertz_mindlin"})
    for (const SchemeEntry& scheme : scheme_catalogue()) {
      if (scheme.claims.adaptive) continue;
      INFO(std::string(law), " ", std::string(scheme.claims.name));
      WorldSettings s;
      s.laws = law_table(law, {Material{.young = 2e8, .poisson = 0.25}}, [&](auto, auto) {
        return suited(law, {{"restitution", 0.5}, {"stiffness", 1e5}});
      });
      s.gravity = {}, s.onset = true;
      add_plane(s, {0, 0, -0.012}, {0, 0.6, 0.8});
      World w(s);
      const GrainData grains[] = {
          {.velocity = {0, 0, 1}, .radius = 0.01, .mass = 0.01},
          {.position = {0.014, 0, 0.0146}, .velocity = {0, 0, -1}, .radius = 0.01, .mass = 0.01}};
      w.insert(grains);
      w.begin();
      for (int k = 0; k < 150; ++k) scheme.advance(w, 3.6e-5);
      CHECK(w.contact_count().ended >= 2);  // with each other, and with the plane
      for (int i = 0; i < 2; ++i) CHECK(w.spin(i) == Vector{});
    }
}

TEST_CASE("velocity and spin of oblique collisions have the order that docs/onset.md says") {
  const auto after = [](const Case& c, const SchemeEntry& scheme, Real h, Real phase) {
    World w = collision(c, h, phase);
    const auto steps = std::lround(2e-3 / h);
    for (long i = 0; i < steps; ++i) scheme.advance(w, h);
    const int i = w.grains().index(0);
    return std::pair{w.velocity(i), 0.01 * w.spin(i)};
  };
  // Root mean squares over phases, against the same collisions in steps of a sixteenth.
  const auto errors = [&](const Case& c, const SchemeEntry& scheme, Real h) {
    Real velocity = 0, spin = 0;
    constexpr int phases = 8;
    for (int k = 0; k < phases; ++k) {
      const Real phase = (k + 0.5) / phases;
      const auto exact = after(c, scheme_named("rk4"), h / 16, 16 * phase), found = after(c, scheme, h, phase);
      velocity += std::pow(norm(found.first - exact.first), 2) / phases;
      spin += std::pow(norm(found.second - exact.second), 2) / phases;
    }
    return std::pair{std::sqrt(velocity), std::sqrt(spin)};
  };
  for (const Real friction : {0.0, 0.3})
    for (const auto& [name, order] : {std::pair{"velocity_verlet_predicted", 2.0}, {"ssp3", 3.0}, {"rk4", 4.0}}) {
      const Case c{"linear", {{"friction", friction}, {"restitution", 0.7}, {"stiffness", 1e5}}};
      const auto coarse = errors(c, scheme_named(name), 4e-5), fine = errors(c, scheme_named(name), 5e-6);
      const Real velocity = std::log2(coarse.first / fine.first) / 3, spin = std::log2(coarse.second / fine.second) / 3;
      INFO(std::string(name), " friction ", friction, ": errors ", coarse.first, " ", fine.first, " and ",
           coarse.second, " ", fine.second, ", slopes ", velocity, " ", spin);
      CHECK(velocity > (friction > 0 ? 2 : order) - 0.3);  // slip begins within a step: second order
      if (friction > 0) CHECK(spin > 2 - 0.3);
      if (friction == 0) CHECK(fine.second == 0);
    }
  // With attraction the normal force passes through zero inside the contact, and the limit of friction with it.
  for (const auto& name : {"velocity_verlet_predicted", "ssp3", "rk4"}) {
    const Case c{"linear",
                 {{"friction", 0.3}, {"restitution", 0.3}, {"stiffness", 1e5}, {"attraction", Attraction::allowed}}};
    const auto coarse = errors(c, scheme_named(name), 4e-5), fine = errors(c, scheme_named(name), 5e-6);
    const Real spin = std::log2(coarse.second / fine.second) / 3;
    INFO(std::string(name), ": errors of the spin ", coarse.second, " ", fine.second, ", slope ", spin);
    CHECK(spin > 0.7);
    CHECK(spin < 1.3);
  }
}
