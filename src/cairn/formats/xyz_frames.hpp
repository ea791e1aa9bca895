// Frames for OVITO and whatever else reads extended XYZ: text, frame after frame in one file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "cairn/geometry/cell.hpp"

namespace cairn {

struct XyzGrain {
  std::int64_t id;
  Vector position, velocity, spin;  // [m] [m/s] [rad/s]
  Real radius;                      // [m]
};

// One frame of `count` grains, handed on part by part. The cell stands in it if it is periodic; in the other directions
// it then holds the grains.
void write_xyz(Real time, const PeriodicCell& cell, std::size_t count,
               const std::function<XyzGrain(std::size_t)>& grain, const std::function<void(std::string_view)>& write);

}  // namespace cairn
