// Quantities of each grain that the state does not hold, found once for an output and shown by records
// (world/grain_records.hpp).
#pragma once
#include <cstdint>
#include <span>

#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

int components_of(GrainField field);

// While it lives, columns ShownColumn::field + k are field k of the present state, on all ranks. The World must outlive
// it.
class ShownFields {
 public:
  ShownFields(const World& world, int dimension, std::span<const GrainField> fields);
  ~ShownFields();
  ShownFields(const ShownFields&) = delete;
  ShownFields& operator=(const ShownFields&) = delete;

 private:
  const World& world_;
};

// What a rank does when rank 0 shows fields, and when it no longer does: `fields` has their number and then each.
struct FieldsLook {
  static constexpr int most = 8;
  int count = 0, dimension = 3;
  GrainField fields[most]{};
};
void show_fields(const World& world, const FieldsLook& look);

}  // namespace cairn
