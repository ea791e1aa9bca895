#include "cairn/geometry/ramp.hpp"

#include <algorithm>

namespace cairn {
namespace {

// The integral from the first point to `time`, and the piece there.
Ramp::Piece from_first(const Ramp& ramp, Real time) {
  const std::vector<Real>&t = ramp.times, &v = ramp.values;
  if (time <= t.front()) return {v.front(), 0, (time - t.front()) * v.front()};
  Real integral = 0;
  std::size_t k = 1;
  for (; k < t.size() && t[k] <= time; ++k) integral += 0.5 * (t[k] - t[k - 1]) * (v[k] + v[k - 1]);
  const Real since = time - t[k - 1];
  const Real slope = k < t.size() ? (v[k] - v[k - 1]) / (t[k] - t[k - 1]) : 0;
  return {v[k - 1] + slope * since, slope, integral + (v[k - 1] + 0.5 * slope * since) * since};
}

}  // namespace

Ramp::Piece Ramp::at(Real time) const {
  if (times.empty()) return {1, 0, time};
  Piece p = from_first(*this, time);
  p.integral -= from_first(*this, 0).integral;
  return p;
}

}  // namespace cairn
