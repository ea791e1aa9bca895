// Reads data files of LAMMPS (https://docs.lammps.org/read_data.html) with grains of atom_style sphere. Stricter than
// LAMMPS: whatever is not understood is Error(Exit::bad_input, "file:line: found ..., expected ...").
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// In the units of the file.
struct LammpsData {
  struct Grain {
    std::int64_t id = 0;
    int type = 0;  // from 1
    Real diameter = 0, density = 0;
    Vector position{}, velocity{}, spin{};
    std::array<int, 3> image{};  // periods travelled: true position = position + image * (high - low)
  };

  Vector low{}, high{};       // corners of the box
  std::vector<Grain> grains;  // in order of id
};

LammpsData read_lammps_data(const std::string& path);
LammpsData parse_lammps_data(std::string_view text, const std::string& path);  // path: for messages

}  // namespace cairn
