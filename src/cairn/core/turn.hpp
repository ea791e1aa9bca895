// Sine and cosine of an angle given in turns, from exact range reduction and Taylor polynomials: the same bits with
// every compiler and C library. Rejected: libm, whose last bits differ between versions (docs/determinism.md).
#pragma once
#include "cairn/core/constants.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

struct SinCos {
  Real sin, cos;
};

// sin and cos of 2 pi turns; error below 2e-16.
inline SinCos sincos_turns(Real turns) {
  const Real quarter = nearest_integer(4 * turns);  // exact: scaling by 4 and the subtraction below do not round
  const Real a = (turns - quarter / 4) * tau;       // in [-pi/4, pi/4]
  const Real s = a * a;
  const Real sin_a =
      a * (1 + s * (-1.0 / 6 +
                    s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800 +
                                                                                 s * (1.0 / 6227020800 +
                                                                                      s * (-1.0 / 1307674368000))))))));
  const Real cos_a =
      1 + s * (-0.5 + s * (1.0 / 24 +
                           s * (-1.0 / 720 +
                                s * (1.0 / 40320 + s * (-1.0 / 3628800 +
                                                        s * (1.0 / 479001600 + s * (-1.0 / 87178291200 +
                                                                                    s * (1.0 / 20922789888000))))))));
  const Real rest = quarter - 4 * std::floor(quarter / 4);
  if (rest == 0) return {sin_a, cos_a};
  if (rest == 1) return {cos_a, -sin_a};
  if (rest == 2) return {-sin_a, -cos_a};
  return {-cos_a, sin_a};
}

}  // namespace cairn
