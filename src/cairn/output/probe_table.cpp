#include "cairn/output/probe_table.hpp"

#include <functional>
#include <string>

#include "cairn/run/record.hpp"

namespace cairn {
namespace {

struct ProbeColumn {
  Table::Column head;
  std::function<Table::Cell(const ProbeRow&)> cell;
};

Table::Cell whole_or_nan(const std::optional<std::int64_t>& a) {
  if (a) return *a;
  return nan;
}

std::vector<ProbeColumn> declared_columns(int dimension) {
  using Row = const ProbeRow&;
  std::vector<ProbeColumn> columns{
      {{"time", "s"}, [](Row r) { return r.time; }},
      {{"probe", "1"}, [](Row r) { return r.name; }},
      {{"number", "1"}, [](Row r) { return whole_or_nan(r.number); }},
      {{"packing_fraction", "1"}, [](Row r) { return r.packing_fraction; }},
      {{"velocity_x", "m/s"}, [](Row r) { return r.velocity.x; }},
      {{"velocity_y", "m/s"}, [](Row r) { return r.velocity.y; }},
      {{"velocity_z", "m/s"}, [](Row r) { return r.velocity.z; }},
      {{"temperature", "m^2/s^2"}, [](Row r) { return r.temperature; }},
      {{"coordination", "1"}, [](Row r) { return r.coordination; }},
  };
  for (const auto& [name, part] :
       {std::pair{"contact_stress_", &ProbeRow::contact_stress}, {"kinetic_stress_", &ProbeRow::kinetic_stress}})
    for (int k = 0; k < SymmetricTensor::size; ++k)
      if (has_component(dimension, k))
        columns.push_back({{name + std::string(SymmetricTensor::names[k]), stress_unit(dimension)},
                           [k, part = part](Row r) { return (r.*part).c[k]; }});
  columns.push_back({{"passed", "1"}, [](Row r) { return whole_or_nan(r.passed); }});
  columns.push_back({{"passed_mass", "kg"}, [](Row r) { return r.passed_mass; }});
  columns.push_back({{"flow", "1/s"}, [](Row r) { return r.flow; }});
  columns.push_back({{"mass_flow", "kg/s"}, [](Row r) { return r.mass_flow; }});
  return columns;
}

}  // namespace

std::vector<Table::Column> probe_columns(const Scenario& scenario) {
  std::vector<Table::Column> heads;
  for (ProbeColumn& column : declared_columns(scenario.dimension)) heads.push_back(std::move(column.head));
  return heads;
}

std::vector<Table::Cell> probe_cells(const ProbeRow& row, int dimension) {
  std::vector<Table::Cell> cells;
  for (const ProbeColumn& column : declared_columns(dimension)) cells.push_back(column.cell(row));
  return cells;
}

void write_rows(Table& table, std::span<const ProbeRow> rows, const Scenario& scenario) {
  for (const ProbeRow& row : rows) table.row(probe_cells(row, scenario.dimension));
}

}  // namespace cairn
