// The largest overlap of a run: whose, when and how deep, and that the warning tells of it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "cairn/contact/restitution.hpp"
#include "cairn/run/summary.hpp"
#include "memory_archive.hpp"

namespace cairn {
namespace {

constexpr Real radius = 0.01, mass = 0.01, stiffness = 1e4, step = 1e-5;

// Two grains reach the floor without weight, the second one later and faster.
Scenario two_impacts(Real slow, Real fast) {
  Scenario s;
  s.step = step;
  s.end = 0.02;
  s.gravity = {};
  s.contact = {{"stiffness", stiffness}, {"restitution", 1}};
  s.materials = {Material{}};
  s.walls = {{.name = "roof", .shape = PlaneWall{{0, 0, 1}, {0, 0, -1}}},
             {.name = "floor", .shape = PlaneWall{{0, 0, 0}, {0, 0, 1}}}};
  s.grain = {{.position = {0, 0, radius + 0.001 * slow}, .velocity = {0, 0, -slow}, .radius = radius, .mass = mass},
             {.position = {1, 0, radius + 0.009 * fast}, .velocity = {0, 0, -fast}, .radius = radius, .mass = mass}};
  return s;
}

std::string warning(const Simulation& s) {
  std::string message;
  for (const GuardReport& g : s.guards())
    if (g.name == "overlap") message = g.message;
  return message;
}

TEST_CASE("overlap: the largest of the run is told, not the first beyond the limit") {
  const Real slow = 0.6, fast = 1.2;  // [m/s] 6 and 12 % of the radius
  Simulation s(two_impacts(slow, fast));
  s.start();
  CHECK(!run_summary(s).largest_overlap);
  std::string first;
  Real deepest = 0, at = 0;  // found from positions
  while (!s.over()) {
    s.advance([] { return true; });
    if (s.world().time() < 0.006) first = warning(s);
    for (int i = 0; i < 2; ++i) {
      const Real overlap = (radius - s.world().position(i).z) / radius;
      if (overlap > deepest) deepest = overlap, at = s.world().time();
    }
  }
  CHECK_MESSAGE(first.starts_with("largest overlap 6.00"), first);
  CHECK(first.find("(grain 0 and wall 'floor')") != std::string::npos);
  CHECK_MESSAGE(warning(s).starts_with("largest overlap 12.00"), warning(s));
  CHECK(warning(s).find("(grain 1 and wall 'floor')") != std::string::npos);
  const RunSummary summary = run_summary(s);
  const OverlapSummary& most = summary.largest_overlap.value();
  CHECK(most.fraction == doctest::Approx(deepest).epsilon(1e-12));
  CHECK(most.time == at);
  CHECK(most.first == 1);
  CHECK(most.second == -2);
  CHECK(most.between == "grain 1 and wall 'floor'");
  // v sqrt(m / k), a quarter of a period after the touch.
  const Real omega = std::sqrt(stiffness / mass);
  CHECK(most.fraction * radius == doctest::Approx(fast / omega).epsilon(1e-4));
  CHECK(std::fabs(most.time - (0.009 + pi / (2 * omega))) < 2 * step);
}

TEST_CASE("overlap: the largest is kept whether or not it warns, and comes through a checkpoint") {
  for (const Real fast : {0.3, 1.2}) {
    const Scenario scenario = two_impacts(0.2, fast);
    const bool warns = fast > 1;
    Simulation whole(scenario), first(scenario), second(scenario);
    whole.start(), first.start();
    while (!whole.over()) whole.advance();
    while (first.world().time() < 0.015) first.advance([] { return true; });  // past both impacts
    MemoryArchive archive;
    first.for_each_saved(archive);
    archive.loads = true;
    second.for_each_saved(archive);
    second.restored();
    while (!second.over()) second.advance();
    CHECK(warning(second) == warning(whole));
    CHECK(warning(whole).empty() == !warns);
    CHECK(run_summary(second).largest_overlap->fraction == run_summary(whole).largest_overlap->fraction);
    CHECK(run_summary(second).largest_overlap->time == run_summary(whole).largest_overlap->time);
    CHECK(run_summary(second).largest_overlap->between == "grain 1 and wall 'floor'");
  }
}

TEST_CASE("overlap: one of the start counts, with its time") {
  Scenario s = two_impacts(0.2, 0.2);
  s.grain[0].position.z = 0.93 * radius, s.grain[0].velocity = {};
  s.overlap_allowed_at_start = true;
  s.end = 1e-3;
  Simulation run(s);
  run.start();
  while (!run.over()) run.advance();
  CHECK(run_summary(run).largest_overlap->time == 0);
  CHECK(warning(run) == "largest overlap 7 % of the smaller radius, at t = 0 s (grain 0 and wall 'floor')");
}

}  // namespace
}  // namespace cairn
