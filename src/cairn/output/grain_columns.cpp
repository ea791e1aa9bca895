#include "cairn/output/grain_columns.hpp"

#include <array>
#include <memory>
#include <utility>

#include "cairn/core/symmetric.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/run/record.hpp"
#include "cairn/world/grain_stress.hpp"

namespace cairn {
namespace {

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

// Loads are found once for all columns that read them, and live as long as these.
class Requested {
 public:
  Requested(const World& world, const Scenario& scenario)
      : world_(world), dimension_(scenario.dimension), order_(world.grains().by_id()) {}

  GrainColumn column(GrainField field) {
    switch (field) {
      case GrainField::force:
        return of_vector("force", "N", &GrainLoads::force);
      case GrainField::torque:
        return of_vector("torque", "N m", &GrainLoads::torque);
      case GrainField::stress:
        return {{"stress", SymmetricTensor::size, RealOf([loads = loads(), volume = volumes()](std::size_t k) {
                   const std::size_t grain = k / SymmetricTensor::size;
                   return loads->moment[grain].c[k % SymmetricTensor::size] / (*volume)[grain];
                 })},
                stress_unit(dimension_)};
      case GrainField::pressure:
        return {{"pressure", 1, RealOf([loads = loads(), volume = volumes(), d = dimension_](std::size_t k) {
                   return loads->moment[k].trace() / (d * (*volume)[k]);
                 })},
                stress_unit(dimension_)};
      case GrainField::coordination: {
        std::vector<int> touching;
        const std::vector<int> all = world_.coordination();
        for (const int i : order_) touching.push_back(all[i]);
        return {{"coordination", 1, WholeOf([touching](std::size_t k) { return touching[k]; })}, "1"};
      }
      case GrainField::temperature:
        break;
    }
    const auto values = temperature_of(world_.scene(), world_.state(), dimension_);
    return {{"temperature", 1, RealOf([values](std::size_t k) { return values[k]; })}, "m^2/s^2"};
  }

 private:
  using Loads = std::shared_ptr<const GrainLoads>;
  using Volumes = std::shared_ptr<const std::vector<Real>>;

  Loads loads() {
    if (!loads_) loads_ = std::make_shared<const GrainLoads>(grain_loads_of(world_.scene(), world_.state()));
    return loads_;
  }
  Volumes volumes() {
    if (volumes_) return volumes_;
    std::vector<Real> all;
    for (const int i : order_) all.push_back(ball_volume(dimension_, world_.grains().radius[i]));
    return volumes_ = std::make_shared<const std::vector<Real>>(std::move(all));
  }
  GrainColumn of_vector(const char* name, const char* unit, std::vector<Vector> GrainLoads::*field) {
    return {{name, 3, RealOf([loads = loads(), field](std::size_t k) {
               const Vector& a = (*loads.*field)[k / 3];
               return k % 3 == 0 ? a.x : k % 3 == 1 ? a.y : a.z;
             })},
            unit};
  }

  const World& world_;
  int dimension_;
  std::vector<int> order_;
  Loads loads_;
  Volumes volumes_;
};

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

std::vector<GrainColumn> requested_columns(const World& world, const Scenario& scenario) {
  Requested requested(world, scenario);
  std::vector<GrainColumn> all;
  for (const GrainField field : scenario.fields) all.push_back(requested.column(field));
  return all;
}

void final_table(const World& w, const Scenario& scenario, const std::function<void(const std::string&)>& put) {
  std::vector<Table::Column> columns{
      {"id", "1"},   {"x", "m"},        {"y", "m"},      {"z", "m"},      {"vx", "m/s"},   {"vy", "m/s"},
      {"vz", "m/s"}, {"wx", "rad/s"},   {"wy", "rad/s"}, {"wz", "rad/s"}, {"radius", "m"}, {"mass", "kg"},
      {"type", "1"}, {"material", "1"}, {"ix", "1"},     {"iy", "1"},     {"iz", "1"}};
  const std::vector<GrainColumn> more = requested_columns(w, scenario);
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
