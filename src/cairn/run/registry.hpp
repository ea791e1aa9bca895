// Where schemes meet the World: the catalogue by name, and the one place where they are instantiated for it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/integrate/claims.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct SchemeEntry {
  Claims claims;
  bool staggered;                   // velocities stand half a step behind
  bool splitting;                   // moves by kicks and drifts alone
  Real (*advance)(World&, Real h);  // one step of at most h [s]; returns its length
  std::string (*equations)();       // of a step, one per line (integrate/equations.hpp)

  // Of the scheme on one damped oscillator, computed (analysis/stability.hpp): the limit of h omega [-], 0 if weakly
  // unstable, infinite if there is none; and the spectral radius of one step.
  Real (*stability)(Real zeta);
  Real (*spectral_radius)(Real h_omega, Real zeta);

  std::vector<std::string_view> names() const;  // its own, then the others it is known by
};

std::span<const SchemeEntry> scheme_catalogue();
// By any of its names, in their own case; null where nothing is known by it.
const SchemeEntry* find_scheme(std::string_view name);
// "; did you mean 'rk4'?", or nothing.
std::string scheme_suggestion(std::string_view name);
// Throws Error(bad_input) where nothing is known by that name.
const SchemeEntry& scheme_named(const std::string& name);

}  // namespace cairn
