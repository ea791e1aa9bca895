// The simulation behind a cairn_simulation, with the rows that it records.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/facade/cairn.h"
#include "cairn/output/run_archive.hpp"
#include "cairn/render/look.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn::facade {

// Rows of cells of eight bytes, a double or a whole number by column, one behind the other.
class CellRows {
 public:
  struct Column {
    std::string name, unit;
    bool whole = false;  // a whole number
  };
  void set_columns(std::vector<Column> columns);
  bool has_columns(const std::vector<Column>& columns) const;
  void add(std::span<const RecordColumn::Value> row);

  std::int64_t rows() const { return columns_.empty() ? 0 : std::ssize(cells_) / std::ssize(columns_); }
  std::size_t stride() const { return columns_.size() * sizeof(Real); }
  const std::vector<cairn_field>& fields() const { return fields_; }
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<Real>& cells() { return cells_; }

 private:
  std::vector<Column> columns_;
  std::vector<cairn_field> fields_;
  std::vector<Real> cells_;
};

}  // namespace cairn::facade

struct cairn_simulation {
  cairn_simulation(cairn::ScenarioSource source, cairn::Scenario scenario);

  void start();
  void load(const cairn::ArchiveReader& archive);
  std::string checkpoint();
  void change(const std::vector<std::string>& overrides);
  // As RunFolder::observe and finish.
  void record(unsigned occasions);
  void record_end();

  cairn::Simulation& at_positions();  // velocities stay at the time of positions until moving() or saving
  cairn::Simulation& moving();
  const std::vector<cairn::ContactView>& closed_contacts();
  void find_columns();
  const cairn::Look& present_look();  // of pictures: that of the first call, widened where grains have left its view

  cairn::ScenarioSource source;
  std::unique_ptr<cairn::Simulation> simulation;
  std::unique_ptr<cairn::World::Synchronised> synchronised;
  std::int64_t last_row = -1;           // [steps]
  cairn::TimeTaken taken_before;        // by the steps before the state was loaded
  std::int64_t grain_steps_before = 0;  // made since, before the last change()
  std::vector<cairn::RecordColumn> columns;
  cairn::facade::CellRows series, probes;
  std::vector<cairn::ContactEvent> events;
  std::vector<cairn::ContactView> contacts;  // of now, where they are known
  bool contacts_known = false;
  std::optional<cairn::Look> look;  // of pictures, once present_look() was called
};
