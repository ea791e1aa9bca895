// cairn study work-precision: the errors are those there are, and so are the costs.
#include "cairn/studies/work_precision.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "cairn/scenario/scenario_file.hpp"

namespace cairn::studies {
namespace {

using Entry = WorkPrecisionResult::Entry;

// A grain thrown past its own weight's turning point: x(t) in closed form, no contact.
Scenario thrown() {
  Scenario s;
  s.materials = {Material{}};
  s.contact["stiffness"] = 1000;
  s.end = 1, s.step = 0.1;
  s.grain = {{.position = {0, 0, 2}, .velocity = {1, 0, 3}, .radius = 0.1, .mass = 1}};
  return s;
}

std::map<std::string, std::vector<const Entry*>> by_name(const WorkPrecisionResult& r) {
  std::map<std::string, std::vector<const Entry*>> all;
  for (const Entry& e : r.entries) all[std::string(e.scheme->claims.name)].push_back(&e);
  return all;
}

TEST_CASE("work-precision: the error of symplectic Euler's free fall is g t h / 2, at its force calls") {
  WorkPrecisionSettings settings{.scenario = thrown(), .schemes = select_schemes("symplectic_euler,velocity_verlet")};
  settings.steps = {0.1, 0.05, 0.025};
  settings.repeat_for = 0;
  const WorkPrecisionResult r = study_work_precision(settings);
  CHECK(r.grains == 1);
  CHECK(r.length == doctest::Approx(0.1));
  CHECK(r.uncertainty.position < 1e-12);
  const auto all = by_name(r);
  for (const Entry* e : all.at("symplectic_euler")) {
    CHECK(e->error.position == doctest::Approx(0.5 * 9.81 * 1 * e->h / 0.1).epsilon(1e-9));
    CHECK(e->error.position_most == e->error.position);
    CHECK(e->error.velocity < 1e-12);
    CHECK(e->steps == std::lround(1 / e->h));
    CHECK(e->force_calls == e->steps);
    CHECK(e->resolved);
  }
  for (const Entry* e : all.at("velocity_verlet")) {  // exact on a parabola
    CHECK(e->error.position < 1e-12);
    CHECK(!e->resolved == (e->error.position < 10 * r.uncertainty.position));
  }
  // In between by interpolation: an error a quarter of the way down costs 2^(1/4) times as many calls.
  const auto calls = [](const Entry& e) { return static_cast<Real>(e.force_calls); };
  const auto& euler = all.at("symplectic_euler");
  const Cost c = cost_at(euler[0]->error.position * std::exp2(-0.25), euler, calls);
  CHECK(c.least == doctest::Approx(10 * std::exp2(0.25)));
  CHECK(!c.bound);
  CHECK(std::isnan(cost_at(1e-3, euler, calls).least));
  CHECK(cost_at(1e3, euler, calls).least == 10);
  CHECK(cost_at(1e3, euler, calls).bound);
}

TEST_CASE("work-precision: the reference of the pyramid is converged, and steps that explode have no outcome") {
  const std::vector<std::string> soft{"contact.stiffness=1e5", "contact.damping=60"};
  WorkPrecisionSettings settings{.scenario = read_scenario(CAIRN_SOURCE_DIR "/scenarios/pyramid.toml", soft)};
  settings.scenario.end = 0.1;
  settings.schemes = select_schemes("velocity_verlet,central_difference,symplectic_euler,rk4,dormand_prince54");
  settings.make_quick();
  settings.repeat_for = 0;
  settings.scenario.onset = false;  // the plain schemes, whose orders and kinships are known
  const WorkPrecisionResult r = study_work_precision(settings);
  CHECK(r.grains == 13);
  CHECK(r.uncertainty.position < 1e-8);
  CHECK(r.uncertainty.velocity < 1e-7);
  // Another method, with another kind of step, comes as near as its own error allows.
  REQUIRE(r.checks.size() == 2);
  CHECK(r.checks[0].apart.position < 1e-4);
  CHECK(r.checks[1].apart.position < 2e-5);
  const auto all = by_name(r);
  for (const auto& [name, entries] : all) {
    INFO(name);
    REQUIRE(entries.size() == settings.per_contact.size());
    CHECK(entries.back()->error.position < 0.1 * entries.front()->error.position);
    CHECK(entries.back()->residual < entries.front()->residual);
  }
  // First order: over eight times as many steps the error falls to an eighth.
  const auto& euler = all.at("symplectic_euler");
  CHECK(euler[1]->error.position / euler.back()->error.position == doctest::Approx(8).epsilon(0.25));
  // A staggered scheme is looked at with its velocities at the time of its positions: then these two are one.
  for (std::size_t k = 0; k < settings.per_contact.size(); ++k) {
    const Entry &staggered = *all.at("central_difference")[k], &other = *all.at("velocity_verlet")[k];
    CHECK(staggered.error.velocity == doctest::Approx(other.error.velocity).epsilon(1e-6));
  }
  // Adaptive: smaller tolerances, more calls.
  const auto& adaptive = all.at("dormand_prince54");
  CHECK(adaptive.back()->tolerance < adaptive.front()->tolerance);
  CHECK(adaptive.back()->force_calls > adaptive.front()->force_calls);

  settings.schemes = select_schemes("velocity_verlet");
  settings.scenario.end = 10;  // in which a step above the limit has the time to explode
  settings.steps = {0.025};
  settings.most_work = 1;  // the reference is of no interest
  const WorkPrecisionResult wild = study_work_precision(settings);
  REQUIRE(wild.entries.size() == 1);
  CHECK(std::isnan(wild.entries[0].error.position));
  CHECK(!wild.entries[0].failure.empty());
  CHECK(show(wild).findings.size() >= 2);  // and is told, not fatal
}

}  // namespace
}  // namespace cairn::studies
