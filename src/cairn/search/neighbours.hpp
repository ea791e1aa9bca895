// Which spheres are near which: every pair whose surfaces are closer than the skin, in a time that grows with their
// number alone, whatever the spread of sizes and of positions.
//
// Grains are sorted into levels by size (a factor 2 each) and within a level by cell, z fastest; the smaller grain of a
// pair looks for the larger one, in its own and in every coarser level. There is no array of cells: a row of cells is
// a range of the sorted keys, so a grain that flies far away costs nothing. Rejected: one grid for all sizes (its cells
// fit the largest grain and hold thousands of the smallest), hash tables (a look-up per cell instead of one per row).
// The levels are those of Ogarko & Luding, Comput. Phys. Commun. 183 (2012) 931.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/geometry/cell.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

// The grains as the search sees them. Positions may lie anywhere, also outside of the period.
struct Spheres {
  int count;
  Column<const Real> x, y, z;  // [m]
  const Real* radius;          // [m]
  const std::int64_t* id;      // all different
};

inline Spheres spheres_of(const State& y, const Particles& grains) {
  return {y.body.size(),        y.body.row(BodyRow::x), y.body.row(BodyRow::x + 1), y.body.row(BodyRow::x + 2),
          grains.radius.data(), grains.id.data()};
}

// Lists count in int, because 64 bits would take 4 bytes more of each grain: a process has at most so many.
constexpr std::int64_t most_listed_grains = 536'870'911;  // the kernels' offsets of entries have 32 bits
constexpr std::int64_t most_candidates = 2'147'483'647;
constexpr std::int64_t most_slots = 1'073'741'823;  // whose sides are numbered
// Error(no_memory) where there are more of `what`.
void require_at_most(std::int64_t most, std::int64_t count, const char* what);

// Results are the same for any number of threads. A NaN meets nobody; positions count as exact up to 1e9 diameters of
// the smallest grain away from the origin.
class NeighbourSearch {
 public:
  // The permutation that brings neighbours close in memory: entry k is the present index of the grain that should
  // stand k-th. It follows from positions, radii and ids, not from the present order. Returns whether the grains stand
  // so already.
  bool order(const Spheres& grains, const PeriodicCell& cell, Real skin, int threads, std::vector<int>& from);

  // Of the same grains once they stand in the order last found, all pairs with |x_j - x_i - image| < r_i + r_j + skin:
  // grain i's partners of higher index are entries [first[i], first[i + 1]) of `partners`, ascending. Only the nearest
  // image of a grain counts: where a period is shorter than twice the cutoff, a second contact of the same two grains
  // is not seen, and nowhere that of a grain with itself.
  void candidates(const Spheres& grains, const PeriodicCell& cell, Real skin, int threads, std::vector<int>& first,
                  std::vector<int>& partners);

  // Distances computed by the last call of candidates: its cost, in a unit no machine changes.
  std::int64_t examined() const { return examined_; }

 private:
  static constexpr int most_levels = 15;  // not 16: what follows the last key must be above every key

  // Cells along one direction, which goes round: a periodic one after its period, another after so many cells that
  // only stray grains come back; they share a cell with grains they do not touch.
  struct Axis {
    Real origin;     // [m]
    Real per_round;  // [1/m]
    Real per_cell;   // [1/m]
    int cells;       // in a round
    bool periodic;

    static Axis make(Real origin, Real length, Real low, Real size);
    Real rounds(Real x) const;                             // to take off x
    Real place(Real x) const;                              // [cells] from 0 to `cells`
    std::array<int, 2> window(Real x, Real cutoff) const;  // first and last cell, also beyond the round
  };
  struct Level {
    Real extent;  // [m] largest diameter + skin, beyond which its grains are no pairs
    Axis x, y, z;

    bool outside(const Vector& a) const;  // of the period
    std::uint64_t key(const Vector& a) const;
  };
  struct Item {
    std::uint64_t key;  // level, cell x, cell y, cell z
    int index;
  };
  struct Rows;
  // What a block of consecutive grains finds; merged in the order of blocks.
  struct Block {
    Vector low;                            // [m]
    std::array<Real, most_levels> extent;  // [m] largest of each level, coarsest first; negative: none
    std::uint64_t varying;                 // bits in which keys differ
    bool standing, outside;
    std::vector<int> found;  // partners, grain by grain
    int count, offset;       // of them
    std::int64_t examined;
  };

  void set_levels(const Spheres&, const PeriodicCell&, Real skin, int threads);
  void sort_by_cell(const Spheres&, const PeriodicCell&, Real skin, int threads);
  void sort_by_key(std::uint64_t varying, int threads);
  // How many partners each grain found goes to found_by[grain].
  void search(const Spheres&, int begin, int end, const PeriodicCell&, Real skin, Block&, int* found_by) const;
  void brute_force(const Spheres&, const PeriodicCell&, Real skin, Block&, int* found_by) const;

  std::vector<Level> levels_;  // finest first
  std::vector<Block> blocks_;
  std::vector<Item> items_;
  std::vector<std::uint64_t> keys_;  // ascending, then `stride` keys above all others
  bool standing_ = false;            // the grains stand in the order of the keys
  bool outside_ = false;             // some grain lies outside of the period
  std::int64_t examined_ = 0;
};

}  // namespace cairn
