// How long a step follows the phase of an oscillator.
#pragma once
#include "cairn/analysis/toys/one_body.hpp"

namespace cairn {

// The end of the first interval of h omega from 0 on which the phase of m q'' + c q' + k q = 0 gains or loses at most
// `accuracy` radians by each radian of h omega (phase_error in analysis/stability.hpp); at most 3. Beyond critical
// damping nothing oscillates, and the scheme's own oscillation counts.
Real phase_limit(const toys::ToyScheme& scheme, Real accuracy, Real zeta);

}  // namespace cairn
