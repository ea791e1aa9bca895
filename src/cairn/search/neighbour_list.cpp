#include "cairn/search/neighbour_list.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/search/neighbours.hpp"

namespace cairn {
namespace {

constexpr int block = 1024;            // grains
constexpr int choice_block = 8 * 512;  // candidates
constexpr std::uint32_t swapped = std::uint32_t{1} << 31;

int partner(std::uint32_t candidate) {
  return static_cast<int>(candidate & ~swapped);
}

// Baseline x86-64 has no instruction for it.
constexpr auto ones = [] {
  std::array<std::uint8_t, 256> count{};
  for (unsigned a = 0; a < 256; ++a) count[a] = static_cast<std::uint8_t>(std::popcount(a));
  return count;
}();

int blocks_of(std::ptrdiff_t count, int size) {
  return static_cast<int>((count + size - 1) / size);
}

// Entries become the sum of those before them; returns the sum of all.
int accumulate_before(std::vector<int>& counts) {
  int sum = 0;
  for (int& count : counts) sum += std::exchange(count, sum);
  return sum;
}

}  // namespace

void NeighbourList::build(NeighbourSearch& search, const State& y, const Particles& grains, const PeriodicCell& cell,
                          std::span<const Surface> surfaces, Real wanted_skin, Real wanted_reach, int threads,
                          std::span<const int> old_place, const Lives& lives, std::vector<int>& carried) {
  const int n = y.body.size();
  skin = wanted_skin, reach = wanted_reach;
  std::vector<Pair> found;
  search.pairs(spheres_of(y, grains), cell, skin, threads, found);
  candidate_first_.assign(n + 1, 0);
  candidates_.resize(found.size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    const auto [low, high] = std::minmax(found[c].first, found[c].second);
    ++candidate_first_[low + 1];
    candidates_[c] = static_cast<std::uint32_t>(high) | (found[c].first == high ? swapped : 0);
  }
  for (int i = 0; i < n; ++i) candidate_first_[i + 1] += candidate_first_[i];

  std::vector<int> now_at(n > 0 ? *std::max_element(old_place.begin(), old_place.end()) + 1 : 0, -1);
  for (int i = 0; i < n; ++i)
    if (old_place[i] >= 0) now_at[old_place[i]] = i;
  std::vector<int> old_slot(candidates_.size(), -1);
  for_blocks(threads, static_cast<std::ptrdiff_t>(pairs.size()), block, [&](auto begin, auto end, auto) {
    const auto now = [&](int old) { return old < static_cast<int>(now_at.size()) ? now_at[old] : -1; };
    for (auto slot = begin; slot < end; ++slot) {
      const int i = now(pairs[slot].first), j = now(pairs[slot].second);
      if (i < 0 || j < 0) continue;
      if (const int c = candidate_of(std::min(i, j), std::max(i, j)); c >= 0) old_slot[c] = static_cast<int>(slot);
    }
  });
  const std::vector<WallPair> old_walls = std::move(walls);
  const int old_pairs = static_cast<int>(pairs.size());
  find_walls(y, grains, surfaces, threads);
  find_meetings(grains, threads);
  choices_.assign(blocks_of(static_cast<std::ptrdiff_t>(candidates_.size()), 8), {});
  choose(y, grains, cell, threads, old_slot.data(), lives, carried);

  const int pair_count = static_cast<int>(pairs.size());
  const auto before = [](const WallPair& a, const WallPair& b) {
    return a.grain != b.grain ? a.grain < b.grain : a.surface < b.surface;
  };
  for (std::size_t k = 0; k < walls.size(); ++k) {
    const WallPair then{old_place[walls[k].grain], walls[k].surface};
    const auto at = std::lower_bound(old_walls.begin(), old_walls.end(), then, before);
    const bool there = then.grain >= 0 && at != old_walls.end() && !before(then, *at);
    carried[pair_count + k] = there ? old_pairs + static_cast<int>(at - old_walls.begin()) : -1;
  }
  built_time_ = y.time;
  moved_ = 0, shift_ = {};
}

void NeighbourList::refresh(const State& y, const Particles& grains, const PeriodicCell& cell, Real wanted_reach,
                            Real travel, int threads, const Lives& lives, std::vector<int>& carried) {
  moved_ += travel, shift_ = shift(y.time);
  reach = wanted_reach;
  const int old_pairs = static_cast<int>(pairs.size());
  choose(y, grains, cell, threads, nullptr, lives, carried);
  const int pair_count = static_cast<int>(pairs.size());
  for (int k = 0; k < static_cast<int>(walls.size()); ++k) carried[pair_count + k] = old_pairs + k;
}

void NeighbourList::find_walls(const State& y, const Particles& grains, std::span<const Surface> surfaces,
                               int threads) {
  const int n = y.body.size(), blocks = blocks_of(n, block);
  std::vector<Pose<Real>> poses;
  for (const Surface& s : surfaces) poses.push_back(pose_at(s, y.time));
  if (static_cast<int>(block_walls_.size()) < blocks) block_walls_.resize(blocks);
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    block_walls_[b].clear();
    for (int i = static_cast<int>(begin); i < end; ++i)
      for (int s = 0; s < static_cast<int>(surfaces.size()); ++s)
        if (nearest(surfaces[s], poses[s], y.body.at(row_x, i), Vector{}).distance < grains.radius[i] + skin)
          block_walls_[b].push_back({i, s});
  });
  walls.clear();
  for (int b = 0; b < blocks; ++b) walls.insert(walls.end(), block_walls_[b].begin(), block_walls_[b].end());
}

void NeighbourList::find_meetings(const Particles& grains, int threads) {
  const int n = grains.size();
  meeting_first_.assign(n + 1, 0);
  for (int i = 0; i < n; ++i) {
    meeting_first_[i + 1] += candidate_first_[i + 1] - candidate_first_[i];
    for (int c = candidate_first_[i]; c < candidate_first_[i + 1]; ++c) ++meeting_first_[partner(candidates_[c]) + 1];
  }
  for (int i = 0; i < n; ++i) meeting_first_[i + 1] += meeting_first_[i];
  meetings_.resize(meeting_first_[n]);
  std::vector<int> next(meeting_first_.begin(), meeting_first_.end() - 1);
  for (int i = 0; i < n; ++i)
    for (int c = candidate_first_[i]; c < candidate_first_[i + 1]; ++c) {
      const int first_is_high = candidates_[c] >= swapped;
      meetings_[next[i]++] = 2 * c + first_is_high;
      meetings_[next[partner(candidates_[c])]++] = 2 * c + 1 - first_is_high;
    }
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    struct Meeting {
      std::int64_t id;
      int entry;
    };
    std::vector<Meeting> all;
    for (int i = static_cast<int>(begin); i < end; ++i) {
      all.clear();
      for (int m = meeting_first_[i]; m < meeting_first_[i + 1]; ++m) {
        const int c = meetings_[m] >> 1;
        const int high = partner(candidates_[c]);
        const int other = high != i
                              ? high
                              : static_cast<int>(std::upper_bound(candidate_first_.begin(), candidate_first_.end(), c) -
                                                 candidate_first_.begin()) -
                                    1;
        all.push_back({grains.id[other], meetings_[m]});
      }
      std::sort(all.begin(), all.end(), [](const Meeting& a, const Meeting& b) { return a.id < b.id; });
      for (std::size_t k = 0; k < all.size(); ++k) meetings_[meeting_first_[i] + k] = all[k].entry;
    }
  });
}

int NeighbourList::slot_of(int candidate) const {
  const Choice& of = choices_[candidate >> 3];
  return of.slot + ones[of.chosen & ((1u << (candidate & 7)) - 1)];
}

int NeighbourList::candidate_of(int low, int high) const {
  for (int c = candidate_first_[low]; c < candidate_first_[low + 1]; ++c)
    if (partner(candidates_[c]) == high) return c;
  return -1;
}

void NeighbourList::choose(const State& y, const Particles& grains, const PeriodicCell& cell, int threads,
                           const int* old_slot, const Lives& lives, std::vector<int>& carried) {
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(candidates_.size());
  const int blocks = blocks_of(count, choice_block);
  block_counts_.assign(blocks, 0);
  const Real *x = y.body.row(row_x), *yy = y.body.row(row_x + 1), *z = y.body.row(row_x + 2);
  const Real* radius = grains.radius.data();
  const auto grain_of = [&](std::ptrdiff_t candidate) {
    return static_cast<int>(std::upper_bound(candidate_first_.begin(), candidate_first_.end(), candidate) -
                            candidate_first_.begin()) -
           1;
  };
  const auto look = [&](auto image) {
    for_blocks(threads, count, choice_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
      std::array<std::uint8_t, choice_block> near{};
      for (int i = grain_of(begin), c = static_cast<int>(begin); c < end; ++i) {
        const Vector me{x[i], yy[i], z[i]};
        const Real mine = radius[i] + reach;
        for (const int last = std::min(candidate_first_[i + 1], static_cast<int>(end)); c < last; ++c) {
          const int j = partner(candidates_[c]);
          const Vector d = image(Vector{x[j] - me.x, yy[j] - me.y, z[j] - me.z});
          const Real cutoff = mine + radius[j];
          near[c - begin] = dot(d, d) < cutoff * cutoff;
        }
      }
      for (std::ptrdiff_t at = begin; at < end; at += 8) {
        Choice& choice = choices_[at >> 3];
        choice.was = choice.chosen;
        unsigned chosen = 0;
        for (int k = 0; k < 8; ++k) chosen |= static_cast<unsigned>(near[at - begin + k]) << k;
        if (old_slot) {
          for (int k = 0; k < 8 && at + k < end; ++k)
            if (!(chosen >> k & 1) && old_slot[at + k] >= 0 && lives(old_slot[at + k])) chosen |= 1u << k;
        } else {
          for (unsigned gone = choice.was & ~chosen; gone != 0; gone &= gone - 1)
            if (lives(slot_of(static_cast<int>(at) + std::countr_zero(gone)))) chosen |= gone & -gone;
        }
        choice.chosen = static_cast<std::uint8_t>(chosen);
        block_counts_[b] += ones[chosen];
      }
    });
  };
  if (cell.any())
    look([&](const Vector& d) { return d - cell.image(d); });
  else
    look([](const Vector& d) { return d; });

  const int chosen = accumulate_before(block_counts_);
  pairs.resize(chosen);
  carried.resize(chosen + walls.size());
  for_blocks(threads, count, choice_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    int slot = block_counts_[b], old = choices_[begin >> 3].slot;
    for (int i = grain_of(begin), c = static_cast<int>(begin); c < end; ++i)
      for (const int last = std::min(candidate_first_[i + 1], static_cast<int>(end)); c < last; ++c) {
        Choice& choice = choices_[c >> 3];
        const bool was = choice.was >> (c & 7) & 1;
        if ((c & 7) == 0) choice.slot = slot;
        if (choice.chosen >> (c & 7) & 1) {
          const int j = partner(candidates_[c]);
          pairs[slot] = candidates_[c] >= swapped ? Pair{j, i} : Pair{i, j};
          carried[slot++] = old_slot ? old_slot[c] : was ? old : -1;
        }
        old += was;
      }
  });
  index(threads);

  const int n = y.body.size();
  reference.resize(n);
  for (int k = 0; k < 3; ++k) std::copy_n(y.body.row(row_x + k), n, reference.row(k));
  reference_time = y.time;
}

void NeighbourList::index(int threads) {
  const int n = static_cast<int>(meeting_first_.size()) - 1, pair_count = static_cast<int>(pairs.size());
  block_counts_.assign(blocks_of(n, block), 0);
  const auto wall_of = [&](std::ptrdiff_t grain) {
    return static_cast<int>(
        std::partition_point(walls.begin(), walls.end(), [&](const WallPair& w) { return w.grain < grain; }) -
        walls.begin());
  };
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    int count = wall_of(end) - wall_of(begin);
    for (int m = meeting_first_[begin]; m < meeting_first_[end]; ++m)
      count += choices_[meetings_[m] >> 4].chosen >> (meetings_[m] >> 1 & 7) & 1;
    block_counts_[b] = count;
  });
  const int count = accumulate_before(block_counts_);
  first.resize(n + 1);
  contacts.resize(count);
  first[n] = count;
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    int at = block_counts_[b], wall = wall_of(begin);
    for (auto i = begin; i < end; ++i) {
      first[i] = at;
      for (int m = meeting_first_[i]; m < meeting_first_[i + 1]; ++m) {
        const int c = meetings_[m] >> 1;
        if (choices_[c >> 3].chosen >> (c & 7) & 1) contacts[at++] = 2 * slot_of(c) + (meetings_[m] & 1);
      }
      for (; wall < static_cast<int>(walls.size()) && walls[wall].grain == i; ++wall)
        contacts[at++] = 2 * (pair_count + wall);
    }
  });
}

void NeighbourList::restored(const Particles& grains, int threads) {
  if (candidate_first_.empty()) return;
  find_meetings(grains, threads);
  choices_.assign(blocks_of(static_cast<std::ptrdiff_t>(candidates_.size()), 8), {});
  for (const auto& [i, j] : pairs) {
    const int c = candidate_of(std::min(i, j), std::max(i, j));
    choices_[c >> 3].chosen |= static_cast<std::uint8_t>(1u << (c & 7));
  }
  int slot = 0;
  for (Choice& choice : choices_) choice.slot = slot, slot += ones[choice.chosen];
  index(threads);
}

Real NeighbourList::travel(const State& y, const PeriodicCell& cell, int threads) {
  const int n = y.body.size();
  if (n != reference.size()) return skin;
  const Vector shared = (y.time - reference_time) * common;
  farthest_.assign(blocks_of(n, block), 0);
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    Real far = 0;
    for (auto i = begin; i < end; ++i) {
      Vector d = y.body.at(row_x, static_cast<int>(i)) - reference.at(0, static_cast<int>(i)) - shared;
      d -= cell.image(d);
      far = std::max(far, dot(d, d));
    }
    farthest_[b] = far;
  });
  Real far = 0;
  for (Real a : farthest_) far = std::max(far, a);
  return std::sqrt(far);
}

}  // namespace cairn
