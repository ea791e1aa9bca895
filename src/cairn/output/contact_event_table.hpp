// What stands in contact_events.csv.
#pragma once
#include <span>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/run/contact_event_recorder.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

std::vector<Table::Column> contact_event_columns();
// A cell for each column. The scenario names materials and walls.
std::vector<Table::Cell> contact_event_cells(const ContactEvent& event, const Scenario& scenario);
void write_rows(Table& table, std::span<const ContactEvent> events, const Scenario& scenario);

}  // namespace cairn
