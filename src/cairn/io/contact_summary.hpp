// What the contacts of a run are: for each pair of materials the law's stiffness, restitution and duration, as the
// law's own formula realises them, and how well the step resolves them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct ContactSummary {
  std::string first, second;  // "glass", "wall of steel"
  Real stiffness = 0;         // [N/m] normal force over overlap at the deepest
  Real restitution = 0;       // [-] realised head-on
  Real friction = 0;          // [-]
  Real duration = 0;          // [s] t_c
};

inline constexpr Real summary_speed = 1;  // [m/s] of the head-on collisions the summary speaks of

// Of the lightest grains there are now and that come, as Emitters::lightest() says: theirs are the shortest contacts.
std::vector<ContactSummary> contact_summary(const World& world, const Scenario& scenario,
                                            std::span<const GrainData> coming);

}  // namespace cairn
