#include "cairn/output/contact_event_table.hpp"

namespace cairn {

std::vector<Table::Column> contact_event_columns() {
  return {{"first", "1"},
          {"second", "1"},
          {"began", "s"},
          {"duration", "s"},
          {"peak_force", "N"},
          {"peak_force_time", "s"},
          {"peak_overlap", "m"},
          {"peak_tangential_force", "N"},
          {"approach_speed", "m/s"},
          {"separation_speed", "m/s"},
          {"parted", "1"},
          {"first_type", "1"},
          {"second_type", "1"},
          {"first_material", "1"},
          {"second_material", "1"},
          {"wall", "1"}};
}

std::vector<Table::Cell> contact_event_cells(const ContactEvent& e, const Scenario& scenario) {
  return {e.first,
          e.second,
          e.began,
          e.duration,
          e.peak_force,
          e.peak_force_time,
          e.peak_overlap,
          e.peak_tangential_force,
          e.approach_speed,
          e.separation_speed,
          e.parted,
          1 + e.first_material,
          1 + e.second_material,
          scenario.materials[static_cast<std::size_t>(e.first_material)].name,
          scenario.materials[static_cast<std::size_t>(e.second_material)].name,
          e.second < 0 ? scenario.walls[static_cast<std::size_t>(-1 - e.second)].name : ""};
}

void write_rows(Table& table, std::span<const ContactEvent> events, const Scenario& scenario) {
  for (const ContactEvent& e : events) table.row(contact_event_cells(e, scenario));
}

}  // namespace cairn
