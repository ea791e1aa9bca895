// The ledger study: how fast the residual of the energy ledger falls with the step, for each scheme and law in contact
// and for some schemes in packings; and what the forms of the tangential force gain or lose in a collision that should
// keep its energy.
#pragma once
#include <string>
#include <vector>

#include "cairn/analysis/convergence.hpp"
#include "cairn/contact/settings.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

// Two spheres of the engine that press on each other at an angle, begun in contact and ended before they part.
struct LedgerCase {
  std::string name, words, law;
  ContactSettings contact;
  int Claims::*order = &Claims::order;  // claimed for what happens
  bool head_on = false;                 // along the line of centres, without spin
};
const std::vector<LedgerCase>& ledger_cases();

// [-] |residual| over the energy at the start.
Real residual_in_contact(const LedgerCase& of, const SchemeEntry& scheme, int steps);

struct LedgerSettings {
  Selection schemes = select_schemes("");
  Selection in_packings = select_schemes(
      "symplectic_euler,central_difference,velocity_verlet,velocity_verlet_predicted,velocity_verlet_extrapolated,"
      "velocity_verlet_implicit,rk4,gauss2_extrapolated");
  int calls = 8192;                                // most force calls of a run in contact
  int starts = 8;                                  // packings
  std::vector<int> per_collision{10, 20, 40, 80};  // steps in a collision, in packings

  static LedgerSettings quick();
  void take_only(const Selection& these);
};

struct LedgerResult {
  struct InContact {
    const SchemeEntry* scheme;
    std::size_t in;  // of ledger_cases()
    Convergence found;
  };
  // Forty grains with friction fall into a box and come to rest.
  struct Packing {
    const SchemeEntry* scheme;
    std::vector<Real> residual;  // [-] by steps per collision: root mean square over starts of residual over throughput
    Real order = 0;
  };
  // One oblique collision with restitution 1 that only sticks, with steps so small that schemes do not matter.
  struct Form {
    std::string name;
    std::vector<Real> gain;  // [-] by angle: energy at the end over that at the start, less 1
    Real residual = 0;       // [-] largest
  };
  LedgerSettings settings;
  std::vector<InContact> contacts;  // scheme by scheme, case by case
  std::vector<Packing> packings;
  std::vector<Real> angles;  // [deg] of the approach from the normal
  std::vector<Form> forms;
};

LedgerResult study_ledger(const LedgerSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const LedgerResult& result);

}  // namespace cairn::studies
