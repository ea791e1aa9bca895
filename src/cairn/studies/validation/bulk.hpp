// Worlds of many grains for the cases of the validation.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/core/hash.hpp"
#include "cairn/run/free_space.hpp"
#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {

// Random numbers in [0, 1), the same on every machine.
class Uniform {
 public:
  Real operator()() { return random_uniform(0, 0, next_++); }
  Real operator()(Real low, Real high) { return low + (high - low) * (*this)(); }

 private:
  std::uint64_t next_ = 0;
};

// Cases of many grains always take the default scheme, and one thread: their worlds are too small to gain much from
// more, and on a busy machine more are slower.
inline ValidationRun bulk_run(WorldSettings world, std::span<const GrainData> grains, Real step) {
  return ValidationRun(ValidationSettings{}, std::move(world), grains, step);
}

// Grains of these radii and this density [kg/m^3], at random positions drawn by `draw`, one after the other where they
// overlap neither each other nor a wall.
template <class Draw>
std::vector<GrainData> scattered(const WorldSettings& world, const std::vector<Real>& radii, Real density,
                                 Draw&& draw) {
  FreeSpace space(world.cell, world.surfaces, 0, *std::max_element(radii.begin(), radii.end()));
  std::vector<GrainData> grains;
  for (const Real r : radii) {
    Vector x = draw();
    while (!space.holds(x, r)) x = draw();
    space.add(x, r);
    grains.push_back({.position = x, .radius = r, .mass = sphere_mass_of(density, r)});
  }
  return grains;
}

}  // namespace cairn::studies
