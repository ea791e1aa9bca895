#include "cairn/state/state.hpp"

#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

constexpr int block = 4096;

// `source(k)` is the row of a term's state.
template <class Source>
void combine_row(Real* out, const Real* y, std::span<const Term> terms, Source&& source, std::ptrdiff_t begin,
                 std::ptrdiff_t end) {
  if (terms.empty()) {
    for (auto i = begin; i < end; ++i) out[i] = y[i];
    return;
  }
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const Real* a = t == 0 ? y : out;
    const Real* k = source(*terms[t].k);
    const Real c = terms[t].c;
    for (auto i = begin; i < end; ++i) out[i] = a[i] + c * k[i];
  }
}

}  // namespace

void combine(State& out, const State& y, std::span<const Term> terms, int threads, unsigned parts) {
  // In blocks, so that a row's sums over all terms are made while it is in cache.
  const auto slab = [&](Slab State::*part, int first, int last, int offset) {
    const Slab& from = y.*part;
    for_blocks(threads, from.size(), block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      for (int row = first; row < last; ++row)
        combine_row((out.*part).row(row), from.row(row), terms,
                    [&](const State& k) { return (k.*part).row(row + offset); }, begin, end);
    });
  };
  if (out.body.size() != y.body.size() || out.bond.size() != y.bond.size()) out.resize(y.body.size(), y.bond.size());
  if (parts & positions) slab(&State::body, row_x, row_v, 0);
  if (parts & carried) slab(&State::body, row_x, row_v, row_v - row_x);
  if (parts & velocities) slab(&State::body, row_v, body_rows, 0);
  if (parts & springs) slab(&State::bond, 0, bond_rows, 0);
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
