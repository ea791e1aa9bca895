// The statics study: equilibria by Newton's method, relaxation and damped dynamics, on columns known in closed form;
// and what implicit steps beyond the explicit limit do to energy, on contacts that always hold and on contacts that
// open.
#pragma once
#include <string>
#include <vector>

#include "cairn/statics/column.hpp"
#include "cairn/statics/equilibrium.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct StaticsSettings {
  std::vector<int> relaxed{5, 10, 20, 50};  // grains of the columns that are relaxed
  bool relaxes_columns = true;              // of 50 grains, which takes half a minute
  int bilateral_steps = 2000;
  std::vector<Real> factors{1, 3, 10, 30, 100};  // [-] steps over the explicit limit
  Selection schemes = statics_schemes();         // of the implicit steps; one more scheme is one more entry
  static Selection statics_schemes();
  static StaticsSettings quick();
};

struct StaticsResult {
  StaticsSettings settings;
  // The golden columns, by each method.
  struct Solution {
    bool hertz;
    statics::Method method;
    statics::EquilibriumResult found{};
    Real error = 0, bound = 0;          // [m] the farthest grain; what the residual allows
    Real floor_force = 0;               // [N]
    Real energy = 0, exact_energy = 0;  // [J] elastic
    Real seconds = 0;
  };
  std::vector<Solution> solutions;
  // Relaxation of K u = f from u = 0, as lecture notes on discrete elements have it, and of contacts that open; until
  // |r| < 1e-6 N.
  struct Count {
    int grains;
    statics::RelaxationOrder order;
    std::int64_t linear = 0, contacts = 0;
    Real error = 0, bound = 0;  // [m]
    std::vector<statics::Iterate> history{};
  };
  std::vector<Count> counts;
  // Newton's method from the same overlap at every contact.
  struct NewtonRun {
    bool hertz;
    Real overlap;  // [m] 0: they just touch
    bool line_search, regularises;
    statics::NewtonResult found{};
    Real error = 0;  // [-] of the farthest place
  };
  std::vector<NewtonRun> newton;
  statics::NewtonResult cycle;  // of x^3 - 2 x + 2 from x = 0
  // Central differences at shares of the explicit limit; bilateral contacts.
  Real limit = 0;  // [s]
  struct Limit {
    Real share;
    Real growth;  // [-] largest coordinate over the first
    bool overflow;
  };
  std::vector<Limit> limits;
  // Steps far beyond the limit.
  struct Run {
    const SchemeEntry* scheme;
    Real factor;                         // [-] step over the explicit limit
    bool opens;                          // contacts open; else they pull as well as push
    Real gained = 0;                     // [J] energy that the scheme added; negative: took
    Real relative = 0;                   // [-] bilateral: largest |E/E_0 - 1|
    Real theory = 0;                     // [-] bilateral, backward_euler: E/E_0 that its factors leave after 3 steps
    Real ratio = 0;                      // [-] bilateral: E/E_0 at the end; backward_euler: after 3 steps
    bool in_order = true;                // no grain has passed through another
    std::vector<Real> time{}, energy{};  // [s] [J] gained so far
    std::string failure{};
  };
  std::vector<Run> runs;

  const Solution* solution(bool hertz, statics::Method method) const;        // null: there is none
  const Run* run(const std::string& scheme, Real factor, bool opens) const;  // null: there is none
};

StaticsResult study_statics(const StaticsSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const StaticsResult& result);

}  // namespace cairn::studies
