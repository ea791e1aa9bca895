// Work and precision: error and cost of each scheme in one scenario at ever smaller steps.
#pragma once
#include <string>
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct WorkPrecisionSettings {
  Scenario scenario;  // the study replaces its scheme, step, tolerance, threads, output and guards
  Selection schemes = select_schemes("");
  std::vector<Real> steps{};  // [s] descending; empty: fractions of the shortest contact
  // Steps in the shortest contact, where `steps` is empty.
  std::vector<int> per_contact{2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320};
  Real repeat_for = 0.05;  // [s] shorter runs are repeated; the shortest time counts
  Real most_work = 3e8;    // force calls times grains; above, the tolerance of the reference is not lowered further

  void make_quick() { per_contact = {3, 5, 7, 10, 14, 20, 28, 40}, repeat_for = 0.01, most_work = 2e7; }
};

// Of positions and velocities of all grains at the end: the root of the mean square, and the largest.
struct Deviation {
  Real position = 0, position_most = 0;  // [-] over the mean radius
  Real velocity = 0, velocity_most = 0;  // [-] over the largest root mean square speed of the reference
};

struct WorkPrecisionResult {
  struct Entry {
    const SchemeEntry* scheme;
    Real h;              // [s] with an adaptive scheme the mean
    Real tolerance = 0;  // adaptive schemes
    std::int64_t steps = 0, force_calls = 0;
    Real seconds = 0;       // [s] processor time of the steps alone
    Deviation error{};      // NaN: no result
    Real residual = 0;      // [-] of the ledger, over the energy exchanged
    std::string failure{};  // why there is no result
    bool resolved = true;   // error at least ten times the reference's uncertainty
  };
  struct Check {  // of the reference, by a scheme of another kind
    std::string scheme;
    Real h;  // [s]
    Deviation apart{};
  };
  std::string title;
  std::int64_t grains = 0;     // at the end
  Real end = 0;                // [s]
  Real contact = 0;            // [s] the shortest; 0: none
  Real length = 0, speed = 0;  // [m] [m/s] what errors are relative to
  std::string reference;       // scheme
  Real reference_tolerance = 0;
  std::int64_t reference_steps = 0;
  Deviation uncertainty;       // distance to the reference of ten times the tolerance
  std::vector<Check> checks;   // coarser step first
  std::vector<Entry> entries;  // scheme by scheme, coarse to fine
  Selection refused;           // schemes that runs of the scenario refuse, because they slide wrongly
};

WorkPrecisionResult study_work_precision(const WorkPrecisionSettings& settings,
                                         const ProgressCallback& on_progress = {});
StudyReport show(const WorkPrecisionResult& result);

// The cost at which the error of a scheme falls to a level and stays below it, interpolated between its runs on
// logarithmic axes.
struct Cost {
  Real least;          // NaN: the scheme does not reach the level
  bool bound = false;  // the cost may be less: no coarser run has a result above the level
};
// `entries` of one scheme, coarse to fine.
Cost cost_at(Real level, const std::vector<const WorkPrecisionResult::Entry*>& entries,
             Real (*cost)(const WorkPrecisionResult::Entry&));

}  // namespace cairn::studies
