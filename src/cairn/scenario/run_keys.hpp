// The sections of a scenario file, and the keys of those about the run as a whole.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/contact/laws/all.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/run/step_choice.hpp"
#include "cairn/scenario/key_rows.hpp"

namespace cairn::keys {

template <auto coordinate>
constexpr Key<Scenario> periodic(KeyDoc doc) {
  doc.type = Type::interval, doc.unit = "m", doc.fallback = "not periodic";
  doc.doc = "interval over which space repeats itself in this direction, with boxes and cylinders";
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

constexpr string_view refuse_or_allow[] = {"refuse", "allow"};

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
    sections("probe", "region or plane at which quantities are measured over time"),
    sections("change", "change of other keys while the run goes on"),
    section("output", "files to write, and how often"),
    section("search", "list of neighbouring grains"),
    section("initial", "checks of the initial state"),
    section("guards", "action of each guard when it finds a fault"),
};

template <string_view::size_type n>
constexpr Key<ChangeSpec> changes_of(const char (&key)[n], string_view doc) {
  return {{.key = key, .type = Type::changes, .fallback = "no change", .doc = doc},
          [](Values& values, const Value& v, ChangeSpec&) { values.table(v); }};
}

constexpr Key<ChangeSpec> change_keys[] = {
    text<&ChangeSpec::name>(
        {.key = "name", .fallback = "change1, change2, ...", .doc = "name of the change in messages"}),
    number<&ChangeSpec::at>({.key = "at",
                             .unit = "s",
                             .range = at_least_0,
                             .fallback = "when the change before has happened",
                             .doc = "time of the change"}),
    {{.key = "when",
      .type = Type::text,
      .fallback = "none",
      .doc = "in place of at, a condition on a column of series.csv: \"kinetic < 1e-6 J\""},
     [](Values& values, const Value& v, ChangeSpec&) { values.text(v); }},
    number<&ChangeSpec::wait>(
        {.key = "wait", .unit = "s", .range = at_least_0, .doc = "time between that and the change"}),
    whole_number<&ChangeSpec::look>(
        {.key = "look", .range = {1, 1e15}, .doc = "number of steps between two looks at the condition"}),
    changes_of("run", "keys of [run] that change"),
    changes_of("space", "keys of [space] that change"),
    changes_of("contact", "keys of [contact] that change"),
    changes_of("pair", "keys of [[pair]] that change, by number from 0"),
    changes_of("wall", "keys of [[wall]] that change, by name of the wall or number from 0"),
    changes_of("emitter", "keys of [[emitter]] that change, by name of the emitter or number from 0"),
    changes_of("output", "keys of [output] that change"),
};

constexpr string_view off_or_on[] = {"off", "on"};

// The laws whose contacts are corrected unless the file says otherwise make up its default.
constexpr Key<Scenario> onset(const KeyDoc& doc) {
  Key<Scenario> key = choice<&Scenario::onset>(doc);
  key.fallback = [](const KeyDoc&, const Scenario&) {
    std::vector<std::string> names;
    for_each_law([&](auto law) {
      if (decltype(law)::onset_by_default) names.push_back("\"" + std::string(decltype(law)::name) + "\"");
    });
    return "\"on\" with law " + joined(names, ", ", " or ") + " and a scheme of fixed step, else \"off\"";
  };
  return key;
}

constexpr Key<Scenario> step(KeyDoc doc) {
  doc.type = Type::number;
  return {doc, [](Values& values, const Value& v, Scenario& to) {
            to.chooses_step = values.is_word(v);
            to.step = to.chooses_step ? 0 : values.number(v);
          }};
}

constexpr Key<Scenario> run_keys[] = {
    scheme<&Scenario::scheme>(
        {.key = "scheme",
         .doc = "time-integration scheme; \"auto\": velocity_verlet_extrapolated where run.step "
                "leaves it stable on first contacts and foretold packings, else velocity_verlet_predicted, else "
                "velocity_verlet_implicit; with a hard law its own scheme",
         .may_change = true}),
    step({.key = "step",
          .unit = "s",
          .range = positive,
          .word = "auto",
          .fallback = required,
          .doc = "time step; with an adaptive scheme the first step; \"auto\": chosen by the program",
          .may_change = true}),
    number<&Scenario::accuracy>({.key = "accuracy",
                                 .range = accuracies,
                                 .fallback = "1 %",
                                 .doc = "with step = \"auto\": largest relative error of restitution of single "
                                        "collisions, and of the phase of contacts at rest",
                                 .may_change = true}),
    number<&Scenario::end>({.key = "end",
                            .unit = "s",
                            .range = positive,
                            .fallback = required,
                            .doc = "time at which the run ends",
                            .may_change = true}),
    whole_number<&Scenario::threads>(
        {.key = "threads", .range = {1, 4096}, .doc = "number of threads; no result depends on it"}),
    number<&Scenario::tolerance>(
        {.key = "tolerance",
         .range = {0, 1, false, false},
         .fallback = "1e-6 with adaptive schemes, 1e-12 with implicit ones, 1e-3 with hard contacts",
         .doc = "adaptive schemes: largest relative error of a step; implicit schemes: "
                "largest relative change in the last iteration; hard contacts: largest "
                "violation left, relative to the fastest contact",
         .may_change = true}),
    number<&Scenario::smallest_step>(
        {.key = "smallest_step",
         .unit = "s",
         .range = positive,
         .fallback = "a millionth of run.step",
         .doc = "adaptive schemes: the run stops if a step of this size still has too large an error",
         .may_change = true}),
    number<&Scenario::largest_step>({.key = "largest_step",
                                     .unit = "s",
                                     .range = positive,
                                     .fallback = "run.step",
                                     .doc = "adaptive schemes: largest step",
                                     .may_change = true}),
    whole_number<&Scenario::seed>({.key = "seed", .range = at_least_0, .doc = "seed of all random numbers"}),
    onset({.key = "onset",
           .choices = off_or_on,
           .doc = "contact-onset correction: \"on\" begins and ends contacts at the right instant "
                  "within a step, \"off\" at the end of a step"}),
};

constexpr Key<Scenario> space_keys[] = {
    whole_number<&Scenario::dimension>(
        {.key = "dimension", .range = {1, 3}, .doc = "1: height z only; 2: x and z; 3: x, y and z"}),
    vector<&Scenario::gravity>(
        {.key = "gravity", .unit = "m/s^2", .doc = "acceleration of gravity", .may_change = true}),
    flag<&Scenario::rotation>({.key = "rotation", .fallback = "true; in 1D false", .doc = "whether grains spin"}),
    periodic<&Vector::x>({.key = "periodic_x", .from_dimension = 2}),
    periodic<&Vector::y>({.key = "periodic_y", .from_dimension = 3}),
    periodic<&Vector::z>({.key = "periodic_z"}),
};

constexpr string_view grain_fields[] = {"force", "torque", "stress", "pressure", "coordination", "temperature"};
constexpr string_view frame_formats[] = {"vtp", "xyz", "both"};

constexpr Key<Scenario> colour(KeyDoc doc) {
  doc.type = Type::choice, doc.choices = colourings;
  return {doc,
          [](Values& values, const Value& v, Scenario& to) { to.colour = static_cast<Colouring>(values.choice(v)); }};
}

constexpr Key<Scenario> colour_range(KeyDoc doc) {
  doc.type = Type::interval;
  return {doc, [](Values& values, const Value& v, Scenario& to) { to.colour_range = values.interval(v); }};
}

constexpr Key<Scenario> output_keys[] = {
    number<&Scenario::series_every>({.key = "series",
                                     .unit = "s",
                                     .range = at_least_0,
                                     .fallback = "a hundredth of the run",
                                     .doc = "interval of the time series, which has a row at the end too; 0: at the "
                                            "start only; shorter than a step: every step",
                                     .may_change = true}),
    number<&Scenario::frames_every>({.key = "frames",
                                     .unit = "s",
                                     .range = at_least_0,
                                     .fallback = "never",
                                     .doc = "interval of frames with all grains, for ParaView or OVITO; 0: never",
                                     .may_change = true}),
    choice<&Scenario::frame_format>(
        {.key = "format",
         .choices = frame_formats,
         .doc = "format of the frames: \"vtp\" writes frames.pvd for ParaView, \"xyz\" writes frames.xyz for OVITO"}),
    {{.key = "fields",
      .type = Type::some,
      .choices = grain_fields,
      .fallback = "none",
      .doc = "further quantities of each grain in frames and final.csv"},
     [](Values& values, const Value& v, Scenario& to) {
       to.fields.clear();
       for (const std::size_t field : values.some(v)) to.fields.push_back(static_cast<GrainField>(field));
     }},
    flag<&Scenario::contact_frames>(
        {.key = "contacts",
         .doc = "whether to write the contacts of each frame, with their forces, to contacts.pvd for ParaView"}),
    flag<&Scenario::contact_events>({.key = "contact_events",
                                     .doc = "whether to write contact_events.csv: one row for each contact that ended, "
                                            "with its time, duration, largest force and overlap, and speeds"}),
    flag<&Scenario::ledger_split>(
        {.key = "ledger_split",
         .doc = "whether the time series has the energy that dashpots, slip and clipped attraction took, by pair of "
                "materials (`pair_A_B_slip`) and by wall (`wall_A_slip`); at most 20 materials. What is booked in a "
                "step is divided among the contacts that are closed at its end, in proportion to their powers: the "
                "losses of a contact that ends within the step go to others"}),
    flag<&Scenario::expected_energy>({.key = "expected_energy",
                                      .doc = "whether the time series has the energy that collisions of two bodies "
                                             "without friction should leave, by the restitution of their law"}),
    number<&Scenario::pictures_every>({.key = "pictures",
                                       .unit = "s",
                                       .range = at_least_0,
                                       .fallback = "half of the run",
                                       .doc = "interval of pictures; 0: none",
                                       .may_change = true}),
    colour({.key = "colour",
            .fallback = "\"material\" if grains are of several materials, else \"speed\"",
            .doc =
                "meaning of the colours of grains in pictures; \"size\" is the radius, \"coordination\" the number of "
                "contacts, walls included, \"spin\" the magnitude of the angular velocity; \"force\", \"pressure\" and "
                "\"temperature\" are those of output.fields"}),
    colour_range({.key = "colour_range",
                  .fallback = "the same for all pictures, from the scenario",
                  .doc = "values at the two ends of the colour scale, in SI units; not with colour = \"material\""}),
    flag<&Scenario::report>({.key = "report", .doc = "whether to write report.html and its figures at the end"}),
    number<&Scenario::checkpoint_every>(
        {.key = "checkpoint",
         .unit = "s",
         .range = at_least_0,
         .fallback = "never",
         .doc = "interval of checkpoints in simulated time; checkpoints by the clock are written in any case",
         .may_change = true}),
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
