// How long the rest of a run takes. A step costs as much as it has grains, and emitters bring more of them: the mean
// speed so far would promise the end of a pour long before it comes.
#pragma once
#include <cstdint>
#include <optional>

#include "cairn/run/emitters.hpp"

namespace cairn {

// [grain s] of simulated time with so many grains all the while.
Real grain_time(Real grains, Real duration);
// [grain s] of simulated time from `from` to `to`, where `grains` are there and those come that are due. Removals are
// unknown before they happen: the grains that are there stay.
Real grain_time(const Emitters& emitters, std::int64_t grains, Real from, Real to);

// Foretells by the pace of late: of the last half to three quarters of the time so far, because grains that have come
// to rest on each other cost more than those that fall.
class WorkForecast {
 public:
  // `seconds` by the clock since the start, and the work done in them, in any unit.
  void record(Real seconds, Real work);
  // [s] that more work takes; none before any was done.
  std::optional<Real> seconds_for(Real work) const;

 private:
  struct Sample {
    Real seconds = 0, work = 0;
  };
  Sample older_, newer_, now_;
};

}  // namespace cairn
