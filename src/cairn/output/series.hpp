// What stands in series.csv.
#pragma once
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

// In their order: energies and momenta of all grains, then, of implicit schemes, what a step asked for in the mean
// since the row before, then the loads on each wall, then what each removal took.
std::vector<Table::Column> series_columns(const Scenario& scenario);
// Those of them that one removal region has.
std::vector<Table::Column> series_columns(const RemovalSpec& removal);

}  // namespace cairn
