// The data files a scenario names, read into it. Whatever is wrong in one is Error(Exit::bad_input, "file:line: ...").
#pragma once
#include "cairn/run/scenario.hpp"

namespace cairn {

// Fills
// - the list of every [[grains]] of kind "data" from its LAMMPS data file: position, velocity, spin, diameter and
//   density. Its types are materials, as `materials` says, unless the section has one `material` for all. Image flags
//   are not used;
// - the list of every [[grains]] of kind "csv": columns x, y, z [m], radius [m]; if there are any vx, vy, vz [m/s],
//   wx, wy, wz [rad/s], mass [kg], material (a name) or type (as above). In 2D y and vy, wx, wz may
//   be left out, in 1D x and all spins too. The final.csv of a run is such a table; its ids and images are not used;
// - every table of sizes: columns radius or diameter [m], ascending, and passing, the share that is smaller, from 0 up
//   to 1, or to 100 in percent.
void load_data(Scenario& scenario);

}  // namespace cairn
