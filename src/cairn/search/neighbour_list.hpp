// The neighbour list, on two levels. Candidates are the pairs of grains, and the grains and surfaces, closer than the
// skin when the list was built. Slots, where contacts live, are the candidates closer than a small reach when they were
// last chosen: a force pass looks at little else than contacts, and choosing anew costs a distance per candidate and
// moves no grain. Results depend on neither instant: slots are a superset of contacts, and each grain sums its contacts
// in ascending order of partner id.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/shapes/surface.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

class NeighbourList {
 public:
  // Asked of a slot about to be left out, by its old number, from any thread: whether something lives on in it.
  using Lives = std::function<bool(int slot)>;

  // So many grains' slots stand together: first those that touched when they were chosen, then the others, so that a
  // force pass has full packs of contacts; each part ascending. Large groups interrupt the reading of springs less
  // often; small ones are shared among threads more evenly. A power of two.
  static constexpr int smallest_group = 128, largest_group = 1024;
  static int usual_group(int grains, int threads) {
    constexpr int groups = 16;  // of each thread
    const int even = std::max(1, grains / (groups * threads));
    return std::clamp(static_cast<int>(std::bit_floor(static_cast<unsigned>(even))), smallest_group, largest_group);
  }

  std::vector<Pair> pairs;      // grains, the one of lower index first; slot = position
  std::vector<WallPair> walls;  // slot = pairs.size() + position; by ascending grain, then ascending surface
  std::vector<int> first;       // grain i's contacts are entries [first[i], first[i + 1]) of
  std::vector<int> contacts;    // 2 slot + side, side 1: the grain is the pair's second; ascending partner id,
                                // walls after grains
  VectorRows<1> reference;      // [m] positions the slots were chosen at
  Real reference_time = 0;      // [s]
  Real skin = 0, reach = 0;     // [m] of the candidates, of the slots
  int group = smallest_group;   // of grains, as above
  Vector common{};              // [m/s] supposed velocity of all grains since the slots were chosen: what they share
                                // takes no two of them apart

  int slots() const { return static_cast<int>(pairs.size() + walls.size()); }

  // Finds the candidates as NeighbourSearch::candidates() does at the positions of y; `first` and `partners` are as
  // there.
  using FindCandidates = std::function<void(std::vector<int>& first, std::vector<int>& partners)>;

  // Lists grains anew, whose candidates `find` finds, and chooses the slots. carried[slot] becomes 2 * the old slot of
  // each new one, -1 where it is new, and 1 more where its two grains have changed places, so that what points from the
  // first to the second turns round; `old_place[i]` is where grain i stood when the old list was made, -1 for a new
  // grain.
  void build(const FindCandidates& find, const State& y, const Particles& grains, const PeriodicCell& cell,
             std::span<const Surface> surfaces, Real skin, Real reach, int threads, std::span<const int> old_place,
             const Lives& lives, std::vector<int>& carried);

  // Candidates of grains that are not listed, but stand behind those that are.
  struct Newcomers {
    std::vector<Pair> pairs;
    std::vector<WallPair> walls;
    bool need_slots = false;
  };
  // `first_new`: the first of them; `built_poses`: where the surfaces were when the list was built.
  Newcomers find_newcomers(int first_new, const State& y, const Particles& grains, const PeriodicCell& cell,
                           std::span<const Surface> surfaces, std::span<const Pose<Real>> built_poses) const;
  // Lists them. If they need slots, refresh() is to choose them next.
  void add(const Newcomers& newcomers, const State& y);

  // Chooses the slots among the candidates at the positions of y. `travel` [m]: largest distance of a grain from where
  // the slots were chosen, less what all have in common. `new_walls`: of newcomers.
  void refresh(const State& y, const Particles& grains, const PeriodicCell& cell, Real reach, Real travel, int threads,
               const Lives& lives, std::vector<int>& carried, int new_walls = 0);

  // Where a slot of pairs stands among the contacts of one of its grains.
  int entry_of(int slot, int side) const;

  // Two slots of pairs change places; at the same time others may, in other threads.
  void exchange(int a, int b);

  // [m] what grains are supposed to have in common since the list was built.
  Vector shift(Real time) const { return shift_ + (time - reference_time) * common; }
  Real built_time() const { return built_time_; }  // [s]

  // Whether a contact may be missing among the slots when no grain has travelled farther than `travel` and, since the
  // list was built, no surface has come closer to grains that only shift by more than `surface_travel`.
  bool stale(Real travel, Real surface_travel) const {
    return 2 * travel >= reach || moved_ + travel + surface_travel >= skin;
  }
  // Whether all pairs closer than `wanted` are sure to be among the candidates.
  bool covers(Real travel, Real surface_travel, Real wanted) const {
    return 2 * (moved_ + travel) + wanted <= skin && moved_ + travel + surface_travel < skin;
  }

  // Frees what build() makes anew without a look at it.
  void forget_candidates() { candidates_ = std::vector<int>(), reference = VectorRows<1>(); }

  // Visits what a restart needs, as World::for_each_saved.
  template <class Archive>
  void for_each_saved(Archive&& a);
  void restored(const Particles& grains, int threads);  // after loading: finds what is not saved

 private:
  void find_walls(const State& y, const Particles& grains, const PeriodicCell& cell, std::span<const Surface> surfaces,
                  int threads);
  // `now_at(i)`: where grain i of the present pairs stands among the candidates; -1: gone.
  template <class NowAt>
  void choose(const State& y, const Particles& grains, const PeriodicCell& cell, int threads, NowAt&& now_at,
              const Lives& lives, std::vector<int>& carried);
  void index(const Particles& grains, int threads);
  int candidate_of(int low, int high) const;  // -1: none
  void add_candidates(std::vector<Pair> more);

  std::vector<int> candidate_first_;  // grain i's candidates of higher index are entries [first[i], first[i + 1]) of
  std::vector<int> candidates_;       // index, ascending
  Real built_time_ = 0;               // [s]
  Real moved_ = 0;  // [m] bound on grains' distances from where the list was built to `reference`, less
  Vector shift_{};  // [m] what they had in common
};

template <class Archive>
void NeighbourList::for_each_saved(Archive&& a) {
  a.vector("list.pairs", pairs);
  a.vector("list.walls", walls);
  a.vector("list.candidate_first", candidate_first_);
  a.vector("list.candidates", candidates_);
  a.slab("list.reference", reference);
  a.value("list.reference_time", reference_time);
  a.value("list.skin", skin);
  a.value("list.reach", reach);
  a.value("list.common", common);
  a.value("list.built_time", built_time_);
  a.value("list.moved", moved_);
  a.value("list.shift", shift_);
}

}  // namespace cairn
