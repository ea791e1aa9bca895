// The list on two levels, in worlds that run: whenever slots are chosen or the list is built, no bit changes.
#include "cairn/search/neighbour_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "memory_archive.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

constexpr Real h = 2e-4;

// Grains of many sizes that fly about between a shaken floor, a paddle that turns and a roller, across the borders of
// the period; faster than the list's early renewal is wide.
World paddled_box(int count, bool onset, Real skin, Real reach, int threads = 1) {
  const int side = count > 1000 ? 20 : 8;
  const Real pitch = 0.0375, length = side * pitch, middle = length / 2, top = count > 1000 ? 0.4 : 0.3;
  WorldSettings s = linear_settings({{"friction", 0.3}, {"restitution", 0.7}, {"stiffness", 3e3}}, {0, 0, -9.81});
  s.cell = PeriodicCell::from({0, 0, 0}, {length, length, 0});
  s.onset = onset, s.skin = skin, s.reach = reach, s.threads = threads;
  add_plane(s, {0, 0, 0}, {0, 0, 1}, {.amplitude = {0, 0, 0.002}, .frequency = 15});
  add_plane(s, {middle, middle, top}, {0, 0, -1},
            {.axis = {1, 0, 0}, .centre = {middle, middle, top}, .rotation_rate = 0.3});
  s.surfaces.back().turns = true;
  Surface roller;
  roller.wall = 2;
  roller.point = {middle, middle, 0.05}, roller.direction = {1, 0, 0}, roller.shape = OuterCylinder{0.03};
  roller.motion = {.axis = {1, 0, 0}, .centre = {middle, middle, 0.05}, .rotation_rate = 20};
  s.surfaces.push_back(roller);
  s.walls.push_back("roller");
  World w(s);
  std::vector<GrainData> grains;
  for (int k = 0; static_cast<int>(grains.size()) < count; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(3, static_cast<std::uint64_t>(k), q); };
    const Real r = 0.008 + 0.008 * random(0);
    const Vector at = pitch * Vector{k % side + 0.3 * random(1), k / side % side + 0.3 * random(2),
                                     static_cast<Real>(k / (side * side)) + 0.3 * random(3)};
    grains.push_back({.position = at + Vector{0, 0, 0.1},
                      .velocity = Vector{random(4), random(5) - 0.5, random(6) - 1},
                      .spin = {20 * random(7) - 10, 20 * random(8) - 10, 20 * random(9) - 10},
                      .radius = r,
                      .mass = 1e4 * r * r * r});
  }
  w.insert(grains);
  w.begin();
  return w;
}

enum class Renewal { lazy, refresh, rebuild };

World course(const SchemeEntry& scheme, World w, int steps, Renewal renewal = Renewal::lazy) {
  for (int k = 0; k < steps; ++k) {
    scheme.advance(w, h);
    if (renewal == Renewal::refresh) w.refresh();
    if (renewal == Renewal::rebuild) w.rebuild();
  }
  return w;
}

// All sums over grains and contacts that a run reports, as bits.
std::vector<std::uint64_t> sums_of(const World& w) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](Real a) { bits.push_back(std::bit_cast<std::uint64_t>(a)); };
  const auto add_vector = [&](const Vector& a) { add(a.x), add(a.y), add(a.z); };
  for (const Real a : w.state().ledger) add(a);
  const Energies e = w.energies();
  for (const Real a : {e.kinetic, e.rotational, e.gravitational, e.elastic, e.slip_held, e.rolling_held}) add(a);
  const Momenta m = w.momenta();
  add_vector(m.linear), add_vector(m.angular), add_vector(m.barycentre);
  for (const WallLoad& load : w.wall_loads()) add_vector(load.force), add_vector(load.torque);
  add(w.residual());
  return bits;
}

// Grains and grains, by trying all.
int overlapping(const World& w) {
  int count = 0;
  for (int i = 0; i < w.size(); ++i)
    for (int j = i + 1; j < w.size(); ++j) {
      Vector d = w.state().body.at(BodyRow::x, j) - w.state().body.at(BodyRow::x, i);
      d -= w.settings().cell.image(d);
      count += norm(d) < w.grains().radius[i] + w.grains().radius[j];
    }
  for (const Surface& s : w.settings().surfaces)
    for (int i = 0; i < w.size(); ++i)
      count +=
          nearest(s, pose_at(s, w.time()), w.settings().cell, w.state().body.at(BodyRow::x, i), Vector{}).distance <
          w.grains().radius[i];
  return count;
}

}  // namespace

TEST_CASE("the same bits whenever slots are chosen or the list is built") {
  for (const char* name : {"velocity_verlet", "velocity_verlet_predicted", "position_verlet", "forest_ruth", "rk4",
                           "dormand_prince54", "abm3", "gear4", "taylor3", "velocity_verlet_implicit"}) {
    const SchemeEntry& scheme = scheme_named(name);
    for (const bool onset : {false, true}) {
      if (onset && scheme.claims.adaptive) continue;
      INFO(std::string(name), ", onset: ", onset);
      constexpr int count = 300, steps = 150;
      const auto box = [&](Real skin, Real reach) { return paddled_box(count, onset, skin, reach); };
      const World lazy = course(scheme, box(0.006, 0.001), steps);
      CHECK(lazy.contact_count().ended > (scheme.claims.adaptive ? 5 : 50));
      CHECK(lazy.refreshes() > lazy.rebuilds());
      const auto same = [&](const char* what, const World& w) {
        INFO(std::string(what), ", builds: ", w.rebuilds(), ", refreshes: ", w.refreshes());
        CHECK(w.hash() == lazy.hash());
        CHECK(sums_of(w) == sums_of(lazy));  // the lists are in other orders
        CHECK(w.contact_count().begun == lazy.contact_count().begun);
        CHECK(w.contact_count().ended == lazy.contact_count().ended);
      };
      same("never refreshed", course(scheme, box(0.006, 0.006), steps));
      same("thin reach", course(scheme, box(0.006, 1e-6), steps));
      same("thin skin", course(scheme, box(1e-6, 0), steps));
      same("reach of its own", course(scheme, box(0.006, 0), steps));
      same("wide", course(scheme, box(0.03, 0.01), steps));
      same("refreshed always", course(scheme, box(0.006, 0), steps, Renewal::refresh));
      same("refreshed always, thin reach", course(scheme, box(0.006, 1e-6), steps, Renewal::refresh));
      same("built always", course(scheme, box(0.006, 0), steps, Renewal::rebuild));
    }
  }
}

TEST_CASE("no contact is missed") {
  const SchemeEntry& scheme = scheme_named("velocity_verlet");
  World w = paddled_box(300, false, 0.006, 0.001);
  for (int k = 0; k < 300; ++k) {
    scheme.advance(w, h);
    REQUIRE(w.contacts() == overlapping(w));
  }
  CHECK(w.refreshes() > w.rebuilds());
  CHECK(w.rebuilds() > 5);
}

TEST_CASE("1, 2, 3 and 7 threads: the same bits, the same list at the same steps") {
  for (const char* name : {"velocity_verlet", "velocity_verlet, onsets corrected", "rk4"}) {
    const bool onset = std::string(name).ends_with("corrected");
    const SchemeEntry& scheme = scheme_named(onset ? "velocity_verlet" : name);
    const World one = course(scheme, paddled_box(2500, onset, 0.006, 0.001), 60);
    for (const int threads : {2, 3, 7}) {
      INFO(std::string(name), " on ", threads);
      const World many = course(scheme, paddled_box(2500, onset, 0.006, 0.001, threads), 60);
      CHECK(one.refreshes() > 3);
      CHECK(many.hash() == one.hash());
      CHECK(many.state().ledger == one.state().ledger);
      CHECK(many.rebuilds() == one.rebuilds());
      CHECK(many.refreshes() == one.refreshes());
      CHECK(many.list().pairs == one.list().pairs);
      CHECK(many.list().first == one.list().first);
      CHECK(many.list().contacts == one.list().contacts);
    }
  }
}

TEST_CASE("a restart goes on with the same list") {
  for (const char* name : {"velocity_verlet_predicted", "abm3", "rk4"}) {
    const SchemeEntry& scheme = scheme_named(name);
    World whole = paddled_box(300, true, 0.006, 0.001);
    for (int stop = 10; stop < 100; stop += 17) {
      INFO(std::string(name), " after ", stop);
      MemoryArchive archive;
      whole.for_each_saved(archive);
      archive.loads = true;
      World resumed(whole.settings());
      resumed.for_each_saved(archive);
      resumed.restored();
      CHECK(resumed.list().contacts == whole.list().contacts);
      whole = course(scheme, std::move(whole), 17), resumed = course(scheme, std::move(resumed), 17);
      CHECK(resumed.hash() == whole.hash());
      CHECK(resumed.state().ledger == whole.state().ledger);
      CHECK(resumed.rebuilds() == whole.rebuilds());
      CHECK(resumed.refreshes() == whole.refreshes());
    }
    CHECK(whole.refreshes() > 3);
  }
}

TEST_CASE("each grain's contacts stand in ascending order of partner id, walls last") {
  const World w = course(scheme_named("velocity_verlet"), paddled_box(300, false, 0.01, 0), 100);
  const NeighbourList& list = w.list();
  std::vector<int> seen(list.slots());
  for (int i = 0; i < w.size(); ++i) {
    std::int64_t last = -1;
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1, side = list.contacts[e] & 1,
                wall = slot - static_cast<int>(list.pairs.size());
      ++seen[slot];
      const Pair p = wall < 0 ? list.pairs[slot] : Pair{i, i};
      CHECK(i == (wall >= 0 ? list.walls[wall].grain : side == 0 ? p.first : p.second));
      const std::int64_t partner =
          wall >= 0 ? w.size() + list.walls[wall].surface : w.grains().id[side == 0 ? p.second : p.first];
      CHECK(partner > last);
      last = partner;
    }
  }
  for (int slot = 0; slot < list.slots(); ++slot)
    CHECK(seen[slot] == (slot < static_cast<int>(list.pairs.size()) ? 2 : 1));
}

TEST_CASE("slots of a group of grains stand together, those that touch first") {
  World w = course(scheme_named("velocity_verlet"), paddled_box(300, false, 0.01, 0.004), 100);
  for (const bool built : {false, true}) {
    if (built)
      w.rebuild();
    else
      w.refresh();
    const auto rank = [&](const Pair& p) {
      const Vector d = w.position(p.second) - w.position(p.first);
      const bool apart =
          norm(d - w.settings().cell.image(d)) >= w.grains().radius[p.first] + w.grains().radius[p.second];
      return std::array{p.first / w.list().group, static_cast<int>(apart), p.first, p.second};
    };
    const std::vector<Pair>& pairs = w.list().pairs;
    int touching = 0;
    for (std::size_t slot = 0; slot < pairs.size(); ++slot) {
      touching += rank(pairs[slot])[1] == 0;
      if (slot > 0) CHECK(rank(pairs[slot - 1]) < rank(pairs[slot]));
    }
    CHECK(touching > 10);
    CHECK(static_cast<int>(pairs.size()) > touching + 20);
  }
}

TEST_CASE("a bed that flows along a plane as one does not wear out its list") {
  WorldSettings s = linear_settings({{"stiffness", 1e3}});
  s.cell = PeriodicCell::from({0, 0, 0}, {1, 1, 0});
  add_plane(s, {0, 0, 0}, {0, 0, 1});
  World w(s);
  std::vector<GrainData> grains;
  for (int k = 0; k < 200; ++k) {
    const Vector at{0.1 * (k % 10), 0.1 * (k / 10 % 10), 0.051 + 0.1 * (k / 100)};
    grains.push_back({.position = at, .velocity = {3, 1, 0}, .radius = 0.049, .mass = 1});
  }
  w.insert(grains);
  w.begin();
  for (int k = 0; k < 2000; ++k) scheme_named("velocity_verlet").advance(w, 1e-3);
  CHECK(w.rebuilds() == 1);
  CHECK(w.refreshes() <= 1);  // the first looks back at grains of which nothing was known
}

TEST_CASE("the first list lasts the first steps where their length is known") {
  constexpr Real h = 1e-4;
  const auto lists_of = [&](Real known) {
    World w(linear_settings({{"stiffness", 1e3}}));
    std::vector<GrainData> grains;
    for (int k = 0; k < 200; ++k) {
      const Vector at{0.11 * (k % 6), 0.11 * (k / 6 % 6), 0.11 * (k / 36)};
      grains.push_back({.position = at, .velocity = {k % 2 ? 1.0 : -1.0, 0, 0}, .radius = 0.05, .mass = 1});
    }
    w.insert(grains);
    w.controller().step = known;
    w.begin();
    for (int k = 0; k < 8; ++k) scheme_named("velocity_verlet").advance(w, h);
    return w.rebuilds() + w.refreshes();
  };
  CHECK(lists_of(0) > 1);
  CHECK(lists_of(h) == 1);
}

TEST_CASE("walls that come closer are not missed: they to grains at rest, grains that all move alike to them") {
  struct Case {
    Vector velocity;  // of the grains
    Motion motion;    // of the wall
    bool turns, round;
  };
  const Case cases[] = {{{}, {.velocity = {0, 0, 1}}, false, false},
                        {{}, {.amplitude = {0, 0, 0.5}, .frequency = 0.5}, false, false},
                        {{}, {.axis = {1, 0, 0}, .centre = {0, -1, -0.2}, .rotation_rate = 1}, true, false},
                        {{}, {.velocity = {0, 0, 1}}, false, true},
                        {{1, 0, -1}, {}, false, false},
                        {{1, 0, -1}, {}, false, true},
                        {{3, 0, -2}, {.velocity = {3, 0, -1}}, false, false}};
  for (const Case& c : cases) {
    INFO("case ", &c - cases);
    WorldSettings s = linear_settings({{"stiffness", 1e3}});
    s.cell = PeriodicCell::from({0, 0, 0}, {1, 1, 0});
    add_plane(s, {0, 0, -0.2}, {0, 0, 1}, c.motion);
    s.surfaces.back().turns = c.turns;
    if (c.round) {
      s.surfaces.back().shape = OuterCylinder{0.2};
      s.surfaces.back().point = {0, 0.5, -0.4}, s.surfaces.back().direction = {1, 0, 0};
    }
    World w(s);
    std::vector<GrainData> grains;
    for (int k = 0; k < 200; ++k) {
      const Vector at{0.1 * (k % 10), 0.1 * (k / 10 % 10), 0.05 + 0.1 * (k / 100)};
      grains.push_back({.position = at, .velocity = c.velocity, .radius = 0.045, .mass = 1});
    }
    w.insert(grains);
    w.begin();
    for (int k = 0; k < 300; ++k) {
      scheme_named("velocity_verlet").advance(w, 1e-3);
      REQUIRE(w.contacts() == overlapping(w));
    }
    CHECK(w.contact_count().begun > 5);
  }
}
