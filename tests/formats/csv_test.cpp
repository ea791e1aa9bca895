// CSV tables, and the grains and sizes read from them.
#include "cairn/formats/csv.hpp"

#include <doctest/doctest.h>

#include "cairn/formats/files.hpp"
#include "cairn/formats/table.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "fresh_folder.hpp"

using namespace cairn;

TEST_CASE("csv: rows by name; comments, blanks, quotes, line ends of all kinds") {
  const Csv csv =
      Csv::parse("\xef\xbb\xbf# units: m\n\n \"z\" , x\t,name\r\n# more\n1, +2.5 ,\"a b\"\r\n\n-3e-2,4,c\n", "t.csv");
  REQUIRE(csv.rows() == 2);
  CHECK(csv.number(0, csv.column("x", "")) == 2.5);
  CHECK(csv.number(1, csv.column("z", "")) == -3e-2);
  CHECK(csv.cell(0, csv.column("name", "")) == "a b");
  CHECK(!csv.find("y"));
}

TEST_CASE("csv: a table of the program is read back to the bit") {
  const FreshFolder folder;
  const Table::Column columns[] = {{"a", "m"}, {"b", "1"}};
  Table table = Table::create(folder / "t.csv", "9", columns);
  table.row({0.1 + 0.2, std::int64_t{7}});
  table.row({-1e-300, std::int64_t{-1}});
  table.close();
  const Csv csv = Csv::read(folder / "t.csv");
  REQUIRE(csv.rows() == 2);
  CHECK(csv.number(0, 0) == 0.1 + 0.2);
  CHECK(csv.number(1, 0) == -1e-300);
  CHECK(csv.number(1, 1) == -1);
}

TEST_CASE("csv: what is wrong is told with its line and what was expected") {
  const std::pair<std::string, const char*> cases[] = {
      {"", "t.csv:1: found no row, expected a row with the names of the columns"},
      {"# only this\n", "t.csv:1: found no row, expected a row with the names"},
      {"x,y\n1,2", "t.csv:2: found a last line without a line end, expected a line end (is the file cut off?)"},
      {std::string("x\0\n", 3), "t.csv:1: found binary data, expected text"},
      {"\x1f\x8b\n", "t.csv:1: found compressed data, expected text (decompress it first with gunzip)"},
      {"# a\nx;y\n1;2\n", "t.csv:2: found columns separated by semicolons or tabs, expected commas"},
      {"x,,y\n", "t.csv:1: found a column without a name, expected a name for each column"},
      {"x,y,x\n", "t.csv:1: found a second column 'x', expected each column once"},
      {"x,y\n\n1,2,3\n", "t.csv:3: found 3 cells, expected 2, one for each column"},
      {"x,y\n1\n", "t.csv:2: found 1 cell, expected 2"},
      {"y\n1\n", "t.csv:1: found no column 'x' among 'y', expected a length"},
      {"x\n1 m\n", "t.csv:2: column 'x': found '1 m', expected a finite number"},
      {"x\n1,5\n", "t.csv:2: found 2 cells, expected 1"},
      {"x\nnan\n", "t.csv:2: column 'x': found 'nan', expected a finite number"},
      {"x\n1e400\n", "t.csv:2: column 'x': found '1e400', expected a finite number"},
      {"x\n\"\"\n", "t.csv:2: column 'x': found '', expected a finite number"},
  };
  for (const auto& [text, message] : cases)
    check_error(Exit::bad_input, message, [&] {
      const Csv csv = Csv::parse(text, "t.csv");
      csv.number(0, csv.column("x", "a length"));
    });
  check_error(Exit::io, "no.csv", [] { Csv::read("/nowhere/no.csv"); });
}

namespace {

Scenario with_grains(const std::string& file, const std::string& text, int dimension = 3) {
  write_file_atomically(file, text);
  Scenario s;
  s.dimension = dimension;
  s.materials = {{.name = "glass"}, {.name = "steel"}};
  GrainsSpec grains;
  grains.kind = GrainsSpec::Kind::csv;
  grains.file = file;
  grains.material = "steel";
  s.grains.push_back(grains);
  load_data(s);
  return s;
}

Scenario with_sizes(const std::string& file, const std::string& text) {
  write_file_atomically(file, text);
  Scenario s;
  s.emitters.resize(1);
  s.emitters[0].sizes = SizeSpec{.kind = SizeSpec::Kind::table, .file = file};
  load_data(s);
  return s;
}

}  // namespace

TEST_CASE("grains from CSV") {
  const FreshFolder folder;
  const std::string file = folder / "grains.csv";
  const Scenario s = with_grains(file,
                                 "material,radius,x,y,z,vx,vy,vz,wx,wy,wz,mass,id,ix,iy,iz\n"
                                 "glass,0.5,1,2,3,4,5,6,7,8,9,10,99,1,1,1\n"
                                 "steel,0.25,-1,-2,-3,0,0,0,0,0,0,1,98,0,0,0\n");
  REQUIRE(s.grains[0].list.size() == 2);
  const GrainSpec& g = s.grains[0].list[0];
  CHECK(g.position == Vector{1, 2, 3});
  CHECK(g.velocity == Vector{4, 5, 6});
  CHECK(g.spin == Vector{7, 8, 9});
  CHECK(g.radius == 0.5);
  CHECK(g.mass == 10);
  CHECK(g.material == "glass");
  CHECK(s.grains[0].list[1].material == "steel");

  const Scenario plain = with_grains(file, "x,y,z,radius\n1,2,3,0.5\n");
  CHECK(plain.grains[0].list[0].material == "steel");  // as the section says
  CHECK(!plain.grains[0].list[0].mass);
  CHECK(with_grains(file, "x,z,radius\n1,3,0.5\n", 2).grains[0].list[0].position == Vector{1, 0, 3});
  CHECK(with_grains(file, "x,y,z,radius,wy\n1,0,3,0.5,2\n", 2).grains[0].list[0].spin == Vector{0, 2, 0});
  CHECK(with_grains(file, "x,y,z,radius,type\n1,2,3,0.5,1\n").grains[0].list[0].material == "glass");
  CHECK(with_grains(file, "z,radius\n3,0.5\n", 1).grains[0].list[0].position == Vector{0, 0, 3});

  struct Case {
    const char *text, *message;
    int dimension = 3;
  };
  for (const auto& [text, message, dimension] :
       {Case{"x,y,z\n1,2,3\n", ":1: found no column 'radius' among 'x, y, z', expected x, y, z and radius in m"},
        Case{"x,z,radius\n1,3,1\n", ":1: found no column 'y'"},
        Case{"x,y,z,raduis\n1,2,3,1\n", ":1: found a column 'raduis', expected only x, y, z, vx"},
        Case{"x,y,z,radius\n1,2,3,0\n", ":2: column 'radius': found '0', expected a radius > 0 in m"},
        Case{"x,y,z,radius\n1,2,inf,1\n", ":2: column 'z': found 'inf', expected a finite number"},
        Case{"x,y,z,radius,mass\n1,2,3,1,-1\n", ":2: column 'mass': found '-1', expected a mass > 0 in kg"},
        Case{"x,y,z,radius,material\n1,2,3,1,wood\n",
             ":2: column 'material': found 'wood', expected a material: 'glass', 'steel'"},
        Case{"x,y,z,radius,type\n1,2,3,1,3\n",
             ":2: column 'type': found '3', expected a whole number from 1 to 2, because the scenario has 2 "
             "materials; add a [[material]] for each type, or map types to materials by grains.0.materials = "
             "[\"glass\", ...]"},
        Case{"x,y,z,radius,type\n1,2,3,1,1.5\n", ":2: column 'type': found '1.5', expected a whole number"},
        Case{"x,y,z,radius,type,material\n1,2,3,1,1,glass\n1,2,3,1,2,glass\n",
             ":3: column 'type': found '2', expected the number of the material 'glass', or only one of the two "
             "columns"},
        Case{"x,y,z,radius\n1,2,3,1\n", ":2: column 'y': found '2', expected 0 where space.dimension = 2", 2},
        Case{"x,z,radius,wx\n1,3,1,1\n", ":2: column 'wx': found '1', expected 0 where space.dimension = 2", 2}})
    check_error(Exit::bad_input, file + message, [&] { with_grains(file, text, dimension); });
}

TEST_CASE("sizes from CSV") {
  const FreshFolder folder;
  const std::string file = folder / "sieve.csv";
  const Scenario s = with_sizes(file, "radius,passing\n1e-3,0\n2e-3,0.25\n4e-3,1\n");
  CHECK(s.emitters[0].sizes->radii == std::vector<Real>{1e-3, 2e-3, 4e-3});
  CHECK(s.emitters[0].sizes->passing == std::vector<Real>{0, 0.25, 1});
  const Scenario percent = with_sizes(file, "# sieves\npassing,diameter\n0,2e-3\n25,4e-3\n100,8e-3\n");
  CHECK(percent.emitters[0].sizes->radii == s.emitters[0].sizes->radii);
  CHECK(percent.emitters[0].sizes->passing == s.emitters[0].sizes->passing);

  const std::pair<const char*, const char*> cases[] = {
      {"radius,passing\n1,0\n", ":1: found 1 rows below the names, expected at least 2"},
      {"size,passing\n1,0\n2,1\n", ":1: found a column 'size', expected only radius, diameter, passing"},
      {"passing\n0\n1\n", ":1: found no column 'radius' among 'passing', expected radius or diameter in m"},
      {"radius,diameter,passing\n1,2,0\n2,4,1\n", ":1: found both radius and diameter, expected one of them"},
      {"radius\n1\n2\n", ":1: found no column 'passing'"},
      {"radius,passing\n1,0\n2,0.9\n",
       ":3: column 'passing': found '0.9', expected 1 or 100 (percent) in the last row"},
      {"radius,passing\n1,0.1\n2,1\n", ":2: column 'passing': found '0.1', expected 0 in the first row"},
      {"radius,passing\n1,0\n3,0.5\n2,1\n",
       ":4: column 'radius': found '2', expected a size not below that of the row before"},
      {"radius,passing\n1,0\n2,0.5\n3,0.4\n4,1\n",
       ":4: column 'passing': found '0.4', expected a share not below that of the row before"},
      {"radius,passing\n0,0\n2,1\n", ":2: column 'radius': found '0', expected a number > 0 in m"},
  };
  for (const auto& [text, message] : cases)
    check_error(Exit::bad_input, file + message, [&] { with_sizes(file, text); });
}
