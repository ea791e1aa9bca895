#include "cairn/scenario/scenario_data.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/csv.hpp"
#include "cairn/formats/lammps_data.hpp"
#include "cairn/run/grains.hpp"

namespace cairn {
namespace {

// The materials of types 1, 2, ...
std::vector<std::string> materials_of_types(const GrainsSpec& spec, const Scenario& scenario) {
  std::vector<std::string> names = spec.materials;
  if (names.empty())
    for (const Material& m : scenario.materials) names.push_back(m.name);
  return names;
}

std::string expected_type(const GrainsSpec& spec, const Scenario& scenario, const std::string& section) {
  const auto counted = [](std::size_t n, const char* of) { return std::to_string(n) + of + (n == 1 ? "" : "s"); };
  const std::size_t most = materials_of_types(spec, scenario).size();
  const std::string some = "\"" + scenario.materials.front().name + "\"";
  return "a whole number from 1 to " + std::to_string(most) + ", because " +
         (spec.materials.empty() ? "the scenario has " + counted(most, " material")
                                 : section + ".materials has " + counted(most, " name")) +
         "; add a [[material]] for each type, or map types to materials by " + section + ".materials = [" + some +
         ", ...]" +
         (spec.kind == GrainsSpec::Kind::data ? ", or give all grains one by " + section + ".material = " + some : "");
}

void read_lammps_grains(GrainsSpec& spec, const Scenario& scenario, const std::string& section) {
  const LammpsData data = read_lammps_data(spec.file);
  const std::vector<std::string> materials = materials_of_types(spec, scenario);
  spec.list.reserve(data.grains.size());
  for (const LammpsData::Grain& g : data.grains) {
    GrainSpec grain{.position = g.position, .velocity = g.velocity, .spin = g.spin, .radius = g.diameter / 2};
    grain.mass = sphere_mass(g.density, grain.radius);
    grain.material = spec.material;
    if (spec.material.empty()) {
      if (g.type > std::ssize(materials))
        throw Error(Exit::bad_input, spec.file + ": found type " + std::to_string(g.type) + " of atom " +
                                         std::to_string(g.id) + ", expected " + expected_type(spec, scenario, section));
      grain.material = materials[static_cast<std::size_t>(g.type) - 1];
    }
    spec.list.push_back(grain);
  }
}

void read_csv_grains(GrainsSpec& spec, const Scenario& scenario, const std::string& section) {
  // Those that final.csv has for people and other programs are passed over.
  constexpr std::string_view names[] = {
      "x",         "y",         "z",         "vx",        "vy",        "vz",       "wx",           "wy",
      "wz",        "id",        "radius",    "mass",      "material",  "type",     "ix",           "iy",
      "iz",        "force_x",   "force_y",   "force_z",   "torque_x",  "torque_y", "torque_z",     "stress_xx",
      "stress_yy", "stress_zz", "stress_xy", "stress_yz", "stress_xz", "pressure", "coordination", "temperature"};
  const Csv csv = Csv::read(spec.file);
  csv.require_known(names);
  const int dimension = scenario.dimension;
  const auto mass = csv.find("mass"), material = csv.find("material"), type = csv.find("type");
  if (!type && !spec.materials.empty())
    csv.fail("found no column type, which " + section + ".materials names; expected the column type");
  const std::vector<std::string> of_types = materials_of_types(spec, scenario);
  const std::size_t radius = csv.column("radius", "x, y, z and radius in m");
  struct Component {
    Vector GrainSpec::*vector;
    Real Vector::*coordinate;
    std::string_view name;
    bool exists, required;
    std::optional<std::size_t> column{};
  };
  const bool wide = dimension >= 2, deep = dimension == 3;
  std::vector<Component> components{
      {&GrainSpec::position, &Vector::x, "x", wide, wide},   {&GrainSpec::position, &Vector::y, "y", deep, deep},
      {&GrainSpec::position, &Vector::z, "z", true, true},   {&GrainSpec::velocity, &Vector::x, "vx", wide, false},
      {&GrainSpec::velocity, &Vector::y, "vy", deep, false}, {&GrainSpec::velocity, &Vector::z, "vz", true, false},
      {&GrainSpec::spin, &Vector::x, "wx", deep, false},     {&GrainSpec::spin, &Vector::y, "wy", wide, false},
      {&GrainSpec::spin, &Vector::z, "wz", deep, false}};
  for (Component& c : components) {
    c.column = csv.find(c.name);
    if (c.required) csv.column(c.name, "x, y, z and radius in m");
  }
  std::set<std::string, std::less<>> known;
  for (const Material& m : scenario.materials) known.insert(m.name);
  spec.list.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    GrainSpec grain;
    for (const Component& c : components) {
      if (!c.column) continue;
      const Real a = csv.number(row, *c.column);
      if (!c.exists && a != 0) csv.fail(row, *c.column, "0 where space.dimension = " + std::to_string(dimension));
      grain.*c.vector.*c.coordinate = a;
    }
    grain.radius = csv.positive(row, radius, "a radius > 0 in m");
    if (mass) grain.mass = csv.positive(row, *mass, "a mass > 0 in kg");
    grain.material = spec.material;
    if (material) {
      grain.material = csv.cell(row, *material);
      if (!known.contains(grain.material)) {
        std::string names;
        for (const Material& m : scenario.materials) names += (names.empty() ? "'" : ", '") + m.name + "'";
        csv.fail(row, *material, "a material: " + names);
      }
    }
    if (type) {
      const auto most = static_cast<Real>(of_types.size());
      const Real number = csv.number(row, *type);
      if (number != std::floor(number) || number < 1 || number > most)
        csv.fail(row, *type, expected_type(spec, scenario, section));
      const std::string& of_type = of_types[static_cast<std::size_t>(number) - 1];
      if (material && grain.material != of_type)
        csv.fail(row, *type, "the number of the material '" + grain.material + "', or only one of the two columns");
      grain.material = of_type;
    }
    spec.list.push_back(grain);
  }
}

void read_size_table(SizeSpec& sizes) {
  constexpr std::string_view names[] = {"radius", "diameter", "passing"};
  const Csv csv = Csv::read(sizes.file);
  csv.require_known(names);
  const bool diameters = csv.find("diameter").has_value();
  if (diameters && csv.find("radius")) csv.fail("found both radius and diameter, expected one of them");
  const std::size_t size = diameters ? *csv.find("diameter") : csv.column("radius", "radius or diameter in m");
  const std::size_t passing = csv.column("passing", "passing, the share of smaller grains");
  if (csv.rows() < 2) csv.fail("found " + std::to_string(csv.rows()) + " rows below the names, expected at least 2");
  const std::size_t last = csv.rows() - 1;
  const Real whole = csv.number(last, passing);
  if (whole != 1 && whole != 100) csv.fail(last, passing, "1 or 100 (percent) in the last row");
  for (std::size_t row = 0; row <= last; ++row) {
    const Real r = csv.positive(row, size, "a number > 0 in m") * (diameters ? 0.5 : 1),
               share = csv.number(row, passing);
    if (row == 0 && share != 0) csv.fail(row, passing, "0 in the first row, because no grain is smaller than its size");
    if (row > 0 && r < sizes.radii.back()) csv.fail(row, size, "a size not below that of the row before");
    if (row > 0 && share / whole < sizes.passing.back())
      csv.fail(row, passing, "a share not below that of the row before");
    sizes.radii.push_back(r);
    sizes.passing.push_back(share / whole);
  }
}

}  // namespace

void load_data(Scenario& scenario) {
  const auto load_sizes = [](std::optional<SizeSpec>& sizes) {
    if (sizes && sizes->kind == SizeSpec::Kind::table) read_size_table(*sizes);
  };
  for (std::size_t k = 0; k < scenario.grains.size(); ++k) {
    GrainsSpec& spec = scenario.grains[k];
    const std::string section = "grains." + std::to_string(k);
    load_sizes(spec.sizes);
    if (spec.kind == GrainsSpec::Kind::data) read_lammps_grains(spec, scenario, section);
    if (spec.kind == GrainsSpec::Kind::csv) read_csv_grains(spec, scenario, section);
  }
  for (EmitterSpec& emitter : scenario.emitters) load_sizes(emitter.sizes);
}

}  // namespace cairn
