// The State: everything that moves in time. A rate has the shape of a state, so whatever integrates the state
// (Runge-Kutta, Adams, a rejected step, a restart) integrates springs and ledger with its own quadrature.
#pragma once
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "cairn/core/simd.hpp"
#include "cairn/core/slab.hpp"
#include "cairn/state/body_rows.hpp"

namespace cairn {

// Rows of State::bond, and with rolling resistance.
struct BondRow {
  static constexpr int xi = 0, count = 3, chi = 3, rolling_count = 6;
};

// Rows of State::walls; in a rate v and a. Displacements count from where the prescribed motion of the wall has it.
struct WallRow {
  static constexpr int x = 0, v = 3, count = 6;
};

// Channels of the energy ledger [J]; powers [W] in a rate. All count what left the mechanical energy, except
// `external`, which counts what came in.
struct Channel {
  static constexpr int dashpot = 0, slip = 1, rolling = 2, clip = 3, onset = 4, external = 5, count = 6;
};
inline constexpr std::array<const char*, Channel::count> channel_names{"dashpot", "slip",  "rolling",
                                                                       "clip",    "onset", "external"};
using LedgerChannels = std::array<Real, Channel::count>;

struct State {
  BodyRows body;  // x [m], v [m/s], omega [rad/s] of each grain
  Slab bond{
      BondRow::count};  // xi [m], the tangential spring of each candidate contact; chi [m], that of rolling, if any
  Slab walls{WallRow::count};  // x [m], v [m/s] of each loaded wall
  LedgerChannels ledger{};     // [J]
  Real time = 0;               // [s]; its rate is 1, so every stage of every scheme knows its own time

  void resize(int bodies, int bonds) {
    body.resize(bodies);
    body.keep_positions();
    bond.resize(bonds);
  }
  // The same with so many rows of bonds; what another number had is lost.
  void resize(int bodies, int bonds, int rows) {
    if (bond.rows() != rows) bond = Slab(rows);
    resize(bodies, bonds);
  }
  // A rate of kicks and drifts, which need neither the rates of positions nor those of springs.
  void resize_accelerations(int bodies, int rows) {
    body.drop_positions();
    body.resize(bodies);
    bond = Slab(rows);
  }
};

// Springs are vectors from the first body of a slot to the second. Their sign under an exchange of the two bodies is
// decided here alone.
inline bool stretched(const State& y, int slot) {
  for (int row = 0; row < y.bond.rows(); ++row)
    if (y.bond.row(row)[slot] != 0) return true;
  return false;
}
inline void relax_springs(State& y, int slot) {
  for (int row = 0; row < y.bond.rows() && slot < y.bond.size(); ++row) y.bond.row(row)[slot] = 0;
}
inline Vector spring_of(const State& y, int row, int slot, bool exchanged = false) {
  return (exchanged ? -1 : 1) * y.bond.at(row, slot);
}
inline void exchange_bodies(State& y, int slot) {
  for (int row = 0; row < y.bond.rows(); ++row) y.bond.row(row)[slot] = -y.bond.row(row)[slot];
}

struct Term {
  Real c;
  const State* k;
};

// What a masked combine writes. Motion verbs are combines of a part of the state. `carried` are positions too, but
// moved by the velocities of the terms: x = y.x + sum c k.v, which schemes for second-order equations need.
struct StatePart {
  static constexpr unsigned positions = 1, velocities = 2, springs = 4, ledger = 8, clock = 16, everything = 31,
                            carried = 32, but_positions = 30;
};

// out = y + sum c k, where `out` has the size of `y`: of all rows of the bonds [begin, end), or of the parts named of
// the grains [begin, end), for who looks at them while they are in the cache (combine_pass.cpp).
CAIRN_KERNEL(combine_bonds, State& out, const State& y, std::span<const Term> terms, std::ptrdiff_t begin,
             std::ptrdiff_t end)
CAIRN_KERNEL(combine_grains, State& out, const State& y, std::span<const Term> terms, unsigned parts,
             std::ptrdiff_t begin, std::ptrdiff_t end)

// The same of loaded walls.
void combine_walls(State& out, const State& y, std::span<const Term> terms, unsigned parts);

// out = y + sum c k over the parts named, summed in the order of the terms; the other parts of `out` keep what they
// hold. `out` may be `y`. Moves 8 (3 + terms) bytes and computes 2 terms flop per number.
void combine(State& out, const State& y, std::span<const Term> terms, int threads = 1,
             unsigned parts = StatePart::everything, Simd simd = Simd::baseline);

inline constexpr int combine_block = 2048;  // grains, or contacts, that a thread takes at once

inline void combine(State& out, const State& y, std::initializer_list<Term> terms, int threads = 1,
                    unsigned parts = StatePart::everything) {
  combine(out, y, std::span<const Term>(terms.begin(), terms.size()), threads, parts);
}

}  // namespace cairn
