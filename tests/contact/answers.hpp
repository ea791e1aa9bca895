// What the tests of the passes over contacts have in common.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/world/grain_pass.hpp"

namespace cairn {

// What a pass gives.
struct Answers {
  std::vector<std::array<Real, row_length>> rows;
  Slab springs{BondRow::count}, rates{BondRow::count};
  std::vector<int> changed_phase;   // ascending
  std::vector<TrialSpring> trials;  // by slots
  ContactSums sums;

  void sort() {
    std::sort(changed_phase.begin(), changed_phase.end());
    std::sort(trials.begin(), trials.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
  }
};

inline bool same_trials(const std::vector<TrialSpring>& a, const std::vector<TrialSpring>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TrialSpring& p, const TrialSpring& q) { return p.slot == q.slot && p.xi == q.xi; });
}

// One pass of every kind: drift [s], how springs follow it, prediction [s], close, with rates, over a whole step.
inline const std::tuple<Real, SpringQuadrature, Real, bool, bool, bool> kinds_of_pass[] = {
    {0.0, SpringQuadrature::midpoint, 0.0, false, true, false},
    {0.0, SpringQuadrature::midpoint, 0.0, true, true, false},
    {0.02, SpringQuadrature::midpoint, 0.01, true, false, false},
    {0.02, SpringQuadrature::midpoint, 0.01, true, false, true},
    {-0.01, SpringQuadrature::midpoint, 0.0, false, false, false},
    {0.02, SpringQuadrature::fourth_order, 0.0, true, true, false}};

// The constants and the predicted velocities of all grains in their free places, for passes over whole steps.
inline void prepare(State& y, State& rate, const Particles& grains, const PeriodicCell& cell, Real predict) {
  GrainScan scan;
  const KickDrift to{.body = &y.body,
                     .rate = &rate.body,
                     .kick = 0,
                     .drift = 0,
                     .common = {},
                     .cell = cell,
                     .predict = predict,
                     .constants = &grains};
  kick_drift(widest_simd(), to, 0, static_cast<int>(grains.radius.size()), scan);
}

inline bool same_row(const std::array<Real, row_length>& a, const std::array<Real, row_length>& b) {
  const bool asked = a[4] != 0 || a[5] != 0 || a[6] != 0;  // for the lever
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[4] == b[4] && a[5] == b[5] && a[6] == b[6] &&
         (!asked || a[3] == b[3]);
}

// Sums are made in another order.
inline void check_sums(const ContactSums& a, const ContactSums& b) {
  for (int c = 0; c < Channel::count; ++c) CHECK(a.power[c] == doctest::Approx(b.power[c]).epsilon(1e-10));
  CHECK(a.slip_cut == doctest::Approx(b.slip_cut).epsilon(1e-10));
  CHECK(a.released == doctest::Approx(b.released).epsilon(1e-10));
  CHECK(a.deepest == b.deepest);
}

}  // namespace cairn
