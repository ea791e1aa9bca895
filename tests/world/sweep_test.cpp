// The order of a force pass: every row a grain needs is where it will be read, and still there.
#include "cairn/world/sweep.hpp"

#include <doctest/doctest.h>

#include <set>

#include "cairn/core/hash.hpp"
#include "determinism/scene.hpp"

using namespace cairn;

namespace {

// Plays a pass: writes each slot's number into its row as the sweep says, and reads it back as the sweep says. With
// several threads each writes all it has before another reads. Returns how many rows there are.
int check_rows(const NeighbourList& list, int grains, int threads) {
  Sweep sweep;
  sweep.arrange(list, grains, threads);
  const int pairs = static_cast<int>(list.pairs.size());
  REQUIRE(sweep.first_slot(sweep.blocks()) == pairs);
  std::vector<int> row(sweep.rows(), -1);
  for (int k = 0; k < static_cast<int>(list.walls.size()); ++k) row[sweep.wall_row(k)] = pairs + k;
  std::vector<int> keeper(sweep.rows(), -1);  // the thread that writes a kept row
  int wrong = 0, read = 0;
  const auto forces_of = [&](int b) {
    for (int i = b * Sweep::block; i < std::min(grains, (b + 1) * Sweep::block); ++i)
      for (int e = list.first[i]; e < list.first[i + 1]; ++e, ++read) {
        const int source = sweep.source(i, e - list.first[i]);
        wrong += row[source >> 1] != list.contacts[e] >> 1;
        wrong += (source & 1) != (list.contacts[e] & 1);
      }
  };
  std::set<int> shared;
  for (const bool late : {false, true})
    for (int t = 0; t < sweep.threads(); ++t)
      for (int b = sweep.share(t); b < sweep.share(t + 1); ++b) {
        if (!late) {
          const int first = sweep.first_slot(b);
          for (int slot = first; slot < sweep.first_slot(b + 1); ++slot) row[sweep.first_row(b) + slot - first] = slot;
          for (const auto& [from, to] : sweep.to_keep(b)) {
            row[to] = row[from];
            wrong += keeper[to] >= 0 && keeper[to] != t;
            keeper[to] = t;
          }
        }
        if (sweep.waits(b)) shared.insert(b);
        if (late == sweep.waits(b)) forces_of(b);
      }
  CHECK(wrong == 0);
  CHECK(read == static_cast<int>(list.contacts.size()));
  CHECK(sweep.threads() == threads);
  CHECK(shared.empty() == (threads == 1));
  return sweep.rows();
}

}  // namespace

TEST_CASE("sweep: rows are read where they were written, on any number of threads") {
  const World w = crowded_box("linear", 1, widest_simd(), true);
  for (const int threads : {1, 2, 3, 7}) check_rows(w.list(), w.size(), threads);
}

TEST_CASE(
    "sweep: rows that the ring has overwritten by the time they are read are kept beside it, so long and no longer") {
  // A made-up list: each grain touches the next, and one far up, much farther than the ring is long.
  constexpr int grains = 40000, far = 9000;
  NeighbourList list;
  for (int i = 0; i < grains; ++i) {
    if (i + 1 < grains) list.pairs.push_back({i, i + 1});
    if (i + far < grains) list.pairs.push_back({i, i + far});
    if (i % 10 == 0) list.walls.push_back({i, 0});
  }
  std::vector<std::vector<int>> of(grains);
  for (int slot = 0; slot < static_cast<int>(list.pairs.size()); ++slot) {
    of[list.pairs[slot].first].push_back(2 * slot), of[list.pairs[slot].second].push_back(2 * slot + 1);
  }
  for (int k = 0; k < static_cast<int>(list.walls.size()); ++k)
    of[list.walls[k].grain].push_back(2 * (static_cast<int>(list.pairs.size()) + k));
  list.first.push_back(0);
  for (const auto& contacts : of) {
    list.contacts.insert(list.contacts.end(), contacts.begin(), contacts.end());
    list.first.push_back(static_cast<int>(list.contacts.size()));
  }
  const int ring = 4096, walls = static_cast<int>(list.walls.size());
  CHECK(check_rows(list, grains, 1) - walls < ring + far + 2 * Sweep::block);
  for (const int threads : {2, 5}) check_rows(list, grains, threads);
}
