// The keys of [[grain]], [[grains]], [[emitter]], [[removal]] and [[probe]].
#pragma once
#include <array>
#include <string_view>

#include "cairn/run/scenario.hpp"
#include "cairn/scenario/key_rows.hpp"

namespace cairn::keys {

constexpr string_view kinds_of_grains[] = {"lattice", "random", "data", "csv"};
constexpr string_view kinds_of_sizes[] = {"normal", "lognormal", "list", "table"};
constexpr string_view measures[] = {"number", "mass"};
constexpr string_view places[] = {"top"};

constexpr Key<GrainSpec> position_keys[] = {
    vector<&GrainSpec::position>(
        {.key = "position", .unit = "m", .fallback = required, .doc = "position of the grain's centre"}),
};

constexpr std::array<Key<GrainSpec>, 5> bodies(string_view radius) {
  return {vector<&GrainSpec::velocity>({.key = "velocity", .unit = "m/s", .doc = "initial velocity"}),
          spin<&GrainSpec::spin>({.key = "spin",
                                  .unit = "rad/s",
                                  .from_dimension = 2,
                                  .doc = "initial angular velocity; in 2D right-handed about +y, from z to x"}),
          number<&GrainSpec::radius>(
              {.key = "radius", .unit = "m", .range = positive, .fallback = radius, .doc = "radius of the grain"}),
          number<&GrainSpec::mass>({.key = "mass",
                                    .unit = "kg",
                                    .range = positive,
                                    .fallback = "from the material's density",
                                    .doc = "mass of the grain"}),
          material<&GrainSpec::material>()};
}
constexpr auto body_keys = bodies(required);

// The region of grains, emitters and removals.
constexpr std::array<Key<RegionSpec>, 6> regions(string_view only) {
  return {vector<&RegionSpec::low>({.key = "low",
                                    .unit = "m",
                                    .only = only,
                                    .fallback = "required by a box",
                                    .doc = "lowest corner of the region"}),
          vector<&RegionSpec::high>({.key = "high",
                                     .unit = "m",
                                     .only = only,
                                     .fallback = "required by a box",
                                     .doc = "highest corner of the region"}),
          number<&RegionSpec::radius>({.key = "region_radius",
                                       .unit = "m",
                                       .range = positive,
                                       .only = only,
                                       .from_dimension = 2,
                                       .fallback = "none",
                                       .doc = "radius of the region, which is then a cylinder (in 2D a circle)"}),
          vector<&RegionSpec::centre>(
              {.key = "center", .unit = "m", .only = only, .from_dimension = 2, .doc = "centre of the cylinder"}),
          direction<&RegionSpec::axis>(
              {.key = "axis", .only = only, .from_dimension = 3, .doc = "direction of the cylinder's axis"}),
          number<&RegionSpec::length>({.key = "region_length",
                                       .unit = "m",
                                       .range = positive,
                                       .only = only,
                                       .from_dimension = 3,
                                       .fallback = "required by a cylinder",
                                       .doc = "length of the cylinder"})};
}

constexpr Key<SizeSpec> size_keys[] = {
    choice<&SizeSpec::kind>(
        {.key = "kind", .choices = kinds_of_sizes, .fallback = required, .doc = "kind of size distribution"}),
    choice<&SizeSpec::by>(
        {.key = "by", .choices = measures, .doc = "whether shares count the number of grains or their mass"}),
    number<&SizeSpec::mean>(
        {.key = "mean", .unit = "m", .range = positive, .only = "normal", .fallback = required, .doc = "radius"}),
    number<&SizeSpec::median>({.key = "median",
                               .unit = "m",
                               .range = positive,
                               .only = "lognormal",
                               .fallback = required,
                               .doc = "median radius: half of the grains are smaller"}),
    {{.key = "deviation",
      .type = Type::number,
      .unit = "m",
      .range = positive,
      .only = "normal lognormal",
      .fallback = required,
      .doc =
          "standard deviation before cutting: \"normal\": of the radius; \"lognormal\": of ln(radius), without a unit"},
     [](Values& values, const Value& v, SizeSpec& to) {
       KeyDoc doc = v.doc;
       if (to.kind == SizeSpec::Kind::lognormal) doc.unit = "";
       to.deviation = values.number({v.node, v.path, doc});
     }},
    number<&SizeSpec::low>({.key = "low",
                            .unit = "m",
                            .range = positive,
                            .only = "normal lognormal",
                            .fallback = "3 deviations below the middle",
                            .doc = "smallest radius"}),
    number<&SizeSpec::high>({.key = "high",
                             .unit = "m",
                             .range = positive,
                             .only = "normal lognormal",
                             .fallback = "3 deviations above the middle",
                             .doc = "largest radius"}),
    {{.key = "radii",
      .type = Type::numbers,
      .unit = "m",
      .range = positive,
      .only = "list",
      .fallback = required,
      .doc = "list of radii"},
     [](Values& values, const Value& v, SizeSpec& to) { to.radii = values.numbers(v); }},
    {{.key = "shares",
      .type = Type::numbers,
      .range = at_least_0,
      .only = "list",
      .fallback = required,
      .doc = "share of each radius; the shares may have any sum"},
     [](Values& values, const Value& v, SizeSpec& to) { to.shares = values.numbers(v); }},
    text<&SizeSpec::file>({.key = "file",
                           .only = "table",
                           .fallback = required,
                           .doc = "path of a CSV table with the columns radius or diameter in m, and passing: the "
                                  "share of smaller grains, from 0 to 1 or from 0 to 100"}),
};

template <class T>
constexpr Key<T> sizes(string_view only) {
  return {{.key = "sizes",
           .type = Type::table,
           .only = only,
           .fallback = "all grains have one radius",
           .doc = "distribution of radii; replaces radius"},
          [](Values& values, const Value& v, T&) { values.table(v); }};
}

constexpr Key<GrainsSpec> grains_keys[] = {
    choice<&GrainsSpec::kind>({.key = "kind", .choices = kinds_of_grains, .doc = "source of the grains"}),
    material<&GrainsSpec::material>(),
    text<&GrainsSpec::file>({.key = "file",
                             .only = "data csv",
                             .fallback = required,
                             .doc = "path of a LAMMPS data file or a CSV table, relative to the scenario file, or else "
                                    "to the working folder"}),
    {{.key = "materials",
      .type = Type::name_list,
      .only = "data csv",
      .fallback = "the materials in their order",
      .doc = "materials of the file's types, the first one that of type 1"},
     [](Values& values, const Value& v, GrainsSpec& to) { to.materials = values.material_list(v); }},
    number<&GrainsSpec::radius>({.key = "radius",
                                 .unit = "m",
                                 .range = positive,
                                 .only = "lattice random",
                                 .fallback = "required unless sizes is given",
                                 .doc = "nominal radius"}),
    number<&GrainsSpec::radius_spread>({.key = "radius_spread",
                                        .range = {0, 1, true, false},
                                        .only = "lattice random",
                                        .doc = "radii are uniform in radius (1 +- spread)"}),
    sizes<GrainsSpec>("lattice random"),
    whole_number<&GrainsSpec::count>({.key = "count",
                                      .range = at_least_1,
                                      .only = "lattice random",
                                      .fallback = "required by random; lattice: as many as fit",
                                      .doc = "number of grains"}),
    vector<&GrainsSpec::velocity>(
        {.key = "velocity", .unit = "m/s", .only = "lattice random", .doc = "initial velocity"}),
    whole_number<&GrainsSpec::seed>({.key = "seed",
                                     .range = at_least_0,
                                     .only = "lattice random",
                                     .doc = "seed of the random numbers of these grains; run.seed changes them too"}),
    number<&GrainsSpec::spacing>({.key = "spacing",
                                  .unit = "m",
                                  .range = positive,
                                  .only = "lattice",
                                  .fallback = "just wide enough that no grains touch",
                                  .doc = "distance between centres"}),
    number<&GrainsSpec::jitter>({.key = "jitter",
                                 .unit = "m",
                                 .range = at_least_0,
                                 .only = "lattice",
                                 .doc = "largest random displacement along each coordinate"}),
};
constexpr auto grains_region_keys = regions("lattice random");
constexpr auto region_keys = regions("");

constexpr Key<GrainSpec> emitter_position_keys[] = {
    vector<&GrainSpec::position>({.key = "position",
                                  .unit = "m",
                                  .fallback = "required unless place or a region is given",
                                  .doc = "position at which each grain appears"}),
};
constexpr auto emitter_body_keys = bodies("required unless sizes is given");

constexpr Key<EmitterSpec> emitter_keys[] = {
    text<&EmitterSpec::name>(
        {.key = "name", .fallback = "emitter1, emitter2, ...", .doc = "name of the emitter in the output"}),
    flag<&EmitterSpec::on>({.key = "on",
                            .doc = "whether the emitter works; while it does not, its times stand still",
                            .may_change = true}),
    {{.key = "place",
      .type = Type::choice,
      .choices = places,
      .fallback = "required unless position or a region is given",
      .doc = "\"top\": each grain appears on the highest grain, touches it and has its velocity"},
     [](Values& values, const Value& v, EmitterSpec& to) {
       values.choice(v);
       to.on_top = true;
     }},
    number<&EmitterSpec::first>(
        {.key = "first", .unit = "s", .range = at_least_0, .doc = "time at which the first grain appears"}),
    number<&EmitterSpec::every>({.key = "every",
                                 .unit = "s",
                                 .range = positive,
                                 .fallback = "required if count > 1, unless rate is given",
                                 .doc = "time between two grains"}),
    {{.key = "rate",
      .type = Type::number,
      .unit = "1/s",
      .range = positive,
      .fallback = "none",
      .doc = "grains per second; replaces every; without count the emitter works until the end of the run"},
     [](Values& values, const Value& v, EmitterSpec& to) {
       to.every = 1 / values.number(v);
       to.count = -1;
     }},
    whole_number<&EmitterSpec::count>({.key = "count", .range = at_least_1, .doc = "number of grains"}),
    {{.key = "times",
      .type = Type::numbers,
      .unit = "s",
      .range = at_least_0,
      .fallback = "none",
      .doc = "times at which grains appear, ascending; replaces first, every, rate and count"},
     [](Values& values, const Value& v, EmitterSpec& to) { to.times = values.numbers(v); }},
    number<&EmitterSpec::radius_spread>(
        {.key = "radius_spread", .range = {0, 1, true, false}, .doc = "radii are uniform in radius (1 +- spread)"}),
    sizes<EmitterSpec>(""),
    whole_number<&EmitterSpec::seed>({.key = "seed",
                                      .range = at_least_0,
                                      .doc = "seed of the random numbers of this emitter; run.seed changes them too"}),
};

constexpr Key<RemovalSpec> removal_keys[] = {
    text<&RemovalSpec::name>(
        {.key = "name", .fallback = "removal1, removal2, ...", .doc = "name of the removal in the output"}),
    number<&RemovalSpec::from>(
        {.key = "from", .unit = "s", .range = at_least_0, .doc = "time at which the removal begins"}),
    number<&RemovalSpec::every>(
        {.key = "every", .unit = "s", .range = positive, .fallback = "each step", .doc = "time between two removals"}),
};

constexpr std::array<Key<RegionSpec>, 2> plane_keys(string_view point, string_view normal) {
  return {vector<&RegionSpec::point>({.key = "point", .unit = "m", .fallback = "required by a plane", .doc = point}),
          direction<&RegionSpec::normal>({.key = "normal", .fallback = "required by a plane", .doc = normal})};
}
constexpr auto half_space_keys =
    plane_keys("any point of the plane that bounds the region",
               "normal of the plane; grains on the side opposite to this direction are removed");

constexpr Key<ProbeSpec> probe_keys[] = {
    text<&ProbeSpec::name>(
        {.key = "name", .fallback = "probe1, probe2, ...", .doc = "name of the probe in probes.csv"}),
    number<&ProbeSpec::every>({.key = "every",
                               .unit = "s",
                               .range = at_least_0,
                               .fallback = "a hundredth of the run",
                               .doc = "interval of its rows; 0: at the start only; shorter than a step: every step"}),
};
constexpr auto probe_plane_keys =
    plane_keys("a point of the plane; with region_radius the middle of a disc",
               "normal of the plane; grains that pass in this direction count as positive");

}  // namespace cairn::keys
