// What a longer step is worth in bulk: velocity and height on a chute, angle of a drum, rate of a hopper and cooling of
// a gas, with few to many steps per collision, against a reference with small steps. The same starts run with every
// scheme and step, so deviations are means of pairs, and their standard errors those of pairs.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/bulk/bulk_cases.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct BulkSettings {
  Selection schemes = select_schemes("velocity_verlet,velocity_verlet_extrapolated");
  std::vector<std::string> cases{};               // names; empty: all
  std::vector<int> per_collision{5, 10, 20, 50};  // n, ascending
  const SchemeEntry* reference = &scheme_named("velocity_verlet_extrapolated");
  int finest = 100;   // steps per collision of the reference, with the correction of onsets
  int starts = 100;   // realisations of each run
  bool plain = true;  // all runs without the correction of onsets too, the reference among them
  BulkSizes sizes{.chute = 120, .settling = 20, .measuring = 10, .turning = 160, .gas = 60, .cooling = 0.5};
  Real wanted = 0.01;  // [-] the deviation about which the verdict is

  static BulkSettings quick();
  std::vector<bool> onsets() const;  // that run: corrected first
};

struct BulkResult {
  enum class Verdict {
    within,     // the 95 % interval of the deviation is within what is wanted
    outside,    // it is outside
    undecided,  // chance decides
    unstable    // a run had no result
  };
  struct Deviation {
    Real mean = 0, error = 0;  // [-] relative to the reference; standard error of the mean
    Real half_width = 0;       // [-] of its 95 % interval (Student)
  };
  struct Run {
    const SchemeEntry* scheme;
    std::size_t in;  // of cases
    int n;
    bool onset;
    std::vector<BulkRun> starts;
    Real price() const;  // [-] processor seconds per simulated second; NaN: no run came to its end
  };
  BulkSettings settings;
  std::vector<BulkCase> cases;
  std::vector<Run> references;  // by case
  // The same without the correction: their deviation shows whether the reference converged; empty unless `plain`.
  std::vector<Run> checks;
  // Case by case, scheme by scheme, coarse to fine, with the correction and, if `plain`, without.
  std::vector<Run> runs;

  Deviation deviation(const Run& run, std::size_t measure) const;
  Verdict verdict(const Run& run, std::size_t measure) const;
  // [-] of a run's values with those of the reference over the starts: pairs scatter by 1 - correlation less than two
  // runs that begin with other grains (squares); NaN: no result.
  Real correlation(const Run& run, std::size_t measure) const;
  // How many starts would narrow the 95 % interval to half of what is wanted on either side.
  Real starts_that_decide(const Run& run, std::size_t measure) const;
  // Mean of the reference and its standard error over starts, in the measure's unit.
  std::pair<Real, Real> reference(std::size_t in, std::size_t measure) const;
};

// Error(bad_input) for a scheme that chooses its own steps, and for a case there is not.
BulkResult study_bulk(const BulkSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const BulkResult& result);

// Mean, standard error and half of the 95 % interval of numbers; NaN with fewer than two.
BulkResult::Deviation statistics_of(const std::vector<Real>& values);

}  // namespace cairn::studies
