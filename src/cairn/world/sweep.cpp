#include "cairn/world/sweep.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cairn {
namespace {

// One block of so many of a thread's share is computed by whichever thread is free. With one of eight threads wait no
// less, and twice as many rows are read late.
constexpr int left_to_all = 16;

}  // namespace

void Sweep::arrange(const NeighbourList& list, const Particles& of, int threads, int row_length) {
  row_length_ = row_length;
  shift_ = std::countr_zero(static_cast<unsigned>(list.group));
  const int grains = of.size(), pairs = static_cast<int>(list.pairs.size());
  const auto blocks_up_to = [&](int grain) { return block_of(grain + list.group - 1); };
  const int blocks = blocks_up_to(grains);
  threads_ = pairs < serial_below ? 1 : std::clamp(threads, 1, std::max(1, blocks));
  waits_.assign(blocks, false);
  active_.assign(blocks, 0);
  first_slot_.resize(blocks + 1);
  for (int b = 0, slot = 0; b <= blocks; ++b) {
    while (slot < pairs && list.pairs[slot].first < first_grain(b)) ++slot;
    first_slot_[b] = slot;
  }
  // A grain's sum takes about as long as a slot, of which not all are active.
  const auto work_before = [&](int b) { return std::int64_t{first_grain(b)} + first_slot_[b]; };
  thread_of_.resize(blocks);
  parts_.clear();
  std::vector<int> stretch_of(blocks);
  int stretches = 0;
  const auto add_part = [&](int begin, int end) {
    Part& part = parts_.emplace_back();
    part.stretches = {begin}, part.first_of = {0};
    const auto add_stretch = [&](int last) {
      std::fill(stretch_of.begin() + part.stretches.back(), stretch_of.begin() + last, stretches++);
      part.stretches.push_back(last);
    };
    const std::int64_t before = work_before(begin), work = work_before(end) - before;
    for (int t = 1; t <= threads_; ++t) {
      const int first = part.stretches.back();
      int last = first;
      while ((work_before(last) - before) * threads_ < work * t) ++last;
      std::fill(thread_of_.begin() + first, thread_of_.begin() + last, t - 1);
      int b = threads_ > 1 ? last - (last - first + left_to_all - 1) / left_to_all : last;
      add_stretch(b);
      while (b < last) {
        waits_[b] = true;  // no row of it is in the ring, which the first stretch of this share may use meanwhile
        add_stretch(++b);
      }
      part.first_of.push_back(static_cast<int>(std::ssize(part.stretches)) - 1);
    }
  };
  const int end_of_copied = of.copied > 0 ? blocks_up_to(of.copied_end()) : 0;
  if (end_of_copied > 0) add_part(0, end_of_copied);
  if (end_of_copied < blocks || blocks == 0) add_part(end_of_copied, blocks);
  int ring = ring_rows;
  for (int b = 0; b < blocks; ++b)
    while (ring < 2 * (first_slot_[b + 1] - first_slot_[b])) ring *= 2;  // else most rows would be read late

  row_start_.resize(pairs);
  const auto put_row = [&](int slot, int row) { row_start_[slot] = ~(row_length_ * row); };
  std::vector<std::int64_t> row_begin(blocks), row_end(blocks);  // of each block, had the ring no end
  std::int64_t at = 0;
  for (int b = 0; b < blocks; ++b) {
    const int count = first_slot_[b + 1] - first_slot_[b];
    if (at % ring + count > ring) at += ring - at % ring;
    const int first_row = thread_of_[b] * ring + static_cast<int>(at % ring);
    for (int k = 0; k < count; ++k) put_row(first_slot_[b] + k, first_row + k);
    row_begin[b] = at, row_end[b] = at += count;
  }
  // Which blocks have contacts that another stretch computes, and then which rows are read late.
  const auto apart = [&](int a, int b) { return (a < end_of_copied) != (b < end_of_copied); };
  for (int slot = 0; slot < pairs; ++slot) {
    const int writer = block_of(list.pairs[slot].first), reader = block_of(list.pairs[slot].second);
    if (stretch_of[writer] != stretch_of[reader] && !apart(writer, reader)) waits_[reader] = true;
  }
  for (Part& part : parts_) {
    part.first_waiting = {0};
    for (int t = 0; t < threads_; ++t) {
      for (int b = part.stretches[part.first_of[t]]; b < part.stretches[part.first_of[t + 1]]; ++b)
        if (waits_[b]) part.waiting.push_back(b);
      part.first_waiting.push_back(static_cast<int>(std::ssize(part.waiting)));
    }
  }
  rows_ = threads_ * ring;
  // The same stretch uses a kept row again once the last block that reads it is done: what is kept stays in the cache.
  std::vector<int> free_rows;
  std::vector<std::vector<int>> last_read_by(blocks);
  const auto stays = [&](int slot) { return !of.own(list.pairs[slot].first) || !of.own(list.pairs[slot].second); };
  const auto in_time = [&](int writer, int reader) {
    return !waits_[reader] && stretch_of[writer] == stretch_of[reader] && row_end[reader] - row_begin[writer] <= ring;
  };
  for (int b = 0; b < blocks; ++b) {
    if (b > 0 && stretch_of[b] != stretch_of[b - 1]) free_rows.clear();
    for (int slot = first_slot_[b]; slot < first_slot_[b + 1]; ++slot) {
      const int other = block_of(list.pairs[slot].second);
      if (in_time(b, b) && in_time(b, other) && !stays(slot)) continue;
      if (free_rows.empty()) free_rows.push_back(rows_++);
      const int row = free_rows.back();
      put_row(slot, row);
      free_rows.pop_back();
      const bool same_stretch = stretch_of[b] == stretch_of[other];
      if (!waits_[b] && !waits_[other] && same_stretch && !stays(slot)) last_read_by[other].push_back(row);
    }
    free_rows.insert(free_rows.end(), last_read_by[b].begin(), last_read_by[b].end());
    last_read_by[b] = {};
  }
  first_wall_row_ = rows_;
  rows_ += static_cast<int>(list.walls.size()) + 1;

  const int groups = (grains + abreast - 1) / abreast;
  first_column_.assign(groups + 1, 0);
  for (int i = 0; i < grains; ++i) {
    int& most = first_column_[i / abreast + 1];
    most = std::max(most, list.first[i + 1] - list.first[i]);
  }
  for (int g = 0; g < groups; ++g) first_column_[g + 1] += first_column_[g];
  columns_.assign(groups, 0);
  // One column more than are needed: grains without contacts behind the last one point there.
  sources_ = std::make_unique_for_overwrite<int[]>(static_cast<std::size_t>(abreast) * (first_column_[groups] + 1));
  active_entries_.assign(list.contacts.size(), false);
}

int Sweep::stretches() const {
  int all = 0;
  for (const Part& part : parts_) all += part.first_of.back();
  return all;
}

void Sweep::add_active(int b, int more) {
  const int was = end_of_active(b), now = was + more;
  for (int slot = std::min(was, now); slot < std::max(was, now); ++slot) row_start_[slot] = ~row_start_[slot];
  active_[b] += more;
}

void Sweep::find_sources(const NeighbourList& list, int begin, int end) {
  const auto groups_before = [](int grain) { return (grain + abreast - 1) / abreast; };
  std::fill(sources_.get() + std::ptrdiff_t{abreast} * first_column_[groups_before(begin)],
            sources_.get() + std::ptrdiff_t{abreast} * first_column_[groups_before(end)], start_of_zeros());
  for (int grain = begin; grain < end; ++grain) {
    const int first = list.first[grain], last = list.first[grain + 1];
    int *const sources = sources_.get() + first_source(grain), *at = sources;
    for (int e = first; e < last; ++e) {
      const int row = start_of_row(list.contacts[e] >> 1);
      *at = row + (list.contacts[e] & 1);  // a branch would often be guessed wrong
      active_entries_[e] = row >= 0, at += row >= 0 ? abreast : 0;
    }
    const int count = static_cast<int>(at - sources) / abreast;
    if (count < last - first) *at = start_of_zeros();
    columns_[grain / abreast] = std::max(columns_[grain / abreast], count);
  }
}

Sweep::Change Sweep::change_of(const NeighbourList& list, int slot, int side) const {
  const Pair& pair = list.pairs[slot];
  const int row = row_start_[slot];
  return {side == 0 ? pair.first : pair.second, list.entry_of(slot, side), row < 0 ? ~row + side : -1};
}

void Sweep::make(const Change& change, const NeighbourList& list) {
  const auto [grain, entry, source] = change;
  const int nothing = start_of_zeros(), group = grain / abreast;
  int* const begin = sources_.get() + first_source(grain);
  const char *const first = active_entries_.data() + list.first[grain], *const last = active_entries_.data() + entry;
  int* at = begin + std::ptrdiff_t{abreast} * std::accumulate(first, last, 0);
  active_entries_[entry] = source >= 0;
  if (source >= 0) {
    for (int put = source; put != nothing; at += abreast) std::swap(put, *at);
    columns_[group] = std::max(columns_[group], static_cast<int>(at - begin) / abreast);
    return;
  }
  const int* const end = begin + std::ptrdiff_t{abreast} * columns_[group];
  for (int* next = at + abreast; next < end && *at != nothing; at = next, next += abreast) *at = *next;
  if (at + abreast < end) return;
  *at = nothing;
  const auto empty = [&](const int* column) {
    return std::all_of(column, column + abreast, [&](int of) { return of == nothing; });
  };
  while (columns_[group] > 0 && empty(begin - grain % abreast + abreast * (columns_[group] - 1))) --columns_[group];
}

}  // namespace cairn
