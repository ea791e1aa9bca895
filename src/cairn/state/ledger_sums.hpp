// Reproducible sums of the channels of the ledger.
#pragma once
#include "cairn/core/reproducible_sum.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

class LedgerSums {
 public:
  explicit LedgerSums(int folds = Bins::most_folds) { sums_.fill(ReproducibleSum(folds)); }

  ReproducibleSum& operator[](int channel) { return sums_[channel]; }
  void add(const LedgerChannels& terms) {
    for (int c = 0; c < Channel::count; ++c) sums_[c].add(terms[c]);
  }
  void add(const LedgerSums& other) {
    for (int c = 0; c < Channel::count; ++c) sums_[c].add(other.sums_[c]);
  }
  LedgerChannels value() const {
    LedgerChannels sums;
    for (int c = 0; c < Channel::count; ++c) sums[c] = sums_[c].value();
    return sums;
  }

 private:
  std::array<ReproducibleSum, Channel::count> sums_;
};

}  // namespace cairn
