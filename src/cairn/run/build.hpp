// From a scenario to a World: materials and laws, walls, the first grains.
#pragma once
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

WorldSettings world_settings(const Scenario& scenario);
// The grains of [[grain]] and [[grains]], in the order of the file; that order gives the ids.
std::vector<GrainData> initial_grains(const Scenario& scenario);
GrainData grain_data(const Scenario& scenario, const GrainSpec& spec);

}  // namespace cairn
