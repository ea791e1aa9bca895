// The data files a scenario names, read into it.
#pragma once
#include "cairn/run/scenario.hpp"

namespace cairn {

// Fills the list of every [[grains]] of kind "data" from its LAMMPS data file: position, velocity, spin, diameter and
// density. Types and image flags of the file are not used; the material is the table's.
void load_data(Scenario& scenario);

}  // namespace cairn
