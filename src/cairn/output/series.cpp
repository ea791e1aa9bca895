#include "cairn/output/series.hpp"

#include "cairn/run/registry.hpp"

namespace cairn {

std::vector<Table::Column> series_columns(const Scenario& scenario) {
  std::vector<Table::Column> columns = {{"time", "s"},
                                        {"kinetic", "J"},
                                        {"rotational", "J"},
                                        {"gravitational", "J"},
                                        {"elastic", "J"},
                                        {"dashpot", "J"},
                                        {"slip", "J"},
                                        {"rolling", "J"},
                                        {"clip", "J"},
                                        {"onset", "J"},
                                        {"external", "J"},
                                        {"residual", "J"},
                                        {"momentum_x", "kg m/s"},
                                        {"momentum_y", "kg m/s"},
                                        {"momentum_z", "kg m/s"},
                                        {"angular_momentum_x", "kg m^2/s"},
                                        {"angular_momentum_y", "kg m^2/s"},
                                        {"angular_momentum_z", "kg m^2/s"},
                                        {"barycentre_x", "m"},
                                        {"barycentre_y", "m"},
                                        {"barycentre_z", "m"},
                                        {"contacts", "1"},
                                        {"grains", "1"},
                                        {"steps", "1"},
                                        {"step", "s"}};
  if (scheme_named(scenario.scheme).claims.implicit)
    for (const char* name : {"force_calls", "iterations", "linear_iterations"}) columns.push_back({name, "1"});
  for (const WallSpec& wall : scenario.walls)
    for (const char* what : {"force", "torque"})
      for (const char* axis : {"x", "y", "z"})
        columns.push_back({wall.name + "_" + what + "_" + axis, what == std::string("force") ? "N" : "N m"});
  for (const RemovalSpec& removal : scenario.removals)
    for (const Table::Column& column : series_columns(removal)) columns.push_back(column);
  return columns;
}

std::vector<Table::Column> series_columns(const RemovalSpec& removal) {
  return {{"removed_" + removal.name, "1"}, {"removed_" + removal.name + "_mass", "kg"}};
}

}  // namespace cairn
