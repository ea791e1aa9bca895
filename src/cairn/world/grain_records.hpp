// All grains by ascending id, for rank 0, which need not have them: the rank that owns a grain writes what is asked of
// it, and the records of some thousands of grains come together. So the state is hashed, and files of grains are
// written, though no rank has memory for all. One process does the same alone.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct RecordLook {
  // The words that the state hash takes; a ShownGrain; a part of a section of a checkpoint.
  enum class What { hashed, shown, saved } what = What::hashed;
  int section = 0, part = 0;
  std::uint64_t bodies = 0, springs = 0;  // bits: the states whose bodies and springs are saved
  std::int64_t from = 0, to = 0;          // ids
};

// A grain as tables show it, without padding.
struct ShownGrain {
  std::int64_t id;
  Vector x, v, w;     // [m] in the periodic cell, [m/s] [rad/s]
  Real radius, mass;  // [m] [kg]
  std::array<int, 3> image;
  int material;
};

// A section of a checkpoint, as World::for_each_saved() names it.
struct SavedSection {
  std::size_t element = 0;  // [bytes]
  std::uint64_t size = 0;   // [bytes]
  std::function<void(const std::function<void(std::string_view)>& put)> write;
};
using SavedSections = std::map<std::string, SavedSection, std::less<>>;

}  // namespace cairn
