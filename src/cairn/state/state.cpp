#include "cairn/state/state.hpp"

#include <algorithm>
#include <stdexcept>

#include "cairn/core/parallel.hpp"

namespace cairn {

void combine_walls(State& out, const State& y, std::span<const Term> terms, unsigned parts) {
  out.walls.resize(y.walls.size());
  const auto sum = [&](int row, int row_of_terms) {
    for (int w = 0; w < y.walls.size(); ++w) {
      Vector a = y.walls.at(row, w);
      for (const Term& t : terms) a = a + t.c * t.k->walls.at(row_of_terms, w);
      out.walls.set(row, w, a);
    }
  };
  if (parts & StatePart::positions) sum(WallRow::x, WallRow::x);
  if (parts & StatePart::carried) sum(WallRow::x, WallRow::v);
  if (parts & StatePart::velocities) sum(WallRow::v, WallRow::v);
}

void combine(State& out, const State& y, std::span<const Term> terms, int threads, unsigned parts, Simd simd) {
  if (out.body.size() != y.body.size() || out.bond.size() != y.bond.size() || out.bond.rows() != y.bond.rows())
    out.resize(y.body.size(), y.bond.size(), y.bond.rows());
  if (parts & (StatePart::positions | StatePart::carried)) out.body.keep_positions();
  const auto has_none = [](const Term& t) { return !t.k->body.has_positions(); };
  if ((parts & StatePart::positions) && std::any_of(terms.begin(), terms.end(), has_none))
    throw std::logic_error("a scheme moved positions by a rate that has only accelerations");
  if (parts & (StatePart::positions | StatePart::carried | StatePart::velocities))
    for_blocks(threads, y.body.size(), combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      combine_grains(simd, out, y, terms, parts, begin, end);
    });
  if (parts & StatePart::springs)
    for_blocks(threads, y.bond.size(), combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      combine_bonds(simd, out, y, terms, begin, end);
    });
  combine_walls(out, y, terms, parts);
  if (parts & StatePart::ledger)
    for (int c = 0; c < Channel::count; ++c) {
      Real sum = y.ledger[c];
      for (const Term& t : terms) sum = sum + t.c * t.k->ledger[c];
      out.ledger[c] = sum;
    }
  if (parts & StatePart::clock) {
    Real sum = y.time;
    for (const Term& t : terms) sum = sum + t.c * t.k->time;
    out.time = sum;
  }
}

}  // namespace cairn
