// Beds of many spheres in a plane, for the cases of the validation that measure bulk laws.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cairn/core/threads.hpp"
#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {

// Spheres of radii spread by 15 % against crystals, in the plane y = 0.
inline constexpr Real bed_diameter = 0.01;  // [m] mean
inline constexpr Real loose_spacing =
    1.2 * bed_diameter;                    // [m] of centres in rows that will fall: more than two of the largest radius
inline constexpr Real bed_spread = 0.15;   // [-]
inline constexpr Real bed_friction = 0.5;  // [-] between grains and at walls
inline constexpr Real bed_gravity = 9.81;  // [m/s^2]
inline constexpr Real bed_density = 2500;  // [kg/m^3]
inline constexpr Real bed_stiffness = 4000;  // [m g / d] overlaps stay below a hundredth of d
inline const Real bed_time = std::sqrt(bed_diameter / bed_gravity), bed_speed = std::sqrt(bed_gravity * bed_diameter);
// [s] a twentieth of a collision of two mean grains.
inline const Real bed_step = pi * bed_time / std::sqrt(2 * bed_stiffness) / 20;

// Settings of linear contacts of this stiffness [m g / d] with a restitution of 0.3; no walls yet, one thread.
WorldSettings bed_settings(const ValidationSettings& settings, Real stiffness = bed_stiffness);
// `count` grains in loose rows from `bottom` upwards, between x = 0 and `width` [m], shaken by `seed`.
std::vector<GrainData> loose_bed(int count, Real width, Real bottom, std::uint64_t seed);
// How many grains of a loose bed fill about `height` [m] once they are settled.
int grains_that_fill(Real width, Real height);

// work(k) for k from 0 on, each in one thread: no result depends on which.
template <class Work>
void each_bed(int count, const std::string& doing, const ProgressCallback& on_progress, Work&& work) {
  each_task(
      available_threads(), count, [&](std::ptrdiff_t k) { work(static_cast<int>(k)); },
      [&](std::ptrdiff_t k) {
        if (on_progress) on_progress(static_cast<Real>(k) / count, doing);
      });
}

}  // namespace cairn::studies
