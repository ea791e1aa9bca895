// The numbers of the circle, and one that stands for none.
#pragma once
#include <limits>

#include "cairn/core/vec3.hpp"

namespace cairn {

inline constexpr Real pi = 3.14159265358979323846;
inline constexpr Real tau = 2 * pi;  // a full turn [rad]
inline constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();

}  // namespace cairn
