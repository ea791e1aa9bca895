// Indices put in by any order come out ascending, each once. A bit for each there may be: a sort of a few thousand took
// longer than what it was for.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn {

class IndexSet {
 public:
  void insert(int i) {
    const std::size_t word = static_cast<std::size_t>(i) / 64;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << (i % 64);
  }
  // Leaves it empty.
  std::vector<int> take() {
    std::vector<int> all;
    for (std::size_t word = 0; word < words_.size(); ++word)
      for (std::uint64_t left = std::exchange(words_[word], 0); left != 0; left &= left - 1)
        all.push_back(static_cast<int>(64 * word) + std::countr_zero(left));
    return all;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace cairn
