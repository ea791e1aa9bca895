// Some of the grains, numbered 0, 1, ... in the order in which they come, and how often each has been counted: a sparse
// set, whose large array is not cleared before the next use.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cairn/core/prefetch.hpp"
#include "cairn/world/contact_scene.hpp"

namespace cairn {

class GrainNumbers {
 public:
  // None yet, of so many grains.
  void start(int grains) {
    if (number_.size() < static_cast<std::size_t>(grains)) number_.resize(grains);
    grains_.clear(), counts_.clear();
  }
  // The same. Returns the bodies of these contacts, and fetches meanwhile what the functions below read of each; else
  // each would wait for memory in turn.
  std::vector<std::array<int, 2>> start(const ContactScene& scene, std::span<const int> slots) {
    start(scene.grains.size());
    std::vector<std::array<int, 2>> bodies;
    bodies.reserve(slots.size());
    for (const int slot : slots) {
      bodies.push_back(scene.bodies(slot));
      for (const int i : bodies.back())
        if (i >= 0) prefetch(&number_[i]);
    }
    return bodies;
  }
  // The number of a grain; -1: it has none.
  int find(int grain) const {
    const int number = number_[grain];
    return number < static_cast<int>(grains_.size()) && grains_[number] == grain ? number : -1;
  }
  // It has the next one if it had none.
  int number(int grain) {
    if (const int known = find(grain); known >= 0) return known;
    grains_.push_back(grain), counts_.push_back(0);
    return number_[grain] = static_cast<int>(grains_.size()) - 1;
  }
  // The same, and counts the grain once more.
  int count(int grain) {
    const int of = number(grain);
    ++counts_[of];
    return of;
  }
  int counted(int number) const { return counts_[number]; }
  const std::vector<int>& grains() const { return grains_; }  // by their numbers

 private:
  std::vector<int> number_;  // of each grain, where grains_ confirms it
  std::vector<int> grains_, counts_;
};

}  // namespace cairn
