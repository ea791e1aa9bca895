// The types of a data file become materials, or an error says how to map them.
#include "cairn/scenario/scenario_data.hpp"

#include <doctest/doctest.h>

#include <string>

#include "cairn/formats/files.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

constexpr const char* lammps =
    "two types\n\n3 atoms\n4 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n"
    "1 1 0.02 1000 0.1 0 0\n2 2 0.02 1000 0.2 0 0\n3 1 0.02 1000 0.3 0 0\n";
constexpr const char* table = "x,y,z,radius,type\n0.1,0,0,0.01,1\n0.2,0,0,0.01,2\n0.3,0,0,0.01,1\n";
constexpr const char* two = "[[material]]\nname = 'glass'\n[[material]]\nname = 'steel'\n";
constexpr const char* three =
    "[[material]]\nname = 'cork'\n[[material]]\nname = 'glass'\n[[material]]\nname = 'steel'\n";

// The materials of the grains of a file in a world, by their names.
std::string materials_of(const std::string& kind, const std::string& content, const std::string& materials,
                         const std::string& key) {
  const FreshFolder folder;
  const std::string file = folder / ("grains." + kind);
  write_file_atomically(file, content);
  Scenario scenario = parse_scenario("[run]\nstep = 1e-5\nend = 1\n[contact]\nstiffness = 1e4\n" + materials +
                                         "[[grains]]\nkind = '" + kind + "'\nfile = '" + file + "'\n" + key,
                                     "f");
  try {
    load_data(scenario);
  } catch (const Error& e) {
    CHECK(e.code() == Exit::bad_input);
    const std::string message = e.what();
    REQUIRE(message.starts_with(file + ":"));
    return message.substr(file.size());
  }
  Simulation s(std::move(scenario));
  s.start();
  std::string names;
  for (const int i : s.world().grains().by_id())
    names += (names.empty() ? "" : " ") +
             s.scenario().materials.at(static_cast<std::size_t>(s.world().grains().material[i])).name;
  return names;
}

TEST_CASE("types: of a LAMMPS data file or a table they are the materials in their order, or as `materials` says") {
  for (const auto& [kind, content] : {std::pair{"data", lammps}, std::pair{"csv", table}}) {
    CAPTURE(kind);
    CHECK(materials_of(kind, content, two, "") == "glass steel glass");
    CHECK(materials_of(kind, content, three, "") == "cork glass cork");
    CHECK(materials_of(kind, content, three, "materials = ['steel', 'cork']\n") == "steel cork steel");
    CHECK(materials_of(kind, content, "", "materials = ['default', 'default']\n") == "default default default");
  }
  CHECK(materials_of("data", lammps, two, "material = 'steel'\n") == "steel steel steel");
}

TEST_CASE("types: more of them than materials are refused with the ways to map them") {
  CHECK(materials_of("data", lammps, "", "") ==
        ": found type 2 of atom 2, expected a whole number from 1 to 1, because the scenario has 1 material; add a "
        "[[material]] for each type, or map types to materials by grains.0.materials = [\"default\", ...], or give all "
        "grains one by grains.0.material = \"default\"");
  CHECK(materials_of("data", lammps, three, "materials = ['steel']\n") ==
        ": found type 2 of atom 2, expected a whole number from 1 to 1, because grains.0.materials has 1 name; add a "
        "[[material]] for each type, or map types to materials by grains.0.materials = [\"cork\", ...], or give all "
        "grains one by grains.0.material = \"cork\"");
  CHECK(
      materials_of("csv", table, "", "").starts_with(":3: column 'type': found '2', expected a whole number from 1 "));
  CHECK(materials_of("csv", "x,y,z,radius\n0,0,0,0.01\n", two, "materials = ['steel']\n") ==
        ":1: found no column type, which grains.0.materials names; expected the column type");
}

}  // namespace
}  // namespace cairn
