// Restitution, duration and overlap of head-on collisions of a pair, over the impact speed: from the integrated law
// (contact/head_on.hpp), in closed form if the law has one, and with a scheme. `cairn restitution` shows them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/run/resolution.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct CollidingPair {
  struct Partner {
    std::string name;  // of its material; "wall floor"
    bool wall = false;
    int material = 0;
    Real mass = 0, radius = 0;  // [kg] [m] of a grain
  };
  std::string law;
  Partner first, second;
  Collision collision;  // its speed is not set yet
  Attraction attraction{};
  bool onset = false;  // whether a run would correct contact onsets
};

// `names`: "A,B", materials, or "A,wall:NAME", a grain and a wall of the scenario, or "A,wall", a grain and a wall of
// the same material; empty: the first pair that can touch. `radii` [m]: one for both grains, or one for each; empty:
// those of the lightest grains that the scenario has or will have. The data files of the scenario must have been read
// before (scenario/scenario_data.hpp). Error(bad_input) if there is no such pair.
CollidingPair colliding_pair(const Scenario& scenario, const std::string& names, std::span<const Real> radii);

struct RestitutionSettings {
  std::vector<Real> speeds;             // [m/s]
  const SchemeEntry* scheme = nullptr;  // of fixed step; none: the formula alone
  Real steps = 20;                      // [-] per collision, at each speed
  bool onset = false;
};

struct RestitutionPoint {
  Real speed = 0;  // [m/s]
  HeadOn own;
  std::optional<HeadOn> closed;
  std::optional<RealisedRestitution> realised;
};

struct RestitutionResult {
  CollidingPair pair;
  RestitutionSettings settings;
  std::vector<RestitutionPoint> points;
};

RestitutionResult restitution_over_speed(const CollidingPair& pair, const RestitutionSettings& settings);

StudyReport show(const RestitutionResult& result);
std::string json_of(const RestitutionResult& result);  // what is not finite is null

}  // namespace cairn::studies
