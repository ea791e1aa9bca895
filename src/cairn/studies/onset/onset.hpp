// Contact onsets: the error that arises because steps do not begin where contacts begin, and the gain of the
// contact-onset correction (WorldSettings::onset), in cases from one impact at random phases to a gas.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/onset/onset_cases.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct OnsetSettings {
  Selection schemes = select_schemes(
      "velocity_verlet_extrapolated,velocity_verlet_predicted,velocity_verlet,velocity_verlet_implicit,"
      "symplectic_euler,position_verlet,"
      "omelyan_babab,rk4,taylor3");
  std::vector<std::string> cases{};                                           // names; empty: all
  std::vector<Real> per_contact{5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160};  // n = contact / h
  CaseSizes sizes{.phases = 400, .billiards = 40, .gas = 200, .tables = 5};
  Real most_work = 1.5e6;  // steps times grains; in cases of many grains larger n do not run
  int cooling_grains = 2000;
  std::vector<Real> cooling_per_contact{5, 7, 10};
  Real finer = 20;  // the reference of the cooling gas has steps so many times smaller than the last of these
  int threads = 1;  // runs at a time; results do not depend on it

  void make_quick();
};

inline constexpr Real most_per_contact = 1000;          // n; beyond, a case takes hours
inline constexpr const char* cooling_name = "cooling";  // beside onset_cases

struct OnsetResult {
  struct Check {  // of the reference, by a scheme of another kind
    std::string scheme;
    Real n;
    std::vector<Real> error;  // by measure
  };
  struct Case {
    std::string name, words, law;
    std::vector<Measure> measures;
    std::int64_t grains = 0;
    int starts = 1;
    bool phased = false;
    Real contact = 0, end = 0;      // [s]
    Real collisions = 0;            // contacts begun per grain, each counted for both
    std::vector<Real> uncertainty;  // of the reference, by measure: what ten times its tolerance changes
    std::vector<Check> checks;
  };
  struct Entry {
    const SchemeEntry* scheme;
    std::size_t in, measure;  // of cases, and of its measures
    Real n;
    Real off, on;                    // error [-] without and with the correction; NaN: no result
    Real residual_off, residual_on;  // [-] largest of the ledger, over the energy at the start
    bool resolved;                   // both at least ten times the reference's uncertainty
    Real gain() const { return off / on; }
  };
  struct Cooling {
    struct Run {
      const SchemeEntry* scheme;
      Real n;
      bool onset;
      std::vector<Real> energy;  // [-] over the first, at `times`
      Real residual = 0;         // [-] at the end
    };
    int grains = 0;
    Real restitution = 0, fraction = 0, contact = 0, tau = 0;  // [-] [-] [s] [s]
    std::vector<Real> times;                                   // [s]
    std::vector<Run> references;  // the default scheme, small steps, without and with the correction
    std::vector<Run> runs;        // scheme by scheme, coarse to fine, without, with
  };
  std::vector<Case> cases;
  std::vector<Entry> entries;  // case by case, measure by measure, scheme by scheme, coarse to fine
  Cooling cooling;             // no grains: the case was not selected
};

// Error(bad_input) for a scheme that chooses its own steps, a case there is not, or n outside of 1 to most_per_contact.
OnsetResult study_onset(const OnsetSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const OnsetResult& result);

// The scheme that scenarios without one prefer, if it is among these, else the first.
const SchemeEntry* usual_of(const Selection& schemes);

// The slope of errors against the step, over n of `from` and more that stand above the reference's uncertainty; NaN:
// fewer than three.
Real onset_slope(const OnsetResult& result, std::size_t in, std::size_t measure, const SchemeEntry* scheme, bool onset,
                 Real from = 14);
// Relative error of the rate at which a gas cools, 1 / tau as fitted to sqrt(E_0 / E) = 1 + t / tau; and of its energy,
// root mean square over the times.
Real cooling_rate(const OnsetResult::Cooling& cooling, const std::vector<Real>& energy);  // [1/s]
Real energy_error(const std::vector<Real>& energy, const std::vector<Real>& reference);

}  // namespace cairn::studies
