// Where schemes meet the World: the catalogue by name, and the one place where they are instantiated for it.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/analysis/stable_region.hpp"
#include "cairn/analysis/toys/one_body.hpp"
#include "cairn/integrate/claims.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

// A scheme with the numbers it takes, if it takes some: those of the catalogue with their usual ones.
struct SchemeEntry {
  Claims claims;                                // for the usual numbers
  std::string name;                             // in full: "rk4", "newmark(0.25,0.5)"
  Parameters parameters;                        // [-] in the order of claims.parameters
  bool staggered = false;                       // velocities stand half a step behind
  bool splitting = false;                       // moves by kicks and drifts alone
  bool hard = false;                            // of hard contacts: has no toy, and no stability of its own
  Real sliding_friction = 1;                    // [mu F_n] while a contact slides far in a step (splitting.hpp)
  std::function<Real(World&, Real h)> advance;  // one step of at most h [s]; returns its length
  toys::ToyScheme toy;                          // the same on toys (analysis/toys)
  std::function<std::string()> equations;       // of a step, one per line (integrate/equations.hpp)

  // Of the scheme on one damped oscillator, computed (analysis/stability.hpp): the limit of h omega [-], 0 if weakly
  // unstable, infinite if there is none; the step for a whole network; and the spectral radius of one step.
  std::function<Real(Real zeta)> stability;
  std::shared_ptr<const StableRegion> region;
  std::function<Real(Real h_omega, Real zeta)> spectral_radius;

  std::vector<std::string_view> names() const;  // without numbers: its own, then the others it is known by
  bool usual() const { return parameters == claims.usual_parameters(); }
};

std::span<const SchemeEntry> scheme_catalogue();       // schemes of forces
std::span<const SchemeEntry> hard_scheme_catalogue();  // schemes of hard contacts (integrate/schemes/hard.hpp)
// By any of its names, in their own case, with numbers in parentheses or without: "newmark", "newmark(0.3, 0.6)". Null
// where nothing is known by it or the numbers are not allowed. Every time the same one for the same scheme.
const SchemeEntry* find_scheme(std::string_view name);
// "; did you mean 'rk4'?", or nothing.
std::string scheme_suggestion(std::string_view name);
// What find_scheme has against the numbers of a scheme it knows; empty where it does not know the scheme.
std::string scheme_numbers_fault(std::string_view name);
// Throws Error(bad_input) where find_scheme finds none.
const SchemeEntry& scheme_named(const std::string& name);
// "rk4,newmark(0.25,0.5)" at the commas outside parentheses, blanks left out.
std::vector<std::string> split_scheme_names(std::string_view list);

// "newmark(0.25,0.5)"; the name alone where the scheme takes no numbers.
std::string full_name(const Claims& claims, const Parameters& parameters);
// From what stands in the parentheses: "0.25, 0.5". Throws Error(bad_input) where it is not a number for each parameter
// in its range.
Parameters parse_parameters(const Claims& claims, std::string_view numbers);

}  // namespace cairn
