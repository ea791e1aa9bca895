// The same bits on any number of threads, with any instruction set, whenever the list is rebuilt.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "cairn/core/parallel.hpp"
#include "cairn/run/registry.hpp"
#include "determinism/scene.hpp"
#include "memory_archive.hpp"
#include "world/steps.hpp"

using namespace cairn;

namespace {

constexpr Real h = 1e-4;
constexpr int steps = 60;
constexpr Real narrow =
    0.35;  // [m] half the grains: still three blocks of the sweep and more for each of seven threads

struct Result {
  std::uint64_t hash;
  LedgerChannels ledger;
  std::vector<LedgerChannels> remembered;  // of the rates that the scheme remembers
  std::int64_t rebuilds;
};

// With the correction of onsets where the scheme has it, unless `plain`.
Result run(const std::string& law, const std::string& scheme, int threads, Simd simd = widest_simd(),
           bool rebuild_always = false, bool plain = false, bool rolls = false, Real width = 0.5) {
  const SchemeEntry& entry = scheme_named(scheme);
  World w = crowded_box(law, threads, simd, !plain && !entry.claims.adaptive, rolls, width);
  for (int k = 0; k < steps; ++k) {
    entry.advance(w, h);
    if (rebuild_always) w.rebuild();
  }
  CHECK(w.contacts() > 2 * w.size() / 3);
  CHECK(w.guard_statistics().not_finite < 0);
  CHECK(w.contact_count().begun > (entry.claims.adaptive ? 10 : w.size() / 3));
  std::vector<LedgerChannels> remembered;
  for (int m = 0; m < w.memories(); ++m) remembered.push_back(w.memory(m).ledger);
  return {w.hash(), w.state().ledger, remembered, w.rebuilds()};
}

}  // namespace

TEST_CASE("the same bits on 1, 2, 3, 7 and 16 threads, ledger included") {
  for (const char* scheme : {"velocity_verlet_predicted", "velocity_verlet_extrapolated", "position_verlet", "rk4",
                             "dormand_prince54", "taylor3", "velocity_verlet_implicit", "gear4", "abm3"}) {
    const bool all = std::string(scheme) == "velocity_verlet_predicted";
    const Real width = all ? 0.5 : narrow;
    for (const bool plain : {false, true}) {
      if (!plain && scheme_named(scheme).claims.adaptive) continue;  // no onsets to correct
      const Result one = run("hertz_mindlin", scheme, 1, widest_simd(), false, plain, false, width);
      for (int threads : {2, 3, 7, 16}) {
        // Every scheme runs on two threads in tests/run/every_scheme_test.cpp.
        if ((threads == 2 || threads == 16) && !all) continue;
        INFO(std::string(scheme), " on ", threads, ", plain: ", plain);
        const Result many = run("hertz_mindlin", scheme, threads, widest_simd(), false, plain, false, width);
        CHECK(many.hash == one.hash);
        CHECK(many.ledger == one.ledger);
        CHECK(many.remembered == one.remembered);
      }
    }
  }
}

TEST_CASE("of contacts that are equally deep the same is told on any threads") {
  const auto deepest = [](int threads) {
    WorldSettings s = linear_settings({{"stiffness", 1e3}, {"restitution", 1}});
    s.threads = threads, s.skin = 0.05;
    World w(s);
    std::vector<GrainData> grains;
    for (int k = 0; k < 6000; ++k)  // pairs, all with the same overlap
      grains.push_back(
          {.position = {0.0625 * (k % 2), 0.25 * (k / 2 % 50), 0.25 * (k / 100)}, .radius = 0.03125 + 1e-3, .mass = 1});
    w.insert(grains);
    w.begin();
    return w.guard_statistics().deepest_ids;
  };
  CHECK(deepest(1) == std::array<std::int64_t, 2>{0, 1});
  for (const int threads : {2, 4}) CHECK(deepest(threads) == deepest(1));
}

TEST_CASE("the same bits with every instruction set") {
  for (const char* law : {"linear", "hertz_mindlin", "extended_nonlinear", "extended_linear"})
    for (const bool plain : {false, true}) {
      const Result widest = run(law, "velocity_verlet_predicted", 1, widest_simd(), false, plain);
      for (Simd simd : {Simd::baseline, Simd::avx2, Simd::avx512}) {
        if (simd > widest_simd()) continue;
        const Result other = run(law, "velocity_verlet_predicted", 1, simd, false, plain);
        CHECK(other.hash == widest.hash);
        CHECK(other.ledger == widest.ledger);
      }
    }
}

TEST_CASE("the same bits whenever the list is rebuilt") {
  for (const char* scheme : {"velocity_verlet", "forest_ruth", "adams_bashforth4", "rk4", "gear4", "abm3", "taylor4",
                             "velocity_verlet_implicit"}) {
    for (const bool plain : {false, true}) {
      const Result lazy = run("linear", scheme, 1, widest_simd(), false, plain, false, narrow);
      const Result always = run("linear", scheme, 1, widest_simd(), true, plain, false, narrow);
      INFO(std::string(scheme), ", plain: ", plain);
      CHECK(lazy.rebuilds > 3);
      CHECK(1.5 * static_cast<Real>(lazy.rebuilds) < static_cast<Real>(always.rebuilds));
      CHECK(always.rebuilds >= steps);
      CHECK(lazy.hash == always.hash);
    }
  }
}

TEST_CASE("grains of one size have the same bits beside one of another size") {
  const auto motion = [](const World& w, int id) {
    const int i = w.grains().index(id);
    const BodyRows& y = w.state().body;
    return std::array{y.at(BodyRow::x, i), y.at(BodyRow::v, i), y.at(BodyRow::w, i)};
  };
  for (const char* law : {"linear", "hertz_mindlin"})
    for (const bool rolls : {false, true}) {
      World alone = crowded_box(law, 2, widest_simd(), true, rolls, narrow, true);
      World beside = crowded_box(law, 2, widest_simd(), true, rolls, narrow, true);
      const int grains = alone.size();
      beside.insert(std::vector<GrainData>{{.position = {0, 0, 5}, .radius = 0.01, .mass = 1}});
      for (int k = 0; k < steps; ++k)
        for (World* const w : {&alone, &beside}) scheme_named("velocity_verlet_predicted").advance(*w, h);
      CHECK(alone.contact_count().begun > grains / 3);
      int differ = 0;
      for (int id = 0; id < grains; ++id) differ += motion(alone, id) != motion(beside, id);
      CHECK(differ == 0);
    }
}

TEST_CASE("the same bits with rolling resistance") {
  const char* scheme = "velocity_verlet_predicted";
  const Result one = run("linear", scheme, 1, widest_simd(), false, false, true);
  CHECK(one.ledger[Channel::rolling] > 0);
  CHECK(run("linear", scheme, 1, widest_simd(), false, false).hash != one.hash);
  for (const int threads : {2, 3, 7}) {
    const Result many = run("linear", scheme, threads, widest_simd(), false, false, true);
    CHECK(many.hash == one.hash);
    CHECK(many.ledger == one.ledger);
  }
  for (const Simd simd : {Simd::baseline, Simd::avx2}) {
    if (simd >= widest_simd()) continue;
    const Result other = run("linear", scheme, 1, simd, false, false, true);
    CHECK(other.hash == one.hash);
    CHECK(other.ledger == one.ledger);
  }
  CHECK(run("linear", scheme, 1, widest_simd(), true, false, true).hash == one.hash);
  CHECK(run("linear", "adams_bashforth3", 3, widest_simd(), true, true, true).hash ==
        run("linear", "adams_bashforth3", 1, widest_simd(), false, true, true).hash);
}

TEST_CASE("large and small groups of slots: the same bits, also from a restart with others") {
  const auto course = [](World w) {
    advance(w, "velocity_verlet", h, 20);
    return w;
  };
  const auto box = [](int threads) { return crowded_box("linear", threads, widest_simd(), true, false, 1); };
  World half = course(box(1));
  REQUIRE(half.list().group == 512);
  MemoryArchive archive;
  half.for_each_saved(archive);
  archive.loads = true;
  WorldSettings settings = half.settings();
  settings.threads = 3;
  World resumed(settings);
  resumed.for_each_saved(archive);
  resumed.restored();
  CHECK(resumed.list().group == 512);  // slots stand as they stood
  World small = course(course(box(3)));
  CHECK(small.list().group == 128);
  CHECK(small.rebuilds() + small.refreshes() > 1);
  const World whole = course(std::move(half));
  CHECK(small.hash() == whole.hash());
  CHECK(small.state().ledger == whole.state().ledger);
  CHECK(course(std::move(resumed)).hash() == whole.hash());
}

TEST_CASE("the error of a step is that of the worst number, wherever it stands and on any threads") {
  for (const int threads : {1, 3}) {
    World w = crowded_box("linear", threads, widest_simd(), false, false, 0.5);
    REQUIRE(w.size() > serial_below);
    const auto [smallest, largest] = std::minmax_element(w.grains().radius.begin(), w.grains().radius.end());
    const Real tolerance = 1e-3, unit = tolerance * *smallest;
    const auto error_of = [&](auto State::*part, int row, std::initializer_list<std::pair<int, Real>> moved) {
      State other = w.state();
      for (const auto& [at, by] : moved)
        (other.*part).set(row, at, (other.*part).at(row, at) + Vector{0.6 * by, 0, -0.8 * by});
      return w.error(w.state(), other, tolerance);
    };
    const int last = w.size() - 1, last_slot = w.state().bond.size() - 1;
    for (const int i : {0, 1023, 1024, w.size() / 2, last}) {
      INFO("grain ", i, ", threads ", threads);
      CHECK(error_of(&State::body, BodyRow::x,
                     {{i, 3 * unit}, {(i + last) % (last + 1), unit}, {(i + 999) % last, 2 * unit}}) ==
            doctest::Approx(3).epsilon(1e-6));
      CHECK(error_of(&State::bond, BondRow::xi, {{i, unit}, {last_slot - i, 2 * unit}}) ==
            doctest::Approx(2).epsilon(1e-6));
      CHECK(std::isnan(error_of(&State::body, BodyRow::v, {{i, std::nan("")}, {last - i / 2, 1.0}})));
    }
    CHECK(error_of(&State::body, BodyRow::x, {}) == 0);
  }
}
