// A crowd of grains for determinism tests: of many sizes and two materials, thrown together in a shaken, periodic
// box with a turning drum wall; dense enough that lists go stale and contacts come and go. Three thousand in a box half
// a metre wide; as crowded in one of another width. `equal`: of one size.
#pragma once
#include "cairn/core/hash.hpp"
#include "worlds.hpp"

namespace cairn {

inline World crowded_box(const std::string& law, int threads, Simd simd = widest_simd(), bool onset = false,
                         bool rolls = false, Real width = 0.5, bool equal = false) {
  const std::vector<Material> materials{{.name = "a", .young = 1e6, .poisson = 0.3},
                                        {.name = "b", .young = 3e6, .poisson = 0.2}};
  WorldSettings s;
  s.materials = 2;
  const bool every_form = law == ExtendedNonlinear::name;
  const auto contact = [&](std::size_t i, std::size_t j) {
    ContactSettings c{{"friction", 0.2 + 0.1 * static_cast<Real>(i + j)},
                      {"restitution", 0.7},
                      {"stiffness", 1e3 * static_cast<Real>(1 + i * j)},
                      {"damping_exponent", 0.7},
                      {"duration_factor", 5e-3},
                      {"tangential", every_form ? static_cast<TangentialForm>(i + j) : TangentialForm::total}};
    if (rolls) c["rolling_friction"] = 0.1, c["rolling_damping"] = 0.01, c["twisting_friction"] = 0.05;
    return suited(law, c);
  };
  s.laws = law_table(law, materials, contact);
  s.rolling = rolling_table(2, contact);
  s.cell = PeriodicCell::from({0, 0, 0}, {width, width, 0});
  s.threads = threads, s.simd = simd, s.skin = 0.01, s.onset = onset;
  add_plane(s, {0, 0, 0}, {0, 0, 1}, {.amplitude = {0, 0, 0.005}, .frequency = 20});
  Surface roller;
  roller.wall = 1, roller.material = 1;
  roller.point = {0.5 * width, 0.5 * width, 0.02}, roller.direction = {1, 0, 0}, roller.shape = OuterCylinder{0.05};
  roller.motion = {.axis = {1, 0, 0}, .centre = roller.point, .rotation_rate = 10};
  s.surfaces.push_back(roller);
  s.walls.push_back("roller");
  World w(s);
  std::vector<GrainData> grains;
  const auto count = static_cast<std::uint64_t>(12000 * width * width + 0.5);
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto random = [&](std::uint64_t q) { return random_uniform(11, k, q); };
    const Real r = equal ? 0.012 : 0.008 + 0.008 * random(0);
    grains.push_back({.position = {width * random(1), width * random(2), 0.09 + 0.15 * random(3)},
                      .velocity = {random(4) - 0.5, random(5) - 0.5, random(6) - 1},
                      .spin = {20 * random(7) - 10, 20 * random(8) - 10, 20 * random(9) - 10},
                      .radius = r,
                      .mass = 1e4 * r * r * r,
                      .material = static_cast<int>(k % 2)});
  }
  w.insert(grains);
  w.begin();
  return w;
}

}  // namespace cairn
