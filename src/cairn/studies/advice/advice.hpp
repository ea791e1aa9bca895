// Advice on scheme and step for a scenario: for each scheme the longest step that is stable and keeps an accuracy in
// the collisions of the case, and its price on this machine.
#pragma once
#include <string>
#include <vector>

#include "cairn/run/impact_trials.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct AdviceSettings {
  Real accuracy = 0.01;  // [-] of restitution and tangential response of each collision
  Selection schemes = select_schemes(
      "velocity_verlet,velocity_verlet_extrapolated,velocity_verlet_predicted,velocity_verlet_implicit,"
      "position_verlet,omelyan_babab,heun2,rk4,adams_bashforth2,abm3");
  Real patience = 0.5;    // [s] of wall time to measure the price of one scheme
  bool measures = false;  // whether winner and own setting run against a reference
  Real window = 0;        // [s] of simulated time that these runs take; 0: a tenth of the run
};

struct Advice {
  struct Option {
    const SchemeEntry* scheme = nullptr;
    bool onset = false;          // contact onsets are corrected
    Real stable = 0;             // [s] the least of its limits of stability; infinite: none
    Real accurate = 0;           // [s] the longest step that keeps the accuracy; infinite: no impact is expected
    Real step = 0;               // [s] the shorter of that and 0.8 of the stable step
    Real steps_per_contact = 0;  // [-] at this step, of the impact that limits it; NaN: none
    std::string limit{};         // in words
    Real cost = 0;               // [s] of wall time per simulated second
    ImpactError error{};         // [-] at this step, of the shortest expected impact
  };
  struct Curve {  // the larger of both errors of the shortest impact, over the wall time per simulated second
    const SchemeEntry* scheme;
    std::vector<Real> cost, error;
  };
  struct Measured {  // of one setting, against a reference with an eighth of the winner's step
    std::string setting;
    int collisions = 0;  // of two alone, at the same place in the histories of both, with the reference too
    // [-] deviation of their restitutions, root mean square over that of the restitutions; NaN: no collision.
    Real restitution = 0;  // weighted by the energy of the approach
    Real unweighted = 0;   // slow collisions, on which gravity acts as well, count as much as fast ones
    int alike = 0;  // of these collisions, begin with the reference's slip over approach, to a tenth of the accuracy
    // [-] deviation of their changes of slip over approach, weighted by the energy of the approach: root mean square
    // over that of the changes. NaN: none is alike, or none slips.
    Real tangential = 0;
    // Deviations of the state at the end. They grow with each collision, whatever the step.
    Real dissipated = 0, kinetic = 0;  // [-] over the energy exchanged
    Real centre = 0;                   // [-] of the centre of mass, over its largest displacement
  };
  Real accuracy = 0;
  std::string scenario;
  std::vector<ExpectedImpact> impacts;
  std::vector<Option> options;        // cheapest first
  std::vector<std::string> left_out;  // schemes that do not reach the accuracy, or do not run; why, in words
  Option own;                         // at the step of the scenario; of `limit` nothing
  std::vector<Curve> curves;
  Real window = 0;                 // [s]
  std::vector<Measured> measured;  // the winner, the own setting, and the reference against twice its step
};

// Error(bad_input) where the scenario cannot start; adaptive schemes of the scenario are left out of the comparison.
Advice advise(const Scenario& scenario, const AdviceSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const Advice& advice);

}  // namespace cairn::studies
