// How far a run or a study is, for whoever waits for it.
#pragma once
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cairn/run/simulation.hpp"
#include "cairn/run/work.hpp"

namespace cairn {

// A line that stays in its place on a terminal, plain lines elsewhere, ever fewer; on stderr.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;

  bool wants(Clock::time_point now) const { return !quiet_ && now >= next_; }
  // What a narrow terminal has no room for is left out, the least important, the last, first.
  void show(Clock::time_point now, std::span<const std::string> parts);
  void clear();

  Clock::time_point start() const { return start_; }
  // "  42.0 %", and how long the rest will take at the mean speed so far; `done` and what it was at the start are from
  // 0 to 1.
  std::array<std::string, 2> share_and_rest(Clock::time_point now, Real done, Real first) const;

 private:
  bool quiet_, terminal_;
  Clock::time_point start_, next_;
  std::size_t shown_ = 0;  // [characters] that stand on the terminal
};

// That of a run.
class Progress {
 public:
  using Clock = ProgressLine::Clock;

  // From the simulation's present step on.
  Progress(const Simulation& simulation, bool quiet);

  bool wants(Clock::time_point now) const { return line_.wants(now); }
  void show(Clock::time_point now);

 private:
  const Simulation& simulation_;
  ProgressLine line_;
  std::int64_t first_step_;  // the simulation's when it began
  WorkForecast forecast_;
  Real work_ = 0, last_time_;  // [grain s] done, up to [s]
  int last_grains_;
};

// The share, 0 to 1, that a line of another process's ProgressLine begins with; none if it is no such line.
std::optional<Real> share_in_line(std::string_view line);

}  // namespace cairn
