// Contact slots: the places where a contact may live. A slot stands for two grains, or for a grain and a surface of a
// wall. SlotFields declares once all that is known of a slot beside its springs, which are part of the State.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// What a contact was when the last step ended.
enum class Phase : unsigned char {
  open,
  pressing,  // its force pushes, or may pull where attraction is allowed
  clipped    // overlapping, but its force would pull
};

// Indices into the present arrays.
struct Pair {
  int first, second;  // grains
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

struct WallPair {
  int grain, surface;
};

// The ids of the two bodies of a contact, the lower one first; of a grain and -1 - surface at a wall.
using BodyIds = std::array<std::int64_t, 2>;
inline constexpr BodyIds no_bodies{-1, -1};
inline BodyIds ids_of(int slot, std::span<const Pair> pairs, std::span<const WallPair> walls,
                      std::span<const std::int64_t> ids) {
  const auto at = static_cast<std::size_t>(slot);
  if (at >= pairs.size()) {
    const WallPair& wall = walls[at - pairs.size()];
    return {ids[wall.grain], -1 - wall.surface};
  }
  const auto [low, high] = std::minmax(ids[pairs[at].first], ids[pairs[at].second]);
  return {low, high};
}

// An array with one value for each slot. Values follow their slots when the list is renewed; new slots have T{}.
template <class T>
struct SlotField {
  const char* name;   // in checkpoints
  bool saved = true;  // false: it is found again after a restart
  bool used = true;   // false: it stays empty
  std::vector<T> values{};

  T& operator[](int slot) { return values[slot]; }
  const T& operator[](int slot) const { return values[slot]; }
};

// Renewals of the list, checkpoints and restarts loop over the fields declared here.
struct SlotFields {
  SlotField<Phase> phase{.name = "phases"};                            // at the end of the last step
  SlotField<int> begun{.name = "since"};                               // [steps] when the contact began, modulo 2^31
  SlotField<Real> onset_speed{.name = "onset_speeds", .used = false};  // [m/s] for laws that depend on it; 0: unknown
  // [N/m] tangential stiffness at the states of a linearisation.
  SlotField<Real> spring_weight{.name = "spring_weights", .saved = false, .used = false};

  // [N] mean over the last step of the force of a hard contact, on the grain of the lower id, or on the one at a wall.
  SlotField<Vector> hard_force{.name = "hard_forces", .used = false};

  template <class F>
  void for_each_field(F&& f) {
    f(phase), f(begun), f(onset_speed), f(spring_weight), f(hard_force);
  }
  template <class F>
  void for_each_field(F&& f) const {
    f(phase), f(begun), f(onset_speed), f(spring_weight), f(hard_force);
  }
};

}  // namespace cairn
