// Values as bytes, for messages between processes of the same program on machines of the same kind. Both have the form
// that for_each_saved() functions visit; names are not kept.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "cairn/core/slab.hpp"

namespace cairn {

using Bytes = std::vector<std::byte>;

class ByteWriter {
 public:
  explicit ByteWriter(Bytes& to) : to_(&to) {}

  template <class T>
  void add(const T& a) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(&a, sizeof a);
  }
  template <class T>
  void value(const auto&, const T& a) {
    add(a);
  }
  template <class T>
  void vector(const auto&, const std::vector<T>& a) {
    add(a.size());
    add(a.data(), a.size() * sizeof(T));
  }
  void text(const auto&, const std::string& a) {
    add(a.size());
    add(a.data(), a.size());
  }
  void slab(const auto&, const Slab& a) {
    add(a.size());
    for (int row = 0; row < a.rows(); ++row) add(a.row(row), sizeof(Real) * static_cast<std::size_t>(a.size()));
  }
  void add(const void* from, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(from);
    to_->insert(to_->end(), first, first + bytes);
  }

 private:
  Bytes* to_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> from) : left_(from) {}

  bool empty() const { return left_.empty(); }
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T a;
    take(&a, sizeof a);
    return a;
  }
  template <class T>
  void value(const auto&, T& a) {
    take(&a, sizeof a);
  }
  template <class T>
  void vector(const auto&, std::vector<T>& a) {
    a.resize(take<std::size_t>());
    take(a.data(), a.size() * sizeof(T));
  }
  void text(const auto&, std::string& a) {
    a.resize(take<std::size_t>());
    take(a.data(), a.size());
  }
  void slab(const auto&, Slab& a) {
    a.resize(take<int>());
    for (int row = 0; row < a.rows(); ++row) take(a.row(row), sizeof(Real) * static_cast<std::size_t>(a.size()));
  }
  void take(void* to, std::size_t bytes) {
    if (bytes > left_.size()) throw std::logic_error("a message ended early");
    if (bytes > 0) std::memcpy(to, left_.data(), bytes);
    left_ = left_.subspan(bytes);
  }

 private:
  std::span<const std::byte> left_;
};

}  // namespace cairn
