// How an error falls with the step: the counts of steps worth a run, and the slope that counts.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

struct Convergence {
  struct Point {
    int steps;
    Real h;      // [s]
    Real error;  // of the outcome, in its own unit
  };
  static constexpr int window = 4;  // points a slope is of

  std::vector<Point> points;  // from the coarsest step down to the floor, or to the longest run
  Real floor = 0;             // errors below are not the scheme's
  int last = 0;               // end of the points the order is of
  Real order = std::numeric_limits<Real>::quiet_NaN();  // NaN: fewer than `window` points stand above the floor
  // Where the slope goes as h -> 0, from how it changed since the window one step coarser: its distance to the limit
  // falls like h. It magnifies noise, so it is asked only where the slope itself is still on its way.
  Real limit = std::numeric_limits<Real>::quiet_NaN();

  enum class Verdict { agrees, approaches, higher, lower, unsettled, exact, unknown };
  // Whether the order is the one claimed: within a tenth; or not far, on its way to a limit within a tenth. Unsettled:
  // what the slope still moves by could bring it there, or it is of few steps, so it contradicts nothing. Exact:
  // round-off comes before four errors above it, within few steps. High orders end so: double precision has no room.
  Verdict verdict(int claimed) const {
    constexpr Real close = 0.1, far = 0.3;
    constexpr int few_steps = 16;
    const Real off = std::fabs(order - claimed), moves = std::fabs(limit - order);
    if (std::isnan(order))
      return !points.empty() && points.back().error <= floor && points.back().steps <= few_steps ? Verdict::exact
                                                                                                 : Verdict::unknown;
    if (off <= close) return Verdict::agrees;
    if (off <= far && std::fabs(limit - claimed) <= close) return Verdict::approaches;
    if (points[last - 1].steps <= few_steps || !(off > close + moves)) return Verdict::unsettled;
    return order > claimed ? Verdict::higher : Verdict::lower;
  }
  // Whether what was measured proves the claim as far as double precision can: above the sixth order only a settled
  // lower slope contradicts it.
  bool keeps(int claimed) const {
    switch (verdict(claimed)) {
      case Verdict::agrees:
      case Verdict::approaches:
        return true;
      case Verdict::exact:
      case Verdict::higher:
      case Verdict::unsettled:
        return claimed > 6;
      default:
        return false;
    }
  }
};

// The least-squares slope of log error against log h.
inline Real slope(const std::vector<Convergence::Point>& points, int first, int count) {
  Real x = 0, y = 0, xx = 0, xy = 0;
  for (int k = first; k < first + count; ++k) {
    const Real a = std::log(points[k].h), b = std::log(points[k].error);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

// Runs error_of(steps) at 1, 2, ..., 8, 11, 16, 23, ... steps, from 8 on powers of sqrt(2), until an error is below the
// floor or a run would have more than `most_steps`. The order is the slope of the finest four errors above the floor:
// an order is a limit for h -> 0, and the floor, well above round-off and what the reference itself leaves open, is all
// that stands between a run and that limit. Nothing depends on the order expected. A step too long for the iteration of
// an implicit scheme has an infinite error.
template <class ErrorOf>
Convergence converge(ErrorOf&& error_of, Real end, Real floor, int most_steps) {
  constexpr int every = 8;  // up to here; below, powers of sqrt(2) leave out what a high order needs
  Convergence c;
  c.floor = floor;
  for (int k = 1, steps = 1; steps <= most_steps; ++k) {
    Real error = std::numeric_limits<Real>::infinity();
    try {
      error = error_of(steps);
    } catch (const Error& e) {
      if (e.code() != Exit::guard) throw;
    }
    c.points.push_back({steps, end / steps, error});
    if (error <= floor) break;
    steps = k < every ? k + 1 : static_cast<int>(std::lround(every * std::exp2(0.5 * (k + 1 - every))));
  }
  const auto clean = [&](const Convergence::Point& p) { return std::isfinite(p.error) && p.error > floor; };
  const auto slope_to = [&](int last) {
    const int first = last - Convergence::window;
    if (first < 0 || !std::all_of(c.points.begin() + first, c.points.begin() + last, clean))
      return std::numeric_limits<Real>::quiet_NaN();
    return slope(c.points, first, Convergence::window);
  };
  const auto middle = [&](int last) {  // of a window [s]: the geometric mean
    Real product = 1;
    for (int k = last - Convergence::window; k < last; ++k) product *= c.points[k].h;
    return std::pow(product, 1.0 / Convergence::window);
  };
  c.last = static_cast<int>(c.points.size());
  while (c.last > 0 && !clean(c.points[c.last - 1])) --c.last;
  c.order = slope_to(c.last);
  if (const Real before = slope_to(c.last - 1); std::isfinite(before))
    c.limit = c.order + (c.order - before) / (middle(c.last - 1) / middle(c.last) - 1);
  return c;
}

template <class Outcome>
struct Reference {
  Outcome outcome{};
  Real uncertainty = 0;  // distance to the run of half as many steps

  // Errors this far above what the reference leaves open, and above the round-off of a run, are known to a per cent.
  Real floor() const { return 100 * std::max(uncertainty, 1e-14); }
};

// Doubles the steps of run(steps) until its outcome does not come closer to the one before: what is left is round-off.
template <class Run, class Distance>
auto converged(Run&& run, Distance&& distance) {
  constexpr int least = 64, most = 1 << 15;
  constexpr Real close = 1e-9;  // above, a lull is none: the steps are too coarse to tell
  auto before = run(least);
  Reference<decltype(before)> best{before, std::numeric_limits<Real>::infinity()};
  for (int steps = 2 * least; steps <= most; steps *= 2) {
    auto now = run(steps);
    const Real apart = distance(now, before);
    if (apart >= best.uncertainty && best.uncertainty < close) break;
    if (apart < best.uncertainty) best = {now, apart};
    before = std::move(now);
  }
  return best;
}

}  // namespace cairn
