// Sums over rows of states. Compiled once per instruction set (core/simd.hpp).
#include <algorithm>

#include "cairn/core/lanes.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

CAIRN_FLATTEN void CAIRN_ENTRY(combine_rows_, CAIRN_SIMD)(State& out, const State& y, std::span<const Term> terms,
                                                          const RowsOf& rows, std::ptrdiff_t begin,
                                                          std::ptrdiff_t end) {
  constexpr int most = 16, abreast = 4;  // terms at once; eights of numbers
  for (int row = rows.first; row < rows.last; ++row) {
    Real* to = (out.*rows.part).row(row);
    const Real* from = (y.*rows.part).row(row);
    std::size_t done = 0;
    do {
      const Real* k[most];
      Real c[most];
      const int count = static_cast<int>(std::min<std::size_t>(most, terms.size() - done));
      for (int t = 0; t < count; ++t)
        k[t] = (terms[done + t].k->*rows.part).row(row + rows.offset), c[t] = terms[done + t].c;
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
      done += count, from = to;
    } while (done < terms.size());
  }
}

}  // namespace cairn
