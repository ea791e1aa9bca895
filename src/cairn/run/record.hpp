// The record of a run: the quantities that its time series holds, each declared once. series.csv is a writer of it.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cairn/run/simulation.hpp"
#include "cairn/world/grain_stress.hpp"

namespace cairn {

// The state of a run between two steps, velocities at the time of the positions, found once for all columns of a row.
struct RecordSample {
  const Simulation& simulation;
  const World& world;
  Energies energies;
  LedgerChannels ledger;  // [J]
  Momenta momenta;
  Moments moments;
  Real space = 0;               // space_of, where there is one
  std::vector<WallLoad> loads;  // of each wall
  Effort effort;                // of the steps since the row before
  Real effort_steps = 1;        // how many those are
};

// Within Simulation::synchronised(); without the effort.
RecordSample record_sample(const Simulation& simulation);
// `last_row`: the number of steps done when the row before was made. Takes the effort since then from the simulation.
RecordSample record_sample(Simulation& simulation, std::int64_t last_row);

// Of a stress: a force by area, in 2D by length.
inline const char* stress_unit(int dimension) {
  return dimension == 3 ? "Pa" : dimension == 2 ? "N/m" : "N";
}

struct RecordColumn {
  using Value = std::variant<Real, std::int64_t>;
  std::string name, unit;  // unit "1": a number without
  std::function<Value(const RecordSample&)> value;
};

// In the order of the series: energies and momenta of all grains; with implicit schemes the effort of a step, on
// average since the row before; packing fraction and stress where walls and periodic directions define a space; the
// loads on each wall; the grains that each removal region took. `effort`: whether those of implicit schemes are among
// them, where the series has begun already; a resume may change the scheme.
std::vector<RecordColumn> record_columns(const Scenario& scenario, std::optional<bool> effort = {});
// Those of removal number `index` alone.
std::vector<RecordColumn> record_columns(const RemovalSpec& removal, std::size_t index);

}  // namespace cairn
