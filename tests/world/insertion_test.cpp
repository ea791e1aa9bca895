// Grains that come and go between steps.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "cairn/run/registry.hpp"
#include "determinism/scene.hpp"
#include "fresh_folder.hpp"

using namespace cairn;

namespace {

constexpr Real h = 1e-4;

// [s] that velocities are behind.
Real lag(const World& w, const SchemeEntry& scheme) {
  return scheme.staggered && w.steps() > 0 ? 0.5 * h : 0;
}

Real residual(World& w, const SchemeEntry& scheme) {
  const World::Synchronised now(w, lag(w, scheme));
  return w.residual();
}

std::vector<std::int64_t> every_seventh(const World& w, std::int64_t first) {
  std::vector<std::int64_t> ids;
  for (std::int64_t id : w.grains().id)
    if (id % 7 == first) ids.push_back(id);
  return ids;
}

std::multiset<std::int64_t> ids_of(const World& w) {
  return {w.grains().id.begin(), w.grains().id.end()};
}

// A hundred grains in one place, deep in one another: all sorts of contacts.
std::vector<GrainData> cluster() {
  std::vector<GrainData> grains;
  for (std::uint64_t k = 0; k < 100; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(5, k, q); };
    grains.push_back({.position = {0.1 * random(0), 0.1 * random(1), 0.3 + 0.1 * random(2)},
                      .velocity = {random(3), random(4), random(5)},
                      .radius = 0.01,
                      .mass = 0.01,
                      .material = static_cast<int>(k % 2)});
  }
  return grains;
}

struct Course {
  std::uint64_t hash;
  LedgerChannels ledger;
};

// As crowded, with a tenth of the grains.
World small_crowd() {
  return crowded_box("hertz_mindlin", 1, widest_simd(), false, false, 0.15);
}

// Steps, a removal, steps, an insertion, steps.
Course come_and_go(const std::string& law, const SchemeEntry& scheme, int threads, bool rebuild_always = false) {
  World w = crowded_box(law, threads);
  const auto go = [&] {
    for (int k = 0; k < 12; ++k) {
      scheme.advance(w, h);
      if (rebuild_always) w.rebuild();
    }
  };
  go();
  w.remove(every_seventh(w, 3), lag(w, scheme));
  go();
  w.insert(cluster(), lag(w, scheme));
  go();
  CHECK(w.guard_statistics().not_finite < 0);
  return {w.hash(), w.state().ledger};
}

}  // namespace

TEST_CASE("removal and insertion leave the ledger's residual, and all ids, as they were, with every scheme") {
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    INFO(std::string(scheme.claims.name));
    World w = small_crowd();
    const bool solves = scheme.claims.family == "implicit";  // takes its time in a crowd
    w.controller().solver_tolerance = 1e-6;
    for (int k = 0; k < (solves ? 2 : 10); ++k) scheme.advance(w, h);
    const Real before = residual(w, scheme), energy = w.energies().mechanical();
    std::multiset<std::int64_t> ids = ids_of(w);
    const std::vector<std::int64_t> gone = every_seventh(w, 3);
    const int contacts = w.contacts();
    w.remove(gone, lag(w, scheme));
    CHECK(w.size() == static_cast<int>(ids.size() - gone.size()));
    for (std::int64_t id : gone) ids.erase(id);
    CHECK(ids_of(w) == ids);
    CHECK(w.contacts() < contacts - 25);
    CHECK(w.energies().mechanical() < 0.95 * energy);
    CHECK(std::fabs(residual(w, scheme) - before) < 1e-12 * energy);
    w.insert(cluster(), lag(w, scheme));
    CHECK(w.energies().elastic > 0);
    CHECK(std::fabs(residual(w, scheme) - before) < 1e-12 * energy);
    for (int k = 0; k < (solves ? 1 : 5); ++k) scheme.advance(w, h);
    CHECK(w.guard_statistics().not_finite < 0);
  }
}

TEST_CASE("accelerations follow a removal at once") {
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    INFO(std::string(scheme.claims.name));
    // Two grains squeezed between floor and a heavy one; the middle one is taken away.
    WorldSettings s = linear_settings({{"friction", 0.5}, {"restitution", 0.5}, {"stiffness", 1e4}}, {0, 0, -9.81});
    add_plane(s, {0, 0, 0}, {0, 0, 1});
    World w(s);
    const GrainData grains[] = {{.position = {0, 0, 0.0999}, .radius = 0.1, .mass = 1},
                                {.position = {0, 0, 0.2996}, .radius = 0.1, .mass = 1},
                                {.position = {0, 0, 0.4992}, .velocity = {}, .radius = 0.1, .mass = 4}};
    w.insert(grains);
    w.begin();
    for (int k = 0; k < 50; ++k) scheme.advance(w, h);
    const auto velocity = [&] {
      const World::Synchronised now(w, lag(w, scheme));
      const auto at = std::find(w.grains().id.begin(), w.grains().id.end(), 2) - w.grains().id.begin();
      return w.state().body.at(BodyRow::v, static_cast<int>(at)).z;
    };
    const std::int64_t middle[] = {1};
    const Real behind = lag(w, scheme) > 0 ? h : 0;  // a staggered velocity still holds half a step of the old force
    w.remove(middle, lag(w, scheme));
    if (behind > 0) scheme.advance(w, h);
    const Real start = velocity();
    for (int k = 0; k < 10; ++k) scheme.advance(w, h);
    CHECK(w.contacts() == 1);
    CHECK(velocity() == doctest::Approx(start - 9.81 * 10 * h).epsilon(1e-12));
  }
}

TEST_CASE("who touches nobody goes unnoticed") {
  for (const SchemeEntry& scheme : scheme_catalogue()) {
    // Whose step follows all grains, or what is left of an iteration.
    if (scheme.claims.adaptive || scheme.claims.family == "implicit") continue;
    INFO(std::string(scheme.claims.name));
    World with = small_crowd(), without = small_crowd();
    const auto run = [&] {  // more steps than any scheme remembers
      for (int k = 0; k < 6; ++k) scheme.advance(with, h), scheme.advance(without, h);
    };
    const GrainData lonely{.position = {0.2, 0.2, 1}, .velocity = {1, 2, 3}, .radius = 0.011, .mass = 0.01};
    run();
    with.insert({&lonely, 1}, lag(with, scheme));
    run();
    CHECK(with.hash() != without.hash());
    const std::int64_t id[] = {without.size()};
    with.remove(id, lag(with, scheme));
    CHECK(with.hash() == without.hash());
    run();
    CHECK(with.hash() == without.hash());
  }
}

TEST_CASE("coming and going: the same bits on any threads, whenever the list is rebuilt") {
  for (const char* name : {"velocity_verlet_predicted", "adams_bashforth2", "central_difference", "dormand_prince54"}) {
    INFO(std::string(name));
    const SchemeEntry& scheme = scheme_named(name);
    const Course one = come_and_go("hertz_mindlin", scheme, 1);
    for (int threads : {2, 3}) {
      const Course many = come_and_go("hertz_mindlin", scheme, threads);
      CHECK(many.hash == one.hash);
      CHECK(many.ledger == one.ledger);
    }
    CHECK(come_and_go("hertz_mindlin", scheme, 1, true).hash == one.hash);
  }
}

// Free, close to others or upon them, and over a floor that swings: as if all neighbours had been found anew each time.
TEST_CASE("grains that come one by one join the list there is") {
  constexpr int coming = 150, pause = 7;
  const auto pour = [](bool anew) {
    WorldSettings s = linear_settings({{"friction", 0.5}, {"restitution", 0.3}, {"stiffness", 200}}, {0, 0, -9.81});
    s.cell = PeriodicCell::from({0, 0, 0}, {0.1, 0.1, 0});
    add_plane(s, {0, 0, 0}, {0, 0, 1}, {.amplitude = {0, 0, 0.01}, .frequency = 5});
    World w(s);
    const GrainData first{.position = {0.1, 0.1, 0.05}, .radius = 0.009, .mass = 0.01};
    w.insert({&first, 1});
    w.begin();
    for (std::uint64_t k = 0; k < coming; ++k) {
      const auto random = [&](std::uint64_t q) { return random_uniform(7, k, q); };
      const Real floor = 0.01 * std::sin(2 * pi * 5 * w.state().time), above = k % 4 == 0 ? 1e-4 : 0.17;
      const GrainData next{.position = {0.12 * random(0), 0.1 * random(1), floor + 0.01 + above * random(2)},
                           .velocity = {0.2 * random(3), 0.2 * random(4), -0.2 * random(5)},
                           .radius = 0.01,
                           .mass = 0.01};
      w.insert({&next, 1});
      if (anew) w.rebuild();
      for (int step = 0; step < pause; ++step) scheme_named("velocity_verlet_predicted").advance(w, h);
    }
    return w;
  };
  const World w = pour(false), anew = pour(true);
  CHECK(w.contacts() > 20);
  CHECK(w.hash() == anew.hash());
  CHECK(w.state().ledger == anew.state().ledger);
  CHECK(w.rebuilds() < coming / 2);
}

TEST_CASE("a grain that comes is met by one that turns back") {
  // Since its slots were chosen, the first has gone away from where another comes by nearly as far as slots allow. It
  // bounces off the wall, and comes twice as far back before they are chosen anew. Its mirror image keeps the mean
  // velocity, which slots follow, at zero.
  const auto meet = [](bool anew) {
    WorldSettings s = linear_settings({{"restitution", 1.0}, {"stiffness", 1e5}});
    s.skin = 0.02, s.reach = 0.004;
    add_plane(s, {0, 0, 0}, {1, 0, 0});
    add_plane(s, {1, 0, 0}, {-1, 0, 0});
    World w(s);
    GrainData first{.position = {0.0111, 0, 0}, .velocity = {-2, 0, 0}, .radius = 0.01, .mass = 0.001},
        mirrored = first;
    mirrored.position.x = 1 - first.position.x, mirrored.velocity.x = -first.velocity.x;
    const GrainData both[] = {first, mirrored};
    w.insert(both);
    w.begin();
    const auto go = [&](int steps) {
      for (int k = 0; k < steps; ++k) scheme_named("velocity_verlet").advance(w, 1e-5);
    };
    go(55);
    CHECK(w.position(0).x == doctest::Approx(0.01));
    GrainData next = first;
    next.position.x = 0.03 + w.list().reach + 2e-5, next.velocity.x = -0.9;
    w.insert({&next, 1});
    if (anew) w.rebuild();
    go(220);
    return w;
  };
  const World w = meet(false);
  CHECK(w.state().body.at(BodyRow::v, 2).x > 0);
  CHECK(w.hash() == meet(true).hash());
}

TEST_CASE("the skin follows the smallest grain there is") {
  World w = linear_world({{"stiffness", 1e3}});
  const GrainData large{.position = {0, 0, 0}, .radius = 0.1, .mass = 1};
  const GrainData small{.position = {1, 0, 0}, .radius = 0.01, .mass = 0.001};
  w.insert({&large, 1});
  w.begin();
  CHECK(w.list().skin == doctest::Approx(0.02));
  w.insert({&small, 1});
  CHECK(w.list().skin == doctest::Approx(0.002));
  const std::int64_t id[] = {1};
  w.remove(id);
  w.rebuild();
  CHECK(w.list().skin == doctest::Approx(0.02));
}

TEST_CASE("all grains may go and others come") {
  World w = crowded_box("linear", 2);
  const SchemeEntry& scheme = scheme_named("velocity_verlet_predicted");
  scheme.advance(w, h);
  w.remove(std::vector<std::int64_t>(w.grains().id));
  CHECK(w.size() == 0);
  CHECK(w.energies().mechanical() == 0);
  scheme.advance(w, h);
  const GrainData grain{.position = {0.2, 0.2, 0.3}, .radius = 0.01, .mass = 0.01};
  w.insert({&grain, 1});
  CHECK(w.grains().id == std::vector<std::int64_t>{3000});
  for (int k = 0; k < 10; ++k) scheme.advance(w, h);
  CHECK(w.state().body.at(BodyRow::v, 0).z == doctest::Approx(-9.81 * 10 * h));
}

TEST_CASE("what cannot come or go changes nothing") {
  World w = crowded_box("linear", 1);
  const std::uint64_t hash = w.hash();
  std::vector<GrainData> grains(2, {.position = {0.2, 0.2, 1}, .radius = 0.01, .mass = 1});
  grains[1].radius = 0;
  check_error(Exit::bad_input, "a radius and a mass above zero", [&] { w.insert(grains); });
  grains[1].radius = 0.2;
  check_error(Exit::bad_input, "expected periods of at least two diameters", [&] { w.insert(grains); });
  check_error(Exit::bad_input, "found more than 536870911 grains", [&] {
    w.insert({grains.data(), BodyRows::most - w.size() + 1});  // refused before a grain is read
  });
  for (const std::vector<std::int64_t>& ids : {std::vector<std::int64_t>{3, 3000}, {3, 4, 3}, {-1}})
    check_error(Exit::bad_input, "each id must belong to a grain and appear once", [&] { w.remove(ids); });
  CHECK(w.size() == 3000);
  CHECK(w.hash() == hash);
}
