#include "cairn/run/grain_fields.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cairn/core/symmetric.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/world/grain_stress.hpp"

namespace cairn {
namespace {

// Loads are found once for all fields that read them.
class Finder {
 public:
  Finder(const World& world, int dimension) : world_(world), dimension_(dimension), order_(world.grains().by_id()) {}

  FieldOfGrains field(GrainField field) {
    switch (field) {
      case GrainField::force:
        return of_vectors(loads().force);
      case GrainField::torque:
        return of_vectors(loads().torque);
      case GrainField::stress:
        return filled(SymmetricTensor::size, [&](std::size_t k, int i, Real* to) {
          for (int c = 0; c < SymmetricTensor::size; ++c) to[c] = loads().moment[k].c[c] / volume(i);
        });
      case GrainField::pressure:
        return filled(
            1, [&](std::size_t k, int i, Real* to) { *to = loads().moment[k].trace() / (dimension_ * volume(i)); });
      case GrainField::coordination: {
        const std::vector<int> touching = world_.coordination();
        return filled(1, [&](std::size_t, int i, Real* to) { *to = touching[i]; });
      }
      case GrainField::temperature:
        break;
    }
    const std::vector<Real> values = temperature_of(world_.scene(), world_.state(), dimension_);
    return filled(1, [&](std::size_t k, int, Real* to) { *to = values[k]; });
  }

 private:
  // f(place among ascending ids, index, numbers) for all grains.
  template <class F>
  FieldOfGrains filled(int components, F&& f) const {
    FieldOfGrains all{components};
    all.values.resize(static_cast<std::size_t>(components) * order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k)
      f(k, order_[k], all.values.data() + static_cast<std::size_t>(components) * static_cast<std::size_t>(order_[k]));
    return all;
  }
  FieldOfGrains of_vectors(const std::vector<Vector>& vectors) const {
    return filled(
        3, [&](std::size_t k, int, Real* to) { to[0] = vectors[k].x, to[1] = vectors[k].y, to[2] = vectors[k].z; });
  }
  const GrainLoads& loads() {
    if (!loads_) loads_ = grain_loads_of(world_.scene(), world_.state());
    return *loads_;
  }
  Real volume(int i) const { return ball_volume(dimension_, world_.grains().radius[i]); }

  const World& world_;
  int dimension_;
  std::vector<int> order_;
  std::optional<GrainLoads> loads_;
};

}  // namespace

int components_of(GrainField field) {
  if (field == GrainField::force || field == GrainField::torque) return 3;
  return field == GrainField::stress ? SymmetricTensor::size : 1;
}

ShownFields::ShownFields(const World& world, int dimension, std::span<const GrainField> fields) : world_(world) {
  FieldsLook look{.count = static_cast<int>(fields.size()), .dimension = dimension};
  std::copy(fields.begin(), fields.end(), look.fields);
  show_fields(world_, look);
}

ShownFields::~ShownFields() {
  show_fields(world_, {});
}

void show_fields(const World& world, const FieldsLook& look) {
  world.domain().ask(Question::fields, look);
  std::vector<FieldOfGrains> all;
  if (look.count > 0) {
    Finder finder(world, look.dimension);
    for (int k = 0; k < look.count; ++k) all.push_back(finder.field(look.fields[k]));
  }
  world.show_fields(std::move(all));
}

}  // namespace cairn
