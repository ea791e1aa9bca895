// A run that starts from a static state: which scenarios have one, and how a Simulation takes it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cairn/run/simulation.hpp"

namespace cairn {

// Error(bad_input) where the scenario has no static state at its start: walls move, or there are no grains.
void require_static(const Scenario& scenario, const World& world);
// Sentences about the parts of the scenario that the static state leaves out: emitters, changes, removals.
std::vector<std::string> left_out_of_static(const Scenario& scenario);

// A Simulation of the scenario at time 0, whose grains are at rest where `world` has them, in the order of their ids,
// with its springs and displaced walls; `world` comes from the same scenario. The overlaps of its contacts are allowed.
std::unique_ptr<Simulation> start_at_rest(const Scenario& scenario, const World& world);

}  // namespace cairn
