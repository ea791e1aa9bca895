// What a run will cost before it is run: by rehearsing it for a moment on this machine.
#pragma once
#include <cstdint>
#include <optional>

#include "cairn/run/simulation.hpp"

namespace cairn {

struct Forecast {
  std::int64_t grains = 0;  // at the end, those that emitters bring included; none is taken off for removals
  std::int64_t steps = 0;   // adaptive schemes: at the length of the steps rehearsed
  Real seconds = 0;         // [s] of wall time, on as many threads as the scenario says
  Real memory = 0;          // [bytes] at the most
  Real disk = 0;            // [bytes] of series, frames, pictures and checkpoints
};

// A scenario with fewer grains in place of one with more than can be made in a moment: the first of each [[grains]].
struct Sample {
  Scenario scenario;
  std::optional<std::int64_t> of;  // grains at the start of the whole; none: the scenario is that
};
Sample sample_of(Scenario scenario);

// Steps `simulation`, freshly started, for about `patience` [s] of wall time; it is of no use afterwards. Where grains
// are loose now but will lie on each other, a packed bed of as many is stepped too: contacts make most of the cost.
// Contact dynamics solves such a bed from nothing as long as grains come or fall, and goes on from step to step at
// rest. `bare` [bytes]: resident_memory() before the simulation was made. `grains`: how many a run has at the start,
// where `simulation` has a sample of them.
Forecast forecast(Simulation& simulation, Real bare, Real patience, std::optional<std::int64_t> grains = {});

Real resident_memory();  // [bytes] this process holds now

}  // namespace cairn
