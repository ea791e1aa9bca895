// The forces that come and go with contacts when a step is done: those of contacts that have ended leave the
// accelerations of their two bodies, those of contacts that have begun join them.
#pragma once
#include <vector>

#include "cairn/world/event_parts.hpp"

namespace cairn {

// The forces of contacts, and the powers and energies of those that this rank counts.
struct AskedForces {
  ContactRows contacts;
  PartialSums sums;
};

// Those of the present state, but at its velocities as they were so long ago [s] by the present accelerations.
AskedForces ask_forces(const EventParts& w, std::vector<int> slots, Real ago = 0);
// Those of the present state; springs return to their limits, and the rates of springs are found where current_rate is
// a whole rate.
AskedForces ask_final_forces(const EventParts& w, std::vector<int> slots);

// Adds these forces, times 1 or -1, to the accelerations of own grains and loaded walls, to those of a grain in the
// order of its contacts. Velocities are so far [s] behind positions: what they then gain is kinetic energy [J] that is
// added to `kinetic`. Where ranks share grains it appends to `changed` those of these contacts.
void add_to_accelerations(const EventParts& w, const ContactRows& contacts, Real times, Real velocity_lag,
                          std::vector<int>& changed, ReproducibleSum& kinetic);

}  // namespace cairn
