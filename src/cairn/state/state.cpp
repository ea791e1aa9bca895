#include "cairn/state/state.hpp"

#include "cairn/core/parallel.hpp"

namespace cairn {
namespace {

constexpr int block = 4096;

void combine_row(Real* out, const Real* y, std::span<const Term> terms, bool bond, int row, std::ptrdiff_t begin,
                 std::ptrdiff_t end) {
  const auto source = [&](std::size_t t) { return bond ? terms[t].k->bond.row(row) : terms[t].k->body.row(row); };
  if (terms.empty()) {
    for (auto i = begin; i < end; ++i) out[i] = y[i];
    return;
  }
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const Real* a = t == 0 ? y : out;
    const Real* k = source(t);
    const Real c = terms[t].c;
    for (auto i = begin; i < end; ++i) out[i] = a[i] + c * k[i];
  }
}

}  // namespace

void combine(State& out, const State& y, std::span<const Term> terms, int threads, unsigned parts) {
  // In blocks, so that a row's sums over all terms are made while it is in cache.
  const auto slab = [&](Slab& to, const Slab& from, bool bond, int first, int last) {
    for_blocks(threads, from.size(), block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
      for (int k = first; k < last; ++k) combine_row(to.row(k), from.row(k), terms, bond, k, begin, end);
    });
  };
  if (out.body.size() != y.body.size() || out.bond.size() != y.bond.size()) out.resize(y.body.size(), y.bond.size());
  if (parts & positions) slab(out.body, y.body, false, row_x, row_v);
  if (parts & velocities) slab(out.body, y.body, false, row_v, body_rows);
  if (parts & springs) slab(out.bond, y.bond, true, 0, bond_rows);
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
