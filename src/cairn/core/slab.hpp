// Aligned storage. A slab: `rows` arrays of equal length in one aligned block of memory (structure of arrays). Rows
// keep their content when the slab grows; new entries are zero.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

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
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};
using AlignedReals = std::vector<Real, AlignedAllocator<Real>>;

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

  // Entry i becomes the old entry from[i]; zero where from[i] < 0. Row by row through `spare`, which grows to a row.
  void rearrange(std::span<const int> from, AlignedReals& spare, int threads) {
    constexpr int block = 4096;
    const int size = static_cast<int>(from.size());
    spare.resize(std::max(spare.size(), from.size()));
    const int old_size = size_;
    // Room from the start, which takes no memory until it is written; old and new rows side by side would.
    if (size > capacity_) reserve(size + size / 4);
    resize(std::max(size, old_size));
    for (int k = 0; k < rows_; ++k) {
      Real* a = row(k);
      for_blocks(threads, size, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        for (auto i = begin; i < end; ++i) spare[i] = from[i] < 0 ? 0 : a[from[i]];
      });
      for_blocks(threads, size, block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        std::memcpy(a + begin, spare.data() + begin, bytes(static_cast<int>(end - begin)));
      });
    }
    resize(size);
  }

 private:
  struct Release {
    void operator()(Real* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  using Buffer = std::unique_ptr<Real[], Release>;

  void reserve(int size) {
    // An odd number of cache lines: rows a power of two apart, or nearly, would share few places of a cache.
    const int capacity = ((size + 7) / 8 | 1) * 8;
    Buffer grown(allocate(static_cast<std::size_t>(rows_) * capacity));
    for (int k = 0; k < rows_; ++k) {
      Real* to = grown.get() + static_cast<std::size_t>(k) * capacity;
      if (size_ > 0) std::memcpy(to, row(k), bytes(size_));
    }
    data_ = std::move(grown);
    capacity_ = capacity;
  }

  static Real* allocate(std::size_t count) {
    return static_cast<Real*>(::operator new[](count * sizeof(Real), std::align_val_t{64}));
  }
  static std::size_t bytes(int count) { return static_cast<std::size_t>(count) * sizeof(Real); }

  int rows_ = 0, size_ = 0, capacity_ = 0;
  Buffer data_;
};

}  // namespace cairn
