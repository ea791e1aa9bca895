// A simulation as its user describes it: plain data, SI units, every default visible. scenario/ reads it from TOML;
// studies and tests fill it by hand; run/ turns it into a World.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/contact/settings.hpp"
#include "cairn/core/vec3.hpp"
#include "cairn/geometry/shapes/all.hpp"

namespace cairn {

struct PairSettings {
  std::string first, second;  // names of materials
  ContactSettings contact;    // complete: already merged with the scenario's [contact]
};

struct WallMotion {
  Vector velocity{};               // [m/s] steady translation
  Vector axis{};                   // direction of the axis of rotation (normalised when used); zero: none
  std::optional<Vector> centre{};  // [m] a point of the axis of rotation at t = 0; none: rotation_centre() of build.hpp
  Real rotation_rate = 0;          // [rad/s] about the axis, right-handed
  Vector oscillation_amplitude{};  // [m] displacement = amplitude sin(2 pi (frequency t + phase))
  Real oscillation_frequency = 0;  // [Hz]
  Real oscillation_phase = 0;      // [turns]
  // [s] ascending, [-] as many: the velocity is multiplied by a factor that changes along straight lines between them.
  std::vector<Real> times{}, factors{};

  friend bool operator==(const WallMotion&, const WallMotion&) = default;
};

// A wall that forces move, without turning.
struct LoadSpec {
  Real mass = 0;                         // [kg]
  std::string axes{};                    // "z", "xz": along which it moves; empty: along all
  Vector force{};                        // [N]
  Real pressure = 0, area = 0;           // [Pa] [m^2] of a plane, along its normal: towards the grains
  Real damping = 0;                      // [N s/m]
  std::vector<Real> times{}, factors{};  // [s] [-] of force and pressure, as in WallMotion

  friend bool operator==(const LoadSpec&, const LoadSpec&) = default;
};

struct WallSpec {
  std::string name{};
  std::string material{};  // empty: the first material
  WallShape shape = PlaneWall{};
  WallMotion motion{};
  bool present = true;  // else it touches nothing
  std::optional<LoadSpec> load{};
};

struct GrainSpec {
  Vector position{}, velocity{}, spin{};  // [m] [m/s] [rad/s]
  Real radius = 0;                        // [m]
  std::optional<Real> mass{};             // [kg]; default from the material's density
  std::string material{};                 // empty: the first material
};

// Where grains are put, wholly inside, or taken away, their centres inside: a box, a cylinder about `center` along
// `axis` (in 2D a circle), or all that lies behind a plane.
struct RegionSpec {
  enum class Kind { none, box, cylinder, half_space };
  Kind kind = Kind::none;
  Vector low{}, high{};             // [m] box
  Vector centre{}, axis{0, 0, 1};   // [m] cylinder
  Real radius = 0, length = 0;      // [m] cylinder
  Vector point{}, normal{0, 0, 1};  // [m] half_space: what lies on the far side of the normal
};

// The radii of many grains: a distribution by number, or by mass as sieves measure it.
struct SizeSpec {
  enum class Kind { normal, lognormal, list, table };
  enum class By { number, mass };  // what densities, shares and passing count
  Kind kind = Kind::normal;
  By by = By::number;
  Real mean = 0;                        // [m] normal
  Real median = 0;                      // [m] lognormal
  Real deviation = 0;                   // standard deviation: [m] normal, before it is cut; [-] lognormal, of ln r
  std::optional<Real> low{}, high{};    // [m] normal, lognormal: cut there; default 3 deviations to either side
  std::vector<Real> radii{}, shares{};  // [m] [-] list; shares of any sum
  std::string file{};                   // table: path
  std::vector<Real> passing{};          // table, of `radii`: share of grains that are smaller, 0 to 1; read by io/
};

// Many grains at once. `random` fills a region with grains that overlap nobody, each placed by counter-based random
// numbers; `lattice` is a simple cubic array with jitter; `data` reads a LAMMPS data file (atom_style sphere), `csv` a
// table.
struct GrainsSpec {
  enum class Kind { lattice, random, data, csv };
  Kind kind = Kind::lattice;
  std::string material;                // empty: the first, or as types say
  std::vector<std::string> materials;  // data, csv: of type 1, 2, ...; empty: all of the scenario in their order
  std::string file;                    // data, csv: path
  std::vector<GrainSpec> list;         // data, csv: the grains, read by io/
  RegionSpec region;
  Real radius = 0;                // [m] nominal
  Real radius_spread = 0;         // [-] radii uniform in radius (1 +- spread)
  std::optional<SizeSpec> sizes;  // in place of both
  Real spacing = 0;               // [m] lattice; default 2.02 times the largest radius
  Real jitter = 0;                // [m] lattice: uniform displacement in each coordinate
  std::int64_t count = -1;        // -1: as many as fit (lattice), required (random)
  Vector velocity{};              // [m/s]
  std::uint64_t seed = 1;
};

// Grains that come one by one, at `first`, then every `every` seconds, or at `times`. One that finds no room, for a
// grain or a wall is in its place, waits, and those after it with it.
struct EmitterSpec {
  std::string name;
  bool on = true;          // while it is off its times stand still
  GrainSpec grain;         // position is where each grain appears
  RegionSpec region;       // instead: somewhere in there
  bool on_top = false;     // instead: on the highest grain, touching it, with its velocity; one per step at most
  Real radius_spread = 0;  // [-] as in GrainsSpec
  std::optional<SizeSpec> sizes;
  Real first = 0;           // [s]
  Real every = 0;           // [s]
  std::vector<Real> times;  // [s] ascending; in place of first, every and count
  std::int64_t count = 1;   // -1: no end
  std::uint64_t seed = 1;
};

// Takes away grains whose centres are in the region, from `from` on.
struct RemovalSpec {
  std::string name;
  RegionSpec region;
  Real from = 0;   // [s]
  Real every = 0;  // [s]; 0: after each step
};

struct Scenario;

// What becomes different while a run goes on. Changes happen in their order: each waits for those before it.
struct ChangeSpec {
  struct Condition {
    std::string column;  // of the record (run/record.hpp)
    bool below = true;   // the column is below the value, else above it
    Real value = 0;      // in the column's unit
  };
  std::string name;
  std::optional<Real> at{};           // [s]
  std::optional<Condition> when{};    // neither: once the change before has happened
  Real wait = 0;                      // [s] after that
  std::int64_t look = 100;            // steps between looks at the condition
  std::vector<std::string> settings;  // "wall.gate.present = false", for messages
  // From then on: the same walls, emitters, materials and so on, with other values.
  std::shared_ptr<const Scenario> after;
};
// The name of a change that a resume with --set has written into the scenario begins so.
inline constexpr const char* named_by_resume = "cairn resume --set ";

// Looks at a region during the run: a box or a cylinder, or a plane through which grains flow.
struct ProbeSpec {
  std::string name;
  RegionSpec region;            // half_space: its plane; `radius` > 0 bounds it to a disc about the point
  std::optional<Real> every{};  // [s]; 0: at the start only; default: a hundredth of the run

  bool is_plane() const { return region.kind == RegionSpec::Kind::half_space; }
};

// Further quantities of each grain, in frames and at the end.
enum class GrainField { force, torque, stress, pressure, coordination, temperature };

enum class FrameFormat { vtp, xyz, both };

enum class GuardAction { refuse, warn, off };

// What the colours of grains show in pictures.
enum class Colouring {
  material,
  size,
  speed,
  coordination,
  spin,
  velocity_x,
  velocity_y,
  velocity_z,
  force,
  pressure,
  temperature
};
inline constexpr std::string_view colourings[] = {"material", "size",       "speed",      "coordination",
                                                  "spin",     "velocity_x", "velocity_y", "velocity_z",
                                                  "force",    "pressure",   "temperature"};

struct Scenario {
  std::string title;
  std::string file;  // where it was read from; empty if made in memory

  // run
  std::string scheme = "auto";   // "auto": one that the step leaves stable (run/scheme_choice.hpp)
  Real step = 0;                 // [s] h; adaptive schemes: the first step
  bool chooses_step = false;     // run.step = "auto" (run/step_choice.hpp): step is 0 until the start
  std::optional<Real> accuracy;  // [-] of steps that the program chooses; default 1 %
  Real end = 0;                  // [s]
  int threads = 1;
  // [-] adaptive schemes: relative error allowed in a step, default 1e-6; implicit ones: last change of what is solved
  // for, default 1e-12
  std::optional<Real> tolerance;
  std::optional<Real> smallest_step, largest_step;  // [s] adaptive schemes; default 1e-6 step, and step
  std::uint64_t seed = 1;
  std::optional<bool> onset;  // whether contact onsets are corrected; default: by scheme and law (docs/onset.md)

  // space
  int dimension = 3;                       // 1: (z), 2: (x, z), 3: (x, y, z)
  Vector gravity{0, 0, -9.81};             // [m/s^2]
  Vector periodic_low{}, periodic_high{};  // [m] equal where the direction is not periodic
  bool rotation = true;                    // false: grains never spin

  // contacts
  std::string law = "linear";
  ContactSettings contact;
  std::vector<Material> materials;  // at least one after reading
  std::vector<PairSettings> pairs;  // overrides by pair of materials

  std::vector<WallSpec> walls;
  std::vector<GrainSpec> grain;
  std::vector<GrainsSpec> grains;
  std::vector<EmitterSpec> emitters;
  std::vector<RemovalSpec> removals;
  std::vector<ChangeSpec> changes;
  std::vector<ProbeSpec> probes;

  // output, all [s]; 0: never; what is shorter than a step is every step
  std::optional<Real> series_every;  // default: a hundredth of the run
  Real frames_every = 0, checkpoint_every = 0;
  std::optional<Real> pictures_every;  // default: half of the run, which shows first, middle and last state
  std::optional<Colouring> colour;     // default: material if grains have several, else speed
  std::optional<std::array<Real, 2>> colour_range;  // SI units; default: from the first state and the scenario
  bool report = true;
  bool contact_frames = false;   // contacts with their forces beside each frame
  bool contact_events = false;   // a table of contacts that ended
  bool expected_energy = false;  // a column of the energy that collisions should leave
  bool ledger_split = false;     // columns of the ledger by pair of materials and by wall
  bool sees_contacts() const { return contact_events || expected_energy; }
  FrameFormat frame_format = FrameFormat::vtp;
  std::vector<GrainField> fields;  // each once

  // search and guards
  Real skin = 0;  // [m]; 0: chosen from the smallest radius
  bool overlap_allowed_at_start = false;
  bool wrong_friction_allowed = false;        // of a scheme that slides wrongly: a study measures it, a run refuses it
  std::map<std::string, GuardAction> guards;  // by name: overlap, travel, step, residual, finite, round_off
};

}  // namespace cairn
