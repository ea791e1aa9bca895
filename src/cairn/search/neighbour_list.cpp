#include "cairn/search/neighbour_list.hpp"

#include <algorithm>
#include <numeric>

#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

constexpr int block = 1024;

Spheres spheres(const State& y, const Particles& grains) {
  return {y.body.size(),         y.body.row(row_x),    y.body.row(row_x + 1),
          y.body.row(row_x + 2), grains.radius.data(), grains.id.data()};
}

}  // namespace

void NeighbourList::order(const State& y, const Particles& grains, const PeriodicCell& cell, int threads,
                          std::vector<int>& from) {
  search_.order(spheres(y, grains), cell, skin, threads, from);
}

void NeighbourList::build(const State& y, const Particles& grains, const PeriodicCell& cell,
                          std::span<const Surface> surfaces, Real wanted_skin, int threads,
                          std::span<const int> old_place, std::vector<int>& carried) {
  const int n = y.body.size();
  std::swap(pairs, old_pairs_), std::swap(walls, old_walls_);
  std::swap(first, old_first_), std::swap(contacts, old_contacts_);
  skin = wanted_skin;
  search_.pairs(spheres(y, grains), cell, skin, threads, pairs);

  walls.clear();
  for (int s = 0; s < static_cast<int>(surfaces.size()); ++s) {
    const Pose<Real> pose = pose_at(surfaces[s], y.time);
    for (int i = 0; i < n; ++i)
      if (nearest(surfaces[s], pose, y.body.at(row_x, i), Vector{}).distance < grains.radius[i] + skin)
        walls.push_back({i, s});
  }
  index_contacts(grains);

  reference.resize(n);
  for (int k = 0; k < 3; ++k) std::copy_n(y.body.row(row_x + k), n, reference.row(k));
  reference_time = y.time;

  // Find each contact among its grain's old ones.
  now_at_.clear();
  if (!old_place.empty()) {
    now_at_.assign(old_first_.empty() ? 0 : old_first_.size() - 1, -1);
    for (int i = 0; i < n; ++i)
      if (old_place[i] >= 0) now_at_[old_place[i]] = i;
  }
  const auto was = [&](int i) { return old_place.empty() ? i : old_place[i]; };
  const auto now = [&](int old) { return now_at_.empty() ? old : now_at_[old]; };
  const int old_pairs = static_cast<int>(old_pairs_.size());
  const int old_count = old_first_.empty() ? 0 : static_cast<int>(old_first_.size()) - 1;
  const auto old_slot = [&](int i, auto&& same) {
    const int p = was(i);
    if (p < 0 || p >= old_count) return -1;
    for (int e = old_first_[p]; e < old_first_[p + 1]; ++e)
      if (same(old_contacts_[e] >> 1)) return old_contacts_[e] >> 1;
    return -1;
  };
  carried.resize(slots());
  const int pair_count = static_cast<int>(pairs.size());
  for_blocks(threads, slots(), block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto slot = begin; slot < end; ++slot) {
      if (slot < pair_count) {
        const Pair p = pairs[slot];
        carried[slot] = old_slot(p.first, [&](int old) {
          return old < old_pairs && now(old_pairs_[old].first) == p.first && now(old_pairs_[old].second) == p.second;
        });
      } else {
        const WallPair w = walls[slot - pair_count];
        carried[slot] = old_slot(
            w.grain, [&](int old) { return old >= old_pairs && old_walls_[old - old_pairs].surface == w.surface; });
      }
    }
  });
}

void NeighbourList::index_contacts(const Particles& grains) {
  const int n = grains.size(), pair_count = static_cast<int>(pairs.size());
  first.assign(n + 1, 0);
  for (const Pair& p : pairs) ++first[p.first + 1], ++first[p.second + 1];
  for (const WallPair& w : walls) ++first[w.grain + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  contacts.resize(first[n]);
  // Filled backwards from each grain's end, walls first, so that they stand last.
  std::vector<int>& place = now_at_;
  place.assign(first.begin() + 1, first.end());
  for (int k = static_cast<int>(walls.size()) - 1; k >= 0; --k)
    contacts[--place[walls[k].grain]] = 2 * (pair_count + k);
  for (int slot = 0; slot < pair_count; ++slot) {
    const auto insert = [&](int i, std::int64_t partner, int entry) {
      const auto id_of = [&](int e) { return grains.id[e & 1 ? pairs[e >> 1].first : pairs[e >> 1].second]; };
      int at = --place[i];
      const int end = first[i + 1];
      while (at + 1 < end && contacts[at + 1] < 2 * pair_count && id_of(contacts[at + 1]) < partner) {
        contacts[at] = contacts[at + 1];
        ++at;
      }
      contacts[at] = entry;
    };
    insert(pairs[slot].first, grains.id[pairs[slot].second], 2 * slot);
    insert(pairs[slot].second, grains.id[pairs[slot].first], 2 * slot + 1);
  }
}

Real NeighbourList::travel(const State& y, const PeriodicCell& cell, int threads) {
  const int n = y.body.size();
  if (n != reference.size()) return skin;
  farthest_.assign((n + block - 1) / block, 0);
  for_blocks(threads, n, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
    Real far = 0;
    for (auto i = begin; i < end; ++i) {
      Vector d = y.body.at(row_x, static_cast<int>(i)) - reference.at(0, static_cast<int>(i));
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
