// How far a run is, for whoever waits for it.
#pragma once
#include <chrono>
#include <string>

#include "cairn/run/simulation.hpp"

namespace cairn {

// A line that stays in its place on a terminal, plain lines elsewhere, ever fewer; on stderr.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // From the simulation's present step on.
  Progress(const Simulation& simulation, bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;

  bool wants(Clock::time_point now) const { return !quiet_ && now >= next_; }
  void show(Clock::time_point now);
  void clear();

 private:
  const Simulation& simulation_;
  bool quiet_, terminal_;
  Clock::time_point start_, next_;
  Real first_;               // simulation's progress() when it began
  std::int64_t first_step_;  // and steps()
  std::size_t shown_ = 0;    // [characters] that stand on the terminal
};

// "45 s", "1:23:45", "3.2 days".
std::string duration_text(Real seconds);

}  // namespace cairn
