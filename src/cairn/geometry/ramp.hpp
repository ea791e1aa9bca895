// A number that changes with time along straight lines between given points, and stays constant before and after them.
#pragma once
#include <utility>
#include <vector>

#include "cairn/core/jet.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

struct Ramp {
  std::vector<Real> times{}, values{};  // [s] ascending; as many values. Without any the number is 1

  struct Piece {
    Real value, slope, integral;  // at a time: the number, its rate [1/s], and its integral from time 0 [s]
  };
  // Not inline: files that are compiled once per instruction set must not leave copies.
  Piece at(Real time) const;
};

// The value of the ramp and its integral from time 0, for any scalar.
template <class T>
std::pair<T, T> value_and_integral(const Ramp& ramp, const T& time) {
  const Ramp::Piece p = ramp.at(value(time));
  const T since = time - T(value(time));
  return {T(p.value) + p.slope * since, T(p.integral) + (T(p.value) + (0.5 * p.slope) * since) * since};
}

}  // namespace cairn
