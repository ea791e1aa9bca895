// The order of a force pass: every row a grain needs is where it will be read, and still there.
#include "cairn/world/sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/hash.hpp"
#include "determinism/scene.hpp"

using namespace cairn;

namespace {

// Plays a pass: writes each active slot's number into its row as the sweep says, and reads it back as the sweep says.
// With several threads each stretch writes all it has before another reads. One slot in `idle` is inactive, the last of
// each block; of each block that has some, one of them and the first active one change places before. In the end the
// rows of copies are still there. Returns how many rows there are.
int check_rows(NeighbourList list, const Particles& of, int threads, int idle = 1 << 30) {
  Sweep sweep;
  sweep.arrange(list, of, threads, row_length);
  const int grains = of.size();
  const int pairs = static_cast<int>(list.pairs.size());
  REQUIRE(sweep.first_slot(sweep.blocks()) == pairs);
  for (int b = 0; b < sweep.blocks(); ++b) {
    const int count = sweep.first_slot(b + 1) - sweep.first_slot(b);
    CHECK(sweep.end_of_active(b) == sweep.first_slot(b));
    sweep.add_active(b, count / 2);
  }
  sweep.find_sources(list, 0, grains);
  std::vector<Sweep::Change> changes;
  const auto change_of = [&](int slot) {
    for (const int side : {0, 1}) changes.push_back(sweep.change_of(list, slot, side));
  };
  const auto make_changes = [&](int b) {
    std::shuffle(changes.begin(), changes.end(), std::minstd_rand(b));
    for (const Sweep::Change& of : changes) sweep.make(of, list);
    changes.clear();
  };
  const auto change = [&](int b, int count) {
    const int before = sweep.end_of_active(b), after = sweep.first_slot(b) + count;
    for (int slot = std::min(before, after); slot < std::max(before, after); ++slot) change_of(slot);
    sweep.add_active(b, after - before);
    make_changes(b);
  };
  const auto exchange = [&](int b) {
    const int first = sweep.first_slot(b), last = sweep.first_slot(b + 1) - 1, end = sweep.end_of_active(b);
    if (end == first || end > last) return;
    change_of(first), change_of(last);
    list.exchange(first, last), sweep.exchange(first, last);
    CHECK((sweep.row_starts()[first] >= 0 && sweep.row_starts()[last] < 0));
    make_changes(b);
  };
  for (int b = 0; b < sweep.blocks(); ++b) {
    const int count = sweep.first_slot(b + 1) - sweep.first_slot(b);
    change(b, count), change(b, count - count / idle), exchange(b);
  }
  std::vector<int> row(sweep.rows(), -1);
  for (int k = 0; k < static_cast<int>(list.walls.size()); ++k) row[sweep.wall_row(k)] = pairs + k;
  int wrong = 0, read = 0, all = 0;
  const auto active = [&](int slot) {
    return slot >= pairs || slot < sweep.end_of_active(sweep.block_of(list.pairs[slot].first));
  };
  const auto forces_of = [&](int b) {
    for (int i = sweep.first_grain(b); i < std::min(grains, sweep.first_grain(b + 1)); ++i) {
      const int group = i / Sweep::abreast;
      const int* source = sweep.sources() + Sweep::abreast * sweep.first_column()[group] + i % Sweep::abreast;
      const int* const end = source + Sweep::abreast * sweep.columns()[group];
      for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
        if (!active(list.contacts[e] >> 1)) continue;
        wrong += source >= end || row[*source / row_length] != list.contacts[e] >> 1;
        wrong += source >= end || (*source % row_length) != (list.contacts[e] & 1);
        source += Sweep::abreast, ++read;
      }
      for (; source < end; source += Sweep::abreast) wrong += *source != sweep.start_of_zeros();
    }
  };
  std::set<int> shared;
  int next = 0;
  for (const Sweep::Part& part : sweep.parts()) {
    std::set<int> shared_here;
    std::vector<int> keeper(sweep.rows(), -1);  // the stretch that writes a row
    for (const bool late : {false, true})
      for (int t = 0; t < sweep.threads(); ++t)
        for (int s = part.first_of[t]; s < part.first_of[t + 1]; ++s)
          for (int b = part.stretches[s]; b < part.stretches[s + 1]; ++b) {
            if (!late) {
              wrong += b != next++ || sweep.thread_of(b) != t;
              for (int slot = sweep.first_slot(b); slot < sweep.end_of_active(b); ++slot, all += 2) {
                const int to = sweep.row_starts()[slot] / row_length;
                row[to] = slot;
                wrong += keeper[to] >= 0 && keeper[to] != s;
                keeper[to] = s;
              }
            }
            if (sweep.waits(b)) shared_here.insert(b);
            if (late == sweep.waits(b)) forces_of(b);
          }
    CHECK(std::vector(shared_here.begin(), shared_here.end()) == part.waiting);
    shared.merge(shared_here);
  }
  CHECK(next == sweep.blocks());
  const int end_of_first = sweep.first_grain(sweep.parts().front().stretches.back());
  CHECK(sweep.parts().size() == (of.copied > 0 ? 2 : 1));
  if (of.copied > 0) CHECK((of.copied_end() <= end_of_first && end_of_first < of.copied_end() + list.group));
  for (int slot = 0; slot < pairs; ++slot) {
    const Pair& p = list.pairs[slot];
    if (active(slot) && !(of.own(p.first) && of.own(p.second)))
      wrong += row[sweep.row_starts()[slot] / row_length] != slot;
  }
  CHECK(wrong == 0);
  CHECK(read == all + static_cast<int>(list.walls.size()));
  CHECK(sweep.threads() == threads);
  CHECK(shared.empty() == (threads == 1));
  return sweep.rows();
}

// Finds the contacts of each grain.
void index(NeighbourList& list, int grains) {
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
}

}  // namespace

TEST_CASE("sweep: rows are read where they were written, on any number of threads") {
  const World w = crowded_box("linear", 1, widest_simd(), true);
  for (const int threads : {1, 2, 3, 7})
    for (const int idle : {1 << 30, 3}) check_rows(w.list(), w.grains(), threads, idle);
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
  index(list, grains);
  const int ring = 4096, walls = static_cast<int>(list.walls.size());
  Particles all;
  all.id.resize(grains);
  for (const int group : {NeighbourList::smallest_group, NeighbourList::largest_group}) {
    list.group = group;
    all.copies_below = all.copies_above = all.copied = 0;
    CHECK(check_rows(list, all, 1) - walls < ring + far + 2 * group);
    for (const int threads : {2, 5}) check_rows(list, all, threads);
    all.copies_below = 3 * group, all.copies_above = 1000;
    for (const int copied : {0, 3000, 30000}) {
      all.copied = copied;
      for (const int threads : {1, 2, 5}) check_rows(list, all, threads);
    }
  }
}

TEST_CASE("sweep: what any thread may compute has rows of its own, even where no block touches another") {
  constexpr int grains = 40000;
  NeighbourList list;
  list.group = NeighbourList::smallest_group;
  for (int i = 0; i + 1 < grains; ++i)
    if ((i + 1) % list.group != 0) list.pairs.push_back({i, i + 1});
  index(list, grains);
  Particles all;
  all.id.resize(grains);
  for (const int threads : {2, 5}) check_rows(list, all, threads);
}
