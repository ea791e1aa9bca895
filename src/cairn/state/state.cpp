#include "cairn/state/state.hpp"

#include "cairn/core/parallel.hpp"

namespace cairn {

// combine_pass.cpp
using Entry = void(State& out, const State& y, std::span<const Term> terms, const RowsOf& rows, std::ptrdiff_t begin,
                   std::ptrdiff_t end);
Entry combine_rows_baseline, combine_rows_avx2, combine_rows_avx512;

void combine_bodies(State& out, const State& y, std::span<const Term> terms, unsigned parts, std::ptrdiff_t begin,
                    std::ptrdiff_t end, [[maybe_unused]] Simd simd) {
  Entry* const rows = CAIRN_CHOOSE(combine_rows, simd);
  if (parts & positions) rows(out, y, terms, {&State::body, row_x, row_v}, begin, end);
  if (parts & carried) rows(out, y, terms, {&State::body, row_x, row_v, row_v - row_x}, begin, end);
  if (parts & velocities) rows(out, y, terms, {&State::body, row_v, body_rows}, begin, end);
}

void combine(State& out, const State& y, std::span<const Term> terms, int threads, unsigned parts,
             [[maybe_unused]] Simd simd) {
  if (out.body.size() != y.body.size() || out.bond.size() != y.bond.size() || out.bond.rows() != y.bond.rows())
    out.resize(y.body.size(), y.bond.size(), y.bond.rows());
  if (parts & (positions | carried | velocities))
    for_blocks(threads, y.body.size(), combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      combine_bodies(out, y, terms, parts, begin, end, simd);
    });
  if (parts & springs)
    for_blocks(threads, y.bond.size(), combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      CAIRN_CHOOSE(combine_rows, simd)(out, y, terms, {&State::bond, 0, y.bond.rows()}, begin, end);
    });
  if (parts & ledger)
    for (int c = 0; c < channels; ++c) {
      Real sum = y.books[c];
      for (const Term& t : terms) sum = sum + t.c * t.k->books[c];
      out.books[c] = sum;
    }
  if (parts & clock) {
    Real sum = y.time;
    for (const Term& t : terms) sum = sum + t.c * t.k->time;
    out.time = sum;
  }
}

}  // namespace cairn
