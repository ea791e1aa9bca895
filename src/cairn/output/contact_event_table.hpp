// What stands in contact_events.csv.
#pragma once
#include <span>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/run/contact_event_recorder.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

std::vector<Table::Column> contact_event_columns();
// The scenario names materials and walls.
void write_rows(Table& table, std::span<const ContactEvent> events, const Scenario& scenario);

}  // namespace cairn
