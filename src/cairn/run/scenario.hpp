// A simulation as its user describes it: plain data, SI units, every default visible. io/ reads it from TOML; studies
// and tests fill it by hand; run/ turns it into a World.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cairn/contact/settings.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

struct PairSettings {
  std::string first, second;  // names of materials
  ContactSettings contact;    // complete: already merged with the scenario's [contact]
};

struct WallMotion {
  Vector velocity{};               // [m/s] steady translation
  Vector axis{};                   // direction of the axis of rotation (normalised when used); zero: none
  Vector center{};                 // [m] a point of the axis of rotation at t = 0
  Real rotation_rate = 0;          // [rad/s] about the axis, right-handed
  Vector oscillation_amplitude{};  // [m] displacement = amplitude sin(2 pi (frequency t + phase))
  Real oscillation_frequency = 0;  // [Hz]
  Real oscillation_phase = 0;      // [turns]
};

struct WallSpec {
  enum class Shape { plane, box, cylinder };
  enum class Side { inside, outside };  // where the grains are, for box and cylinder
  std::string name{};
  std::string material{};  // empty: the first material
  Shape shape = Shape::plane;
  Side side = Side::inside;
  Vector point{};          // [m] plane: a point of it; cylinder: centre of the axis
  Vector normal{0, 0, 1};  // plane: towards the grains; the far side is solid
  Vector low{}, high{};    // [m] box: corners
  Vector axis{0, 0, 1};    // cylinder: direction of its axis
  Real radius = 0;         // [m] cylinder
  Real length = 0;         // [m] cylinder; 0: endless
  bool caps = true;        // cylinder of finite length: closed at both ends
  WallMotion motion{};
};

struct GrainSpec {
  Vector position{}, velocity{}, spin{};  // [m] [m/s] [rad/s]
  Real radius = 0;                        // [m]
  std::optional<Real> mass{};             // [kg]; default from the material's density
  std::string material{};                 // empty: the first material
};

// Many grains at once. `random` fills a region with grains that do not overlap, each placed by counter-based random
// numbers; `lattice` is a simple cubic array with jitter; `data` reads a LAMMPS data file (atom_style sphere).
struct GrainsSpec {
  enum class Kind { lattice, random, data };
  Kind kind = Kind::lattice;
  std::string material;
  std::string file;                           // data: path, relative to the scenario
  std::vector<GrainSpec> list;                // data: its grains, read by io/
  Vector low{}, high{};                       // [m] region, grains wholly inside
  std::optional<Vector> axis;                 // region is the cylinder about `center` along `axis` instead of the box
  Vector center{};                            // [m]
  Real region_radius = 0, region_length = 0;  // [m]
  Real radius = 0;                            // [m] nominal
  Real radius_spread = 0;                     // [-] radii uniform in radius (1 +- spread)
  Real spacing = 0;                           // [m] lattice; default 2.02 times the largest radius
  Real jitter = 0;                            // [m] lattice: uniform displacement in each coordinate
  std::int64_t count = -1;                    // at most; -1: as many as fit (lattice), required (random)
  Vector velocity{};                          // [m/s]
  std::uint64_t seed = 1;
};

// One grain at a time: at `first`, then every `every` seconds until `count` grains have come.
struct EmitterSpec {
  std::string name;
  GrainSpec grain;      // position is where each grain appears
  bool on_top = false;  // instead: on the highest grain, touching it, with its velocity
  Real first = 0;       // [s]
  Real every = 0;       // [s]
  std::int64_t count = 1;
};

enum class GuardAction { refuse, warn, off };

struct Scenario {
  std::string title;
  std::string file;  // where it was read from; empty if made in memory

  // run
  std::string scheme = "velocity_verlet_predicted";
  Real step = 0;  // [s] h; adaptive schemes: the first and the largest step
  Real end = 0;   // [s]
  int threads = 1;
  Real tolerance = 1e-6;  // [-] adaptive schemes: relative error allowed in a step
  std::uint64_t seed = 1;

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

  // output, all [s]; 0: never (series: every hundredth of the run)
  Real series_every = 0, frames_every = 0, checkpoint_every = 0;

  // search and guards
  Real skin = 0;  // [m]; 0: chosen from the smallest radius
  bool overlap_allowed_at_start = false;
  std::map<std::string, GuardAction> guards;  // by name: overlap, step, residual, finite
};

}  // namespace cairn
