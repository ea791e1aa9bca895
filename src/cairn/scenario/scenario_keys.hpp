// The keys of a scenario file, one row each. Included by scenario_file.cpp alone.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/text.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/scenario/values.hpp"

namespace cairn::keys {

using std::string_view;
using Type = KeyDoc::Type;

template <class T>
struct Key {
  KeyDoc doc;
  void (*read)(Values&, const Value&, T& to);
  std::string (*fallback)(const KeyDoc&, const T&) = nullptr;  // the default, from a T just made
};

// A default as the documentation shows it.
template <class V>
std::string shown(const KeyDoc& doc, const V& a) {
  if constexpr (std::is_same_v<V, std::string>)
    return "\"" + a + "\"";
  else if constexpr (std::is_same_v<V, Vector>)
    return "[" + to_text(a.x) + ", " + to_text(a.y) + ", " + to_text(a.z) + "]";
  else if constexpr (std::is_same_v<V, std::optional<Real>>)
    return a ? to_text(*a) : "none";
  else if constexpr (std::is_same_v<V, std::optional<Vector>> || std::is_same_v<V, std::optional<bool>>)
    return "none";
  else if (!doc.choices.empty())
    return "\"" + std::string(doc.choices[static_cast<std::size_t>(a)]) + "\"";
  else if constexpr (std::is_same_v<V, bool>)
    return a ? "true" : "false";
  else
    return to_text(static_cast<Real>(a));
}

template <class T, class Member>
T owner_of(Member T::*);

// A row whose value goes to a member; the choices of an enumeration stand in its order.
template <Type type, auto read, auto member>
constexpr auto row(KeyDoc doc) {
  using T = decltype(owner_of(member));
  doc.type = type;
  return Key<T>{doc,
                [](Values& values, const Value& v, T& to) {
                  auto& place = to.*member;
                  place = static_cast<std::remove_reference_t<decltype(place)>>((values.*read)(v));
                },
                [](const KeyDoc& d, const T& from) { return shown(d, from.*member); }};
}
template <auto member>
constexpr auto number(const KeyDoc& doc) {
  return row<Type::number, &Values::number, member>(doc);
}
template <auto member>
constexpr auto whole_number(const KeyDoc& doc) {
  return row<Type::whole_number, &Values::whole_number, member>(doc);
}
template <auto member>
constexpr auto flag(const KeyDoc& doc) {
  return row<Type::flag, &Values::flag, member>(doc);
}
template <auto member>
constexpr auto text(const KeyDoc& doc) {
  return row<Type::text, &Values::text, member>(doc);
}
template <auto member>
constexpr auto choice(const KeyDoc& doc) {
  return row<Type::choice, &Values::choice, member>(doc);
}
template <auto member>
constexpr auto word(const KeyDoc& doc) {
  return row<Type::choice, &Values::word, member>(doc);
}
template <auto member>
constexpr auto scheme(const KeyDoc& doc) {
  return row<Type::scheme, &Values::scheme, member>(doc);
}
template <auto member>
constexpr auto vector(const KeyDoc& doc) {
  return row<Type::vector, &Values::vector, member>(doc);
}
template <auto member>
constexpr auto direction(const KeyDoc& doc) {
  return row<Type::vector, &Values::direction, member>(doc);
}
template <auto member>
constexpr auto spin(const KeyDoc& doc) {
  return row<Type::spin, &Values::spin, member>(doc);
}

template <auto member>
constexpr auto material() {
  return row<Type::text, &Values::material, member>(
      {.key = "material", .fallback = "the first material", .doc = "name of the material"});
}

template <auto coordinate>
constexpr Key<Scenario> periodic(KeyDoc doc) {
  doc.type = Type::interval, doc.unit = "m", doc.fallback = "not periodic";
  doc.doc = "interval over which space repeats itself in this direction";
  return {doc, [](Values& values, const Value& v, Scenario& to) {
            const std::array<Real, 2> ends = values.interval(v);
            to.periodic_low.*coordinate = ends[0], to.periodic_high.*coordinate = ends[1];
          }};
}

constexpr string_view guard_actions[] = {"refuse", "warn", "off"};

constexpr Key<Scenario> guard(KeyDoc doc) {
  doc.type = Type::choice, doc.choices = guard_actions;
  if (doc.fallback.empty()) doc.fallback = "\"refuse\"";
  return {doc, [](Values& values, const Value& v, Scenario& to) {
            to.guards[std::string(v.doc.key)] = static_cast<GuardAction>(values.choice(v));
          }};
}

// Sections are only checked to be such here; Reader::read reads them, in the order in which they need each other.
constexpr Key<Scenario> section(string_view key, string_view doc) {
  return {{.key = key, .type = Type::table, .fallback = "empty", .doc = doc},
          [](Values& values, const Value& v, Scenario&) { values.table(v); }};
}
constexpr Key<Scenario> sections(string_view key, string_view doc) {
  return {{.key = key, .type = Type::tables, .fallback = "none", .doc = doc},
          [](Values& values, const Value& v, Scenario&) { values.tables(v); }};
}

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr KeyDoc::Range positive{0, infinity, false, true};
constexpr KeyDoc::Range at_least_0{0, infinity, true, true};
constexpr KeyDoc::Range at_least_1{1, infinity, true, true};

constexpr string_view attractions[] = {"clipped", "allowed"};
constexpr string_view tangential_forms[] = {"total", "conservative", "incremental"};
constexpr string_view damping_maps[] = {"realised", "tsuji"};
constexpr string_view shapes[] = {"plane", "box", "cylinder"};
constexpr string_view sides[] = {"inside", "outside"};
constexpr string_view kinds_of_grains[] = {"lattice", "random", "data", "csv"};
constexpr string_view kinds_of_sizes[] = {"normal", "lognormal", "list", "table"};
constexpr string_view measures[] = {"number", "mass"};
constexpr string_view places[] = {"top"};
constexpr string_view refuse_or_allow[] = {"refuse", "allow"};
constexpr auto laws = std::apply([](auto... law) { return std::array{string_view(decltype(law)::name)...}; }, Laws{});

constexpr string_view required = "required";

constexpr Key<Scenario> top_keys[] = {
    text<&Scenario::title>({.key = "title", .doc = "title of the scenario"}),
    section("run", "scheme, step and end of the run"),
    section("space", "dimension, gravity and periodic directions"),
    sections("material", "materials of grains and walls"),
    section("contact", "contact law and its parameters"),
    sections("pair", "contact parameters of two given materials, in place of those of [contact]"),
    sections("wall", "planes, boxes and cylinders, at rest or moving"),
    sections("grain", "one grain at the start"),
    sections("grains", "many grains at the start"),
    sections("emitter", "inserts grains during the run"),
    sections("removal", "region in which grains are removed"),
    section("output", "files to write, and how often"),
    section("search", "list of neighbouring grains"),
    section("initial", "checks of the initial state"),
    section("guards", "action of each guard when it finds a fault"),
};

constexpr string_view off_or_on[] = {"off", "on"};

constexpr Key<Scenario> run_keys[] = {
    scheme<&Scenario::scheme>({.key = "scheme", .doc = "time-integration scheme"}),
    number<&Scenario::step>({.key = "step",
                             .unit = "s",
                             .range = positive,
                             .fallback = required,
                             .doc = "time step; with an adaptive scheme the first step"}),
    number<&Scenario::end>(
        {.key = "end", .unit = "s", .range = positive, .fallback = required, .doc = "time at which the run ends"}),
    whole_number<&Scenario::threads>(
        {.key = "threads", .range = {1, 4096}, .doc = "number of threads; no result depends on it"}),
    number<&Scenario::tolerance>({.key = "tolerance",
                                  .range = {0, 1, false, false},
                                  .fallback = "1e-6 with adaptive schemes, 1e-12 with implicit ones",
                                  .doc = "adaptive schemes: largest relative error of a step; implicit schemes: "
                                         "largest relative change in the last iteration"}),
    number<&Scenario::smallest_step>(
        {.key = "smallest_step",
         .unit = "s",
         .range = positive,
         .fallback = "a millionth of run.step",
         .doc = "adaptive schemes: the run stops if a step of this size still has too large an error"}),
    number<&Scenario::largest_step>({.key = "largest_step",
                                     .unit = "s",
                                     .range = positive,
                                     .fallback = "run.step",
                                     .doc = "adaptive schemes: largest step"}),
    whole_number<&Scenario::seed>({.key = "seed", .range = at_least_0, .doc = "seed of all random numbers"}),
    choice<&Scenario::onset>({.key = "onset",
                              .choices = off_or_on,
                              .fallback =
                                  "\"on\" with law \"linear\" or \"extended_linear\" and a scheme of fixed step, else "
                                  "\"off\"",
                              .doc = "contact-onset correction: \"on\" begins and ends contacts at the right instant "
                                     "within a step, \"off\" at the end of a step"}),
};

constexpr Key<Scenario> space_keys[] = {
    whole_number<&Scenario::dimension>(
        {.key = "dimension", .range = {1, 3}, .doc = "1: height z only; 2: x and z; 3: x, y and z"}),
    vector<&Scenario::gravity>({.key = "gravity", .unit = "m/s^2", .doc = "acceleration of gravity"}),
    flag<&Scenario::rotation>({.key = "rotation", .fallback = "true; in 1D false", .doc = "whether grains spin"}),
    periodic<&Vector::x>({.key = "periodic_x", .from_dimension = 2}),
    periodic<&Vector::y>({.key = "periodic_y", .from_dimension = 3}),
    periodic<&Vector::z>({.key = "periodic_z"}),
};

constexpr Key<Material> material_keys[] = {
    text<&Material::name>({.key = "name", .doc = "name by which grains, walls and pairs refer to the material"}),
    number<&Material::density>({.key = "density", .unit = "kg/m^3", .range = positive, .doc = "mass per volume"}),
    number<&Material::young>({.key = "young",
                              .unit = "Pa",
                              .range = positive,
                              .fallback = "required by hertz_mindlin",
                              .doc = "Young's modulus E"}),
    number<&Material::poisson>({.key = "poisson", .range = {-1, 0.5, false, true}, .doc = "Poisson's ratio nu"}),
};

constexpr Key<Scenario> law_keys[] = {
    word<&Scenario::law>({.key = "law", .choices = laws, .doc = "contact law"}),
};

constexpr Key<ContactSettings> contact_keys[] = {
    number<&ContactSettings::stiffness>(
        {.key = "stiffness",
         .unit = "N/m",
         .range = positive,
         .only = "linear kuwabara_kono extended_nonlinear",
         .doc = "normal stiffness k, in N/m with law \"linear\"; with the other two laws a plain number in N/m^1.5"}),
    number<&ContactSettings::damping>(
        {.key = "damping",
         .unit = "N s/m",
         .range = at_least_0,
         .only = "linear kuwabara_kono extended_nonlinear",
         .doc = "normal damping gamma, in N s/m with law \"linear\"; with the other two laws a plain number in N "
                "s/m^(1 + damping_exponent), where the exponent of kuwabara_kono is 1/2"}),
    number<&ContactSettings::damping_exponent>({.key = "damping_exponent",
                                                .range = at_least_0,
                                                .only = "extended_nonlinear",
                                                .doc = "exponent theta of the damping force gamma d' d^theta"}),
    number<&ContactSettings::damping_per_mass>({.key = "damping_per_mass",
                                                .unit = "1/s",
                                                .range = at_least_0,
                                                .only = "linear",
                                                .doc = "normal damping gamma divided by the effective mass"}),
    number<&ContactSettings::restitution>({.key = "restitution",
                                           .range = {0, 1, true, true},
                                           .only = "linear hertz_mindlin kuwabara_kono extended_nonlinear",
                                           .doc = "normal relative speed after a collision divided by that before it"}),
    number<&ContactSettings::restitution_speed>({.key = "restitution_speed",
                                                 .unit = "m/s",
                                                 .range = positive,
                                                 .only = "kuwabara_kono extended_nonlinear",
                                                 .doc = "impact speed at which a collision has the given restitution; "
                                                        "with this law restitution depends on the speed"}),
    number<&ContactSettings::duration>(
        {.key = "duration",
         .unit = "s",
         .range = positive,
         .only = "linear",
         .doc = "duration of a collision; together with restitution it replaces stiffness"}),
    number<&ContactSettings::restitution_factor>({.key = "restitution_factor",
                                                  .range = positive,
                                                  .only = "extended_linear",
                                                  .fallback = "required by extended_linear",
                                                  .doc = "chi1 in the restitution chi1 (v + v00)^-chi2 of a collision "
                                                         "at impact speed v in m/s; v00 = chi1^(1/chi2)"}),
    number<&ContactSettings::restitution_exponent>({.key = "restitution_exponent",
                                                    .range = positive,
                                                    .only = "extended_linear",
                                                    .fallback = "required by extended_linear",
                                                    .doc = "exponent chi2 in this restitution"}),
    number<&ContactSettings::duration_factor>(
        {.key = "duration_factor",
         .unit = "s",
         .range = positive,
         .only = "extended_linear",
         .fallback = "required by extended_linear",
         .doc = "chi3 in the duration chi3 v^-chi4 of a collision at impact speed v in m/s"}),
    number<&ContactSettings::duration_exponent>({.key = "duration_exponent",
                                                 .range = at_least_0,
                                                 .only = "extended_linear",
                                                 .fallback = "required by extended_linear",
                                                 .doc = "exponent chi4 in this duration"}),
    number<&ContactSettings::slowest_impact>({.key = "slowest_impact",
                                              .unit = "m/s",
                                              .range = positive,
                                              .only = "extended_linear",
                                              .doc = "slower impacts get the stiffness and damping of this speed"}),
    number<&ContactSettings::friction>(
        {.key = "friction", .range = at_least_0, .doc = "Coulomb's friction coefficient mu"}),
    number<&ContactSettings::tangential_ratio>(
        {.key = "tangential_ratio",
         .range = positive,
         .only = "linear kuwabara_kono extended_nonlinear extended_linear",
         .fallback = "2/7",
         .doc = "tangential stiffness divided by the normal stiffness dF/d(overlap)"}),
    number<&ContactSettings::tangential_damping>({.key = "tangential_damping",
                                                  .unit = "N s/m",
                                                  .range = at_least_0,
                                                  .only = "linear kuwabara_kono extended_nonlinear extended_linear",
                                                  .fallback = "0",
                                                  .doc = "tangential damping coefficient"}),
    number<&ContactSettings::tangential_damping_per_mass>(
        {.key = "tangential_damping_per_mass",
         .unit = "1/s",
         .range = at_least_0,
         .only = "linear",
         .fallback = "0",
         .doc = "tangential damping coefficient divided by the effective mass"}),
    number<&ContactSettings::rolling_friction>({.key = "rolling_friction",
                                                .range = at_least_0,
                                                .doc = "coefficient mu_r of rolling resistance: its largest torque is "
                                                       "mu_r times lever times normal force; works with every law"}),
    number<&ContactSettings::rolling_stiffness_ratio>({.key = "rolling_stiffness_ratio",
                                                       .range = positive,
                                                       .doc = "rolling stiffness divided by the tangential stiffness"}),
    number<&ContactSettings::rolling_damping>(
        {.key = "rolling_damping",
         .unit = "N s/m",
         .range = at_least_0,
         .doc = "rolling damping coefficient; it acts below the limit of rolling resistance"}),
    number<&ContactSettings::twisting_friction>(
        {.key = "twisting_friction",
         .range = at_least_0,
         .doc = "coefficient mu_o of twisting resistance, against spin about the normal: its largest torque is mu_o "
                "times lever times normal force"}),
    number<&ContactSettings::twisting_stiffness_ratio>(
        {.key = "twisting_stiffness_ratio",
         .range = positive,
         .doc = "twisting stiffness divided by the tangential stiffness"}),
    number<&ContactSettings::twisting_damping>(
        {.key = "twisting_damping",
         .unit = "N s/m",
         .range = at_least_0,
         .doc = "twisting damping coefficient; it acts below the limit of twisting resistance"}),
    choice<&ContactSettings::attraction>(
        {.key = "attraction",
         .choices = attractions,
         .doc = "\"clipped\": the normal force never pulls; \"allowed\": the dashpot may pull"}),
    choice<&ContactSettings::tangential>({.key = "tangential",
                                          .choices = tangential_forms,
                                          .only = "hertz_mindlin kuwabara_kono extended_nonlinear",
                                          .doc = "tangential force while the overlap changes (docs/laws.md)"}),
    choice<&ContactSettings::damping_map>({.key = "damping_map",
                                           .choices = damping_maps,
                                           .only = "linear hertz_mindlin",
                                           .doc = "conversion of restitution to damping: \"realised\" includes the "
                                                  "clip, \"tsuji\" is the usual formula without it"}),
};

constexpr Key<PairSettings> pair_keys[] = {
    {{.key = "materials", .type = Type::names, .fallback = required, .doc = "the two materials in contact"},
     [](Values& values, const Value& v, PairSettings& to) {
       auto [first, second] = values.two_materials(v);
       to.first = std::move(first), to.second = std::move(second);
     }},
};

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

constexpr Key<RegionSpec> half_space_keys[] = {
    vector<&RegionSpec::point>({.key = "point",
                                .unit = "m",
                                .fallback = "required by a plane",
                                .doc = "any point of the plane that bounds the region"}),
    direction<&RegionSpec::normal>(
        {.key = "normal",
         .fallback = "required by a plane",
         .doc = "normal of the plane; grains on the side opposite to this direction are removed"}),
};

constexpr string_view frame_formats[] = {"vtp", "xyz", "both"};

constexpr Key<Scenario> output_keys[] = {
    number<&Scenario::series_every>({.key = "series",
                                     .unit = "s",
                                     .range = at_least_0,
                                     .fallback = "a hundredth of the run",
                                     .doc = "interval of the time series, which has a row at the end too; 0: at the "
                                            "start only; shorter than a step: every step"}),
    number<&Scenario::frames_every>({.key = "frames",
                                     .unit = "s",
                                     .range = at_least_0,
                                     .fallback = "never",
                                     .doc = "interval of frames with all grains, for ParaView or OVITO; 0: never"}),
    choice<&Scenario::frame_format>(
        {.key = "format",
         .choices = frame_formats,
         .doc = "format of the frames: \"vtp\" writes frames.pvd for ParaView, \"xyz\" writes frames.xyz for OVITO"}),
    flag<&Scenario::contact_frames>(
        {.key = "contacts",
         .doc = "whether to write the contacts of each frame, with their forces, to contacts.pvd for ParaView"}),
    flag<&Scenario::contact_events>({.key = "contact_events",
                                     .doc = "whether to write contact_events.csv: one row for each contact that ended, "
                                            "with its time, duration, largest force and overlap, and speeds"}),
    number<&Scenario::pictures_every>({.key = "pictures",
                                       .unit = "s",
                                       .range = at_least_0,
                                       .fallback = "half of the run",
                                       .doc = "interval of pictures; 0: none"}),
    flag<&Scenario::report>({.key = "report", .doc = "whether to write report.html and its figures at the end"}),
    number<&Scenario::checkpoint_every>(
        {.key = "checkpoint",
         .unit = "s",
         .range = at_least_0,
         .fallback = "never",
         .doc = "interval of checkpoints in simulated time; checkpoints by the clock are written in any case"}),
};

constexpr Key<Scenario> search_keys[] = {
    number<&Scenario::skin>({.key = "skin",
                             .unit = "m",
                             .range = at_least_0,
                             .fallback = "chosen from the smallest radius",
                             .doc = "largest gap at which two grains enter the list of neighbours before they touch"}),
};

constexpr Key<Scenario> initial_keys[] = {
    choice<&Scenario::overlap_allowed_at_start>(
        {.key = "overlap",
         .choices = refuse_or_allow,
         .doc = "whether grains may overlap by more than 1 % of the radius at the start"}),
};

constexpr Key<Scenario> guards_keys[] = {
    guard({.key = "overlap", .doc = "overlaps that are large compared with the radius"}),
    guard({.key = "travel", .doc = "grains that move by a large part of their radius in one step"}),
    guard({.key = "step", .doc = "steps above the stability limit"}),
    guard({.key = "residual", .doc = "energy that the ledger cannot account for"}),
    guard({.key = "finite", .doc = "numbers that are infinite or not a number"}),
    guard({.key = "round_off", .fallback = "\"warn\"", .doc = "motion lost to round-off far from the origin"}),
};

}  // namespace cairn::keys
