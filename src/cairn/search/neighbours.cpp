#include "cairn/search/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

constexpr int brute_force_below = 16;  // grains
constexpr int radix_from = 256;        // grains; fewer are sorted faster by comparing
constexpr int block_size = 1024;       // grains
constexpr int sort_block_size = 16384;
constexpr int digit_bits = 11;

constexpr int field_bits = 20;  // of a cell coordinate in a key
constexpr int shift_x = 2 * field_bits, shift_y = field_bits, shift_level = 3 * field_bits;
constexpr int most_cells = 1 << field_bits;

// Cells are thinner in z, where any number of them is one look-up: 2 + 1/4 extents hold fewer grains than 2 + 1.
constexpr int slices = 4;
constexpr Real slack = 1e-6;  // [cells] covers the rounding of cell coordinates
constexpr int stride = 4;     // keys compared at once, without a branch

constexpr Real infinity = std::numeric_limits<Real>::infinity();

Real extent_of(Real radius, Real skin) {
  return 2 * radius + skin;
}

// NaN becomes `low`.
Real clamped(Real a, Real low, Real high) {
  return a > low ? (a < high ? a : high) : low;
}

// For a > -64. Rejected: std::floor, a library call on baseline x86-64.
int floor_to_int(Real a) {
  return static_cast<int>(a + 64) - 64;
}

// A window of cells brought into the round: at most two ascending ranges, themselves in ascending order.
struct Ranges {
  bool cut;  // the window reaches beyond the round
  int count = 1;
  std::array<int, 2> first{}, last{};

  Ranges(std::array<int, 2> window, int cells) {
    const auto [low, high] = window;
    cut = low < 0 || high >= cells;
    if (high - low + 1 >= cells) {
      last[0] = cells - 1;
    } else if (cut) {
      count = 2;
      first = {0, low < 0 ? low + cells : low};
      last = {low < 0 ? high : high - cells, cells - 1};
    } else {
      first[0] = low, last[0] = high;
    }
  }
};

// The first position whose key is not below `key`, from a guess that is mostly right or a little low.
int seek(const std::uint64_t* keys, int count, int guess, std::uint64_t key) {
  if (guess > 0 && keys[guess - 1] >= key) {
    int high = guess - 1, step = 1;
    while (high >= step && keys[high - step] >= key) high -= step, step *= 2;
    return static_cast<int>(std::lower_bound(keys + std::max(0, high - step), keys + high, key) - keys);
  }
  int below = 0;
  for (int k = 0; k < stride; ++k) below += keys[guess + k] < key;
  guess += below;
  if (below < stride) return guess;
  int step = stride;
  while (guess + step < count && keys[guess + step] < key) guess += step, step *= 2;
  return static_cast<int>(std::lower_bound(keys + guess, keys + std::min(count, guess + step), key) - keys);
}

// Writes `from` and the positions after it, as far as their keys are not above `last`, behind the first `count` of
// `near`; returns the new count.
std::size_t add_run(const std::uint64_t* keys, int from, std::uint64_t last, std::vector<int>& near,
                    std::size_t count) {
  for (;; from += stride) {
    if (near.size() < count + stride) near.resize(2 * (count + stride));
    int within = 0;
    for (int k = 0; k < stride; ++k) {
      near[count + k] = from + k;
      within += keys[from + k] <= last;
    }
    count += within;
    if (within < stride) return count;
  }
}

}  // namespace

void require_at_most(std::int64_t most, std::int64_t count, const char* what) {
  if (count > most)
    throw Error(Exit::no_memory, "found " + std::to_string(count) + " " + what + " in one process; expected at most " +
                                     std::to_string(most) + ": share the run among more processes (--ranks)");
}

// `size` is the least a cell must measure.
NeighbourSearch::Axis NeighbourSearch::Axis::make(Real origin, Real length, Real low, Real size) {
  if (length > 0) {
    const int cells = static_cast<int>(clamped(length / size, 1, most_cells));
    return {origin, 1 / length, cells / length, cells, true};
  }
  // The round starts where the grains do, so that few bits of the keys vary; but a grain too far away to be resolved
  // must not spoil the resolution of the others.
  const Real start = clamped(low, -most_cells * size, most_cells * size);
  return {start, 1 / (most_cells * size), 1 / size, most_cells, false};
}

Real NeighbourSearch::Axis::rounds(Real x) const {
  return nearest_integer((x - origin) * per_round - 0.5);
}

Real NeighbourSearch::Axis::place(Real x) const {
  return clamped(((x - origin) * per_round - rounds(x)) * cells, 0, cells);
}

std::array<int, 2> NeighbourSearch::Axis::window(Real x, Real cutoff) const {
  const Real at = place(x);
  const Real wide = clamped(cutoff * per_cell + slack, 0, slices);
  return {floor_to_int(at - wide), floor_to_int(at + wide)};
}

bool NeighbourSearch::Level::outside(const Vector& a) const {
  return (x.periodic && x.rounds(a.x) != 0) || (y.periodic && y.rounds(a.y) != 0) || (z.periodic && z.rounds(a.z) != 0);
}

std::uint64_t NeighbourSearch::Level::key(const Vector& a) const {
  const auto cell = [](const Axis& axis, Real at) {
    return static_cast<std::uint64_t>(std::min(static_cast<int>(axis.place(at)), axis.cells - 1));
  };
  return cell(x, a.x) << shift_x | cell(y, a.y) << shift_y | cell(z, a.z);
}

void NeighbourSearch::set_levels(const Spheres& s, const PeriodicCell& cell, Real skin, int threads) {
  // std::min and std::max keep their first argument when the second is NaN.
  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto b) {
    Vector low{infinity, infinity, infinity};
    Real extent = 0;
    for (auto i = begin; i < end; ++i) {
      low = {std::min(low.x, s.x[i]), std::min(low.y, s.y[i]), std::min(low.z, s.z[i])};
      extent = std::max(extent, extent_of(s.radius[i], skin));
    }
    blocks_[b].low = low;
    blocks_[b].extent[0] = extent;
  });
  Vector low = blocks_[0].low;
  Real coarsest = 0;
  for (const Block& b : blocks_) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
    coarsest = std::max(coarsest, b.extent[0]);
  }

  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto b) {
    auto& largest = blocks_[b].extent;
    largest.fill(-1);
    for (auto i = begin; i < end; ++i) {
      const Real extent = extent_of(s.radius[i], skin);
      int level = 0;
      for (Real half = coarsest / 2; extent <= half && level + 1 < most_levels; half /= 2) ++level;
      largest[level] = std::max(largest[level], extent);
    }
  });
  levels_.clear();
  for (int level = most_levels - 1; level >= 0; --level) {
    Real extent = level == 0 ? coarsest : -1;
    for (const Block& b : blocks_) extent = std::max(extent, b.extent[level]);
    if (extent < 0) continue;
    const Real size = std::max(extent * (1 + 4 * slack), coarsest * 0x1p-16);
    levels_.push_back({extent, Axis::make(cell.origin.x, cell.length.x, low.x, size),
                       Axis::make(cell.origin.y, cell.length.y, low.y, size),
                       Axis::make(cell.origin.z, cell.length.z, low.z, size / slices)});
  }
}

// Sorts the keys, equal ones by id, and notes whether the grains stand that way already.
void NeighbourSearch::sort_by_cell(const Spheres& s, const PeriodicCell& cell, Real skin, int threads) {
  blocks_.resize((s.count + block_size - 1) / block_size);
  keys_.resize(s.count + stride);
  set_levels(s, cell, skin, threads);

  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto b) {
    bool outside = false;
    for (auto i = begin; i < end; ++i) {
      const Vector a{s.x[i], s.y[i], s.z[i]};
      const Real extent = extent_of(s.radius[i], skin);
      std::uint64_t level = 0;
      while (extent > levels_[level].extent) ++level;
      keys_[i] = level << shift_level | levels_[level].key(a);
      outside |= levels_[level].outside(a);
    }
    blocks_[b].outside = outside;
  });
  std::fill_n(keys_.begin() + s.count, stride, ~std::uint64_t{0});

  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto b) {
    bool standing = true;
    std::uint64_t varying = 0;
    for (auto i = std::max<std::ptrdiff_t>(begin, 1); i < end; ++i) {
      standing &= keys_[i - 1] < keys_[i] || (keys_[i - 1] == keys_[i] && s.id[i - 1] < s.id[i]);
      varying |= keys_[i] ^ keys_[0];
    }
    blocks_[b].standing = standing;
    blocks_[b].varying = varying;
  });
  standing_ = true;
  outside_ = false;
  std::uint64_t varying = 0;
  for (const Block& b : blocks_) standing_ &= b.standing, outside_ |= b.outside, varying |= b.varying;
  if (standing_) return;

  items_.resize(s.count);
  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto) {
    for (auto i = begin; i < end; ++i) items_[i] = {keys_[i], static_cast<int>(i)};
  });
  const auto before = [&](const Item& a, const Item& b) {
    return a.key != b.key ? a.key < b.key : s.id[a.index] < s.id[b.index];
  };
  if (s.count < radix_from) {
    std::sort(items_.begin(), items_.end(), before);
  } else {
    sort_by_key(varying, threads);
    // Each block those runs of equal keys that begin in it.
    for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto) {
      const auto at = [&](std::ptrdiff_t i) { return items_.begin() + i; };
      for (auto i = begin; i < end;) {
        auto last = i + 1;
        while (last < s.count && items_[last].key == items_[i].key) ++last;
        const bool begun = i == begin && i > 0 && items_[i - 1].key == items_[i].key;
        if (last - i > 1 && !begun) std::sort(at(i), at(last), before);
        i = last;
      }
    });
  }
  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto) {
    for (auto i = begin; i < end; ++i) keys_[i] = items_[i].key;
  });
}

// Radix sort of the items, lowest digit first, over the bits that vary. Each block counts and places its own.
void NeighbourSearch::sort_by_key(std::uint64_t varying, int threads) {
  constexpr std::uint64_t mask = (1 << digit_bits) - 1;
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(items_.size());
  const std::ptrdiff_t blocks = (count + sort_block_size - 1) / sort_block_size;
  std::vector<Item> spare(items_.size());
  std::vector<int> digits;
  while (varying != 0) {
    const int shift = std::countr_zero(varying);
    varying &= ~(mask << shift);
    digits.assign(blocks << digit_bits, 0);
    for_blocks(threads, count, sort_block_size, [&](auto begin, auto end, auto b) {
      int* number = digits.data() + (b << digit_bits);
      for (auto i = begin; i < end; ++i) ++number[items_[i].key >> shift & mask];
    });
    int sum = 0;
    for (std::uint64_t digit = 0; digit <= mask; ++digit)
      for (std::ptrdiff_t b = 0; b < blocks; ++b) sum += std::exchange(digits[(b << digit_bits) + digit], sum);
    for_blocks(threads, count, sort_block_size, [&](auto begin, auto end, auto b) {
      int* place = digits.data() + (b << digit_bits);
      for (auto i = begin; i < end; ++i) spare[place[items_[i].key >> shift & mask]++] = items_[i];
    });
    items_.swap(spare);
  }
}

bool NeighbourSearch::order(const Spheres& s, const PeriodicCell& cell, Real skin, int threads,
                            std::vector<int>& from) {
  from.resize(s.count);
  if (s.count == 0) return true;
  sort_by_cell(s, cell, skin, threads);
  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto) {
    for (auto k = begin; k < end; ++k) from[k] = standing_ ? static_cast<int>(k) : items_[k].index;
  });
  items_ = std::vector<Item>();  // = {} would keep the memory
  return standing_;
}

// The rows of one level that a grain looks into. The next grain mostly looks into the same ones, a little further on,
// so its look starts where the last one did.
struct NeighbourSearch::Rows {
  struct Row {
    std::uint64_t key;
    int begin = 0;
  };
  std::array<int, 2> window_x{0, -1}, window_y{0, -1};
  std::uint64_t least = 0;
  bool cut = false;
  int count = 0;
  std::array<Row, 9> row;

  // All rows of the windows from key `least` on, in ascending order.
  void set(const Level& level, std::array<int, 2> wx, std::array<int, 2> wy, std::uint64_t at_least) {
    if (wx == window_x && wy == window_y && at_least == least) return;
    window_x = wx, window_y = wy, least = at_least;
    const Ranges xs(wx, level.x.cells), ys(wy, level.y.cells);
    const std::uint64_t level_key = least >> shift_level << shift_level;
    cut = xs.cut || ys.cut;
    count = 0;
    for (int p = 0; p < xs.count; ++p)
      for (std::uint64_t x = xs.first[p]; x <= static_cast<std::uint64_t>(xs.last[p]); ++x)
        for (int q = 0; q < ys.count; ++q)
          for (std::uint64_t y = ys.first[q]; y <= static_cast<std::uint64_t>(ys.last[q]); ++y) {
            const std::uint64_t key = level_key | x << shift_x | y << shift_y;
            if (key >= least) row[count++].key = key;
          }
  }
};

// Each grain looks for those after it in the order of the keys: every pair is met once, also where a round of one or
// two cells makes the same cell a neighbour twice over.
void NeighbourSearch::search(const Spheres& s, int begin, int end, const PeriodicCell& cell, Real skin, Block& block,
                             int* found_by) const {
  const std::uint64_t* keys = keys_.data();
  const int count = s.count;
  const int levels = static_cast<int>(levels_.size());
  std::array<Rows, most_levels> rows;
  std::vector<int> near;  // candidates of one grain
  std::size_t found = 0;
  block.examined = 0;

  for (int i = begin; i < end; ++i) {
    const Vector me{s.x[i], s.y[i], s.z[i]};
    const Real mine = s.radius[i], extent = extent_of(mine, skin);
    std::size_t candidates = 0;
    // Where no grain and no window lies beyond the period, an image is either the grain itself or beyond the cutoff.
    bool plain = !outside_;
    for (int m = static_cast<int>(keys[i] >> shift_level); m < levels; ++m) {
      const Level& level = levels_[m];
      const Real cutoff = (extent + level.extent) / 2;
      const std::uint64_t own_row = keys[i] >> field_bits << field_bits;
      Rows& in = rows[m];
      in.set(level, level.x.window(me.x, cutoff), level.y.window(me.y, cutoff),
             std::max(own_row, static_cast<std::uint64_t>(m) << shift_level));
      const Ranges zs(level.z.window(me.z, cutoff), level.z.cells);
      plain &= !in.cut && !zs.cut;

      for (int k = 0; k < in.count; ++k) {
        Rows::Row& row = in.row[k];
        for (int p = 0; p < zs.count; ++p) {
          row.begin = seek(keys, count, row.begin, std::max(row.key + zs.first[p], keys[i]));
          candidates = add_run(keys, std::max(row.begin, i + 1), row.key + zs.last[p], near, candidates);
        }
      }
    }
    block.examined += candidates;

    if (block.found.size() < found + candidates + 1) block.found.resize(2 * (found + candidates + 1));
    int* const first = block.found.data() + found;
    int* out = first;
    const auto test = [&](auto image) {
      for (std::size_t k = 0; k < candidates; ++k) {
        const int j = near[k];
        const Vector d = image(Vector{s.x[j] - me.x, s.y[j] - me.y, s.z[j] - me.z});
        const Real cutoff = mine + s.radius[j] + skin;
        *out = j;
        out += dot(d, d) < cutoff * cutoff;  // not a branch: hits come at random
      }
    };
    if (plain || !cell.any()) {
      test([](const Vector& d) { return d; });
    } else {
      test([&](const Vector& d) { return d - cell.image(d); });
    }
    found_by[i] = static_cast<int>(out - first);
    found += out - first;
  }
  block.count = static_cast<int>(found);
}

void NeighbourSearch::brute_force(const Spheres& s, const PeriodicCell& cell, Real skin, Block& block,
                                  int* found_by) const {
  block.found.resize(s.count * s.count / 2);
  block.count = 0;
  block.examined = s.count * (s.count - 1) / 2;
  for (int i = 0; i < s.count; ++i) {
    const int before = block.count;
    for (int j = i + 1; j < s.count; ++j) {
      Vector d{s.x[j] - s.x[i], s.y[j] - s.y[i], s.z[j] - s.z[i]};
      d -= cell.image(d);
      const Real cutoff = s.radius[i] + s.radius[j] + skin;
      if (dot(d, d) < cutoff * cutoff) block.found[block.count++] = j;
    }
    found_by[i] = block.count - before;
  }
}

void NeighbourSearch::candidates(const Spheres& s, const PeriodicCell& cell, Real skin, int threads,
                                 std::vector<int>& first, std::vector<int>& partners) {
  first.resize(s.count + 1);
  int* found_by = first.data() + 1;
  if (s.count < brute_force_below) {
    blocks_.resize(1);
    brute_force(s, cell, skin, blocks_[0], found_by);
  } else {
    for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto b) {
      search(s, static_cast<int>(begin), static_cast<int>(end), cell, skin, blocks_[b], found_by);
    });
  }
  std::int64_t total = 0;
  examined_ = 0;
  for (Block& b : blocks_) {
    b.offset = static_cast<int>(total);
    total += b.count;
    examined_ += b.examined;
  }
  require_at_most(most_candidates, total, "pairs of grains near each other");
  first[0] = 0;
  if (static_cast<std::size_t>(total) > partners.capacity())
    partners = std::vector<int>(), partners.reserve(total + total / 8);
  partners.resize(total);
  for_blocks(threads, s.count, block_size, [&](auto begin, auto end, auto b) {
    Block& block = blocks_[b];
    int at = 0;
    for (auto i = begin; i < end; ++i) {
      for (const int last = at + found_by[i]; at < last; ++at) partners[block.offset + at] = block.found[at];
      found_by[i] = block.offset + at;
    }
    block.found = std::vector<int>();
  });
  keys_ = std::vector<std::uint64_t>();
}

}  // namespace cairn
