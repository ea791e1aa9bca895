// The comparisons and the figures of one case of `cairn study validation`.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/shown.hpp"

namespace cairn::studies {

// One comparison of Cairn with an independent reference.
struct ValidationRow {
  std::string test, quantity, unit;         // "Chung & Ooi 4", "rebound angle at 30 deg", "rad/s"
  Real expected = 0, found = 0, bound = 0;  // deviation() must be within the bound
  bool relative = true;                     // deviation and bound relative to `expected`; else absolute
  std::string source;                       // of the reference: closed form or paper
  Real deviation() const;                   // found less expected, in the unit or over |expected|
  bool holds() const;
};

// Points beside a curve.
struct ValidationFigure {
  std::string test, title, x, y;
  std::vector<Real> found_x, found_y, expected_x, expected_y;
};

struct ValidationCase {
  std::vector<ValidationRow> rows;
  std::vector<ValidationFigure> figures;
};

}  // namespace cairn::studies
