// Restitution of the linear spring-dashpot in closed form, and its inverse. The Hertz contact with Tsuji's damping
// obeys the same formulas: with z = delta^(5/4) its phase plane is the linear oscillator's, its damping ratio is beta
// and the clip acts at the same point (Antypov & Elliott, EPL 94 (2011) 50004; the clipped form follows likewise).
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "cairn/contact/settings.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/elementary.hpp"
#include "cairn/core/error.hpp"

namespace cairn {

struct HeadOn {
  Real restitution = 0;  // [-] e
  Real duration = 0;     // [s] t_c, until nothing presses any more; infinite where the bodies stay together
  Real deepest = 0;      // [m] largest overlap
};

// e of a contact with damping ratio zeta = gamma / (2 sqrt(k m_eff)) >= 0.
inline Real restitution_of(Real zeta, Attraction attraction) {
  if (attraction == Attraction::allowed) return zeta < 1 ? stable_exp(-pi * zeta / std::sqrt(1 - zeta * zeta)) : 0;
  if (zeta == 1) return stable_exp(-2.0);
  if (zeta < 1) return stable_exp(-2 * zeta * stable_acos(zeta) / std::sqrt(1 - zeta * zeta));
  return stable_exp(-2 * zeta * stable_acosh(zeta) / std::sqrt(zeta * zeta - 1));
}

// Duration of the contact times the undamped angular frequency sqrt(k / m_eff).
inline Real contact_phase(Real zeta, Attraction attraction) {
  if (attraction == Attraction::allowed)
    return zeta < 1 ? pi / std::sqrt(1 - zeta * zeta) : std::numeric_limits<Real>::infinity();
  if (zeta == 1) return 2;
  if (zeta < 1) return 2 * stable_acos(zeta) / std::sqrt(1 - zeta * zeta);
  return 2 * stable_acosh(zeta) / std::sqrt(zeta * zeta - 1);
}

// Deepest overlap times that frequency, over the speed of the impact.
inline Real deepest_phase(Real zeta) {
  return std::sqrt(restitution_of(zeta, Attraction::clipped));
}

// The damping ratio that realises a restitution e <= 1; of 0, which contacts that may pull have from critical damping
// on, the least. A clipped contact lets go while its bodies still part, and has e > 0 whatever its damping.
inline Real damping_ratio_of(Real e, Attraction attraction) {
  if (e <= 0) {
    if (attraction == Attraction::allowed) return 1;
    throw Error(Exit::bad_input,
                "a restitution of 0 needs attraction: a clipped contact rebounds at every finite damping");
  }
  const Real l = stable_log(e);
  const Real unclipped = -l / std::sqrt(l * l + pi * pi);
  if (attraction == Attraction::allowed || e >= 1) return unclipped;
  // A table of many materials asks for the same again and again.
  struct Known {
    Real e, ratio;
  };
  thread_local Known last{-1, 0};
  if (e == last.e) return last.ratio;
  Real low = 0, high = 1;
  while (restitution_of(high, attraction) > e) high *= 2;
  for (int k = 0; k < 200 && low < high; ++k) {  // bisection to the last bit: e falls monotonically
    const Real middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (restitution_of(middle, attraction) > e ? low : high) = middle;
  }
  last = {e, 0.5 * (low + high)};
  return last.ratio;
}

// Settings with a restitution of 0 that a clipped contact is to realise.
inline std::optional<ParameterFault> no_rebound_fault(const ContactSettings& c, const std::string& expected) {
  const bool clipped = c.choice<Attraction>(parameter::attraction) == Attraction::clipped;
  if (c["restitution"] != 0.0 || !clipped || c["damping_map"] == DampingMap::tsuji) return {};
  return ParameterFault{{"restitution", "attraction", "damping_map"},
                        "restitution = 0, which a clipped contact cannot realise with any finite damping: its force "
                        "ends before the grains stop separating",
                        expected};
}
inline constexpr const char* smallest_of_clipped =
    "at least 0.01, about five times critical damping, or attraction = \"allowed\"";

inline Real damping_ratio_of(Real e, Attraction attraction, DampingMap map) {
  return damping_ratio_of(e, map == DampingMap::tsuji ? Attraction::allowed : attraction);
}

}  // namespace cairn
