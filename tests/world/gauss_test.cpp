// Gauss's collocation method by fixed-point iteration: what it conserves, what its first guesses save, where it ends.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "cairn/run/registry.hpp"

namespace cairn {
namespace {

constexpr Real stiffness = 1000, m_eff = 0.3 * 0.5 / 0.8;
const Real omega = std::sqrt(stiffness / m_eff);

// Two spheres pressed together, spinning and moving across each other if `friction`; else on one line.
World pressed(Real damping, Real friction) {
  ContactSettings contact;
  contact["stiffness"] = stiffness;
  contact["damping"] = damping;
  contact["tangential_damping"] = 0.3 * friction;
  contact["friction"] = friction;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {};
  World w(s);
  const Real aside = friction > 0 ? 1 : 0;
  const GrainData grains[] = {{.position = {0, 0, 0},
                               .velocity = {0.1 * aside, 0, 0.3},
                               .spin = aside * Vector{3, -2, 4},
                               .radius = 0.05,
                               .mass = 0.3},
                              {.position = {0, 0, 0.1},
                               .velocity = {0, 0.2 * aside, -0.1},
                               .spin = aside * Vector{-1, 5, 2},
                               .radius = 0.06,
                               .mass = 0.5}};
  w.insert(grains);
  w.begin();
  return w;
}

Real residual(const char* scheme, Real tolerance) {
  World w = pressed(2, 0);
  w.controller().solver_tolerance = tolerance;
  for (int k = 0; k < 10; ++k) scheme_named(scheme).advance(w, 0.15 / omega);
  REQUIRE(w.contacts() == 1);
  REQUIRE(w.state().ledger[Channel::dashpot] > 0.05 * w.initial_energy());
  return std::fabs(w.residual()) / w.initial_energy();
}

TEST_CASE("gauss: inside a linear contact with a dashpot the ledger closes to round-off") {
  for (const char* scheme : {"gauss2_zero", "gauss2_previous", "gauss2_extrapolated"}) {
    INFO(std::string(scheme));
    CHECK(residual(scheme, 1e-15) < 1e-14);
    CHECK(residual(scheme, 1e-12) < 1e-11);
  }
  CHECK(residual("rk4", 0) > 1e-8);
}

TEST_CASE("gauss: a better first guess takes fewer iterations, to the same motion") {
  Real before = std::numeric_limits<Real>::infinity();
  Vector end{};
  for (const char* scheme : {"gauss2_zero", "gauss2_previous", "gauss2_extrapolated"}) {
    World w = pressed(2, 0.4);
    constexpr int steps = 40;
    for (int k = 0; k < steps; ++k) scheme_named(scheme).advance(w, 0.03 / omega);
    const Effort& effort = w.controller().effort;
    const Real iterations = static_cast<Real>(effort.iterations) / steps;
    INFO(std::string(scheme), " ", iterations, " iterations per step");
    CHECK(iterations < before - 0.4);
    CHECK(effort.evaluations == 2 * effort.iterations + steps);
    CHECK(effort.unsettled == 0);
    before = iterations;
    if (end == Vector{}) end = w.velocity(0);
    CHECK(norm(w.velocity(0) - end) < 1e-10 * norm(end));
  }
}

// A dashpot's force jumps at the instant of contact: a stage just there has no solution. Whatever part of a step is
// left when two spheres meet, the iteration ends, and what they make of it is of first order, as with any scheme.
TEST_CASE("gauss: contacts that begin within a step are taken at every phase") {
  std::int64_t unsettled = 0;
  for (int phase = 0; phase < 50; ++phase) {
    ContactSettings contact;
    contact["stiffness"] = stiffness;
    contact["damping"] = 10;
    WorldSettings s;
    s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
    s.gravity = {};
    World w(s);
    const Real h = 0.1 / omega, speed = 1, gap = (phase + 0.5) / 50 * h * speed;
    const GrainData grains[] = {{.position = {}, .velocity = {0, 0, speed}, .radius = 0.05, .mass = 0.3},
                                {.position = {0, 0, 0.1 + gap}, .radius = 0.05, .mass = 0.5}};
    w.insert(grains);
    w.begin();
    Real before = w.velocity(1).z - speed;
    for (int k = 0; k < 60; ++k) scheme_named("gauss2_extrapolated").advance(w, h);
    const Real after = w.velocity(1).z - w.velocity(0).z;
    const Real zeta = 10 / (2 * std::sqrt(stiffness * m_eff)), root = std::sqrt(1 - zeta * zeta);
    // Of a dashpot that does not pull: it ends where the force is zero.
    const Real e = std::exp(-2 * zeta / root * std::atan(root / zeta));
    CHECK(std::fabs(after / -before - e) < 0.1);
    unsettled += w.controller().effort.unsettled;
  }
  CHECK(unsettled > 0);
}

}  // namespace
}  // namespace cairn
