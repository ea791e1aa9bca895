// Frames for OVITO and whatever else reads extended XYZ: text, frame after frame in one file.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "cairn/geometry/cell.hpp"

namespace cairn {

struct XyzGrain {
  std::int64_t id;
  Vector position, velocity, spin;  // [m] [m/s] [rad/s]
  Real radius;                      // [m]
};

// One frame. The cell stands in it if it is periodic; in the other directions it then holds the grains.
std::string xyz_frame(Real time, const PeriodicCell& cell, std::span<const XyzGrain> grains);

}  // namespace cairn
