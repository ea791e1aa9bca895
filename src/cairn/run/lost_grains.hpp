// Grains that no contact will hold: those too fast for the step, which pass through others and through walls unseen,
// and those below everything, which fall for ever. It looks and says; what follows from that is the Simulation's.
#pragma once
#include <string>

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

// [own radii] a bound of `travel` from above as the last step moved grains, without a look at each of them.
Real travel_bound(const World& world, Real h);
LostGrains lost_grains(const World& world, const Scenario& scenario, Real h);

}  // namespace cairn
