// Sums of states. Compiled once per instruction set (core/simd.hpp).
#include <algorithm>

#include "cairn/core/lanes.hpp"
#include "cairn/state/state.hpp"

namespace cairn {
namespace {

constexpr int most = 16;  // terms at once

// Calls sum(from, k, c, count) for `most` terms at a time. The first sum starts from `from`, each later one from the
// sum so far, which is in `to`.
template <class KOf, class Sum>
void by_terms(std::span<const Term> terms, const Real* to, const Real* from, KOf&& k_of, Sum&& sum) {
  std::size_t done = 0;
  do {
    const Real* k[most];
    Real c[most];
    const int count = static_cast<int>(std::min<std::size_t>(most, terms.size() - done));
    for (int t = 0; t < count; ++t) k[t] = k_of(*terms[done + t].k), c[t] = terms[done + t].c;
    sum(from, k, c, count);
    done += count, from = to;
  } while (done < terms.size());
}

// Numbers [begin, end) in a row.
void sum_in_row(Real* to, const Real* from, const Real* const* k, const Real* c, int count, std::ptrdiff_t begin,
                std::ptrdiff_t end) {
  constexpr int abreast = 4;  // registers
  std::ptrdiff_t i = begin;
  for (; i + abreast * lane_count <= end; i += abreast * lane_count) {
    Lanes sum[abreast];
    for (int l = 0; l < abreast; ++l) sum[l] = load(from + i + l * lane_count);
    for (int t = 0; t < count; ++t)
      for (int l = 0; l < abreast; ++l) sum[l] = sum[l] + c[t] * load(k[t] + i + l * lane_count);
    for (int l = 0; l < abreast; ++l) store(to + i + l * lane_count, sum[l]);
  }
  for (; i < end; ++i) {
    Real sum = from[i];
    for (int t = 0; t < count; ++t) sum = sum + c[t] * k[t][i];
    to[i] = sum;
  }
}

// Positions of grains [begin, end), moved by the velocities `k`.
void carry(Real* to, const Real* from, const Real* const* k, const Real* c, int count, std::ptrdiff_t begin,
           std::ptrdiff_t end) {
  for (std::ptrdiff_t i = begin; i < end; ++i) {
    Quad sum = load_quad(from + VectorRows<1>::stride * i);
    for (int t = 0; t < count; ++t) sum = sum + c[t] * load_quad(k[t] + VectorRows<2>::stride * i);
    store_quad(to + VectorRows<1>::stride * i, sum);
  }
}

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(combine_bonds_, CAIRN_SIMD)(State& out, const State& y, std::span<const Term> terms,
                                                           std::ptrdiff_t begin, std::ptrdiff_t end) {
  for (int row = 0; row < y.bond.rows(); ++row) {
    Real* const to = out.bond.row(row);
    by_terms(
        terms, to, y.bond.row(row), [&](const State& k) { return k.bond.row(row); },
        [&](const Real* from, const Real* const* k, const Real* c, int count) {
          sum_in_row(to, from, k, c, count, begin, end);
        });
  }
}

CAIRN_FLATTEN void CAIRN_ENTRY(combine_grains_, CAIRN_SIMD)(State& out, const State& y, std::span<const Term> terms,
                                                            unsigned parts, std::ptrdiff_t begin, std::ptrdiff_t end) {
  const auto sum_of = [&]<int vectors>(VectorRows<vectors> BodyRows::*rows) {
    constexpr int stride = VectorRows<vectors>::stride;
    Real* const to = (out.body.*rows).entry(0);
    by_terms(
        terms, to, (y.body.*rows).entry(0), [&](const State& k) { return (k.body.*rows).entry(0); },
        [&](const Real* from, const Real* const* k, const Real* c, int count) {
          sum_in_row(to, from, k, c, count, begin * stride, end * stride);
        });
  };
  if (parts & StatePart::positions) sum_of(&BodyRows::positions);
  if (parts & StatePart::carried) {
    Real* const to = out.body.positions.entry(0);
    by_terms(
        terms, to, y.body.positions.entry(0), [&](const State& k) { return k.body.velocities.entry(0); },
        [&](const Real* from, const Real* const* k, const Real* c, int count) {
          carry(to, from, k, c, count, begin, end);
        });
  }
  if (parts & StatePart::velocities) sum_of(&BodyRows::velocities);
}

}  // namespace cairn
