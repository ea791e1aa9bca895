// The first grains of a scenario.
#pragma once
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

// The grains of [[grain]] and [[grains]], in the order of the file; that order gives the ids. `world` says where its
// walls are.
std::vector<GrainData> initial_grains(const Scenario& scenario, const WorldSettings& world);
// How many one [[grains]] makes, without making them: exact but for lattices in cylinders. Error(bad_input) where a
// lattice has too few places, or too many.
Real expected_grains(const Scenario& scenario, std::size_t section, const WorldSettings& world);
// Kinds of random numbers (core/hash.hpp).
constexpr std::uint64_t grains_stream = 1, emitter_stream = 2;
Real sphere_mass(Real density, Real radius);  // [kg]
GrainData grain_data(const Scenario& scenario, const GrainSpec& spec);

}  // namespace cairn
