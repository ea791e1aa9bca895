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

struct FieldsLook {
  static constexpr int most = 8;
  int count = 0, dimension = 3;
  GrainField fields[most]{};
};
// Rank 0 calls it to show `count` of the fields; 0 ends that. Other ranks call it when they are asked.
void show_fields(const World& world, const FieldsLook& look);

}  // namespace cairn
