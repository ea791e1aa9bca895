#include "cairn/run/record.hpp"

#include <algorithm>
#include <tuple>

#include "cairn/run/scheme_choice.hpp"
#include "cairn/run/space.hpp"

namespace cairn {
namespace {

using Sample = const RecordSample&;

struct Declared {
  const char *name, *unit;
  std::variant<Real (*)(Sample), std::int64_t (*)(Sample)> value;
  bool of_implicit_schemes = false;
};

// A new column of numbers that every run has is one row here.
constexpr Declared declared[] = {
    {"time", "s", [](Sample s) { return s.world.time(); }},
    {"kinetic", "J", [](Sample s) { return s.energies.kinetic; }},
    {"rotational", "J", [](Sample s) { return s.energies.rotational; }},
    {"gravitational", "J", [](Sample s) { return s.energies.gravitational; }},
    {"elastic", "J", [](Sample s) { return s.energies.elastic; }},
    {"dashpot", "J", [](Sample s) { return s.ledger[Channel::dashpot]; }},
    {"slip", "J", [](Sample s) { return s.ledger[Channel::slip]; }},
    {"rolling", "J", [](Sample s) { return s.ledger[Channel::rolling]; }},
    {"clip", "J", [](Sample s) { return s.ledger[Channel::clip]; }},
    {"onset", "J", [](Sample s) { return s.ledger[Channel::onset]; }},
    {"external", "J", [](Sample s) { return s.ledger[Channel::external]; }},
    {"residual", "J", [](Sample s) { return s.world.residual(s.energies); }},
    {"momentum_x", "kg m/s", [](Sample s) { return s.momenta.linear.x; }},
    {"momentum_y", "kg m/s", [](Sample s) { return s.momenta.linear.y; }},
    {"momentum_z", "kg m/s", [](Sample s) { return s.momenta.linear.z; }},
    {"angular_momentum_x", "kg m^2/s", [](Sample s) { return s.momenta.angular.x; }},
    {"angular_momentum_y", "kg m^2/s", [](Sample s) { return s.momenta.angular.y; }},
    {"angular_momentum_z", "kg m^2/s", [](Sample s) { return s.momenta.angular.z; }},
    {"barycentre_x", "m", [](Sample s) { return s.momenta.barycentre.x; }},
    {"barycentre_y", "m", [](Sample s) { return s.momenta.barycentre.y; }},
    {"barycentre_z", "m", [](Sample s) { return s.momenta.barycentre.z; }},
    {"contacts", "1", [](Sample s) { return std::int64_t{s.moments.pairs + s.moments.at_walls}; }},
    {"grains", "1", [](Sample s) { return std::int64_t{s.moments.grains}; }},
    {"steps", "1", [](Sample s) { return s.world.steps(); }},
    {"step", "s", [](Sample s) { return s.world.steps() > 0 ? s.world.last_step() : s.simulation.scenario().step; }},
    {"coordination", "1",
     [](Sample s) {
       const Moments& m = s.moments;
       return m.grains > 0 ? (2.0 * m.pairs + m.at_walls) / m.grains : 0.0;
     }},
    {"force_calls", "1", [](Sample s) { return static_cast<Real>(s.effort.evaluations) / s.effort_steps; }, true},
    {"iterations", "1", [](Sample s) { return static_cast<Real>(s.effort.iterations) / s.effort_steps; }, true},
    {"linear_iterations", "1", [](Sample s) { return static_cast<Real>(s.effort.linear_iterations) / s.effort_steps; },
     true}};

void add_loads(std::vector<RecordColumn>& columns, const WallSpec& wall, std::size_t index) {
  for (const bool torque : {false, true})
    for (const auto& [axis, component] : {std::pair{"x", &Vector::x}, {"y", &Vector::y}, {"z", &Vector::z}})
      columns.push_back({wall.name + (torque ? "_torque_" : "_force_") + axis, torque ? "N m" : "N",
                         [=, component = component](Sample s) {
                           const WallLoad& load = s.loads[index];
                           return (torque ? load.torque : load.force).*component;
                         }});
}

// How far forces have moved a wall with a load, and how fast it moves, along the axes that are free.
void add_displacements(std::vector<RecordColumn>& columns, const Scenario& scenario, const WallSpec& wall, int loaded) {
  for (const bool velocity : {false, true})
    for (const auto& [axis, row, dimension] : {std::tuple{'x', 0, 2}, {'y', 1, 3}, {'z', 2, 1}}) {
      const bool free = wall.load->axes.empty() || wall.load->axes.find(axis) != std::string::npos;
      if (!free || scenario.dimension < dimension) continue;
      columns.push_back({wall.name + (velocity ? "_velocity_" : "_displacement_") + axis, velocity ? "m/s" : "m",
                         [=, row = (velocity ? WallRow::v : WallRow::x) + row](Sample s) {
                           return s.world.state().walls.row(row)[loaded];
                         }});
    }
}

void add_stress(std::vector<RecordColumn>& columns, const Scenario& scenario) {
  columns.push_back({"packing_fraction", "1", [](Sample s) { return s.moments.grain_volume / s.space; }});
  for (const auto& [name, part] :
       {std::pair{"contact_stress_", &Moments::contact}, {"kinetic_stress_", &Moments::kinetic}})
    for (int k = 0; k < SymmetricTensor::size; ++k)
      if (has_component(scenario.dimension, k))
        columns.push_back({name + std::string(SymmetricTensor::names[k]), stress_unit(scenario.dimension),
                           [k, part = part](Sample s) { return (s.moments.*part).c[k] / s.space; }});
}

}  // namespace

RecordSample record_sample(const Simulation& simulation) {
  const World& w = simulation.world();
  const Energies energies = w.energies();
  return {.simulation = simulation,
          .world = w,
          .energies = energies,
          .ledger = w.energy_ledger(energies),
          .momenta = w.momenta(),
          .moments = w.moments(simulation.scenario().dimension),
          .space = has_space(simulation.scenario()) ? space_of(w, simulation.scenario().dimension) : 0,
          .loads = w.wall_loads(),
          .effort = {}};
}

RecordSample record_sample(Simulation& simulation, std::int64_t last_row) {
  const Effort effort = simulation.scheme().claims.implicit ? simulation.take_effort() : Effort{};
  RecordSample sample = record_sample(simulation);
  sample.effort = effort;
  sample.effort_steps = static_cast<Real>(std::max<std::int64_t>(1, simulation.steps() - last_row));
  return sample;
}

std::vector<RecordColumn> record_columns(const Scenario& scenario, std::optional<bool> effort) {
  const auto is_implicit = [](const std::string& name) {
    const SchemeEntry& scheme = presumed_scheme(name);
    return scheme.claims.implicit && !scheme.hard;
  };
  bool implicit = is_implicit(scenario.scheme);
  for (const ChangeSpec& change : scenario.changes) implicit = implicit || is_implicit(change.after->scheme);
  std::vector<RecordColumn> columns;
  for (const Declared& d : declared)
    if (effort.value_or(implicit) || !d.of_implicit_schemes)
      std::visit([&](const auto value) { columns.push_back({d.name, d.unit, value}); }, d.value);
  if (law_entry(scenario.law).hard()) {
    columns.push_back({"collisions", "1", [](Sample s) { return s.world.hard_contacts().collisions().grains; }});
    columns.push_back({"wall_collisions", "1", [](Sample s) { return s.world.hard_contacts().collisions().walls; }});
    columns.push_back({"sweeps", "1", [](Sample s) { return std::int64_t{s.world.hard_contacts().sweeps()}; }});
    columns.push_back({"solver_residual", "m/s", [](Sample s) { return s.world.hard_contacts().residual(); }});
  }
  if (scenario.ledger_split) {
    const std::vector<std::string> parts = LedgerSplit::parts(scenario);
    for (std::size_t part = 0; part < parts.size(); ++part)
      for (std::size_t c = 0; c < LedgerSplit::channels.size(); ++c)
        columns.push_back({parts[part] + "_" + channel_names[LedgerSplit::channels[c]], "J",
                           [=](Sample s) { return s.simulation.ledger_split().value(part, c); }});
  }
  if (scenario.expected_energy)
    columns.push_back({"expected_energy", "J", [](Sample s) {
                         return s.world.initial_energy() + s.ledger[Channel::external] - s.simulation.expected_loss();
                       }});
  if (has_space(scenario)) add_stress(columns, scenario);
  for (std::size_t k = 0; k < scenario.walls.size(); ++k) add_loads(columns, scenario.walls[k], k);
  int loaded = 0;
  for (const WallSpec& wall : scenario.walls)
    if (wall.load) add_displacements(columns, scenario, wall, loaded++);
  for (std::size_t k = 0; k < scenario.removals.size(); ++k)
    for (RecordColumn& column : record_columns(scenario.removals[k], k)) columns.push_back(std::move(column));
  return columns;
}

std::vector<RecordColumn> record_columns(const RemovalSpec& removal, std::size_t index) {
  return {{"removed_" + removal.name, "1", [=](Sample s) { return s.simulation.removals().grains(index); }},
          {"removed_" + removal.name + "_mass", "kg", [=](Sample s) { return s.simulation.removals().mass(index); }}};
}

}  // namespace cairn
