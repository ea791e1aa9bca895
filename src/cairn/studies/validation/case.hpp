// One case of `cairn study validation`: what it compares, and what it draws.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/shown.hpp"

namespace cairn::studies {

// One comparison of Cairn with a reference that is not Cairn.
struct ValidationRow {
  std::string test, quantity, unit;         // "Chung & Ooi 4", "rebound angle at 30 deg", "rad/s"
  Real expected = 0, found = 0, bound = 0;  // deviation() is to be within the bound
  bool relative = true;                     // to `expected`; else absolute: bits, counts, values near 0
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
