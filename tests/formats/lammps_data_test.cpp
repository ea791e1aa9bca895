// LAMMPS data files: what is read, and what is refused with which words.
#include "cairn/formats/lammps_data.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/formats/files.hpp"

namespace cairn {
namespace {

const std::string header = "title\n\n2 atoms\n2 atom types\n\n0 40 xlo xhi\n-1.5 2 ylo yhi\n0 1e1 zlo zhi\n\n";
const std::string atoms = "Atoms # sphere\n\n7 2 0.5 2500 1 2 3 -1 0 2\n3 1 1 1.9 4 5 6 0 0 0\n\n";
const std::string velocities = "Velocities\n\n3 1 2 3 4 5 6\n7 -1 -2 -3 -4 -5 -6\n";

void check_good(const LammpsData& data) {
  CHECK(data.low == Vector{0, -1.5, 0});
  CHECK(data.high == Vector{40, 2, 10});
  REQUIRE(data.grains.size() == 2);
  const auto& [first, second] = std::tie(data.grains[0], data.grains[1]);
  CHECK(first.id == 3);
  CHECK(first.type == 1);
  CHECK(first.diameter == 1);
  CHECK(first.density == 1.9);
  CHECK(first.position == Vector{4, 5, 6});
  CHECK(first.velocity == Vector{1, 2, 3});
  CHECK(first.spin == Vector{4, 5, 6});
  CHECK(first.image == std::array{0, 0, 0});
  CHECK(second.id == 7);
  CHECK(second.type == 2);
  CHECK(second.diameter == 0.5);
  CHECK(second.density == 2500);
  CHECK(second.position == Vector{1, 2, 3});
  CHECK(second.velocity == Vector{-1, -2, -3});
  CHECK(second.spin == Vector{-4, -5, -6});
  CHECK(second.image == std::array{-1, 0, 2});
}

TEST_CASE("lammps data: sections in any order, comments, line ends of Windows, from a file") {
  check_good(parse_lammps_data(header + atoms + velocities, ""));
  check_good(parse_lammps_data(header + velocities + "\n" + atoms, ""));
  const std::string dressed =
      "# title 5 atoms\n# a comment\n  0 10 zlo zhi # height\n\t2 atoms\n0 bonds\n+0 40. xlo xhi\n2 atom types\n"
      "-1.5 2 ylo yhi\nAtoms#sphere\n# between\n7 2 +0.5 2.5e3 1 2 3 -1 0 2 # last\n\n 3\t1 1 1.9 4 5 6\n" +
      velocities;
  check_good(parse_lammps_data(dressed, ""));
  std::string windows;
  for (const char c : header + atoms + velocities) windows += c == '\n' ? "\r\n" : std::string(1, c);
  check_good(parse_lammps_data(windows, ""));

  std::string path = (std::filesystem::temp_directory_path() / "cairn_test_XXXXXX").string();
  REQUIRE(::mkdtemp(path.data()) != nullptr);
  write_file_atomically(path + "/a.data", header + atoms + velocities);
  check_good(read_lammps_data(path + "/a.data"));
  CHECK_THROWS_WITH_AS(read_lammps_data(path + "/b.data"),
                       ("cannot read " + path + "/b.data: No such file or directory").c_str(), Error);
  std::filesystem::remove_all(path);
}

TEST_CASE("lammps data: without velocities grains are at rest; there may be no grains") {
  const LammpsData data = parse_lammps_data(header + atoms, "");
  REQUIRE(data.grains.size() == 2);
  CHECK(data.grains[0].velocity == Vector{});
  CHECK(data.grains[1].spin == Vector{});
  const std::string none = "\n0 atoms\n0 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n";
  CHECK(parse_lammps_data(none, "").grains.empty());
  CHECK(parse_lammps_data(none + "Atoms\n\nVelocities\n", "").grains.empty());
}

struct Change {
  const char* from;  // in the good file
  const char* to;
  const char* message;  // behind the name of the file
};

TEST_CASE("lammps data: what is wrong is told with its line") {
  const std::string good = header + atoms + velocities;
  const Change changes[] = {
      {"2 atoms", "two atoms", "3: found 'two atoms', expected a line 'N atoms' before"},
      {"2 atoms\n", "\n", "10: found 'Atoms', expected a line 'N atoms' before it (the first line is the title)"},
      {"2 atoms", "-2 atoms", "3: found '-2', expected a number of atoms"},
      {"2 atoms", "2.0 atoms", "3: found '2.0', expected a number of atoms"},
      {"2 atoms", "99999999999999999999 atoms", "3: found '99999999999999999999', expected a number of atoms"},
      {"2 atoms", "9999999999999 atoms", "15: found 'Velocities' after 2 lines of Atoms, expected 9999999999999 lines"},
      {"2 atoms", "2 atoms\n2 atoms", "4: found a second line '2 atoms', expected one"},
      {"2 atoms", "2 atoms\n3 bonds", "4: found '3 bonds', expected 'N atoms', 'N atom types', 'lo hi xlo xhi'"},
      {"2 atoms", "2 atoms\n0 0 0 xy xz yz", "4: found '0 0 0 xy xz yz', expected 'N atoms'"},
      {"2 atom types", "", "10: found 'Atoms', expected a line 'N atom types' before"},
      {"2 atom types", "1 atom types", "12: found '2', expected a type from 1 to 1"},
      {"0 1e1 zlo zhi", "", "10: found 'Atoms', expected a line 'lo hi zlo zhi' before"},
      {"0 40 xlo xhi", "0 40 xlo", "6: found '0 40 xlo', expected"},
      {"0 40 xlo xhi", "40 0 xlo xhi", "6: found '40 0 xlo xhi', expected a lower end below the upper end"},
      {"0 40 xlo xhi", "0 inf xlo xhi", "6: found 'inf', expected a finite number"},
      {"# sphere", "# granular disc", "10: found atom style 'granular disc', expected 'sphere'"},
      {"# sphere", "# atomic", "10: found atom style 'atomic', expected 'sphere'"},
      {"Velocities", "Masses", "15: found 'Masses', expected a section 'Atoms' or 'Velocities'"},
      {"Velocities", "Atoms", "15: found a second section Atoms, expected one"},
      {"3 1 1 1.9 4 5 6 0 0 0", "3 1 1 1.9 4 5 6 0 0",
       "13: found 9 columns, expected 7 or 10 columns: id type diameter"},
      {"3 1 1 1.9 4 5 6 0 0 0", "3 1 1 1.9 4 5", "13: found 6 columns, expected 7 or 10 columns: id type diameter"},
      {"3 1 1 1.9 4 5 6 0 0 0", "", "15: found 'Velocities' after 1 lines of Atoms, expected 2 lines"},
      {"\n\nVelocities", "\n8 1 1 1 1 1 1\nVelocities", "14: found '8 1 1 1 1 1 1', expected a section 'Atoms' or"},
      {"3 1 1 1.9", "7 1 1 1.9", "13: found id 7 a second time, expected each id once (it is also in line 12)"},
      {"3 1 1 1.9", "0 1 1 1.9", "13: found '0', expected an id, 1 or above"},
      {"3 1 1 1.9", "3x 1 1 1.9", "13: found '3x', expected an id, 1 or above"},
      {"3 1 1 1.9", "3 glass 1 1.9", "13: found 'glass', expected a type from 1 to 2"},
      {"3 1 1 1.9", "3 0 1 1.9", "13: found '0', expected a type from 1 to 2"},
      {"3 1 1 1.9", "3 1 0 1.9", "13: found '0', expected a diameter above 0"},
      {"3 1 1 1.9", "3 1 -1 1.9", "13: found '-1', expected a diameter above 0"},
      {"3 1 1 1.9", "3 1 nan 1.9", "13: found 'nan', expected a diameter above 0"},
      {"3 1 1 1.9", "3 1 1e999 1.9", "13: found '1e999', expected a diameter above 0"},
      {"3 1 1 1.9", "3 1 1 -1.9", "13: found '-1.9', expected a density above 0"},
      {"4 5 6 0 0 0", "4 5 6,5 0 0 0", "13: found '6,5', expected a finite coordinate"},
      {"4 5 6 0 0 0", "4 +-5 6 0 0 0", "13: found '+-5', expected a finite coordinate"},
      {"4 5 6 0 0 0", "4 + 6 0 0 0", "13: found '+', expected a finite coordinate"},
      {"4 5 6 0 0 0", "4 5 6 0 0 0.5", "13: found '0.5', expected a whole number"},
      {"4 5 6 0 0 0", "4 5 6 0 0 3000000000", "13: found '3000000000', expected a whole number"},
      {"3 1 2 3 4 5 6", "3 1 2 3", "17: found 4 columns, expected 7 columns: id vx vy vz wx wy wz"},
      {"3 1 2 3 4 5 6", "3 1 2 inf 4 5 6", "17: found 'inf', expected a finite velocity"},
      {"3 1 2 3 4 5 6", "3 1 2 3 4 5 w", "17: found 'w', expected a finite angular velocity"},
      {"3 1 2 3 4 5 6\n", "", "17: found the end of the file after 1 lines of Velocities, expected 2 lines"},
      {"3 1 2 3 4 5 6", "7 1 2 3 4 5 6", "18: found id 7 a second time, expected each id once (it is also in line 17)"},
      {"3 1 2 3 4 5 6", "2 1 2 3 4 5 6", "17: found id 2, expected an id of section Atoms"},
      {"3 1 2 3 4 5 6", "4 1 2 3 4 5 6", "13: found id 3 without a velocity, expected a velocity for each atom"},
      {"-6\n", "-6", "18: found a last line without a line end, expected a line end (is the file cut off?)"},
      {"4 5 6 0 0 0", "4 5\xff 6 0 0 0", "13: found '5?', expected a finite coordinate"},
  };
  for (const auto& [from, to, message] : changes) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    text.replace(at, std::string(from).size(), to);
    try {
      parse_lammps_data(text, "bed.data");
      FAIL_CHECK("no error, expected ", std::string(message));
    } catch (const Error& error) {
      CHECK(error.code() == Exit::bad_input);
      const std::string told = error.what(), expected = std::string("bed.data:") + message;
      CHECK_MESSAGE(told.starts_with(expected), told, " is not ", expected);
    }
  }
}

TEST_CASE("lammps data: files that are none") {
  const auto check = [](const std::string& text, const std::string& message) {
    CHECK_THROWS_WITH_AS(parse_lammps_data(text, "f"), message.c_str(), Error);
  };
  check("", "f:1: found an empty file, expected a title line and 'N atoms'");
  check("\x1f\x8b\x08\n", "f:1: found compressed data, expected text (decompress it first with gunzip)");
  check(header + std::string("\0\n", 2), "f:1: found binary data, expected text");
  check("title\n", "f:1: found the end of the file, expected a line 'N atoms' before it (the first line is the title)");
  check(header, "f:9: found no section 'Atoms', expected 2 atoms");
  check(header + velocities, "f:13: found no section 'Atoms', expected 2 atoms");
}

TEST_CASE("lammps data: cut off anywhere it is an error, but where a section is complete") {
  const std::string good = header + atoms + velocities;
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string text = good.substr(0, size);
    // Without velocities the file would be complete.
    if (size == good.find("\nVelocities") || size == good.find("Velocities")) continue;
    CHECK_THROWS_AS(parse_lammps_data(text, ""), Error);
  }
}

TEST_CASE("lammps data: bytes changed at random are read or refused, never worse") {
  const std::string good = header + atoms + velocities;
  for (std::uint64_t trial = 0; trial < 20'000; ++trial) {
    std::string text = good;
    for (std::uint64_t k = 0; k < 1 + trial % 4; ++k)
      text[mix(mix(trial) ^ k) % text.size()] = static_cast<char>(mix(mix(trial) ^ ~k) & 255);
    try {
      for (const auto& grain : parse_lammps_data(text, "").grains) REQUIRE(grain.diameter > 0);
    } catch (const Error& error) {
      REQUIRE(error.code() == Exit::bad_input);
    }
  }
}

}  // namespace
}  // namespace cairn
