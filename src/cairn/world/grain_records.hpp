// All grains by ascending id, for rank 0, which need not have them: the rank that owns a grain writes what is asked of
// it, and the records of some thousands of grains come together. So the state is hashed, and files of grains are
// written, though no rank has memory for all. One process does the same alone.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/bytes.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

class World;

struct RecordLook {
  // The words that the state hash takes; a ShownGrain; the numbers of a column, of grains or of the contacts of
  // World::show_contacts(); a part of a section of a checkpoint.
  enum class What { hashed, shown, column, contacts, saved } what = What::hashed;
  int section = 0, part = 0;              // `section`: or a ShownColumn, or a ShownContact
  std::uint64_t bodies = 0, springs = 0;  // bits: the states whose bodies and springs are saved
  std::int64_t from = 0, to = 0;          // ids, of contacts the lower
};

// A grain as tables show it, without padding.
struct ShownGrain {
  std::int64_t id;
  Vector x, v, w;     // [m] in the periodic cell, [m/s] [rad/s]
  Real radius, mass;  // [m] [kg]
  std::array<int, 3> image;
  int material;
};

// A column of a table of grains: so many numbers of each, vectors x, y, z. From `field` on: those of
// World::show_fields().
struct ShownColumn {
  enum : int { id, x, v, w, radius, mass, material, field };
};
// A column of a table of closed contacts: parts of a ContactView.
struct ShownContact {
  enum : int { ends, normal, tangential, overlap, spring_length, first, second, first_material, second_material };
};
struct FieldOfGrains {
  int components = 1;
  std::vector<Real> values{};  // of the grains as they stand in memory, their components side by side
};

// The records of all grains or contacts, which have the same size, taken by their place in ascending order of ids: rank
// 0 holds some thousands of them. They are best taken in order, for it starts anew to go back. The World must outlive
// it, unchanged.
class RecordStream {
 public:
  RecordStream(const World& world, const RecordLook& look, std::size_t bytes)
      : world_(&world), look_(look), bytes_(bytes) {}
  template <class T>
  T at(std::size_t k) {
    return ByteReader(find(k)).take<T>();
  }

 private:
  std::span<const std::byte> find(std::size_t k);

  const World* world_;
  RecordLook look_;
  std::size_t bytes_, first_ = 0;  // of a record; the place of the first one here
  Bytes here_;
};

// A section of a checkpoint, as World::for_each_saved() names it.
struct SavedSection {
  std::size_t element = 0;  // [bytes]
  std::uint64_t size = 0;   // [bytes]
  std::function<void(const std::function<void(std::string_view)>& put)> write;
};
using SavedSections = std::map<std::string, SavedSection, std::less<>>;

}  // namespace cairn
