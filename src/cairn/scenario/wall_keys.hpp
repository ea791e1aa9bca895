// The keys of [[wall]].
#pragma once
#include <string_view>

#include "cairn/run/scenario.hpp"
#include "cairn/scenario/key_rows.hpp"

namespace cairn::keys {

constexpr string_view shapes[] = {"plane", "box", "cylinder"};
constexpr string_view sides[] = {"inside", "outside"};

constexpr Key<WallSpec> wall_keys[] = {
    choice<&WallSpec::shape>({.key = "type", .choices = shapes, .doc = "shape of the wall"}),
    text<&WallSpec::name>({.key = "name", .fallback = "wall1, wall2, ...", .doc = "name of the wall in the output"}),
    choice<&WallSpec::side>(
        {.key = "side", .choices = sides, .only = "box cylinder", .doc = "side of the wall on which the grains are"}),
    material<&WallSpec::material>(),
    vector<&WallSpec::point>({.key = "point",
                              .unit = "m",
                              .only = "plane cylinder",
                              .doc = "plane: any point of the plane; cylinder: middle of the axis"}),
    direction<&WallSpec::normal>({.key = "normal",
                                  .only = "plane",
                                  .doc = "direction of the plane's normal, towards the grains; the far side is solid"}),
    vector<&WallSpec::low>({.key = "low", .unit = "m", .only = "box", .fallback = required, .doc = "lowest corner"}),
    vector<&WallSpec::high>({.key = "high", .unit = "m", .only = "box", .fallback = required, .doc = "highest corner"}),
    direction<&WallSpec::axis>(
        {.key = "axis", .only = "cylinder", .from_dimension = 3, .doc = "direction of the cylinder's axis"}),
    number<&WallSpec::radius>({.key = "radius",
                               .unit = "m",
                               .range = positive,
                               .only = "cylinder",
                               .fallback = required,
                               .doc = "radius of the cylinder"}),
    number<&WallSpec::length>({.key = "length",
                               .unit = "m",
                               .range = positive,
                               .only = "cylinder",
                               .from_dimension = 3,
                               .fallback = "endless",
                               .doc = "length of the cylinder along its axis"}),
    flag<&WallSpec::caps>({.key = "caps",
                           .only = "cylinder",
                           .from_dimension = 3,
                           .doc = "whether both ends of the cylinder are closed; needs length"}),
    {{.key = "motion", .type = Type::table, .fallback = "at rest", .doc = "motion of the wall"},
     [](Values& values, const Value& v, WallSpec&) { values.table(v); }},
};

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
