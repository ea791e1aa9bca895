// What the pages and tables of the energy study share.
#pragma once
#include "cairn/studies/energy/energy.hpp"

namespace cairn::studies {

// A row of the thesis's figures 8, 10 and 12; 0: it prints nothing there.
struct Printed {
  const char *figure, *scheme;
  Real step;  // [s]
  std::int64_t steps, calls;
  Real seconds, mean_step, iterations;
};
const Printed* printed_of(const std::string& scheme, Real step);  // null: none

std::string number(Real a, int digits = 4);       // "-" where it is not one
std::string growth_words(const PyramidRun& run);  // "0.797 E_0"

// Each figure: what the thesis says of it, what Cairn finds, and a verdict.
std::vector<Page::Row> verdict_rows(const EnergyResult& r);

}  // namespace cairn::studies
