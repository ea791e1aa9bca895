// cairn study impact --exact: the rebound of analysis/oblique_impact.hpp at many angles, as a table.
#pragma once
#include <string>
#include <vector>

#include "cairn/analysis/oblique_impact.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

// [deg] from the normal. "mid": the middles of 100 equal parts of 0..90; "FROM:TO:COUNT": equidistant, both ends
// included. Error(bad_input) for other texts and for angles outside 0 < alpha < 90.
std::vector<Real> impact_angles(const std::string& text);

// Velocity of a sphere at `degrees` from the normal; near 90 deg the cosine keeps its digits.
ImpactVelocity impact_velocity(Real speed, Real degrees);

// A row for each angle, and no report.
StudyReport show_exact_impacts(const ImpactMaterial& material, Real speed, const std::vector<Real>& degrees);

}  // namespace cairn::studies
