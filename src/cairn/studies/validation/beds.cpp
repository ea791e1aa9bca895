#include "cairn/studies/validation/beds.hpp"

#include "cairn/core/hash.hpp"

namespace cairn::studies {
namespace {

constexpr Real shake = 0.02 * bed_diameter;
constexpr Real solid_fraction = 0.8;  // [-] of discs, settled

}  // namespace

WorldSettings bed_settings(const ValidationSettings& settings, Real stiffness) {
  ContactSettings contact;
  contact["stiffness"] = stiffness * sphere_mass_of(bed_density, 0.5 * bed_diameter) * bed_gravity / bed_diameter;
  contact["restitution"] = 0.3, contact["friction"] = bed_friction * settings.friction;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {0, 0, -bed_gravity};
  return s;
}

std::vector<GrainData> loose_bed(int count, Real width, Real bottom, std::uint64_t seed) {
  const int across = static_cast<int>(width / loose_spacing);
  const auto random = [&](std::uint64_t stream, int k) {  // in [-1, 1)
    return 2 * random_uniform(seed, stream, static_cast<std::uint64_t>(k)) - 1;
  };
  std::vector<GrainData> grains;
  for (int k = 0; k < count; ++k) {
    const Real x = (k % across + 0.5) * width / across, z = bottom + (k / across + 0.5) * loose_spacing;
    const Real radius = 0.5 * bed_diameter * (1 + bed_spread * random(0, k));
    grains.push_back({.position = {x + shake * random(1, k), 0, z + shake * random(2, k)},
                      .velocity = {bed_speed * random(3, k), 0, bed_speed * random(4, k)},
                      .radius = radius,
                      .mass = sphere_mass_of(bed_density, radius)});
  }
  return grains;
}

int grains_that_fill(Real width, Real height) {
  return static_cast<int>(width * height * solid_fraction / (0.25 * pi * bed_diameter * bed_diameter));
}

}  // namespace cairn::studies
