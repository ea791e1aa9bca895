// Grains that no contact will hold: those too fast for the step, which pass through others and through walls unseen,
// and those below everything, which fall for ever. It looks and says; what follows from that is decided in guards.hpp.
#pragma once
#include <cstdint>
#include <string>

#include "cairn/geometry/shapes/bounds.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct LostGrains {
  // [own radii] the farthest way of a grain, or of a wall beside the smallest grain, in a step of h; without walls
  // beside what the grains have in common. Grains that fall for ever do not count.
  Real travel = 0;
  std::string fast;     // whose way that is
  std::string falling;  // which grains fall for ever; empty: none
};

LostGrains lost_grains(const World& world, const Scenario& scenario, Real h);

// The part of the look that all ranks make together, and what comes of it.
struct LostGrainsLook {
  Vector down{};            // unit vector; 0 without gravity
  Real hold = catches_all;  // [m] along `down`: who is below falls for ever
  Vector common{};          // [m/s]
  Real h = 0;               // [s]
};
struct FastAndFalling {
  std::int64_t falling = 0, lowest = -1;  // how many; the id of the lowest
  Real depth = 0;                         // [m] of that one, along `down`
  Vector lowest_at{};                     // [m]
  std::int64_t fast = -1;                 // id of the one with the farthest way of those that do not fall
  Real travel = 0, way = 0;               // [own radii] [m]
  void add(const FastAndFalling& other);
};
FastAndFalling fast_and_falling(const World& world, const LostGrainsLook& of);

}  // namespace cairn
