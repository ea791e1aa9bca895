// The quantities of each grain in frames and final.csv beside its place, motion and size, declared once for all of
// them.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/formats/particle_frames.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/run/grain_fields.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

struct GrainColumn {
  PointArray array;  // by ascending id; of 3 components x, y, z, or of the 6 of a SymmetricTensor
  std::string unit;

  // The columns of a table that its components are: "force_x".
  std::vector<Table::Column> columns() const;
  Table::Cell cell(std::size_t value) const;
};

// The columns hold the present state of all ranks. Make new ones only after the old ones are destroyed.
std::vector<GrainColumn> columns_of(const World& world, int dimension, std::span<const GrainField> fields);

// A column of records, of grains or of contacts, number by number.
template <class T>
std::function<T(std::size_t)> values_of(const World& world, RecordLook::What what, int column) {
  const RecordLook look{.what = what, .section = column};
  return [stream = std::make_shared<RecordStream>(world, look, sizeof(T))](std::size_t k) { return stream->at<T>(k); };
}

// The text of final.csv, part by part.
void final_table(const World& world, const Scenario& scenario, const std::function<void(const std::string&)>& put);
void write_final_table(const std::string& path, const World& world, const Scenario& scenario);

}  // namespace cairn
