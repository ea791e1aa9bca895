// The keys of [[wall]].
#pragma once
#include <string_view>
#include <vector>

#include "cairn/run/scenario.hpp"
#include "cairn/scenario/key_rows.hpp"

namespace cairn::keys {

string_view name_of(const WallShape& shape);

// Those of the shapes follow from the parameters that shapes declare (geometry/shapes/wall_parameter.hpp).
const std::vector<Key<WallSpec>>& wall_keys();

constexpr Key<WallMotion> motion_keys[] = {
    vector<&WallMotion::velocity>({.key = "velocity", .unit = "m/s", .doc = "constant velocity of translation"}),
    direction<&WallMotion::axis>({.key = "axis",
                                  .from_dimension = 3,
                                  .fallback = "required by rate",
                                  .doc = "direction of the axis of rotation; in 2D it is +y"}),
    vector<&WallMotion::centre>(
        {.key = "center", .unit = "m", .from_dimension = 2, .doc = "a point of the axis of rotation at t = 0"}),
    number<&WallMotion::rotation_rate>(
        {.key = "rate",
         .unit = "rad/s",
         .from_dimension = 2,
         .doc = "rate of rotation, right-handed about the axis; in 2D about +y, from z to x"}),
    vector<&WallMotion::oscillation_amplitude>(
        {.key = "amplitude",
         .unit = "m",
         .doc = "amplitude of the displacement amplitude sin(2 pi (frequency t + phase))"}),
    number<&WallMotion::oscillation_frequency>(
        {.key = "frequency", .unit = "Hz", .range = at_least_0, .doc = "frequency of the oscillation"}),
    number<&WallMotion::oscillation_phase>(
        {.key = "phase", .unit = "turns", .doc = "phase of the oscillation at t = 0"}),
};

}  // namespace cairn::keys
