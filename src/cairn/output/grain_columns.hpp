// The quantities of each grain in frames and final.csv beside its place, motion and size, declared once for all of
// them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cairn/formats/particle_frames.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

struct GrainColumn {
  PointArray array;  // by ascending id; of 3 components x, y, z, or of the 6 of a SymmetricTensor
  std::string unit;

  // The columns of a table that its components are: "force_x".
  std::vector<Table::Column> columns() const;
  Table::Cell cell(std::size_t value) const;
};

// Those that output.fields asks for, of the present state.
std::vector<GrainColumn> requested_columns(const World& world, const Scenario& scenario);

// The number of a grain's material: 1 for the first of the scenario.
inline std::int64_t type_of(const World& world, int grain) {
  return 1 + world.grains().material[grain];
}

// The text of final.csv, part by part.
void final_table(const World& world, const Scenario& scenario, const std::function<void(const std::string&)>& put);
void write_final_table(const std::string& path, const World& world, const Scenario& scenario);

}  // namespace cairn
