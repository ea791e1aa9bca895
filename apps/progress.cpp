#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace cairn {
namespace {

std::string duration(Real seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{}:{:02}:{:02}", static_cast<int>(seconds) / 3600, static_cast<int>(seconds) / 60 % 60,
                     static_cast<int>(seconds) % 60);
}

template <class Time>
Real seconds_since(Time start) {
  return std::chrono::duration<Real>(Time::clock::now() - start).count();
}

}  // namespace

Progress::Progress(const Simulation& simulation, bool quiet)
    : simulation_(simulation),
      quiet_(quiet),
      terminal_(isatty(fileno(stderr)) != 0),
      first_(simulation.progress()),
      first_step_(simulation.steps()) {}

bool Progress::wants() const {
  return !quiet_ && seconds_since(last_) > (terminal_ ? 0.25 : 10);
}

void Progress::show() {
  const Simulation& s = simulation_;
  last_ = Clock::now();
  const Real done = s.progress(), elapsed = seconds_since(start_);
  const Real made = done - first_;
  const Real rate = static_cast<Real>(s.steps() - first_step_) / elapsed;
  fmt::print(stderr, "{}{:5.1f} %  t = {:.4g} s  {:.4g} steps/s  {} left  residual {:.2g} %{}", terminal_ ? "\r" : "",
             100 * done, s.world().time(), rate, duration(made > 0 ? elapsed * (1 - done) / made : 0),
             100 * s.residual_fraction(), terminal_ ? "   " : "\n");
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (terminal_ && shown_) fmt::print(stderr, "\r{:78}\r", "");
  shown_ = false;
}

}  // namespace cairn
