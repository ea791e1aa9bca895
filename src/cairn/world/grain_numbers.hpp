// Some of the grains, numbered 0, 1, ... in the order in which they come: a hash table with open addresses. It is small
// and stays in the cache. Rejected: an array of all grains, which is read anywhere in memory; std::unordered_map, which
// allocates for each grain.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn {

class GrainNumbers {
 public:
  // None yet, with room for so many; more make it grow.
  explicit GrainNumbers(std::size_t room = 0) : places_(std::bit_ceil(2 * room + 2)) {}

  // The number of a grain; -1: it has none.
  int find(int grain) const { return places_[place_of(grain)].number; }
  // It has the next one if it had none.
  int number(int grain) {
    std::size_t at = place_of(grain);
    if (places_[at].number >= 0) return places_[at].number;
    if (2 * static_cast<std::size_t>(count_) + 2 > places_.size()) grow(), at = place_of(grain);
    places_[at] = {grain, count_};
    return count_++;
  }

 private:
  struct Place {
    int grain = -1, number = -1;
  };
  // Where the grain stands, or would. At least half of the places are free.
  std::size_t place_of(int grain) const {
    const std::size_t last = places_.size() - 1;
    std::size_t at = (std::uint64_t{0x9e3779b97f4a7c15} * static_cast<unsigned>(grain) >> 32) & last;
    while (places_[at].number >= 0 && places_[at].grain != grain) at = (at + 1) & last;
    return at;
  }
  void grow() {
    const std::vector<Place> old = std::exchange(places_, std::vector<Place>(2 * places_.size()));
    for (const Place& of : old)
      if (of.number >= 0) places_[place_of(of.grain)] = of;
  }

  std::vector<Place> places_;  // a power of two
  int count_ = 0;
};

}  // namespace cairn
