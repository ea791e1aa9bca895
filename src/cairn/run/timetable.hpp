// When a run ends and when it is observed. Where steps have a fixed length the number of the step decides, which
// round-off of the time cannot move; where the scheme chooses them, the time does.
#pragma once
#include <cstdint>
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

class Probes;

// Occasions at which a run is observed, as bits.
struct Occasion {
  static constexpr unsigned series = 1, frame = 2, checkpoint = 4, finished = 8, picture = 16, events = 32, probe = 64;
};

// The scenario is that of now, of which the step, the end and the intervals of outputs count.
class Timetable {
 public:
  // Steps have another length from now on, or another scenario holds: they are counted anew.
  void count_from(const World& now) { counted_from_ = {now.steps(), now.time()}; }
  // Takes over end and intervals. `adaptive`: the scheme chooses its steps.
  void plan(const Scenario& scenario, const World& now, bool adaptive);

  std::int64_t total_steps() const { return total_steps_; }  // at the present step; adaptive schemes: unknown, 0
  // [s] where the run ends: with a fixed step, after the whole number of steps nearest to run.end.
  Real last_time(const Scenario& scenario) const;
  bool over(const Scenario& scenario, const World& now) const;
  // Whether this time [s] has come, to the step nearest to it.
  bool has_come(Real time, const Scenario& scenario, const World& now) const;
  bool takes_series() const { return series_.interval > 0; }
  bool takes_pictures() const { return pictures_.interval > 0; }
  // The occasions since this was asked last that follow from the intervals; probes learn that they are due.
  unsigned take(const Scenario& scenario, const World& now, Probes& probes);

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("first_step_time", counted_from_);
  }

 private:
  struct Every {
    Real interval = 0;      // [s]; 0: never
    std::int64_t next = 1;  // in intervals
  };
  bool take(Every& every, const Scenario& scenario, const World& now) const;

  std::int64_t total_steps_ = 0;
  Every series_, frames_, pictures_, checkpoints_;
  std::vector<Every> probes_;  // of each
  struct {
    std::int64_t step = 0;
    Real time = 0;  // [s]
  } counted_from_;  // where the present step size began
};

}  // namespace cairn
