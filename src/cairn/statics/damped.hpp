// Damped dynamics: the packing moves from rest under mass damping at twice its lowest frequency, which is critical for
// the slowest motion, until nothing moves any more (dynamic relaxation, Underwood 1983). The lowest frequency is
// estimated on the way, by the Rayleigh quotient of the last displacement. While grains fall there is none: then each
// body stops where its force turns against its velocity, in place of mass damping.
#pragma once
#include "cairn/statics/static_system.hpp"

namespace cairn::statics {

struct DampedSettings {
  Real unbalance = 1e-8;  // [-] stops where the unbalanced-force ratio is at most this
  Real displacement = 0;  // [m] or where no body goes farther in a step; 0: never
  std::int64_t most_steps = 1'000'000;
  Real step_share = 0.8;  // [-] of the longest stable step
  int look_every = 25;    // steps between looks at the balance
};

struct DampedResult {
  Stop stop = Stop::most_iterations;
  std::int64_t steps = 0;
  Real step = 0;       // [s] the last
  Real frequency = 0;  // [rad/s] the last estimate of omega_1
  std::vector<Iterate> history;
};

DampedResult damped_dynamics(StaticSystem& system, const DampedSettings& settings, const OnIterate& on_iterate = {});

}  // namespace cairn::statics
