#include "cairn/search/neighbour_list.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "cairn/core/parallel.hpp"
#include "cairn/search/neighbours.hpp"

namespace cairn {
namespace {

constexpr int usual_block = 512;  // grains
constexpr int most_ranges = 64;   // of grains, into which reverse look-ups are sorted

// Entries by ascending id.
void sort_by_id(const std::int64_t* ids, const int* entries, int count, int* out) {
  constexpr int few = 32;
  if (count <= few) {  // without branches: places come at random
    std::array<int, few> place{};
    for (int a = 1; a < count; ++a)
      for (int b = 0; b < a; ++b) {
        const int after = ids[a] > ids[b];
        place[a] += after, place[b] += 1 - after;
      }
    for (int a = 0; a < count; ++a) out[place[a]] = entries[a];
    return;
  }
  std::vector<std::pair<std::int64_t, int>> all(count);
  for (int a = 0; a < count; ++a) all[a] = {ids[a], entries[a]};
  std::sort(all.begin(), all.end());
  for (int a = 0; a < count; ++a) out[a] = all[a].second;
}

// For new content: exact within an eighth, where growing would double.
template <class T>
void size_anew(std::vector<T>& a, std::ptrdiff_t size) {
  const auto count = static_cast<std::size_t>(size);
  if (count > a.capacity()) a = std::vector<T>(), a.reserve(count + count / 8);
  a.resize(count);
}

int blocks_of(std::ptrdiff_t count, int size) {
  return static_cast<int>((count + size - 1) / size);
}

// Entries become the sum of those before them; returns the sum of all.
std::int64_t accumulate_before(std::vector<int>& counts) {
  std::int64_t sum = 0;
  for (int& count : counts) sum += std::exchange(count, static_cast<int>(sum));
  return sum;
}

}  // namespace

void NeighbourList::build(const FindCandidates& find, const State& y, const Particles& grains, const PeriodicCell& cell,
                          std::span<const Surface> surfaces, Real wanted_skin, Real wanted_reach, int threads,
                          std::span<const int> old_place, const Lives& lives, std::vector<int>& carried) {
  const int n = y.body.size();
  require_at_most(most_listed_grains, n, "grains");
  skin = wanted_skin, reach = wanted_reach;
  find(candidate_first_, candidates_);

  std::vector<int> now_at(first.empty() ? 0 : first.size() - 1, -1);
  for_blocks(threads, n, usual_block, [&](auto begin, auto end, auto) {
    for (auto i = begin; i < end; ++i)
      if (old_place[i] >= 0) now_at[old_place[i]] = static_cast<int>(i);
  });
  const std::vector<WallPair> old_walls = std::move(walls);
  const int old_pairs = static_cast<int>(pairs.size());
  find_walls(y, grains, cell, surfaces, threads);
  const auto before = [](const WallPair& a, const WallPair& b) {
    return a.grain != b.grain ? a.grain < b.grain : a.surface < b.surface;
  };
  const auto found = static_cast<std::ptrdiff_t>(walls.size());
  for (std::size_t k = 0; k < old_walls.size(); ++k) {  // as choose() does with pairs
    const WallPair now{now_at[old_walls[k].grain], old_walls[k].surface};
    if (now.grain < 0 || !grains.own(now.grain)) continue;
    if (std::binary_search(walls.begin(), walls.begin() + found, now, before)) continue;
    if (!surfaces[now.surface].absent && lives(old_pairs + static_cast<int>(k))) walls.push_back(now);
  }
  if (static_cast<std::ptrdiff_t>(walls.size()) > found) std::sort(walls.begin(), walls.end(), before);
  choose(
      y, grains, cell, threads, [&](int i) { return now_at[i]; }, lives, carried);
  now_at = std::vector<int>();
  index(grains, threads);

  const int pair_count = static_cast<int>(pairs.size());
  for (std::size_t k = 0; k < walls.size(); ++k) {
    const WallPair then{old_place[walls[k].grain], walls[k].surface};
    const auto at = std::lower_bound(old_walls.begin(), old_walls.end(), then, before);
    const bool there = then.grain >= 0 && at != old_walls.end() && !before(then, *at);
    carried[pair_count + k] = there ? 2 * (old_pairs + static_cast<int>(at - old_walls.begin())) : -1;
  }
  built_time_ = y.time;
  moved_ = 0, shift_ = {};
}

void NeighbourList::refresh(const State& y, const Particles& grains, const PeriodicCell& cell, Real wanted_reach,
                            Real travel, int threads, const Lives& lives, std::vector<int>& carried, int new_walls) {
  moved_ += travel, shift_ = shift(y.time);
  reach = wanted_reach;
  const int old_pairs = static_cast<int>(pairs.size());
  choose(
      y, grains, cell, threads, [](int i) { return i; }, lives, carried);
  index(grains, threads);
  const int pair_count = static_cast<int>(pairs.size());
  const int wall_count = static_cast<int>(walls.size());
  for (int k = 0; k < wall_count; ++k) carried[pair_count + k] = k < wall_count - new_walls ? 2 * (old_pairs + k) : -1;
}

// Bodies that are not found would have to come closer by a skin, as if all had been there when the list was built.
NeighbourList::Newcomers NeighbourList::find_newcomers(int first_new, const State& y, const Particles& grains,
                                                       const PeriodicCell& cell, std::span<const Surface> surfaces,
                                                       std::span<const Pose<Real>> built_poses) const {
  Newcomers found;
  // Grains may turn back: from where its slots were chosen, not from here, the list bounds how far each comes.
  const Vector since = (y.time - reference_time) * common;
  const auto listed_at = [&](int i) { return i < first_new ? reference.at(0, i) + since : y.body.at(BodyRow::x, i); };
  for (int j = first_new; j < y.body.size(); ++j) {
    const Vector x = y.body.at(BodyRow::x, j);
    for (int i = 0; i < j; ++i) {
      const Vector straight = listed_at(i) - x, d = straight - cell.image(straight);
      const Real touch = grains.radius[i] + grains.radius[j], cutoff = touch + skin, near = touch + reach;
      if (!(dot(d, d) < cutoff * cutoff)) continue;
      found.pairs.push_back({i, j});
      found.need_slots = found.need_slots || dot(d, d) < near * near;
    }
    for (int s = 0; s < static_cast<int>(surfaces.size()); ++s)
      if (!surfaces[s].absent &&
          wall_distance(surfaces[s], built_poses[s], cell, x - shift(y.time)) < grains.radius[j] + skin)
        found.walls.push_back({j, s});
  }
  found.need_slots = found.need_slots || !found.walls.empty();
  return found;
}

void NeighbourList::add(const Newcomers& newcomers, const State& y) {
  const int n = y.body.size(), first_new = static_cast<int>(candidate_first_.size()) - 1;
  candidate_first_.resize(n + 1, static_cast<int>(candidates_.size()));
  add_candidates(newcomers.pairs);
  walls.insert(walls.end(), newcomers.walls.begin(), newcomers.walls.end());
  if (newcomers.need_slots) return;
  first.resize(n + 1, static_cast<int>(contacts.size()));
  reference.resize(n);
  for (int j = first_new; j < n; ++j)
    reference.set(0, j, y.body.at(BodyRow::x, j) - (y.time - reference_time) * common);
}

void NeighbourList::find_walls(const State& y, const Particles& grains, const PeriodicCell& cell,
                               std::span<const Surface> surfaces, int threads) {
  walls.clear();
  if (surfaces.empty()) return;
  const int n = y.body.size(), blocks = blocks_of(n, usual_block), count = static_cast<int>(surfaces.size());
  std::vector<Pose<Real>> poses;
  for (const Surface& s : surfaces) {
    poses.push_back(pose_at(s, y.time));
    if (s.loaded >= 0) poses.back() = moved(poses.back(), y.walls.at(WallRow::x, s.loaded), Vector{});
  }
  std::vector<std::vector<WallPair>> found(blocks);
  for_blocks(threads, n, usual_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    for (int i = static_cast<int>(begin); i < end; ++i) {
      if (!grains.own(i)) continue;
      const Vector x = y.body.at(BodyRow::x, i);
      for (int s = 0; s < count; ++s) {
        if (surfaces[s].absent) continue;
        if (wall_distance(surfaces[s], poses[s], cell, x) < grains.radius[i] + skin) found[b].push_back({i, s});
      }
    }
  });
  for (const auto& of_block : found) walls.insert(walls.end(), of_block.begin(), of_block.end());
}

int NeighbourList::candidate_of(int low, int high) const {
  for (int c = candidate_first_[low]; c < candidate_first_[low + 1]; ++c)
    if (candidates_[c] == high) return c;
  return -1;
}

void NeighbourList::add_candidates(std::vector<Pair> more) {
  std::sort(more.begin(), more.end(),
            [](const Pair& a, const Pair& b) { return a.first != b.first ? a.first < b.first : a.second < b.second; });
  require_at_most(most_candidates, std::ssize(candidates_) + std::ssize(more), "pairs of grains near each other");
  const std::vector<int> before = std::move(candidates_);
  candidates_.clear();
  candidates_.reserve(before.size() + more.size());
  auto from = before.begin();
  for (const Pair& p : more) {
    const auto to = std::lower_bound(before.begin() + candidate_first_[p.first],
                                     before.begin() + candidate_first_[p.first + 1], p.second);
    candidates_.insert(candidates_.end(), std::exchange(from, to), to);
    candidates_.push_back(p.second);
  }
  candidates_.insert(candidates_.end(), from, before.end());
  std::size_t added = 0;
  for (std::size_t i = 0; i < candidate_first_.size(); ++i) {
    for (; added < more.size() && more[added].first < static_cast<int>(i); ++added) {
    }
    candidate_first_[i] += static_cast<int>(added);
  }
}

template <class NowAt>
void NeighbourList::choose(const State& y, const Particles& grains, const PeriodicCell& cell, int threads,
                           NowAt&& now_at, const Lives& lives, std::vector<int>& carried) {
  const int n = y.body.size();
  group = usual_group(n, threads);
  while (grains.own_begin() % group != 0) group /= 2;  // a group is of own grains or of copies
  std::vector<int> old_slot;                           // as `carried`
  const auto find_old_slots = [&] {
    std::vector<std::vector<Pair>> apart(blocks_of(static_cast<std::ptrdiff_t>(pairs.size()), usual_block));
    old_slot.assign(candidates_.size(), -1);
    for_blocks(threads, static_cast<std::ptrdiff_t>(pairs.size()), usual_block, [&](auto begin, auto end, auto b) {
      for (auto slot = begin; slot < end; ++slot) {
        const int i = now_at(pairs[slot].first), j = now_at(pairs[slot].second);
        if (i < 0 || j < 0 || !(grains.own(i) || grains.own(j))) continue;
        const Pair now{std::min(i, j), std::max(i, j)};
        if (const int c = candidate_of(now.first, now.second); c >= 0)
          old_slot[c] = 2 * static_cast<int>(slot) + (j < i);
        else if (lives(static_cast<int>(slot)))
          apart[b].push_back(now);
      }
    });
    return apart;
  };
  // A slot in which something lives on stays, however far its two are apart at y: a guess of an implicit scheme may
  // take them anywhere before its solution brings them back.
  std::vector<Pair> more;
  for (const auto& of_block : find_old_slots()) more.insert(more.end(), of_block.begin(), of_block.end());
  if (!more.empty()) {
    add_candidates(more);
    find_old_slots();
  }

  enum class Choice : char { none, near, touching };
  std::vector<Choice> choice(candidates_.size());
  const int block = std::max(usual_block, group);
  std::vector<int> counts(blocks_of(n, block), 0);
  const Real* radius = grains.radius.data();
  const auto look = [&](auto image) {
    for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
      for (auto i = begin; i < end; ++i) {
        const Vector me = y.body.at(BodyRow::x, i);
        for (int c = candidate_first_[i]; c < candidate_first_[i + 1]; ++c) {
          const int j = candidates_[c];
          const Vector d = image(y.body.at(BodyRow::x, j) - me);
          const Real touch = radius[i] + radius[j], cutoff = touch + reach, distance2 = dot(d, d);
          choice[c] = static_cast<Choice>((distance2 < cutoff * cutoff) + (distance2 < touch * touch));
        }
      }
      for (int c = candidate_first_[begin]; c < candidate_first_[end]; ++c) {
        if (choice[c] == Choice::none && old_slot[c] >= 0 && lives(old_slot[c] >> 1)) choice[c] = Choice::near;
        counts[b] += choice[c] != Choice::none;
      }
    });
  };
  if (cell.any())
    look([cell](const Vector& d) { return d - cell.image(d); });
  else
    look([](const Vector& d) { return d; });

  const std::int64_t chosen = accumulate_before(counts), all = chosen + std::ssize(walls);
  require_at_most(most_slots, all, "possible contacts");
  size_anew(pairs, chosen);
  size_anew(carried, all);
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    // Without branches, so one beyond the last is written too, and goes into buffers first.
    struct Part {
      std::vector<Pair> pairs;
      std::vector<int> carried;
      int count;
    } part[2];
    int slot = counts[b];
    for (auto i = begin; i < end;) {
      const auto last = std::min<std::ptrdiff_t>(end, i + group);
      for (Part& p : part) {
        const std::size_t room = candidate_first_[last] - candidate_first_[i] + 1;
        if (p.pairs.size() < room) p.pairs.resize(room), p.carried.resize(room);
        p.count = 0;
      }
      for (; i < last; ++i)
        for (int c = candidate_first_[i]; c < candidate_first_[i + 1]; ++c) {
          Part& p = part[choice[c] != Choice::touching];
          p.pairs[p.count] = {static_cast<int>(i), candidates_[c]}, p.carried[p.count] = old_slot[c];
          p.count += choice[c] != Choice::none;
        }
      for (const Part& p : part) {
        std::copy_n(p.pairs.begin(), p.count, pairs.begin() + slot);
        std::copy_n(p.carried.begin(), p.count, carried.begin() + slot);
        slot += p.count;
      }
    }
  });

  reference.resize(n);
  for_blocks(threads, n, usual_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto i = begin; i < end; ++i) reference.set(0, i, y.body.at(BodyRow::x, i));
  });
  reference_time = y.time;
}

// Where a grain's partners of lower index are is known only to them. They are sorted into ranges of the grains they
// meet; then each range sorts its own.
void NeighbourList::index(const Particles& grains, int threads) {
  const int n = grains.size(), pair_count = static_cast<int>(pairs.size());
  int shift = 10;                                 // of a range's size
  static_assert((1 << 10) % largest_group == 0);  // pairs ascend from group to group, not within
  while (n >> shift >= most_ranges) ++shift;
  const int size = 1 << shift, ranges = blocks_of(n, size);
  const auto pair_from = [&](std::ptrdiff_t grain) {
    const auto before = [&](const Pair& p) { return p.first < grain; };
    return static_cast<int>(std::partition_point(pairs.begin(), pairs.end(), before) - pairs.begin());
  };
  const auto wall_from = [&](std::ptrdiff_t grain) {
    const auto before = [&](const WallPair& w) { return w.grain < grain; };
    return static_cast<int>(std::partition_point(walls.begin(), walls.end(), before) - walls.begin());
  };
  std::vector<int> place(ranges * ranges, 0);
  for_blocks(threads, n, size, [&](auto begin, auto end, auto source) {
    int* count = place.data() + source * ranges;
    for (int slot = pair_from(begin), last = pair_from(end); slot < last; ++slot) ++count[pairs[slot].second >> shift];
  });
  std::vector<int> start(ranges + 1, 0);
  for (int target = 0; target < ranges; ++target) {
    int sum = start[target];
    for (int source = 0; source < ranges; ++source) sum += std::exchange(place[source * ranges + target], sum);
    start[target + 1] = sum;
  }
  const auto reverse = std::make_unique_for_overwrite<int[]>(pairs.size());  // slots
  for_blocks(threads, n, size, [&](auto begin, auto end, auto source) {
    int* at = place.data() + source * ranges;
    for (int slot = pair_from(begin), last = pair_from(end); slot < last; ++slot)
      reverse[at[pairs[slot].second >> shift]++] = slot;
  });

  size_anew(first, n + 1);
  first[0] = 0;
  size_anew(contacts, 2 * static_cast<std::ptrdiff_t>(pairs.size()) + static_cast<std::ptrdiff_t>(walls.size()));
  for_blocks(threads, n, size, [&](auto begin, auto end, auto target) {
    const int lowest = static_cast<int>(begin), many = static_cast<int>(end - begin);
    const int first_pair = pair_from(begin), last_pair = pair_from(end);
    std::vector<int> next(many + 1, 0);
    for (int k = start[target]; k < start[target + 1]; ++k) ++next[pairs[reverse[k]].second - lowest + 1];
    for (int slot = first_pair; slot < last_pair; ++slot) ++next[pairs[slot].first - lowest + 1];
    for (int i = 0; i < many; ++i) next[i + 1] += next[i];
    std::vector<std::int64_t> ids(next[many]);
    std::vector<int> entries(next[many]);
    const auto add = [&](int grain, int other, int entry) {
      const int at = next[grain - lowest]++;
      ids[at] = grains.id[other], entries[at] = entry;
    };
    for (int k = start[target]; k < start[target + 1]; ++k) {
      const auto [first_grain, second_grain] = pairs[reverse[k]];
      add(second_grain, first_grain, 2 * reverse[k] + 1);
    }
    for (int slot = first_pair; slot < last_pair; ++slot) add(pairs[slot].first, pairs[slot].second, 2 * slot);
    int wall = wall_from(begin), from = 0, out = first_pair + start[target] + wall;
    for (int i = lowest; i < end; ++i) {
      const int last = next[i - lowest];
      sort_by_id(ids.data() + from, entries.data() + from, last - from, contacts.data() + out);
      out += last - from, from = last;
      for (; wall < static_cast<int>(walls.size()) && walls[wall].grain == i; ++wall)
        contacts[out++] = 2 * (pair_count + wall);
      first[i + 1] = out;
    }
  });
}

int NeighbourList::entry_of(int slot, int side) const {
  int entry = first[side == 0 ? pairs[slot].first : pairs[slot].second];
  // Entries beside this one, of the same grain, may be those of another thread that exchanges its slots.
  const auto at = [&] { return std::atomic_ref(const_cast<int&>(contacts[entry])).load(std::memory_order_relaxed); };
  while (at() != 2 * slot + side) ++entry;
  return entry;
}

void NeighbourList::exchange(int a, int b) {
  for (int side = 0; side < 2; ++side) {
    const int of_a = entry_of(a, side), of_b = entry_of(b, side);
    std::atomic_ref(contacts[of_a]).store(2 * b + side, std::memory_order_relaxed);
    std::atomic_ref(contacts[of_b]).store(2 * a + side, std::memory_order_relaxed);
  }
  std::swap(pairs[a], pairs[b]);
}

void NeighbourList::restored(const Particles& grains, int threads) {
  if (candidate_first_.empty() && slots() == 0) return;
  group = smallest_group;
  const auto descend = [&](const Pair& a, const Pair& b) { return a.first / group > b.first / group; };
  while (group < largest_group && std::adjacent_find(pairs.begin(), pairs.end(), descend) != pairs.end()) group *= 2;
  index(grains, threads);
}

}  // namespace cairn
