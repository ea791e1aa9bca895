// The longest step with which the collisions of a case keep an accuracy: single impacts of its own materials, sizes and
// speeds, run through the engine with the scheme itself at sixteen places of the onset within a step.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cairn/run/contact_summary.hpp"

namespace cairn {

// Impacts of one pair of materials, of its lightest grains.
struct ExpectedImpact {
  std::string first, second;                // "glass", "wall of steel"
  Collision collision;                      // at the expected speed
  Real duration = 0;                        // [s] of the collision head-on
  Real restitution = 0;                     // [-]
  std::vector<ObliqueReference> oblique{};  // that stick, change to sliding, and slide; none without friction
};

// [m/s] a bound of the speed of a loaded wall that has gone a `way` [m] freely, with `before` [m/s] at its beginning
// and an `acceleration` [m/s^2] by load and gravity that is nowhere larger. What these do is all its energy: v^2 =
// before^2 + 2 acceleration way. A dashpot takes from it, and holds the wall below the speed at which it balances them,
// mass acceleration / damping.
Real touching_speed(const LoadedWall& wall, Real before, Real acceleration, Real way);
// [m/s] a bound of the speed at which grains meet each other and walls: that of the fastest grain that is there or
// comes, of the fall over the height in which grains are or come, or to the lowest wall, and of the fastest wall, a
// loaded one as it first touches a grain: then the run follows what the grains leave it.
Real expected_speed(const Scenario& scenario, const World& world, std::span<const GrainData> expected);
// Those with a rebound, in the order of the materials; at most contact_summary() many.
std::vector<ExpectedImpact> expected_impacts(const Scenario& scenario, const World& world,
                                             std::span<const GrainData> expected);

// The fewest steps in the collision with which the errors of restitution and tangential response (impact_error) are
// within `accuracy` [-], there and at more steps up to twice as many, over a grid of ratio 1.15 between 3 and 1500;
// infinite where none is found. Not far below `enough` [-], where the search ends.
Real steps_for(const ExpectedImpact& impact, const SchemeEntry& scheme, Real accuracy, bool onset, Real enough = 0);

struct AccurateStep {
  Real step = 0;               // [s] 0: no impact is expected
  Real steps_per_contact = 0;  // [-]
  Real speed = 0;              // [m/s] of the impacts
  std::string first, second;   // the materials that limit it
  Collision collision;
  bool reached = true;        // false: not even 1500 steps in the collision keep the accuracy; the step has so many
  std::string words() const;  // "impacts of glass on glass at 2 m/s, 18.4 steps per contact"
};

// The shortest of the steps that the expected impacts allow. `expected`: lightest grains that come later.
AccurateStep accurate_step(const Scenario& scenario, const World& world, std::span<const GrainData> expected,
                           const SchemeEntry& scheme, Real accuracy);
// The same of these impacts. `enough` [s]: a longer step of an impact is not looked for.
AccurateStep accurate_step(std::vector<ExpectedImpact> impacts, bool onset, const SchemeEntry& scheme, Real accuracy,
                           const std::function<Real(const ExpectedImpact&)>& enough);

}  // namespace cairn
