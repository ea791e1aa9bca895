// Frames for OVITO and whatever else reads extended XYZ: text, frame after frame in one file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cairn/formats/particle_frames.hpp"
#include "cairn/geometry/cell.hpp"

namespace cairn {

struct XyzGrain {
  std::int64_t id;
  Vector position, velocity, spin;  // [m] [m/s] [rad/s]
  Real radius;                      // [m]
  std::int64_t type;                // number of the material
  std::string_view material;
};

// [m] The box that holds all grains.
struct XyzExtent {
  Vector low, high;
};

// One frame of `count` grains, which are asked for in order and handed on part by part. The cell stands in it if it is
// periodic; in the other directions it then holds the grains, `extent` [m]. `more`: further columns. The material
// stands in the column "species", by which OVITO tells types apart, its blanks as underscores; a second column "type"
// would be refused there, so its number has another name.
void write_xyz(Real time, const PeriodicCell& cell, const XyzExtent& extent, std::size_t count,
               const std::function<XyzGrain(std::size_t)>& grain, std::span<const PointArray> more,
               const std::function<void(std::string_view)>& write);

}  // namespace cairn
