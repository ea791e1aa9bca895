// Where schemes meet the World: the catalogue by name, and the one place where they are instantiated for it.
#pragma once
#include <span>
#include <string>

#include "cairn/integrate/claims.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct SchemeEntry {
  Claims claims;
  bool staggered;                   // velocities stand half a step behind
  Real (*advance)(World&, Real h);  // one step of at most h [s]; returns its length

  // Of the scheme on one damped oscillator, computed (analysis/stability.hpp): the limit of h omega [-], 0 if weakly
  // unstable, infinite if there is none; and the spectral radius of one step.
  Real (*stability)(Real zeta);
  Real (*spectral_radius)(Real h_omega, Real zeta);
};

std::span<const SchemeEntry> scheme_catalogue();
// Throws Error(bad_input) with the names there are.
const SchemeEntry& scheme_named(const std::string& name);

}  // namespace cairn
