#include "cairn/output/grain_columns.hpp"

#include <array>
#include <memory>
#include <utility>

#include "cairn/core/symmetric.hpp"
#include "cairn/run/record.hpp"

namespace cairn {
namespace {

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

struct ColumnName {
  const char *name, *unit;  // null: of a stress
};
ColumnName named(GrainField field) {
  switch (field) {
    case GrainField::force:
      return {"force", "N"};
    case GrainField::torque:
      return {"torque", "N m"};
    case GrainField::stress:
      return {"stress", nullptr};
    case GrainField::pressure:
      return {"pressure", nullptr};
    case GrainField::coordination:
      return {"coordination", "1"};
    case GrainField::temperature:
      break;
  }
  return {"temperature", "m^2/s^2"};
}

}  // namespace

std::vector<Table::Column> GrainColumn::columns() const {
  if (array.components == 1) return {{array.name, unit}};
  std::vector<Table::Column> all;
  for (int c = 0; c < array.components; ++c)
    all.push_back({array.name + "_" + std::string(array.components == 3 ? axes[c] : SymmetricTensor::names[c]), unit});
  return all;
}

Table::Cell GrainColumn::cell(std::size_t value) const {
  return std::visit(
      [&]<class V>(const V& values) -> Table::Cell {
        if constexpr (requires { values[value]; })
          return values[value];
        else
          return values(value);
      },
      array.values);
}

std::vector<GrainColumn> columns_of(const World& world, int dimension, std::span<const GrainField> fields) {
  if (fields.empty()) return {};
  const auto shown = std::make_shared<const ShownFields>(world, dimension, fields);  // as long as a column lives
  std::vector<GrainColumn> all;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const auto [name, unit] = named(fields[k]);
    const RealOf values = [shown, of = values_of<Real>(world, RecordLook::What::column,
                                                       ShownColumn::field + static_cast<int>(k))](std::size_t value) {
      return of(value);
    };
    PointArray array{name, components_of(fields[k]), values};
    if (fields[k] == GrainField::coordination)
      array.values = WholeOf([values](std::size_t value) { return static_cast<std::int64_t>(values(value)); });
    all.push_back({std::move(array), unit ? unit : stress_unit(dimension)});
  }
  return all;
}

void final_table(const World& w, const Scenario& scenario, const std::function<void(const std::string&)>& put) {
  std::vector<Table::Column> columns{
      {"id", "1"},   {"x", "m"},        {"y", "m"},      {"z", "m"},      {"vx", "m/s"},   {"vy", "m/s"},
      {"vz", "m/s"}, {"wx", "rad/s"},   {"wy", "rad/s"}, {"wz", "rad/s"}, {"radius", "m"}, {"mass", "kg"},
      {"type", "1"}, {"material", "1"}, {"ix", "1"},     {"iy", "1"},     {"iz", "1"}};
  const std::vector<GrainColumn> more = columns_of(w, scenario.dimension, scenario.fields);
  for (const GrainColumn& column : more)
    for (Table::Column& one : column.columns()) columns.push_back(std::move(one));
  put(Table::head_text(CAIRN_VERSION, columns));
  std::size_t rank = 0;
  w.each_shown([&](const ShownGrain& g) {
    std::vector<Table::Cell> row{g.id,
                                 g.x.x,
                                 g.x.y,
                                 g.x.z,
                                 g.v.x,
                                 g.v.y,
                                 g.v.z,
                                 g.w.x,
                                 g.w.y,
                                 g.w.z,
                                 g.radius,
                                 g.mass,
                                 std::int64_t{1 + g.material},
                                 scenario.materials[g.material].name,
                                 std::int64_t{g.image[0]},
                                 std::int64_t{g.image[1]},
                                 std::int64_t{g.image[2]}};
    for (const GrainColumn& column : more) {
      const auto components = static_cast<std::size_t>(column.array.components);
      for (std::size_t c = 0; c < components; ++c) row.push_back(column.cell(rank * components + c));
    }
    put(Table::row_text(row));
    ++rank;
  });
}

void write_final_table(const std::string& path, const World& w, const Scenario& scenario) {
  TextFile file = TextFile::create(path);
  final_table(w, scenario, [&](const std::string& text) { file.write(text); });
  file.sync();
}

}  // namespace cairn
