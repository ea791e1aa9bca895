// The step at which the impacts that are to be expected in a run are accurate, found by trials of single impacts.
#pragma once
#include <span>
#include <string>

#include "cairn/run/contact_summary.hpp"

namespace cairn {

struct AccurateStep {
  Real step = 0;              // [s] of the impact that needs the shortest; 0: no grains can meet
  Real speed = 0;             // [m/s] of the impacts that were tried: the fastest to be expected
  std::string first, second;  // materials of that impact: "glass", "wall of steel"
  Collision collision;
};

// The longest step with which the restitution of head-on impacts of the lightest grains of each pair of materials is
// within `accuracy` [-], as a root mean square over where within a step they begin and end. `expected`: grains that
// come later. The speed is that of the fastest grain or wall, and a fall through the height of the scenario.
AccurateStep accurate_step(const Scenario& scenario, const World& world, std::span<const GrainData> expected,
                           const SchemeEntry& scheme, Real accuracy);

}  // namespace cairn
