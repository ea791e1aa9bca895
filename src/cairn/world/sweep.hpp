// The order in which a force pass goes through the contacts, and where their rows stand meanwhile. Grains are taken in
// blocks; a contact belongs to the lower of its two grains, and so a block has all its forces as soon as its own
// contacts are done. Until then rows stand in a ring that stays in the cache: writing all of them to memory and
// fetching them back took half of a step. A row that is read late, because its other grain is far up the list or
// in another stretch of blocks, stands beside the ring; and so do those of copies of other ranks' grains, which stay to
// the end of the pass. Where other ranks copy grains, the blocks up to the last of these are a part of their own, so
// that their forces can be sent while the others are computed.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cairn/core/prefetch.hpp"
#include "cairn/search/neighbour_list.hpp"

namespace cairn {

class Sweep {
 public:
  // For a list of these grains, on so many threads; results do not depend on them. A row has so many numbers: a
  // multiple of 8.
  void arrange(const NeighbourList& list, const Particles& grains, int threads, int row_length);

  int blocks() const { return static_cast<int>(waits_.size()); }
  int first_grain(int b) const { return b << shift_; }
  int block_of(int grain) const { return grain >> shift_; }
  int threads() const { return threads_; }
  // Computed one after the other, each by all threads. A stretch of blocks is computed by one of them. Each thread has
  // a share of about as much work: one long stretch, and then blocks alone that another may take which is done before.
  struct Part {
    std::vector<int> stretches;      // the s-th has blocks [stretches[s], stretches[s + 1])
    std::vector<int> first_of;       // the share of thread t has stretches [first_of[t], first_of[t + 1])
    std::vector<int> waiting;        // blocks whose forces are found when all contacts of this part are done
    std::vector<int> first_waiting;  // [first_waiting[t], first_waiting[t + 1]) of these are in the share of thread t
  };
  const std::vector<Part>& parts() const { return parts_; }
  int stretches() const;                                // of all parts
  bool waits(int b) const { return waits_[b]; }         // whether it is one of those that wait
  int thread_of(int b) const { return thread_of_[b]; }  // in whose share it is

  // Block b has slots [first_slot(b), first_slot(b + 1)). Those before end_of_active(b) are active, at first none.
  int first_slot(int b) const { return first_slot_[b]; }
  int end_of_active(int b) const { return first_slot_[b] + active_[b]; }
  void add_active(int b, int more);
  // Where the row of each slot of pairs begins; of an inactive one its complement. It belongs to the pair, and goes
  // with it when two slots of a block change places. The slots stay active or inactive.
  const int* row_starts() const { return row_start_.data(); }
  void exchange(int a, int b) {
    std::swap(row_start_[a], row_start_[b]);
    if ((row_start_[a] < 0) != (row_start_[b] < 0))
      for (int* of : {&row_start_[a], &row_start_[b]}) *of = ~*of;
  }
  // The same of any slot: those of walls are always active.
  int start_of_row(int slot) const {
    const int pairs = static_cast<int>(row_start_.size());
    return slot < pairs ? row_start_[slot] : row_length_ * wall_row(slot - pairs);
  }
  // Which row is that of the k-th entry of list.walls.
  int wall_row(int k) const { return first_wall_row_ + k; }
  int rows() const { return rows_; }
  // Grains are summed four at a time: how often the number of their contacts branches is hard to foresee. Grains 4 g to
  // 4 g + 3 have columns()[g] columns from first_column()[g] on. The k-th has the k-th active contact of each, as where
  // its row begins and the side of NeighbourList::contacts. Who has fewer reads the row of zeros.
  static constexpr int abreast = 4;
  const int* first_column() const { return first_column_.data(); }
  const int* columns() const { return columns_.data(); }
  const int* sources() const { return sources_.get(); }
  // Finds the sources of grains [begin, end), which begin with a group.
  void find_sources(const NeighbourList& list, int begin, int end);
  // A slot that becomes active adds a source to each of its two grains; one that becomes inactive takes it away. Ask
  // for the change before the slot changes, and make it afterwards. Changes may be made in any order, and at the same
  // time where the grains are of different groups.
  struct Change {
    int grain, entry, source;  // entry of list.contacts; source -1: taken away
  };
  Change change_of(const NeighbourList& list, int slot, int side) const;
  void make(const Change& change, const NeighbourList& list);
  void fetch(const Change& of) const {
    prefetch(&active_entries_[of.entry]), prefetch(&sources_[first_source(of.grain)]);
    prefetch(&columns_[of.grain / abreast]);
  }
  int start_of_zeros() const { return row_length_ * (rows_ - 1); }  // of the last row

 private:
  std::ptrdiff_t first_source(int grain) const {
    return abreast * static_cast<std::ptrdiff_t>(first_column_[grain / abreast]) + grain % abreast;
  }

  static constexpr int ring_rows = 4096;  // of each thread; 256 KiB, a quarter to a half of a second-level cache

  int threads_ = 0, row_length_ = 8, first_wall_row_ = 0, rows_ = 0;
  int shift_ = 0;  // a block has 2^shift_ grains
  std::vector<Part> parts_;
  std::vector<int> thread_of_;            // of each block
  std::vector<int> first_slot_, active_;  // of each block
  std::vector<int> row_start_;            // of each slot
  std::vector<char> waits_;
  std::vector<int> first_column_, columns_;
  std::unique_ptr<int[]> sources_;
  std::vector<char> active_entries_;  // of list.contacts, whether each is active
};

}  // namespace cairn
