// Limits of stability three ways: Hurwitz's criterion on paper (Feng, Int. J. Numer. Meth. Engng 64 (2005) 1959), the
// eigenvalues of each scheme's own map, and runs of the engine that grow or do not; of one damped contact and of a
// column of grains. The limits that are stated on contact networks, against the schemes' own maps of them. Regions of
// absolute stability of y' = lambda y follow from the same maps.
#pragma once
#include <string>
#include <vector>

#include "cairn/analysis/region_boundary.hpp"
#include "cairn/run/case_stability.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct StabilitySettings {
  Selection schemes = select_schemes("");              // those that choose their steps are left out
  std::vector<Real> dampings{0, 0.05, 0.1, 0.2, 0.5};  // [-] zeta of the contact
  std::int64_t steps = 20'000;                         // of a run that must show growth
  int column = 50;                                     // grains
  static StabilitySettings quick();
};

struct StabilityResult {
  struct Limit {
    const SchemeEntry* scheme;
    Real damping;    // [-] zeta
    Real closed;     // [-] h omega in closed form; NaN: none is known
    Real computed;   // [-] of the scheme's map; infinite: none below 20; 0: weakly unstable
    Real simulated;  // [-] of the engine, to a thousandth; NaN: not looked for, or not within 5 % of the computed one
  };
  struct Column {
    const SchemeEntry* scheme;
    Real limit;         // [s] of the step, by the largest frequency of the column
    bool below, above;  // whether the motion grew at 0.99 and at 1.01 of it
  };
  // Where no solution of y' = lambda y grows, of a scheme that treats positions and velocities alike. Of another one
  // it belongs to the oscillator with the roots lambda and its conjugate, damped or driven.
  struct Region {
    const SchemeEntry* scheme;
    bool alike;
    bool unbounded;                  // a distant negative lambda h belongs to it
    std::vector<Polyline> boundary;  // [-] of lambda h, in the upper half plane; the lower one is its image
  };
  // The step that the guard states as stable on a network, and how the scheme's own map of it behaves about that step.
  struct Network {
    std::string name;
    int grains = 0, contacts = 0;
    std::vector<SchemeOnNetwork> schemes;  // of one force evaluation per step, for which the limit is proven
    static bool holds(const SchemeOnNetwork& of);
  };
  std::vector<Limit> limits;  // scheme by scheme, with growing damping
  Real omega_max = 0;         // [1/s] of the column, in closed form
  std::vector<Column> columns;
  std::vector<Region> regions;
  std::vector<Network> networks;
};

StabilityResult study_stability(const StabilitySettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const StabilityResult& result);

StabilityResult::Region absolute_stability(const SchemeEntry& scheme);

// [-] h omega of a damped contact in closed form; NaN where none is known.
Real closed_limit(const SchemeEntry& scheme, Real damping);

}  // namespace cairn::studies
