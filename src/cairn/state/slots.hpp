// What a contact slot stands for: two grains, or a grain and a surface of a wall. Indices into the present arrays.
#pragma once

namespace cairn {

// What a contact was when the last step ended.
enum class Phase : unsigned char {
  open,
  pressing,  // its force pushes, or may pull where attraction is allowed
  clipped    // overlapping, but its force would pull
};

struct Pair {
  int first, second;  // grains
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

struct WallPair {
  int grain, surface;
};

}  // namespace cairn
