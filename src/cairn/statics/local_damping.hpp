// Dynamics of the World itself with local damping (Cundall 1987): a force opposite to each body's velocity, of a fixed
// share of the force on that body. It damps every motion in its own time, loosely held grains as well as the whole
// packing, while mass damping leaves all motions slower than the one it is made for. Grains may fall, roll and
// rearrange.
#pragma once
#include "cairn/statics/static_system.hpp"

namespace cairn::statics {

struct LocalDampingSettings {
  Real unbalance = 1e-3;  // [-] stops where the unbalanced-force ratio, of moving grains, is at most this
  int spared = 0;         // or where so few bodies are out of balance by more
  Real share = 0.3;       // [-] of the force on a body, as a force against its velocity
  // [-] Once no body feels more than a tenth of the lightest grain's weight, mass damping of this times sqrt(g / r) is
  // added, r the smallest radius: grains that roll to and fro on others do so at about that frequency. 0: none.
  Real rolling = 1;
  std::int64_t least_steps = 0;  // before that rule applies
  std::int64_t most_steps = 1'000'000;
  Real step_share = 0.8;  // [-] of the longest step that is stable with certainty
  int look_every = 100;   // steps between looks at the balance
};

struct LocalDampingResult {
  Stop stop = Stop::most_iterations;
  std::int64_t steps = 0;
  Real step = 0;  // [s] the last
  std::vector<Iterate> history;
};

// Begins at rest and ends at rest: velocities are set to 0, and the time of the World is that of before. Springs follow
// as in a run; dashpots act.
LocalDampingResult local_damping(StaticSystem& system, const LocalDampingSettings& settings,
                                 const OnIterate& on_iterate = {});

}  // namespace cairn::statics
