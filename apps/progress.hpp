// How far a run is, for whoever waits for it.
#pragma once
#include <chrono>

#include "cairn/run/simulation.hpp"

namespace cairn {

// A line that stays on a terminal, plain lines elsewhere; on stderr.
class Progress {
 public:
  // From the simulation's present step on.
  Progress(const Simulation& simulation, bool quiet);
  ~Progress() { clear(); }

  bool wants() const;  // it is time for a new line
  void show();
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const Simulation& simulation_;
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  Real first_;  // progress() and steps() when the line began
  std::int64_t first_step_;
};

}  // namespace cairn
