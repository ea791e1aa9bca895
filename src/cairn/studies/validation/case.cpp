#include "cairn/studies/validation/case.hpp"

#include <cmath>

namespace cairn::studies {

Real ValidationRow::deviation() const {
  return relative ? (found - expected) / std::fabs(expected) : found - expected;
}

bool ValidationRow::holds() const {
  return std::fabs(deviation()) <= bound;  // false where it is not a number
}

}  // namespace cairn::studies
