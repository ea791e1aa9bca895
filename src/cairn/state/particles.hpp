// What a grain is, as far as it does not move: constants, identity and periodic image. Arrays may be re-ordered at
// will; the id stays.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/core/parallel.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

struct Particles {
  std::vector<std::int64_t> id;           // in order of insertion, from 0
  std::vector<Real> radius;               // [m]
  std::vector<Real> mass;                 // [kg]
  std::vector<Real> inverse_mass;         // [1/kg]
  std::vector<Real> inverse_inertia;      // [1/(kg m^2)]; 0: the grain does not spin
  std::vector<int> material;              // index into the world's materials
  std::vector<std::array<int, 3>> image;  // periods travelled: true position = x + image * length

  // Where ranks share a run: grains below own_begin() and from own_end() on are copies of those of lower and of higher
  // ranks. The lower ones are filled up with entries that are no grains, of negative ids. Own grains that other ranks
  // copy stand before those that none does.
  int copies_below = 0, copies_above = 0, copied = 0;

  int size() const { return static_cast<int>(id.size()); }
  int own_begin() const { return copies_below; }
  int own_end() const { return size() - copies_above; }
  int copied_end() const { return own_begin() + copied; }
  bool own(int i) const { return own_begin() <= i && i < own_end(); }

  // Where the grain `of_id` stands now; -1: nowhere.
  int index(std::int64_t of_id) const {
    const auto at = std::find(id.begin(), id.end(), of_id);
    return at == id.end() ? -1 : static_cast<int>(at - id.begin());
  }
  // All indices, by ascending id.
  std::vector<int> by_id() const;

  // The one list of what is permuted, inserted and saved with a grain.
  template <class F>
  void for_each_field(F&& f) {
    visit(*this, f);
  }
  template <class F>
  void for_each_field(F&& f) const {
    visit(*this, f);
  }

  // Entry i becomes the old entry from[i].
  void rearrange(std::span<const int> from, int threads) {
    for_each_field([&](const char*, auto& field) {
      const auto old = std::move(field);
      field.resize(from.size());
      for_blocks(threads, static_cast<std::ptrdiff_t>(from.size()), 4096, [&](auto begin, auto end, auto) {
        for (auto i = begin; i < end; ++i) field[i] = old[from[i]];
      });
    });
  }

 private:
  template <class Self, class F>
  static void visit(Self& of, F&& f) {
    f("id", of.id), f("radius", of.radius), f("mass", of.mass), f("inverse_mass", of.inverse_mass);
    f("inverse_inertia", of.inverse_inertia), f("material", of.material), f("image", of.image);
  }
};

}  // namespace cairn
