// The vectors of bodies, each with a fourth number: positions in one array, velocities and spins, which are moved
// together, in another. A grain's velocities are one line of the cache.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "cairn/core/slab.hpp"

namespace cairn {

// Rows of BodyRows. In a rate the same rows hold v, a and the angular acceleration. Fourth numbers belong to no row:
// while motion verbs move the present state, World keeps the constants of its grains there, where passes over contacts
// find them: radii beside positions, inverse masses beside spins. In the positions of a rate it keeps the velocities at
// which forces are asked for.
struct BodyRow {
  static constexpr int x = 0, v = 3, w = 6, count = 9;
};

class BodyRows {
 public:
  static constexpr int rows() { return BodyRow::count; }
  static constexpr int numbers = 4 * BodyRow::count / 3;                          // of a body, fourth ones too
  static constexpr int radius_place = 3, spin_place = 4, inverse_mass_place = 7;  // the first in entries of positions
  static constexpr std::size_t most = VectorRows<2>::most;

  VectorRows<1> positions;
  VectorRows<2> velocities;  // v and w

  int size() const { return velocities.size(); }
  Column<Real> row(int k) { return k < BodyRow::v ? positions.row(k) : velocities.row(k - BodyRow::v); }
  Column<const Real> row(int k) const { return k < BodyRow::v ? positions.row(k) : velocities.row(k - BodyRow::v); }

  // The vector that begins with number k.
  Vector at(int k, std::ptrdiff_t i) const {
    return k < BodyRow::v ? positions.at(k, i) : velocities.at(k - BodyRow::v, i);
  }
  void set(int k, std::ptrdiff_t i, const Vector& a) {
    if (k < BodyRow::v)
      positions.set(k, i, a);
    else
      velocities.set(k - BodyRow::v, i, a);
  }

  // Positions may be left out: a rate that only kicks needs none. Then they must not be asked for.
  bool has_positions() const { return has_positions_; }
  void keep_positions() { has_positions_ = true, positions.resize(size()); }
  void drop_positions() { has_positions_ = false, positions = VectorRows<1>(); }

  void resize(int size) {
    velocities.resize(size);
    if (has_positions_) positions.resize(size);
  }
  void reserve(int size) {
    velocities.reserve(size);
    if (has_positions_) positions.reserve(size);
  }
  void shrink() { positions.shrink(), velocities.shrink(); }
  // As VectorRows does.
  void rearrange(std::span<const int> from, SpareReals& spare, int threads) {
    velocities.rearrange(from, spare, threads);
    if (has_positions_) positions.rearrange(from, spare, threads);
  }

  // All numbers of a body, one after the other, zeros for what is left out; returns the place after them.
  Real* write(std::ptrdiff_t i, Real* to) const {
    if (has_positions_)
      to = std::copy_n(positions.entry(i), VectorRows<1>::stride, to);
    else
      to = std::fill_n(to, VectorRows<1>::stride, 0.0);
    return std::copy_n(velocities.entry(i), VectorRows<2>::stride, to);
  }
  const Real* read(std::ptrdiff_t i, const Real* from) {
    if (has_positions_) std::copy_n(from, VectorRows<1>::stride, positions.entry(i));
    std::copy_n(from + VectorRows<1>::stride, VectorRows<2>::stride, velocities.entry(i));
    return from + numbers;
  }

 private:
  bool has_positions_ = true;
};

}  // namespace cairn
