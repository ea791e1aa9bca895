// The numbers a parameter or a key of a scenario may have.
#pragma once
#include <cmath>
#include <limits>
#include <string>

#include "cairn/core/text.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

struct NumberRange {  // never NaN or infinite
  Real low = -std::numeric_limits<Real>::infinity(), high = std::numeric_limits<Real>::infinity();
  bool low_allowed = true, high_allowed = true;  // the bounds themselves

  constexpr bool contains(Real a) const {
    return (low_allowed ? low <= a : low < a) && (high_allowed ? a <= high : a < high);
  }
};

// " > 0 and <= 1"; empty without bounds.
inline std::string range_text(const NumberRange& range) {
  std::string text;
  if (std::isfinite(range.low)) text += (range.low_allowed ? " >= " : " > ") + to_text(range.low);
  if (std::isfinite(range.high))
    text += std::string(text.empty() ? "" : " and") + (range.high_allowed ? " <= " : " < ") + to_text(range.high);
  return text;
}

inline constexpr NumberRange positive{0, std::numeric_limits<Real>::infinity(), false, true};
inline constexpr NumberRange at_least_0{0, std::numeric_limits<Real>::infinity(), true, true};
inline constexpr NumberRange at_least_1{1, std::numeric_limits<Real>::infinity(), true, true};

}  // namespace cairn
