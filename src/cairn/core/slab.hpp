// Aligned storage. A Slab has `rows` arrays of equal length in one block of memory (structure of arrays); VectorRows
// has the vectors of each entry side by side (array of structures). Both keep their content when they grow; new entries
// are zero.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "cairn/core/huge_pages.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

// Numbers in memory aligned for vectors.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t count) {
    void* const memory = ::operator new (count * sizeof(T), std::align_val_t{64});
    prefer_huge_pages(memory, count * sizeof(T));
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;
using AlignedReals = AlignedVector<Real>;

struct ReleaseReals {
  void operator()(Real* p) const { ::operator delete[](p, std::align_val_t{64}); }
};
using RealBuffer = std::unique_ptr<Real[], ReleaseReals>;
inline RealBuffer allocate_reals(std::size_t count) {
  void* const memory = ::operator new[](count * sizeof(Real), std::align_val_t{64});
  prefer_huge_pages(memory, count * sizeof(Real));
  return RealBuffer(static_cast<Real*>(memory));
}

// Room for numbers that are needed for a while. What a vector would first fill with zeros is left as it is.
class SpareReals {
 public:
  Real* of(std::size_t count) {
    if (count > count_) numbers_ = {}, numbers_ = allocate_reals(count), count_ = count;
    return numbers_.get();
  }

 private:
  std::size_t count_ = 0;
  RealBuffer numbers_;
};

class Slab {
 public:
  explicit Slab(int rows) : rows_(rows) {}
  Slab(const Slab& other) : rows_(other.rows_) { *this = other; }
  Slab(Slab&&) noexcept = default;
  Slab& operator=(Slab&&) noexcept = default;
  Slab& operator=(const Slab& other) {
    if (this == &other) return *this;
    rows_ = other.rows_;
    size_ = 0;
    resize(other.size_);
    for (int k = 0; k < rows_ && size_ > 0; ++k) std::memcpy(row(k), other.row(k), bytes(size_));
    return *this;
  }

  int rows() const { return rows_; }
  int size() const { return size_; }
  Real* row(int k) { return data_.get() + static_cast<std::size_t>(k) * capacity_; }
  const Real* row(int k) const { return data_.get() + static_cast<std::size_t>(k) * capacity_; }

  Vector at(int first_row, int i) const { return {row(first_row)[i], row(first_row + 1)[i], row(first_row + 2)[i]}; }
  void set(int first_row, int i, const Vector& a) {
    row(first_row)[i] = a.x;
    row(first_row + 1)[i] = a.y;
    row(first_row + 2)[i] = a.z;
  }

  void resize(int size) {
    // What grows once may grow again; what is filled at once stays as it is.
    if (size > capacity_) reserve(size_ == 0 ? size : size + size / 4);
    for (int k = 0; k < rows_ && size > size_; ++k) std::memset(row(k) + size_, 0, bytes(size - size_));
    size_ = size;
  }

  // Gives back room that no entry fills.
  void shrink() {
    if (capacity_ > size_) reserve(size_);
  }

  // Entry i becomes the old entry from[i]; zero where from[i] < 0. Row by row through `spare`, which grows to a row.
  void rearrange(std::span<const int> from, SpareReals& spare, int threads) {
    constexpr int block = 4096;
    const int size = static_cast<int>(from.size());
    Real* const then = spare.of(from.size());
    const int old_size = size_;
    // Room from the start, which takes no memory until it is written.
    if (size > capacity_) reserve(size + size / 4);
    resize(std::max(size, old_size));
    for (int k = 0; k < rows_; ++k) {
      Real* a = row(k);
      for_blocks(threads, size, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        for (auto i = begin; i < end; ++i) then[i] = from[i] < 0 ? 0 : a[from[i]];
      });
      for_blocks(threads, size, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        std::memcpy(a + begin, then + begin, bytes(static_cast<int>(end - begin)));
      });
    }
    resize(size);
  }

 private:
  void reserve(int size) {
    // An odd number of cache lines: rows a power of two apart, or nearly, would share few places of a cache.
    const int capacity = ((size + 7) / 8 | 1) * 8;
    RealBuffer grown = allocate_reals(static_cast<std::size_t>(rows_) * capacity);
    for (int k = 0; k < rows_; ++k) {
      Real* to = grown.get() + static_cast<std::size_t>(k) * capacity;
      if (size_ == 0) continue;
      std::memcpy(to, row(k), bytes(size_));
      return_pages(row(k), bytes(size_));  // so that old rows and new ones never stand in memory together
    }
    data_ = std::move(grown);
    capacity_ = capacity;
  }

  static std::size_t bytes(int count) { return static_cast<std::size_t>(count) * sizeof(Real); }

  int rows_ = 0, size_ = 0, capacity_ = 0;
  RealBuffer data_;
};

// One number of each entry of VectorRows.
template <class T>
struct Column {
  T* first;
  std::ptrdiff_t stride;

  T& operator[](std::ptrdiff_t i) const { return first[i * stride]; }
};

// `vectors` vectors of each entry, x then y then z, every vector with a fourth number. A pass that visits entries
// anywhere finds all of one in a line of the cache, where a Slab takes a line for each number.
template <int vectors>
class VectorRows {
 public:
  static constexpr int stride = 4 * vectors;                 // numbers from one entry to the next
  static constexpr std::size_t most = 0xffffffffU / stride;  // entries: passes count their numbers in 32 bits
  // Where number k of an entry stands, fourth numbers not counted; entry()[4 j + 3] is the fourth of vector j.
  static constexpr int place(int k) { return k + k / 3; }

  VectorRows() = default;
  VectorRows(const VectorRows& other) { *this = other; }
  VectorRows(VectorRows&& other) noexcept { *this = std::move(other); }
  VectorRows& operator=(VectorRows&& other) noexcept {
    size_ = std::exchange(other.size_, 0), capacity_ = std::exchange(other.capacity_, 0);
    data_ = std::move(other.data_);
    return *this;
  }
  VectorRows& operator=(const VectorRows& other) {
    if (this == &other) return *this;
    size_ = 0;
    resize(other.size_);
    if (size_ > 0) std::copy_n(other.entry(0), count(size_), entry(0));
    return *this;
  }

  static constexpr int rows() { return 3 * vectors; }
  int size() const { return size_; }
  Real* entry(std::ptrdiff_t i) { return data_.get() + i * stride; }
  const Real* entry(std::ptrdiff_t i) const { return data_.get() + i * stride; }
  // Null stays null: an offset from it is undefined.
  Column<Real> row(int k) { return {data_ ? data_.get() + place(k) : nullptr, stride}; }
  Column<const Real> row(int k) const { return {data_ ? data_.get() + place(k) : nullptr, stride}; }
  std::span<Real> all() { return {data_.get(), count(size_)}; }
  std::span<const Real> all() const { return {data_.get(), count(size_)}; }

  // The vector that begins with number k.
  Vector at(int k, std::ptrdiff_t i) const {
    const Real* a = entry(i) + place(k);
    return {a[0], a[1], a[2]};
  }
  void set(int k, std::ptrdiff_t i, const Vector& a) {
    Real* to = entry(i) + place(k);
    to[0] = a.x, to[1] = a.y, to[2] = a.z;
  }

  void resize(int size) {
    if (size > capacity_) move_into(size_ == 0 ? size : size + size / 4);
    if (size > size_) std::fill(entry(size_), entry(size), 0.0);
    size_ = size;
  }

  // As those of Slab.
  void reserve(int size) {
    if (size > capacity_) move_into(size);
  }
  void shrink() {
    if (capacity_ > size_) move_into(size_);
  }

  // Entry i becomes the old entry from[i], vector by vector through `spare`, which grows to one of each entry.
  void rearrange(std::span<const int> from, SpareReals& spare, int threads) {
    constexpr int block = 4096;
    const int size = static_cast<int>(from.size());
    Real* const then = spare.of(4 * from.size());
    resize(std::max(size, size_));
    for (int v = 0; v < vectors; ++v) {
      for_blocks(threads, size, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        for (auto i = begin; i < end; ++i) std::memcpy(then + 4 * i, entry(from[i]) + 4 * v, 4 * sizeof(Real));
      });
      for_blocks(threads, size, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        for (auto i = begin; i < end; ++i) std::memcpy(entry(i) + 4 * v, then + 4 * i, 4 * sizeof(Real));
      });
    }
    resize(size);
  }

 private:
  // Not inline: g++ 12 warns where it sees that there is nothing to copy.
  __attribute__((noinline)) void move_into(int size) {
    RealBuffer grown = allocate_reals(count(size));
    if (data_) std::copy_n(entry(0), count(size_), grown.get());
    data_ = std::move(grown);
    capacity_ = size;
  }
  static std::size_t count(int size) { return static_cast<std::size_t>(size) * stride; }

  int size_ = 0, capacity_ = 0;
  RealBuffer data_;
};

}  // namespace cairn
