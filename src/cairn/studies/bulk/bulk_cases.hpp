// The cases of the study of bulk measurements: small systems in which one measures what practice measures.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"

namespace cairn::studies {

struct BulkMeasure {
  std::string name, unit, words;
};

struct BulkRun {
  std::vector<Real> values;  // by measure; NaN: the run became unstable, or the flow stopped
  Real simulated = 0;        // [s]; 0: the run has no result
  Real seconds = 0;          // of its thread, all steps
};

struct BulkCase {
  std::string name, words;
  Real contact;  // [s] that a collision of two mean grains lasts
  std::vector<BulkMeasure> measures;
  Real cost;  // [-] a guess: collision times of a run times its grains
  // One realisation, on one thread: the same `start` begins with the same grains.
  std::function<BulkRun(const SchemeEntry& scheme, bool onset, int steps_per_collision, std::uint64_t start)> run;
};

struct BulkSizes {
  Real chute = 12;      // [d] its length
  Real diameters = 12;  // width of the hopper, and diameter of the drum
  Real settling = 6;    // [sqrt(d/g)] before the drum is measured
  Real measuring = 8;   // [sqrt(d/g)] of the chute, after as long a run-up; it gains speed all the time
  Real turning = 8;     // [sqrt(d/g)] of the drum
  int gas = 60;         // grains
  Real cooling = 0.2;   // [tau] of the gas
};
std::vector<BulkCase> bulk_cases(const BulkSizes& sizes);

}  // namespace cairn::studies
