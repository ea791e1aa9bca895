// The impact study of Kruggel-Emden, Sturm, Wirtz & Scherer, Comput. Chem. Eng. 32 (2008) 2263: a sphere hits a wall at
// a hundred angles, every scheme of fixed step resolves the impact in n steps, and the rebound is compared with the
// exact one. It measures the error if the steps begin with the contact, the time-grid error if they do not, and the
// cost.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cairn/analysis/impact_runs.hpp"
#include "cairn/studies/impact/impact_exact.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

// A compared quantity, and the error of the paper's model against the experiment.
struct ImpactMeasure {
  const char *name, *words;
  Real ImpactOutcome::*value;
  Real model;  // [%]
};
inline constexpr ImpactMeasure impact_measures[] = {{"e_n", "normal restitution", &ImpactOutcome::e_n, 1},
                                                    {"e_t", "tangential restitution", &ImpactOutcome::e_t, 4},
                                                    {"beta", "rebound angle", &ImpactOutcome::beta, 3.52},
                                                    {"omega", "final spin", &ImpactOutcome::omega_f, 12}};
using ImpactErrors = std::array<Real, std::size(impact_measures)>;  // [%]; NaN: a run has no outcome

// How an impact starts the scheme and reads its result, as the paper prints it.
ImpactScheme impact_scheme(const SchemeEntry& scheme);
// Whether the paper's time grid has two readings for this scheme: they differ in where it starts, or in what is
// sampled.
bool grid_has_readings(const SchemeEntry& scheme);

// The schemes of these names (select_schemes) without those that choose their own steps.
// Error(bad_input) if such a scheme is named.
Selection select_fixed_steps(const std::string& names);

std::vector<Real> impact_phases();                // 0.05, 0.10 ... 0.95, 1 - 1e-12
std::vector<int> impact_steps(int from, int to);  // every n
// The n in this range that run with every phase: with the start of the paper, and in a simulation.
std::vector<int> impact_grid_steps(int from, int to);
std::vector<int> impact_simulated_steps(int from, int to);

struct ImpactSettings {
  Selection schemes = select_fixed_steps("");
  ImpactMaterial material;
  Real speed = 3.85;                                // [m/s]
  std::vector<Real> angles = impact_angles("mid");  // [deg] from the normal
  std::vector<int> steps = impact_steps(4, 100);
  std::vector<int> grid_steps = impact_grid_steps(4, 100);            // n of the time-grid error, start of the paper
  std::vector<int> simulated_steps = impact_simulated_steps(4, 100);  // n of the time-grid error in a simulation
  std::size_t grid_each = 1;     // the time-grid error takes every angle, or every third, fifth, ...
  std::optional<Onset> table{};  // the time-grid error that --csv writes; none: it writes the accuracy
  const std::vector<int>& steps_of(Onset onset) const {
    return onset == Onset::sampled || onset == Onset::remembered ? grid_steps : simulated_steps;
  }
  int phase_steps = 20;  // n of the error against the phase
  Real share = 0.25;     // [-] of integration in a step of taylor2, for the cost of a simulation
  int cost_repeats = 5;  // the shortest time counts
  int threads = 0;       // 0: all threads of the machine; results do not depend on it

  void make_quick();  // this also removes the schemes with the most expensive steps
};

struct ImpactResult {
  ImpactSettings settings;
  struct Accuracy {
    const SchemeEntry* scheme;
    int n;
    ImpactErrors ard;  // mean over angles of the relative error
  };
  std::vector<Accuracy> accuracy;  // scheme by scheme, n ascending
  struct Grid {
    const SchemeEntry* scheme;
    Onset onset;
    int n;
    // Largest over the phases, mean over the angles: deviation from the same scheme aligned, from the exact rebound.
    ImpactErrors dev, tot;
  };
  std::vector<Grid> grid;  // by onset, then likewise
  struct Phase {
    const SchemeEntry* scheme;
    Onset onset;
    Real phase;
    ImpactErrors dev;  // mean over angles
  };
  std::vector<Phase> phases;  // n = settings.phase_steps; of a few schemes
  struct Cost {
    const SchemeEntry* scheme;
    Real passes;            // force passes per step
    Real step;              // [s] of one step of an impact
    std::vector<Real> run;  // [s] of all steps of an impact, for each of cost_steps
    Real bed_step;          // [s] per grain of one step of a dense bed
  };
  std::vector<int> cost_steps;
  std::vector<Cost> costs;
  Real euler_step = 0, euler_bed_step = 0;    // [s] of forward_euler
  Real taylor2_step = 0, taylor2_passes = 0;  // [s] [-] likewise
  Real bed_force = 0, bed_share = 0;          // [s] per grain of one force pass; [-] of the rest in a step of taylor2
  int bed_grains = 0, bed_contacts = 0;
};

ImpactResult study_impact(const ImpactSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const ImpactResult& result);

}  // namespace cairn::studies
