// Tables of a simulation as text at the C interface.
#include <bit>

#include "cairn/facade/guarded.hpp"
#include "cairn/facade/held_simulation.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/output/contact_event_table.hpp"
#include "cairn/output/grain_columns.hpp"

using namespace cairn;
using namespace cairn::facade;

namespace {

std::string text_of(CellRows& rows, const std::function<Table::Cell(std::size_t column, Table::Cell)>& shown) {
  std::vector<Table::Column> heads;
  for (const CellRows::Column& column : rows.columns()) heads.push_back({column.name, column.unit});
  std::string text = Table::head_text(CAIRN_VERSION, heads);
  std::vector<Table::Cell> row(heads.size());
  for (std::size_t at = 0; at < rows.cells().size();) {
    for (std::size_t k = 0; k < heads.size(); ++k, ++at) {
      const Real cell = rows.cells()[at];
      row[k] = shown(k, rows.columns()[k].whole ? Table::Cell(std::bit_cast<std::int64_t>(cell)) : Table::Cell(cell));
    }
    text += Table::row_text(row);
  }
  return text;
}

std::string table_of(cairn_simulation& s, std::string_view name) {
  const Scenario& scenario = s.simulation->scenario();
  const auto plain = [](std::size_t, Table::Cell cell) { return cell; };
  if (name == names::series) return text_of(s.series, plain);
  if (name == names::probes)
    return text_of(s.probes, [&](std::size_t column, Table::Cell cell) -> Table::Cell {
      if (s.probes.columns()[column].name == "probe")
        return scenario.probes[static_cast<std::size_t>(std::get<std::int64_t>(cell))].name;
      // A probe writes NaN for a quantity that it does not count. Its column therefore holds real numbers.
      const Real* const number = std::get_if<Real>(&cell);
      const std::string& head = s.probes.columns()[column].name;
      if (number != nullptr && *number == *number && (head == "number" || head == "passed"))
        return static_cast<std::int64_t>(*number);
      return cell;
    });
  std::string text;
  if (name == names::contact_events) {
    text = Table::head_text(CAIRN_VERSION, contact_event_columns());
    for (const ContactEvent& event : s.events) text += Table::row_text(contact_event_cells(event, scenario));
    return text;
  }
  if (name != names::final_state)
    throw Misuse{"expected \"series.csv\", \"probes.csv\", \"contact_events.csv\" or \"final.csv\""};
  final_table(s.at_positions().world(), scenario, [&](const std::string& part) { text += part; });
  return text;
}

}  // namespace

extern "C" {

int cairn_table(cairn_simulation* simulation, const char* name, cairn_buffer* csv) {
  return guarded([&] {
    require(simulation != nullptr && name != nullptr, "a simulation and the name of a table");
    give(csv, table_of(*simulation, name));
  });
}

}  // extern "C"
