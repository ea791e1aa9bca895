// A sphere that slides on a plane under Coulomb friction: while it slides, its motion is known in closed form. Orders
// are claims of smooth motions; these begin with an unstretched spring, which reaches its limit within the first step.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "cairn/analysis/pair_cases.hpp"

namespace cairn {

// The sphere presses on the plane with its weight and slides at about 1 m/s from the first instant to the last.
struct SlidingCase {
  std::string_view name, words;
  Real slope;     // [-] of the plane
  Real belt;      // [m/s] of the plane, downhill
  Real velocity;  // [m/s] of the sphere at the start, downhill
  Real spin;      // [rad/s] as it would roll downhill
};

inline constexpr SlidingCase sliding_cases[] = {
    {"sliding_belt", "a grain placed on a belt that moves at 1 m/s", 0, 1, 0, 0},
    {"sliding_slope", "a grain pushed down a slope of 1 in 2 at 1 m/s", 0.5, 0, 1, 0},
    {"sliding_spin", "a grain placed on a plane while it spins at 100 rad/s", 0, 0, 0, 100}};

inline constexpr std::array sliding_steps{20, 40, 80};  // per duration of the contact at its damping
inline constexpr int sliding_contacts = 20;             // the sphere slides for so many of these durations

// Friction's impulse on the sphere over Coulomb's mu F_n t, less 1: by the velocity or by the spin, whichever is
// farther off. The time until the spring has reached its limit is part of it, a step or two. `steps`: per contact
// duration.
Real sliding_error(const SlidingCase& c, const Advance& advance, bool staggered, int steps, bool onset);

struct Sliding {
  static constexpr Real allowed = 0.01, spring = 1e-4;  // [-] the second: what the law's own spring may take
  std::array<Real, sliding_steps.size()> error{};

  Real worst() const { return std::fabs(error[0]); }
  // What Claims::slides says.
  bool keeps() const {
    for (const Real e : error)
      if (!(std::fabs(e) <= allowed)) return false;
    return std::fabs(error.back()) <= std::max(0.6 * worst(), spring);
  }
};

Sliding measure_sliding(const SlidingCase& c, const Advance& advance, bool staggered, bool onset);

}  // namespace cairn
