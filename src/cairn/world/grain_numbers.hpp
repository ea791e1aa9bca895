// Some of the grains, numbered 0, 1, ... in the order in which they come: a sparse set, whose large array is not
// cleared before the next use.
#pragma once
#include <vector>

namespace cairn {

class GrainNumbers {
 public:
  // None yet, of so many grains.
  void start(int grains) {
    if (number_.size() < static_cast<std::size_t>(grains)) number_.resize(grains);
    grains_.clear();
  }
  const int* place(int grain) const { return &number_[grain]; }  // in memory, to be fetched
  // The number of a grain; -1: it has none.
  int find(int grain) const {
    const int number = number_[grain];
    return number < static_cast<int>(grains_.size()) && grains_[number] == grain ? number : -1;
  }
  // It has the next one if it had none.
  int number(int grain) {
    if (const int known = find(grain); known >= 0) return known;
    grains_.push_back(grain);
    return number_[grain] = static_cast<int>(grains_.size()) - 1;
  }

 private:
  std::vector<int> number_;  // of each grain, where grains_ confirms it
  std::vector<int> grains_;
};

}  // namespace cairn
