// What stands in probes.csv.
#pragma once
#include <span>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/run/probes.hpp"

namespace cairn {

std::vector<Table::Column> probe_columns(const Scenario& scenario);
// A cell for each column.
std::vector<Table::Cell> probe_cells(const ProbeRow& row, int dimension);
void write_rows(Table& table, std::span<const ProbeRow> rows, const Scenario& scenario);

}  // namespace cairn
