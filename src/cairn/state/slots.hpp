// What a contact slot stands for: two grains, or a grain and a surface of a wall. Indices into the present arrays.
#pragma once

namespace cairn {

struct Pair {
  int first, second;  // grains; the one of lower id first
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

struct WallPair {
  int grain, surface;
};

}  // namespace cairn
