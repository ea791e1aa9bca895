// The contacts of a run: for each pair of materials stiffness, restitution and duration, as the law's own formula
// realises them, and how well the step resolves them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/run/resolution.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

struct ContactSummary {
  std::string first, second;  // "glass", "wall of steel"
  Real stiffness = 0;         // [N/m] normal force over overlap at the deepest
  Real restitution = 0;       // [-] realised head-on
  Real friction = 0;          // [-]
  Real duration = 0;          // [s] t_c
  Collision collision;        // of which all this is told
};

inline constexpr Real summary_speed = 1;  // [m/s] of the head-on collisions the summary speaks of

// A thousand materials make half a million pairs, of which only so many are looked at.
inline constexpr std::size_t most_summaries = 100;

struct ContactSummaries {
  std::vector<ContactSummary> shortest;  // in the order of the materials
  std::int64_t pairs = 0;                // of materials that can meet, those left out included
};

// It takes the lightest grains there are and those to come, as Emitters::lightest() says. Where there are too many
// pairs, those with the shortest collisions; by the closed form of the law, where it has none by that of its elastic
// part. Hard contacts have no stiffness and no duration: there are no summaries of them.
ContactSummaries contact_summary(const World& world, const Scenario& scenario, std::span<const GrainData> coming);

// What the step of a run makes of the shortest of these collisions.
struct ShortestCollision {
  std::string first, second;
  Real restitution = 0;    // [-] exact
  Real steps = 0;          // [-] it takes
  RestitutionError error;  // measured with as many steps, or with fewer: a bound
};

// Nothing where no grains can meet, for adaptive schemes, which choose their steps, and where nothing rebounds.
std::optional<ShortestCollision> shortest_collision(const Simulation& simulation);

// By name; those of the error stand beside the others.
template <class F>
void for_each_field(ShortestCollision& s, F&& f) {
  f("first", s.first), f("second", s.second), f("restitution", s.restitution), f("steps", s.steps);
  f("measured_at_steps", s.error.steps), f("error_onset_off", s.error.onset_off);
  f("error_onset_on", s.error.onset_on);
}

}  // namespace cairn
