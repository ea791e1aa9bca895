// Walls of finite mass: how forces move them. Their displacements and velocities are State::walls; the contacts of
// grains with their surfaces are those of all walls (contact/kernels/wall_pass.cpp).
#pragma once
#include <span>

#include "cairn/world/observe.hpp"
#include "cairn/world/settings.hpp"

namespace cairn {

// [N] The load on a wall at a time.
Vector load_on(const LoadedWall& wall, Real time);

// Writes the rates of the walls in state y into `rate`: velocities, predicted by `predict` [s] of the accelerations
// that `current_rate` holds, and accelerations under `forces` [N] of the grains, load, gravity and dashpot at these
// velocities. Returns the powers of load and dashpot [W].
LedgerChannels find_wall_rates(const WorldSettings& settings, const State& y, Real predict, const State& current_rate,
                               std::span<const Vector> forces, State& rate);

// [J] What loads did beyond the powers in `rate` while it kicked the walls of y for `kick` [s]: their work is that at
// the mean of the velocities before and after, whichever velocities the force was found at.
Real load_work_beyond(const WorldSettings& settings, const State& y, const State& rate, Real kick);

// [J] The same once impulses have changed the walls' velocities from those in `before`: these are what the kick led to.
Real load_work_of_impulses(const WorldSettings& settings, const State& y, const Slab& before, Real kick);

Real kinetic_energy_of_walls(const WorldSettings& settings, const State& y);        // [J]
Real gravitational_energy_of_walls(const WorldSettings& settings, const State& y);  // [J] 0 where they began
Vector momentum_of_walls(const WorldSettings& settings, const State& y);            // [kg m/s]

}  // namespace cairn
