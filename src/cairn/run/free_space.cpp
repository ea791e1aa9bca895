#include "cairn/run/free_space.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/hash.hpp"

namespace cairn {

FreeSpace::FreeSpace(const PeriodicCell& cell, std::span<const Surface> surfaces, Real time, Real largest_radius)
    : cell_(cell), surfaces_(surfaces), width_(2 * largest_radius) {
  for (const Surface& s : surfaces) poses_.push_back(pose_at(s, time));
}

FreeSpace::FreeSpace(const World& world, Real largest_radius)
    : cell_(world.settings().cell), surfaces_(world.settings().surfaces), width_(2 * largest_radius) {
  for (const Surface& s : surfaces_) poses_.push_back(world.pose(s));
}

std::int64_t FreeSpace::index(int direction, Real x) const {
  constexpr Real most = 1e15;
  if (!std::isfinite(x)) return 0;  // of a grain that has exploded and meets none
  const Real length = (&cell_.length.x)[direction];
  if (!(length > 0)) return static_cast<std::int64_t>(std::floor(std::clamp(x / width_, -most, most)));
  const Real cells = std::max(1.0, std::floor(length / width_));
  const Real periods = (x - (&cell_.origin.x)[direction]) / length;
  return static_cast<std::int64_t>(std::floor((periods - std::floor(periods)) * cells));
}

std::uint64_t FreeSpace::key(std::int64_t a, std::int64_t b, std::int64_t c) const {
  const auto around = [&](int direction, std::int64_t at) {
    const Real length = (&cell_.length.x)[direction];
    if (!(length > 0)) return static_cast<std::uint64_t>(at);
    const auto cells = static_cast<std::int64_t>(std::max(1.0, std::floor(length / width_)));
    return static_cast<std::uint64_t>((at % cells + cells) % cells);
  };
  return mix(mix(mix(around(0, a)) ^ around(1, b)) ^ around(2, c));
}

void FreeSpace::add(const Vector& x, Real radius) {
  const auto [at, is_new] = first_.try_emplace(key(index(0, x.x), index(1, x.y), index(2, x.z)), -1);
  grains_.push_back({x, radius, at->second});
  at->second = static_cast<int>(grains_.size()) - 1;
}

bool FreeSpace::holds(const Vector& x, Real radius) const {
  const std::int64_t a = index(0, x.x), b = index(1, x.y), c = index(2, x.z);
  for (int n = 0; n < 27; ++n) {
    const auto at = first_.find(key(a + n % 3 - 1, b + n / 3 % 3 - 1, c + n / 9 - 1));
    if (at == first_.end()) continue;
    for (int k = at->second; k >= 0; k = grains_[k].next) {
      const Vector d = grains_[k].x - x;
      if (norm(d - cell_.image(d)) < grains_[k].radius + radius) return false;
    }
  }
  for (std::size_t s = 0; s < surfaces_.size(); ++s)
    if (!surfaces_[s].absent && wall_distance(surfaces_[s], poses_[s], cell_, x) < radius) return false;
  return true;
}

}  // namespace cairn
