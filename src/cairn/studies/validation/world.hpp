// Worlds of one or few grains, and their motion, for the cases of the validation.
#pragma once
#include <utility>

#include "cairn/contact/laws/hertz_mindlin.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/studies/validation/reference.hpp"
#include "cairn/studies/validation/validation.hpp"
#include "cairn/world/world.hpp"

namespace cairn::studies {

inline Real sphere_mass_of(Real density, Real radius) {
  return density * (4.0 / 3 * pi) * radius * radius * radius;
}

inline void add_plane(WorldSettings& s, const Vector& point, const Vector& normal, const Motion& motion = {},
                      int material = 0) {
  Surface plane;
  plane.wall = static_cast<int>(s.walls.size()), plane.material = material;
  plane.point = point, plane.direction = normal, plane.motion = motion;
  s.surfaces.push_back(plane);
  s.walls.push_back("plane" + std::to_string(plane.wall));
}

// A world that a scheme moves step by step. Grains go by their ids, in
// whatever order the world stores them.
class ValidationRun {
 public:
  ValidationRun(const ValidationSettings& settings, WorldSettings world, std::span<const GrainData> grains, Real step)
      : scheme_(*settings.scheme), world_(std::move(world)), step_(step) {
    world_.insert(grains);
    world_.begin();
  }
  const World& world() const { return world_; }
  Real step() const { return step_; }
  void advance() { scheme_.advance(world_, step_); }
  template <class See>
  void advance_to(Real end, See&& see) {
    for (auto left = std::lround((end - world_.time()) / step_); left-- > 0;) advance(), see();
  }
  void advance_to(Real end) {
    advance_to(end, [] {});
  }
  Vector position(int id) const { return world_.position(stored(id)); }
  // Velocities at the positions' time, where the scheme staggers them.
  Vector velocity(int id) {
    return synchronised([&] { return world_.velocity(stored(id)); });
  }
  Vector spin(int id) {
    return synchronised([&] { return world_.spin(stored(id)); });
  }

 private:
  int stored(int id) const { return world_.size() == 1 ? 0 : world_.grains().by_id()[static_cast<std::size_t>(id)]; }
  template <class Read>
  Vector synchronised(Read&& read) {
    if (!scheme_.staggered) return read();
    const World::Synchronised now(world_, 0.5 * step_);
    return read();
  }

  const SchemeEntry& scheme_;
  World world_;
  Real step_;
};

}  // namespace cairn::studies
