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

inline constexpr string_view wall_axes[] = {"x", "y", "z", "xy", "xz", "yz", "xyz"};

constexpr Key<LoadSpec> load_keys[] = {
    number<&LoadSpec::mass>({.key = "mass",
                             .unit = "kg",
                             .range = positive,
                             .fallback = required,
                             .doc = "mass of the wall, which forces move without turning it"}),
    {{.key = "axes",
      .type = Type::choice,
      .choices = wall_axes,
      .fallback = "all",
      .doc = "axes along which the wall moves"},
     [](Values& values, const Value& v, LoadSpec& to) { to.axes = values.word(v); }},
    vector<&LoadSpec::force>(
        {.key = "force", .unit = "N", .doc = "force on the wall, beside gravity and the grains", .may_change = true}),
    number<&LoadSpec::pressure>({.key = "pressure",
                                 .unit = "Pa",
                                 .doc = "pressure on a plane, along its normal, so towards the grains; needs area",
                                 .may_change = true}),
    number<&LoadSpec::area>({.key = "area",
                             .unit = "m^2",
                             .range = positive,
                             .fallback = "required by pressure",
                             .doc = "area on which the pressure acts",
                             .may_change = true}),
    number<&LoadSpec::damping>({.key = "damping",
                                .unit = "N s/m",
                                .range = at_least_0,
                                .doc = "dashpot of the wall: force over velocity",
                                .may_change = true}),
    {{.key = "times",
      .type = Type::numbers,
      .unit = "s",
      .range = at_least_0,
      .fallback = "none",
      .doc = "ascending times of the factors, from the start of the run or the change that sets the load",
      .may_change = true},
     [](Values& values, const Value& v, LoadSpec& to) { to.times = values.numbers(v); }},
    {{.key = "factors",
      .type = Type::numbers,
      .fallback = "none",
      .doc = "factors of force and pressure at these times, with straight lines between them",
      .may_change = true},
     [](Values& values, const Value& v, LoadSpec& to) { to.factors = values.numbers(v); }},
};

constexpr Key<WallMotion> motion_keys[] = {
    vector<&WallMotion::velocity>(
        {.key = "velocity", .unit = "m/s", .doc = "constant velocity of translation", .may_change = true}),
    direction<&WallMotion::axis>({.key = "axis",
                                  .from_dimension = 3,
                                  .fallback = "required by rate",
                                  .doc = "direction of the axis of rotation; in 2D it is +y",
                                  .may_change = true}),
    vector<&WallMotion::centre>({.key = "center",
                                 .unit = "m",
                                 .from_dimension = 2,
                                 .fallback = "the wall's point; of a box the origin",
                                 .doc = "a point of the axis of rotation at t = 0",
                                 .may_change = true}),
    number<&WallMotion::rotation_rate>({.key = "rate",
                                        .unit = "rad/s",
                                        .from_dimension = 2,
                                        .doc = "rate of rotation, right-handed about the axis; in 2D about +y, from z "
                                               "to x; 0 for a box with side \"outside\"",
                                        .may_change = true}),
    vector<&WallMotion::oscillation_amplitude>(
        {.key = "amplitude",
         .unit = "m",
         .doc = "amplitude of the displacement amplitude sin(2 pi (frequency t + phase)); needs frequency",
         .may_change = true}),
    number<&WallMotion::oscillation_frequency>({.key = "frequency",
                                                .unit = "Hz",
                                                .range = at_least_0,
                                                .doc = "frequency of the oscillation",
                                                .may_change = true}),
    number<&WallMotion::oscillation_phase>(
        {.key = "phase", .unit = "turns", .doc = "phase of the oscillation at t = 0", .may_change = true}),
    {{.key = "times",
      .type = Type::numbers,
      .unit = "s",
      .range = at_least_0,
      .fallback = "none",
      .doc = "ascending times of the factors, from the start of the run or the change that sets the motion",
      .may_change = true},
     [](Values& values, const Value& v, WallMotion& to) { to.times = values.numbers(v); }},
    {{.key = "factors",
      .type = Type::numbers,
      .fallback = "none",
      .doc = "factors of the velocity at these times, with straight lines between them",
      .may_change = true},
     [](Values& values, const Value& v, WallMotion& to) { to.factors = values.numbers(v); }},
};

}  // namespace cairn::keys
