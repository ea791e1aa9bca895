#include "cairn/run/work.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace cairn {
namespace {

Scenario pour() {
  Scenario s;
  s.step = 1e-4;
  s.end = 2;
  EmitterSpec spout;
  spout.name = "spout";
  spout.grain.radius = 0.01;
  spout.every = 1e-3;
  spout.count = 1000;
  s.emitters = {spout};
  return s;
}

TEST_CASE("work: the grains that emitters will bring count from when they come") {
  const Emitters emitters(pour());
  constexpr Real empty = 10;
  // A grain every millisecond during the first second: 1000/2 on average, then 1000.
  CHECK(grain_time(emitters, 7, 0, 1) == doctest::Approx(empty + 7 + 500).epsilon(2e-3));
  CHECK(grain_time(emitters, 7, 1, 2) == doctest::Approx(empty + 7 + 1000).epsilon(2e-3));
  CHECK(grain_time(emitters, 7, 0, 2) == doctest::Approx(2 * (empty + 7) + 1500).epsilon(2e-3));
  CHECK(grain_time(emitters, 7, 0.5, 0.5) == 0);
  CHECK(grain_time(Emitters(Scenario{}), 100, 0, 3) == 3 * (empty + 100));
}

// A machine on which a step takes as long as it has grains, and a pour onto it: from the first moments on the time left
// is right, where the mean speed is wrong by a factor.
TEST_CASE("work: the time left of a pour is foretold from its beginning") {
  const Emitters emitters(pour());
  constexpr Real pace = 3e-2;  // [s] by the clock, per grain and second of the run
  const Real all = grain_time(emitters, 0, 0, 2);
  WorkForecast forecast;
  CHECK(!forecast.seconds_for(1));
  for (Real t = 0.02; t < 2; t += 0.02) {
    CAPTURE(t);
    const Real done = grain_time(emitters, 0, 0, t);
    forecast.record(pace * done, done);
    const Real left = pace * (all - done), by_mean_speed = pace * done * (2 - t) / t;
    CHECK(*forecast.seconds_for(all - done) == doctest::Approx(left).epsilon(1e-9));
    if (t < 0.2) CHECK(by_mean_speed < 0.2 * left);
  }
}

TEST_CASE("work: a pace that has changed is soon that of the forecast") {
  WorkForecast forecast;
  Real seconds = 0, work = 0;
  for (int k = 0; k < 1000; ++k) forecast.record(seconds += 1, work += 1);
  CHECK(*forecast.seconds_for(10) == doctest::Approx(10));
  for (int k = 0; k < 3000; ++k) forecast.record(seconds += 1, work += 0.25);
  CHECK(*forecast.seconds_for(10) == doctest::Approx(40));  // by the mean speed 22.9
}

}  // namespace
}  // namespace cairn
