// The energy study: which schemes keep the energy of thirteen falling spheres, and why the energies of Hofmann's thesis
// (TU Muenchen 2011) grow with every one of them: the rate of overlap that the thesis prints has the wrong sign, and
// its dashpots push. Both signs run beside each other.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/energy/pyramid.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct EnergySettings {
  std::vector<Real> steps{1e-3, 1e-4, 1e-5};  // [s] of the comparison
  Real end = 5;                               // [s]
  int starts = 20;                            // of each statistic: gaps that differ by up to 0.1 %
  Selection catalogue = select_schemes("");   // whose error over cost is shown
  std::vector<Real> catalogue_steps{2e-3, 1e-3, 5e-4, 2e-4, 1e-4};  // [s]

  static EnergySettings quick();
};

struct EnergyResult {
  struct Run {
    std::size_t in;  // of cases
    const SchemeEntry* scheme;
    Real step;  // [s] adaptive: the smallest
    PyramidRun run;
  };
  struct Statistic {
    bool printed;
    const SchemeEntry* scheme;
    Real step;
    std::vector<PyramidRun> starts;
  };
  EnergySettings settings;
  std::vector<PyramidCase> cases;  // golden, stiff, stiff with the printed sign
  std::vector<Run> comparison;     // case by case, scheme by scheme, from long steps to short
  std::vector<PyramidCase> laws;   // three laws at the golden parameters
  std::vector<Run> of_laws;        // `in` of laws
  std::vector<Statistic> statistics;
  PyramidRun reference;        // golden, by dormand_prince54
  std::vector<Run> catalogue;  // golden, for a second
  std::vector<Run> thrown;     // momenta

  const Run& of(std::size_t in, const std::string& scheme, Real step) const;
};

// The schemes of the thesis: Taylor, VelVer, Rk45, Rk45N, GauCol, GauCo2; the first guess that it proposes, and
// Newton's method.
const Selection& thesis_schemes();

EnergyResult study_energy(const EnergySettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const EnergyResult& result);

}  // namespace cairn::studies
