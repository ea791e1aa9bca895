// Steps of a scheme by its name.
#pragma once
#include <string>

#include "cairn/run/registry.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

inline void advance(World& w, const std::string& scheme, Real h, int steps) {
  const SchemeEntry& entry = scheme_named(scheme);
  for (int k = 0; k < steps; ++k) entry.advance(w, h);
}

}  // namespace cairn
