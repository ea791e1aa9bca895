// The neighbour list with skin: every pair of grains, and every grain and surface, that may touch before the list is
// stale. Results do not depend on when it is rebuilt: candidates are a superset of contacts, and each grain sums its
// contacts in ascending order of partner id.
#pragma once
#include <span>
#include <vector>

#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/wall.hpp"
#include "cairn/search/neighbours.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

class NeighbourList {
 public:
  std::vector<Pair> pairs;      // grains; slot = position
  std::vector<WallPair> walls;  // slot = pairs.size() + position
  std::vector<int> first;       // grain i's contacts are entries [first[i], first[i + 1]) of
  std::vector<int> contacts;    // 2 slot + side, side 1: the grain is the pair's second; ascending partner id,
                                // walls after grains
  Slab reference{3};            // [m] positions the list was built at
  Real reference_time = 0;      // [s]
  Real skin = 0;                // [m] it was built with

  int slots() const { return static_cast<int>(pairs.size() + walls.size()); }

  // The order the grains should stand in before build().
  void order(const State& y, const Particles& grains, const PeriodicCell& cell, int threads, std::vector<int>& from);

  // Rebuilds from the positions of y. carried[slot] becomes the old slot of each new one, -1 where the contact is new;
  // `old_place[i]` is where grain i stood when the old list was made, -1 for a new grain (empty: nothing moved).
  void build(const State& y, const Particles& grains, const PeriodicCell& cell, std::span<const Surface> surfaces,
             Real skin, int threads, std::span<const int> old_place, std::vector<int>& carried);

  // Whether a pair may have come into contact unseen when no grain has moved more than `travel` and no surface more
  // than `surface_travel` since the list was built.
  bool stale(Real travel, Real surface_travel) const { return 2 * travel >= skin || travel + surface_travel >= skin; }

  // [m] largest distance of a grain from where the list was built.
  Real travel(const State& y, const PeriodicCell& cell, int threads);

 private:
  void index_contacts(const Particles& grains);

  NeighbourSearch search_;
  std::vector<Pair> old_pairs_;
  std::vector<WallPair> old_walls_;
  std::vector<int> old_first_, old_contacts_, now_at_;
  std::vector<Real> farthest_;
};

}  // namespace cairn
