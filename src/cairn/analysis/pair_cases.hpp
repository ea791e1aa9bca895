// Two spheres of the full engine that press, roll and twist on each other, started in contact and stopped before
// anything opens, clips or changes between stick and slip: what a scheme claims must hold inside a contact.
#pragma once
#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "cairn/analysis/convergence.hpp"
#include "cairn/integrate/claims.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

struct PairCase {
  std::string_view name, words;
  Real damping, tangential_damping;  // [N s/m]
  Real friction;                     // [-]
  bool sliding = false;              // from the start

  // The least of the orders claimed for what happens.
  int claimed(const Claims& c) const;
};

inline constexpr Real pair_end = 0.02;  // [s] the spheres part before 0.03 s
inline constexpr PairCase pair_cases[] = {
    {"pair_dashpot", "two grains of the engine press on each other, with a dashpot", 1.0, 0, 0},
    {"pair_spring", "two grains of the engine roll on each other", 0, 0, 100},
    {"pair_both", "the same with dashpots in both directions", 1.0, 0.3, 100},
    {"pair_sliding", "two grains of the engine slide on each other; the direction of slip turns", 0, 0, 0.05, true},
    {"pair_sliding_dashpot", "the same with a tangential dashpot", 0, 0.3, 0.05, true}};

// What a run to pair_end leaves: everything that moves, scaled to order one. `advance` takes one step.
using Advance = std::function<Real(World&, Real h)>;
using PairOutcome = std::vector<Real>;
PairOutcome run_pair(const PairCase& c, const Advance& advance, bool staggered, int steps);
Real distance(const PairOutcome& a, const PairOutcome& b);  // the largest difference; NaN if there is one

// By Dormand and Prince's method.
const Reference<PairOutcome>& pair_reference(const PairCase& c);

Convergence pair_convergence(const PairCase& c, const Advance& advance, bool staggered, int most_steps);

}  // namespace cairn
