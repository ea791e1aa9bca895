// To a law, surfaces of one material are alike.
#pragma once
#include <set>
#include <span>
#include <vector>

#include "cairn/geometry/shapes/surface.hpp"

namespace cairn {

// The materials of all surfaces, each once, in the order in which they first come.
inline std::vector<int> materials_of(std::span<const Surface> surfaces) {
  std::vector<int> all;
  std::set<int> seen;
  for (const Surface& s : surfaces)
    if (seen.insert(s.material).second) all.push_back(s.material);
  return all;
}

}  // namespace cairn
