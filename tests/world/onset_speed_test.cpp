// Laws that ask how fast a contact began: that it is known, and remembered for as long as the contact lasts.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/run/registry.hpp"
#include "determinism/scene.hpp"
#include "memory_archive.hpp"

using namespace cairn;

namespace {

// [-] of two spheres that meet at this speed, `steps` steps a collision.
Real restitution(Real speed, Real duration, Real steps, bool onset) {
  WorldSettings s;
  s.gravity = {};
  s.laws = law_table("extended_linear", {Material{}}, [](auto, auto) { return suited("extended_linear", {}); });
  s.onset = onset;
  World w(s);
  const Real h = duration / steps;
  const GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.5 * speed, 0, 0}, .radius = 0.0025, .mass = 3e-4},
      {.position = {0.005 + 0.3 * speed * h, 0, 0}, .velocity = {-0.5 * speed, 0, 0}, .radius = 0.0025, .mass = 2e-4}};
  w.insert(grains);
  w.begin();
  for (int k = 0; k < static_cast<int>(1.2 * steps) + 3; ++k) scheme_named("rk4").advance(w, h);
  return (w.velocity(1).x - w.velocity(0).x) / speed;
}

World course(World w, int steps, bool rebuilds = false) {
  for (int k = 0; k < steps; ++k) {
    scheme_named("velocity_verlet_predicted").advance(w, 1e-4);
    if (rebuilds) w.rebuild();
  }
  return w;
}

}  // namespace

TEST_CASE("a collision in the engine has the restitution of its speed") {
  const auto law = ExtendedLinear::from(suited("extended_linear", {}), {}, {});
  for (const Real speed : {0.02, 1.0, 20.0}) {
    const HeadOn exact = law.closed_form(1.2e-4, 0.00125, speed);
    INFO("at ", speed);
    CHECK(restitution(speed, exact.duration, 40, true) == doctest::Approx(exact.restitution).epsilon(1e-5));
    CHECK(restitution(speed, exact.duration, 40, false) == doctest::Approx(exact.restitution).epsilon(1e-2));
  }
}

TEST_CASE("onset speeds: the same bits on any threads, whenever lists are rebuilt, and after a restart") {
  for (const bool onset : {false, true}) {
    INFO("onset ", onset);
    const auto box = [&](int threads) { return crowded_box("extended_linear", threads, widest_simd(), onset); };
    World whole = course(box(1), 60);
    CHECK(whole.contact_count().begun > 1000);
    CHECK(whole.guard_statistics().not_finite < 0);
    CHECK(course(box(3), 60).hash() == whole.hash());
    CHECK(course(box(1), 60, true).hash() == whole.hash());
    World half = course(box(1), 30);
    MemoryArchive archive;
    half.for_each_saved(archive);
    archive.loads = true;
    World resumed(half.settings());
    resumed.for_each_saved(archive);
    resumed.restored();
    CHECK(course(std::move(resumed), 30).hash() == whole.hash());
  }
}
