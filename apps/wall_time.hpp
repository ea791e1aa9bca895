// --wall-time: a run ends within the time a batch system gives it, with its last checkpoint and its report.
#pragma once
#include <chrono>
#include <string>

#include "cairn/core/vec3.hpp"

namespace cairn {

// [s] of "3600", "2 h" or "1:30:00". Error(Exit::bad_input) says what is wrong with it.
Real wall_time_of(const std::string& text);

class WallTime {
 public:
  using Clock = std::chrono::steady_clock;

  // From the start of the process.
  explicit WallTime(Real seconds) : seconds_(seconds) {}

  // How long the state took to be written, or read where none was written yet: so long the end will take, and longer.
  void record_checkpoint(Clock::duration took);
  // Between two steps: whether another one would leave too little time for the end.
  bool over(Clock::time_point now);
  Real left(Clock::time_point now) const;  // [s]

 private:
  Real seconds_, slowest_checkpoint_ = 0, longest_step_ = 0;  // [s]
  Clock::time_point before_{};                                // when over() was last asked; zero: never
};

}  // namespace cairn
