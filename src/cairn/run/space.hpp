// The space that the grains of a run have, where walls and periodic directions define it.
#pragma once
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

// Whether every direction is periodic, or crossed by flat walls, or enclosed by one hollow cylinder along an axis of
// coordinates; and no wall is of another kind, nor turns.
bool has_space(const Scenario& scenario);

// [m^3], in 2D [m^2], in 1D [m], now: between the walls, and where one side is open up to the outermost grain.
// NaN where nothing is between.
Real space_of(const World& world, int dimension);

}  // namespace cairn
