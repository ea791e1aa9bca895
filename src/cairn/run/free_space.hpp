// What is already somewhere: grains and walls that a new grain must not overlap.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/shapes/surface.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

class FreeSpace {
 public:
  // Walls as they stand at `time` [s]; no grain, added or asked for, is larger than `largest_radius` [m]. The surfaces
  // must outlive this object.
  FreeSpace(const PeriodicCell& cell, std::span<const Surface> surfaces, Real time, Real largest_radius);
  // Cell and walls of a world, now.
  FreeSpace(const World& world, Real largest_radius);

  void add(const Vector& x, Real radius);
  // Whether a grain there overlaps nobody.
  bool holds(const Vector& x, Real radius) const;

 private:
  struct Grain {
    Vector x;
    Real radius;
    int next;  // in the same cell; -1: none
  };

  std::int64_t index(int direction, Real x) const;
  std::uint64_t key(std::int64_t a, std::int64_t b, std::int64_t c) const;

  PeriodicCell cell_;
  std::span<const Surface> surfaces_;
  std::vector<Pose<Real>> poses_;
  Real width_;  // [m] of the cells grains are sorted into
  std::vector<Grain> grains_;
  std::unordered_map<std::uint64_t, int> first_;  // by cell; cells that share a key by chance only cost time
};

}  // namespace cairn
