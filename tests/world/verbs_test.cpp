// World's fused motion verbs against their generic definition from rates, bit for bit, for every law.
#include <doctest/doctest.h>

#include <bit>

#include "cairn/core/hash.hpp"
#include "cairn/integrate/generic.hpp"
#include "cairn/run/registry.hpp"
#include "determinism/scene.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

// Sixty grains of two materials and many sizes, pressed together, between moving walls, periodic in x.
World crowd(const std::string& law, bool rolls = false) {
  const std::vector<Material> materials{{.name = "a", .young = 1e6, .poisson = 0.3},
                                        {.name = "b", .young = 3e6, .poisson = 0.2}};
  WorldSettings s;
  s.materials = 2;
  const auto contact = [&](std::size_t i, std::size_t j) {
    ContactSettings c;
    c["friction"] = 0.2 + 0.1 * static_cast<Real>(i + j);
    c["restitution"] = 0.7;
    c["stiffness"] = 1e3 * static_cast<Real>(1 + i * j);
    if (i == j) c["tangential_damping"] = 0.3;
    c["duration_factor"] = 5e-3;
    if (rolls)
      c["rolling_friction"] = 0.3, c["rolling_damping"] = i == j ? 0.2 : 0, c["twisting_friction"] = i == j ? 0 : 0.2;
    return suited(law, c);
  };
  s.laws = law_table(law, materials, contact);
  s.rolling = rolling_table(2, contact);
  s.cell = PeriodicCell::from({0, 0, 0}, {0.5, 0, 0});
  s.skin = 0.01, s.reach = 0.005;  // slots last longer than a step
  add_plane(s, {0, 0, 0}, {0, 0, 1}, {.amplitude = {0, 0, 0.01}, .frequency = 20});
  add_plane(s, {0, 0, 0}, {0, 1, 0}, {.velocity = {0.3, 0, 0}});
  s.surfaces[1].material = 1;
  Surface drum;
  drum.wall = 2, drum.point = {0.25, 0.2, 0.2}, drum.direction = {1, 0, 0}, drum.shape = InnerCylinder{0.3};
  drum.motion = {.axis = {1, 0, 0}, .centre = {0.25, 0.2, 0.2}, .rotation_rate = 3};
  s.surfaces.push_back(drum);
  s.walls.push_back("drum");
  World w(s);
  std::vector<GrainData> grains;
  for (std::uint64_t k = 0; k < 60; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(7, k, q); };
    const Real r = 0.03 + 0.03 * random(0);
    grains.push_back({.position = {0.5 * random(1), 0.02 + 0.3 * random(2), 0.02 + 0.3 * random(3)},
                      .velocity = {random(4) - 0.5, random(5) - 0.5, random(6) - 0.5},
                      .spin = {20 * random(7) - 10, 20 * random(8) - 10, 20 * random(9) - 10},
                      .radius = r,
                      .mass = 2000 * r * r * r,
                      .material = static_cast<int>(k % 2)});
  }
  w.insert(grains);
  w.begin();
  return w;
}

bool same(World& a, World& b, State& of_a, State& of_b, int first, int last) {
  const std::vector<int> i = by_id(a), j = by_id(b);
  for (std::size_t k = 0; k < i.size(); ++k)
    for (int row = first; row < last; ++row)
      if (std::bit_cast<std::uint64_t>(of_a.body.row(row)[i[k]]) !=
          std::bit_cast<std::uint64_t>(of_b.body.row(row)[j[k]]))
        return false;
  return true;
}

void check_same(World& fused, World& generic) {
  CHECK(fused.hash() == generic.hash());  // bodies and springs
  CHECK(same(fused, generic, fused.current_rate(), generic.current_rate(), BodyRow::v, BodyRow::count));
  CHECK(fused.state().ledger == generic.state().ledger);
  CHECK(fused.current_rate().ledger == generic.current_rate().ledger);
}

}  // namespace

TEST_CASE("motion verbs are bitwise their generic definition, for every law, with rolling resistance and without") {
  for_each_law([](auto law) {
    using Law = decltype(law);
    for (const auto& [quadrature, rolls] : {std::pair{SpringQuadrature::midpoint, false},
                                            {SpringQuadrature::midpoint, true},
                                            {SpringQuadrature::fourth_order, false},
                                            {SpringQuadrature::fourth_order, true}}) {
      INFO(std::string(Law::name),
           std::string(quadrature == SpringQuadrature::midpoint ? " midpoint" : " fourth order"), ", rolls ", rolls);
      World fused = crowd(Law::name, rolls), oracle = crowd(Law::name, rolls);
      Generic<World> generic(oracle);
      REQUIRE(fused.contacts() > 80);
      fused.spring_quadrature(quadrature), generic.spring_quadrature(quadrature);
      const Real h = 1e-4;
      REQUIRE(fused.state().bond.rows() == (rolls ? BondRow::rolling_count : BondRow::count));
      bool springs = false, rolling_springs = false;
      fused.add_memory(Memory::past), oracle.add_memory(Memory::past);
      for (int k = 0; k < 20; ++k) {  // kick, drift and force alternate; with and without prediction; backwards too
        const Real drift = k % 5 == 4 ? -0.7 * h : h;
        fused.rebuild(), oracle.rebuild();  // sums of the books run in the order of the list
        const Real predict = k % 3 ? 0.5 * h : 0;
        if (k % 4 == 1) {
          const Real ratio = k == 1 ? 0 : 0.9;
          fused.kick_drift(0.5 * h, drift, predict, ratio), generic.kick_drift(0.5 * h, drift, predict, ratio);
          CHECK(same(fused, oracle, fused.memory(0), oracle.memory(0), BodyRow::v, BodyRow::count));
        } else if (k % 2) {
          fused.kick_drift(0.5 * h, drift), generic.kick_drift(0.5 * h, drift);
        } else {
          fused.kick(0.5 * h), generic.kick(0.5 * h);
          fused.drift(drift), generic.drift(drift);
        }
        fused.force(predict, StageKind::stage), generic.force(predict, StageKind::stage);
        check_same(fused, oracle);
        for (int s = 0; s < fused.state().bond.size(); ++s) {
          springs = springs || fused.state().bond.row(BondRow::xi)[s] != 0;
          rolling_springs = rolling_springs || (rolls && fused.state().bond.row(BondRow::chi)[s] != 0);
        }
      }
      CHECK(springs);
      CHECK(rolling_springs == rolls);
      CHECK((fused.state().ledger[Channel::rolling] != 0) == rolls);
    }
  });
}

TEST_CASE("rates of positions and springs are held for algebra verbs alone, and found when they are asked for") {
  for (const bool rolls : {false, true}) {
    World with = crowd("linear", rolls), without = crowd("linear", rolls);
    without.begin(false);
    CHECK(!without.current_rate().body.has_positions());
    CHECK(same(with, without, with.current_rate(), without.current_rate(), BodyRow::v, BodyRow::count));
    CHECK(with.current_rate().ledger == without.current_rate().ledger);
    CHECK(without.current_rate().bond.size() == 0);
    State a, b;
    with.rates(with.state(), a), without.rates(without.state(), b);
    const int slots = with.list().slots();
    REQUIRE(b.bond.size() == slots);
    bool same_bonds = true, moving = false;
    for (int row = 0; row < b.bond.rows(); ++row)
      for (int s = 0; s < slots; ++s) {
        same_bonds = same_bonds && a.bond.row(row)[s] == b.bond.row(row)[s];
        moving = moving || a.bond.row(row)[s] != 0;
      }
    CHECK(same_bonds);
    CHECK(moving);
    for (World* w : {&with, &without}) {
      w->kick_drift(1e-4, 1e-4), w->force(0, StageKind::end), w->commit(1e-4);
      w->rebuild();
      CHECK(w->current_rate().bond.size() == 0);
      CHECK(!w->current_rate().body.has_positions());
      w->rates(w->state(), a);
      w->combine(w->state(), w->state(), std::array<Term, 1>{{{1e-4, &a}}}, StatePart::everything), w->commit(1e-4);
      CHECK(w->current_rate().bond.size() == w->list().slots());
      CHECK(w->current_rate().body.has_positions());
    }
    CHECK(with.hash() == without.hash());
  }
}

// Else the next contact of the two would begin with what the last has left.
TEST_CASE("what is remembered of a spring ends with its contact") {
  for (const SchemeEntry& scheme : scheme_catalogue())
    for (const bool onset : {false, true}) {
      if (scheme.claims.memory == 0) continue;
      INFO(std::string(scheme.claims.name), ", onset ", onset);
      World w = crowded_box("linear", 1, widest_simd(), onset, false, 0.25);
      const bool solves = scheme.claims.family == "implicit";  // takes its time in a crowd
      w.controller().solver_tolerance = 1e-6;
      for (int k = 0; k < (solves ? 4 : 60); ++k) scheme.advance(w, 4e-4);
      if (!solves) CHECK(w.contact_count().ended > 20);
      int open = 0, left = 0;
      for (int slot = 0; slot < static_cast<int>(w.list().pairs.size()); ++slot) {
        const auto [i, j] = w.list().pairs[slot];
        Vector d = w.position(i) - w.position(j);
        d -= w.settings().cell.image(d);
        // Where the correction of another contact has just parted two, their own ends with the next step.
        constexpr Real parted = 1e-4;
        if (norm(d) < (1 + (onset ? parted : 0)) * (w.grains().radius[i] + w.grains().radius[j])) continue;
        ++open;
        for (int m = 0; m < w.memories(); ++m)
          if (w.memory(m).bond.size() == w.list().slots()) left += norm(w.memory(m).bond.at(0, slot)) > 0;
      }
      CHECK(w.memories() > 0);
      CHECK(open > 50);
      CHECK(left == 0);
    }
}

TEST_CASE("the forces of a contact are equal and opposite to the last bit") {
  // Two grains alone: the accelerations times the masses cancel exactly when the masses are powers of two.
  for_each_law([](auto law) {
    using Law = decltype(law);
    WorldSettings s;
    s.gravity = {};
    s.laws = law_table(Law::name, {Material{.young = 1e6}}, [](auto, auto) {
      return suited(Law::name,
                    {{"friction", 0.4}, {"restitution", 0.8}, {"stiffness", 1e3}, {"duration_factor", 5e-3}});
    });
    World w(s);
    const GrainData grains[] = {
        {.position = {0.1, 0.2, 0.3}, .velocity = {1, -2, 0.3}, .spin = {4, 5, 6}, .radius = 0.1, .mass = 0.5},
        {.position = {0.17, 0.29, 0.41},
         .velocity = {-0.4, 0.1, -0.2},
         .spin = {-1, 3, 2},
         .radius = 0.08,
         .mass = 0.25}};
    w.insert(grains);
    w.begin();
    w.drift(1e-3);
    w.force(0, StageKind::stage);
    REQUIRE(w.contacts() == 1);
    for (int row = 0; row < 3; ++row) {
      const auto a = w.current_rate().body.row(BodyRow::v + row);
      const std::vector<int> order = by_id(w);
      CHECK(a[order[0]] != 0);
      CHECK(0.5 * a[order[0]] == -0.25 * a[order[1]]);
    }
  });
}
