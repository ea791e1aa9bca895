#include "cairn/run/timetable.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/run/probes.hpp"
#include "cairn/run/schedule.hpp"

namespace cairn {

Real Timetable::last_time(const Scenario& scenario) const {
  return total_steps_ > 0 ? counted_from_.time + static_cast<Real>(total_steps_ - counted_from_.step) * scenario.step
                          : scenario.end;
}

bool Timetable::has_come(Real time, const Scenario& scenario, const World& now) const {
  return total_steps_ > 0 ? static_cast<Real>(now.steps() - counted_from_.step) >=
                                std::round((time - counted_from_.time) / scenario.step)
                          : now.time() >= time * (1 - 1e-12);
}

bool Timetable::over(const Scenario& scenario, const World& now) const {
  return total_steps_ > 0 ? now.steps() >= total_steps_ : has_come(scenario.end, scenario, now);
}

void Timetable::plan(const Scenario& scenario, const World& now, bool adaptive) {
  const auto end = [&] {
    return counted_from_.step + std::llround((scenario.end - counted_from_.time) / scenario.step);
  };
  total_steps_ = adaptive ? 0 : std::max<std::int64_t>(1, end());
  // An occasion is never nearer than a step.
  const Real shortest = adaptive ? now.controller().smallest : scenario.step;
  const auto set = [&](Every& every, Real interval) {
    const Real at_least = interval > 0 ? std::max(interval, shortest) : 0;
    if (at_least != every.interval && at_least > 0) every.next = static_cast<std::int64_t>(now.time() / at_least) + 1;
    every.interval = at_least;
  };
  set(series_, scenario.series_every.value_or(scenario.end / 100));
  set(frames_, scenario.frames_every);
  set(pictures_, scenario.pictures_every.value_or(scenario.end / 2));
  set(checkpoints_, scenario.checkpoint_every);
  probes_.resize(scenario.probes.size());
  for (std::size_t k = 0; k < probes_.size(); ++k)
    set(probes_[k], scenario.probes[k].every.value_or(scenario.end / 100));
}

// Moves on past what is due; whether there was anything.
bool Timetable::take(Every& every, const Scenario& scenario, const World& now) const {
  if (!(every.interval > 0) || (total_steps_ > 0 && now.steps() == counted_from_.step)) return false;
  const std::int64_t before = every.next;
  every.next =
      Schedule{0, every.interval}.due(now.time(), before, [&](Real time) { return has_come(time, scenario, now); });
  return every.next > before;
}

unsigned Timetable::take(const Scenario& scenario, const World& now, Probes& probes) {
  unsigned due = 0;
  if (take(series_, scenario, now)) due |= Occasion::series;
  if (take(frames_, scenario, now)) due |= Occasion::frame;
  if (take(pictures_, scenario, now)) due |= Occasion::picture;
  if (take(checkpoints_, scenario, now)) due |= Occasion::checkpoint;
  for (std::size_t k = 0; k < probes_.size(); ++k)
    if (take(probes_[k], scenario, now)) probes.due(k), due |= Occasion::probe;
  return due;
}

}  // namespace cairn
