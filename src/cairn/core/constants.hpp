// The numbers of the circle.
#pragma once
#include "cairn/core/vec3.hpp"

namespace cairn {

inline constexpr Real pi = 3.14159265358979323846;
inline constexpr Real tau = 2 * pi;  // a full turn [rad]

}  // namespace cairn
