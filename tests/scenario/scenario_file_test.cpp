// Scenario files: every key in every dimension, overrides, and what is refused with which words.
#include "cairn/scenario/scenario_file.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/files.hpp"

namespace cairn {
namespace {

const std::string smallest = "[run]\nstep = 1e-4\nend = 1\n[contact]\nstiffness = 1e5\n";

const std::string in_3d = R"(
title = "Böschung" # Gefälle
[run]
scheme = 'rk4'
step = 1e-4
end = 2
threads = 3
tolerance = 1e-8
seed = 7
[space]
dimension = 3
gravity = [1, 2.5, -9]
rotation = false
periodic_x = [-1, 2]
periodic_y = [-3, 4]
periodic_z = [-5, 6]
[[material]]
name = "glass"
density = 2400
young = 7e10
poisson = 0.2
[[material]]
name = "steel"
[contact]
law = "linear"
stiffness = 1e5
damping = 3
friction = 0.5
tangential_ratio = 0.3
tangential_damping = 4
attraction = "allowed"
damping_map = "tsuji"
[[pair]]
materials = ["steel", "glass"]
friction = 0.25
[[wall]]
name = "floor"
type = "plane"
material = "steel"
point = [1, 2, 3]
normal = [0, 1, 1]
[[wall]]
type = "box"
side = "outside"
low = [0, -1, -2]
high = [1, 2, 3]
[[wall]]
type = "cylinder"
side = "inside"
point = [4, 5, 6]
axis = [0, 1, 0]
radius = 7
length = 8
caps = false
[wall.motion]
velocity = [1, 2, 3]
axis = [4, 5, 6]
center = [7, 8, 9]
rate = 10
amplitude = [11, 12, 13]
frequency = 14
phase = 0.25
[[grain]]
position = [1, 2, 3]
velocity = [4, 5, 6]
spin = [7, 8, 9]
radius = 0.5
mass = 0.25
material = "steel"
[[grains]]
kind = "lattice"
material = "steel"
low = [0, 1, 2]
high = [3, 4, 5]
radius = 0.1
radius_spread = 0.2
spacing = 0.3
jitter = 0.01
count = 1e3
velocity = [6, 7, 8]
seed = 9
[[grains]]
kind = "random"
region_radius = 3
region_length = 4
axis = [1, 0, 0]
center = [5, 6, 7]
radius = 0.1
count = 10
[[grains]]
kind = "data"
file = "beds/Schüttung.data"
[[grains]]
kind = "csv"
file = "/final.csv"
[[grains]]
kind = "lattice"
low = [0, 1, 2]
high = [3, 4, 5]
[grains.sizes]
kind = "normal"
by = "mass"
mean = 0.1
deviation = 0.01
low = "80 mm"
high = 0.13
[[emitter]]
name = "hopper"
position = [1, 2, 3]
velocity = [4, 5, 6]
spin = [7, 8, 9]
radius = 0.5
mass = 0.25
material = "steel"
first = 0.125
every = 0.5
count = 6
[[emitter]]
place = "top"
radius = 0.5
[[emitter]]
low = [0, 1, 2]
high = [3, 4, 5]
rate = 8
seed = 7
radius = 0.5
radius_spread = 0.1
[[emitter]]
region_radius = 3
region_length = 4
center = [5, 6, 7]
rate = "2 Hz"
count = 5
sizes = { kind = "lognormal", median = "3 mm", deviation = 0.2 }
[[emitter]]
position = [1, 2, 3]
times = [1, "2000 ms", 3]
[emitter.sizes]
kind = "list"
radii = [1, "5 mm"]
shares = [2, 3]
[[emitter]]
position = [1, 2, 3]
sizes = { kind = "table", file = "sieve.csv" }
[[removal]]
name = "outlet"
point = [1, 2, 3]
normal = [0, 0, 2]
from = 0.5
every = 0.25
[[removal]]
low = [0, 1, 2]
high = [3, 4, 5]
[[removal]]
region_radius = 3
region_length = 4
axis = [1, 0, 0]
[[probe]]
name = "middle"
low = [0, 1, 2]
high = [1, 2, 3]
every = 0.125
[[probe]]
point = [1, 2, 3]
normal = [0, 0, 2]
region_radius = 4
[[probe]]
region_radius = 1
region_length = 4
center = [0.5, 0, 0]
[output]
series = 0.25
fields = ["stress", "force"]
frames = 0.5
format = "both"
contacts = true
contact_events = true
expected_energy = true
ledger_split = true
pictures = 0.3
colour = "size"
colour_range = [0.001, 0.003]
report = false
checkpoint = 0.75
[search]
skin = 0.01
[initial]
overlap = "allow"
[guards]
overlap = "warn"
step = "off"
residual = "refuse"
finite = "warn"
round_off = "off"
travel = "warn"
)";

const std::string chosen_step = R"(
[run]
step = "auto"
accuracy = "0.2 %"
end = 1
[contact]
stiffness = 1e4
[[change]]
at = 0.5
run.step = "10 us"
)";

// The keys in_3d has no place for.
const std::string alternatives = R"(
[run]
scheme = 'dormand_prince54'
step = 1e-4
onset = 'off'
smallest_step = 1e-9
largest_step = 1e-3
end = 1
[contact]
restitution = 0.8
duration = 1e-3
tangential_damping_per_mass = 6
[[pair]]
materials = ["default", "default"]
damping_per_mass = 5
stiffness = 1e4
[[emitter]]
position = [0, 0, 0]
[emitter.sizes]
kind = "lognormal"
median = 1
deviation = 0.2
)";

// Those of other contact laws.
const std::string viscous = R"(
[run]
step = 1e-4
end = 1
[contact]
law = 'extended_nonlinear'
stiffness = 1e5
damping_exponent = 0.3
restitution = 0.7
restitution_speed = 0.2
tangential = 'incremental'
friction = 0.5
rolling_friction = 0.1
rolling_stiffness_ratio = 0.8
rolling_damping = 0.3
twisting_friction = 0.2
twisting_stiffness_ratio = 0.6
twisting_damping = 0.4
)";
const std::string fitted = R"(
[run]
step = 1e-4
end = 1
[contact]
law = 'extended_linear'
restitution_factor = 0.8
restitution_exponent = 0.2
duration_factor = '2 ms'
duration_exponent = 0.1
slowest_impact = 0.01
)";

const std::string hard = R"(
[run]
step = 1e-3
end = 1
[contact]
law = 'impulse'
restitution = 0.6
friction = 0.2
projection = 0.3
impulses = 'simultaneous'
)";

TEST_CASE("scenario: every key in 3D") {
  const Scenario s = parse_scenario(in_3d, "cases/slope.toml");
  CHECK(s.title == "Böschung");
  CHECK(s.file == "cases/slope.toml");
  CHECK(s.scheme == "rk4");
  CHECK(s.step == 1e-4);
  CHECK(s.end == 2);
  CHECK(s.threads == 3);
  CHECK(s.tolerance == 1e-8);
  CHECK(s.seed == 7);
  CHECK(s.dimension == 3);
  CHECK(s.gravity == Vector{1, 2.5, -9});
  CHECK(s.rotation == false);
  CHECK(s.periodic_low == Vector{-1, -3, -5});
  CHECK(s.periodic_high == Vector{2, 4, 6});

  REQUIRE(s.materials.size() == 2);
  CHECK(s.materials[0].name == "glass");
  CHECK(s.materials[0].density == 2400);
  CHECK(s.materials[0].young == 7e10);
  CHECK(s.materials[0].poisson == 0.2);
  CHECK(s.materials[1].name == "steel");
  CHECK(s.materials[1].density == 2500);

  CHECK(s.law == "linear");
  CHECK(s.contact["stiffness"] == 1e5);
  CHECK(s.contact["damping"] == 3);
  CHECK(!s.contact["damping_per_mass"]);
  CHECK(!s.contact["restitution"]);
  CHECK(!s.contact["duration"]);
  CHECK(s.contact["friction"] == 0.5);
  CHECK(s.contact["tangential_ratio"] == 0.3);
  CHECK(s.contact["tangential_damping"] == 4);
  CHECK(!s.contact["tangential_damping_per_mass"]);
  CHECK(s.contact["attraction"] == Attraction::allowed);
  CHECK(s.contact["damping_map"] == DampingMap::tsuji);
  REQUIRE(s.pairs.size() == 1);
  CHECK(s.pairs[0].first == "steel");
  CHECK(s.pairs[0].second == "glass");
  CHECK(s.pairs[0].contact["friction"] == 0.25);

  REQUIRE(s.walls.size() == 3);
  const WallSpec &plane = s.walls[0], &box = s.walls[1], &cylinder = s.walls[2];
  CHECK(plane.name == "floor");
  const auto& flat = std::get<PlaneWall>(plane.shape);
  CHECK(plane.material == "steel");
  CHECK(flat.point == Vector{1, 2, 3});
  CHECK(flat.normal == Vector{0, 1, 1});
  CHECK(plane.motion.velocity == Vector{});
  CHECK(box.name == "wall2");
  const auto& block = std::get<BoxWall>(box.shape);
  CHECK(box.material == "");
  CHECK(block.side == WallSide::outside);
  CHECK(block.low == Vector{0, -1, -2});
  CHECK(block.high == Vector{1, 2, 3});
  CHECK(cylinder.name == "wall3");
  const auto& pipe = std::get<CylinderWall>(cylinder.shape);
  CHECK(pipe.side == WallSide::inside);
  CHECK(pipe.point == Vector{4, 5, 6});
  CHECK(pipe.axis == Vector{0, 1, 0});
  CHECK(pipe.radius == 7);
  CHECK(pipe.length == 8);
  CHECK(pipe.caps == false);
  CHECK(cylinder.motion.velocity == Vector{1, 2, 3});
  CHECK(cylinder.motion.axis == Vector{4, 5, 6});
  CHECK(cylinder.motion.centre == Vector{7, 8, 9});
  CHECK(cylinder.motion.rotation_rate == 10);
  CHECK(cylinder.motion.oscillation_amplitude == Vector{11, 12, 13});
  CHECK(cylinder.motion.oscillation_frequency == 14);
  CHECK(cylinder.motion.oscillation_phase == 0.25);

  const auto check_grain = [](const GrainSpec& g) {
    CHECK(g.position == Vector{1, 2, 3});
    CHECK(g.velocity == Vector{4, 5, 6});
    CHECK(g.spin == Vector{7, 8, 9});
    CHECK(g.radius == 0.5);
    CHECK(g.mass == 0.25);
    CHECK(g.material == "steel");
  };
  REQUIRE(s.grain.size() == 1);
  check_grain(s.grain[0]);
  REQUIRE(s.emitters.size() == 6);
  CHECK(s.emitters[0].name == "hopper");
  CHECK(s.emitters[0].on_top == false);
  check_grain(s.emitters[0].grain);
  CHECK(s.emitters[0].first == 0.125);
  CHECK(s.emitters[0].every == 0.5);
  CHECK(s.emitters[0].count == 6);
  CHECK(s.emitters[1].name == "emitter2");
  CHECK(s.emitters[1].on_top == true);
  CHECK(s.emitters[1].count == 1);
  CHECK(!s.emitters[1].grain.mass);

  REQUIRE(s.grains.size() == 5);
  const GrainsSpec &lattice = s.grains[0], &random = s.grains[1], &data = s.grains[2];
  CHECK(lattice.kind == GrainsSpec::Kind::lattice);
  CHECK(lattice.material == "steel");
  CHECK(lattice.region.low == Vector{0, 1, 2});
  CHECK(lattice.region.high == Vector{3, 4, 5});
  CHECK(lattice.region.kind == RegionSpec::Kind::box);
  CHECK(lattice.radius == 0.1);
  CHECK(lattice.radius_spread == 0.2);
  CHECK(lattice.spacing == 0.3);
  CHECK(lattice.jitter == 0.01);
  CHECK(lattice.count == 1000);
  CHECK(lattice.velocity == Vector{6, 7, 8});
  CHECK(lattice.seed == 9);
  CHECK(random.kind == GrainsSpec::Kind::random);
  CHECK(random.region.radius == 3);
  CHECK(random.region.length == 4);
  CHECK(random.region.axis == Vector{1, 0, 0});
  CHECK(random.region.centre == Vector{5, 6, 7});
  CHECK(random.count == 10);
  CHECK(random.seed == 1);
  CHECK(data.kind == GrainsSpec::Kind::data);
  CHECK(data.file == "cases/beds/Schüttung.data");
  CHECK(s.grains[3].kind == GrainsSpec::Kind::csv);
  CHECK(s.grains[3].file == "/final.csv");
  CHECK(!lattice.sizes);
  REQUIRE(s.grains[4].sizes);
  const SizeSpec& normal = *s.grains[4].sizes;
  CHECK(normal.kind == SizeSpec::Kind::normal);
  CHECK(normal.by == SizeSpec::By::mass);
  CHECK(normal.mean == 0.1);
  CHECK(normal.deviation == 0.01);
  CHECK(normal.low == 0.08);
  CHECK(normal.high == 0.13);

  const EmitterSpec &rain = s.emitters[2], &cloud = s.emitters[3], &timed = s.emitters[4], &sieved = s.emitters[5];
  CHECK(rain.region.kind == RegionSpec::Kind::box);
  CHECK(rain.region.high == Vector{3, 4, 5});
  CHECK(rain.every == 0.125);
  CHECK(rain.count == -1);
  CHECK(rain.seed == 7);
  CHECK(rain.radius_spread == 0.1);
  CHECK(cloud.region.kind == RegionSpec::Kind::cylinder);
  CHECK(cloud.region.radius == 3);
  CHECK(cloud.region.axis == Vector{0, 0, 1});
  CHECK(cloud.every == 0.5);
  CHECK(cloud.count == 5);
  REQUIRE(cloud.sizes);
  CHECK(cloud.sizes->kind == SizeSpec::Kind::lognormal);
  CHECK(cloud.sizes->by == SizeSpec::By::number);
  CHECK(cloud.sizes->median == 3e-3);
  CHECK(cloud.sizes->deviation == 0.2);
  CHECK(!cloud.sizes->low);
  CHECK(timed.region.kind == RegionSpec::Kind::none);
  CHECK(timed.times == std::vector<Real>{1, 2, 3});
  CHECK(timed.sizes->radii == std::vector<Real>{1, 5e-3});
  CHECK(timed.sizes->shares == std::vector<Real>{2, 3});
  CHECK(sieved.sizes->file == "cases/sieve.csv");

  REQUIRE(s.removals.size() == 3);
  CHECK(s.removals[0].name == "outlet");
  CHECK(s.removals[0].region.kind == RegionSpec::Kind::half_space);
  CHECK(s.removals[0].region.point == Vector{1, 2, 3});
  CHECK(s.removals[0].region.normal == Vector{0, 0, 2});
  CHECK(s.removals[0].from == 0.5);
  CHECK(s.removals[0].every == 0.25);
  CHECK(s.removals[1].name == "removal2");
  CHECK(s.removals[1].region.kind == RegionSpec::Kind::box);
  CHECK(s.removals[1].every == 0);
  CHECK(s.removals[2].region.kind == RegionSpec::Kind::cylinder);
  CHECK(s.removals[2].region.axis == Vector{1, 0, 0});
  REQUIRE(s.probes.size() == 3);
  CHECK(s.probes[0].name == "middle");
  CHECK(s.probes[0].every == 0.125);
  CHECK(s.probes[0].region.kind == RegionSpec::Kind::box);
  CHECK(s.probes[1].name == "probe2");
  CHECK(s.probes[1].is_plane());
  CHECK(s.probes[1].region.normal == Vector{0, 0, 2});
  CHECK(s.probes[1].region.radius == 4);
  CHECK(!s.probes[1].every);
  CHECK(s.probes[2].region.kind == RegionSpec::Kind::cylinder);
  CHECK(s.fields == std::vector{GrainField::stress, GrainField::force});

  CHECK(s.series_every == 0.25);
  CHECK(s.frames_every == 0.5);
  CHECK(s.checkpoint_every == 0.75);
  CHECK(s.frame_format == FrameFormat::both);
  CHECK(s.contact_frames);
  CHECK(s.contact_events);
  CHECK(s.expected_energy);
  CHECK(s.ledger_split);
  CHECK(s.pictures_every == 0.3);
  CHECK(s.colour == Colouring::size);
  CHECK(s.colour_range == std::array<Real, 2>{0.001, 0.003});
  CHECK_FALSE(s.report);
  CHECK(s.skin == 0.01);
  CHECK(s.overlap_allowed_at_start == true);
  CHECK(s.guards == std::map<std::string, GuardAction>{{"overlap", GuardAction::warn},
                                                       {"step", GuardAction::off},
                                                       {"residual", GuardAction::refuse},
                                                       {"finite", GuardAction::warn},
                                                       {"round_off", GuardAction::off},
                                                       {"travel", GuardAction::warn}});
}

TEST_CASE("scenario: every key of 2D; y is never spoken of, spins are about +y") {
  const Scenario s = parse_scenario(smallest + R"(
[space]
dimension = 2
gravity = [1, -2]
periodic_x = [-1, 2]
periodic_z = [-5, 6]
[[wall]]
point = [1, 2]
normal = [-1, 1]
motion = { velocity = [1, 2], center = [3, 4], rate = 5, amplitude = [6, 7], frequency = 8 }
[[wall]]
type = "box"
low = [0, -1]
high = [1, 2]
[[wall]]
type = "cylinder"
point = [1, 2]
radius = 3
[[grain]]
position = [1, 2]
velocity = [3, 4]
spin = -5
radius = 0.5
[[grains]]
low = [1, 2]
high = [3, 4]
radius = 0.1
velocity = [5, 6]
[[grains]]
region_radius = 3
center = [5, 6]
radius = 0.1
[[emitter]]
position = [1, 2]
spin = [3]
radius = 0.5
)",
                                    "");
  CHECK(s.dimension == 2);
  CHECK(s.gravity == Vector{1, 0, -2});
  CHECK(s.rotation == true);
  CHECK(s.periodic_low == Vector{-1, 0, -5});
  CHECK(s.periodic_high == Vector{2, 0, 6});
  REQUIRE(s.walls.size() == 3);
  CHECK(std::get<PlaneWall>(s.walls[0].shape).point == Vector{1, 0, 2});
  CHECK(std::get<PlaneWall>(s.walls[0].shape).normal == Vector{-1, 0, 1});
  CHECK(s.walls[0].motion.velocity == Vector{1, 0, 2});
  CHECK(s.walls[0].motion.centre == Vector{3, 0, 4});
  CHECK(s.walls[0].motion.axis == Vector{0, 1, 0});
  CHECK(s.walls[0].motion.rotation_rate == 5);
  CHECK(s.walls[0].motion.oscillation_amplitude == Vector{6, 0, 7});
  CHECK(std::get<BoxWall>(s.walls[1].shape).low == Vector{0, 0, -1});
  CHECK(std::get<BoxWall>(s.walls[1].shape).high == Vector{1, 0, 2});
  const auto& pipe = std::get<CylinderWall>(s.walls[2].shape);
  CHECK(pipe.point == Vector{1, 0, 2});
  CHECK(pipe.direction(2) == Vector{0, 1, 0});
  CHECK(pipe.length == 0);
  REQUIRE(s.grain.size() == 1);
  CHECK(s.grain[0].position == Vector{1, 0, 2});
  CHECK(s.grain[0].velocity == Vector{3, 0, 4});
  CHECK(s.grain[0].spin == Vector{0, -5, 0});
  REQUIRE(s.grains.size() == 2);
  CHECK(s.grains[0].region.low == Vector{1, 0, 2});
  CHECK(s.grains[0].region.high == Vector{3, 0, 4});
  CHECK(s.grains[0].velocity == Vector{5, 0, 6});
  CHECK(s.grains[0].region.kind == RegionSpec::Kind::box);
  CHECK(s.grains[1].region.axis == Vector{0, 1, 0});
  CHECK(s.grains[1].region.centre == Vector{5, 0, 6});
  REQUIRE(s.emitters.size() == 1);
  CHECK(s.emitters[0].grain.position == Vector{1, 0, 2});
  CHECK(s.emitters[0].grain.spin == Vector{0, 3, 0});
}

TEST_CASE("scenario: every key of 1D, with and without brackets") {
  const Scenario s = parse_scenario(smallest + R"(
[space]
dimension = 1
gravity = -2
periodic_z = [-5, 6]
[[wall]]
point = [1]
normal = -1
motion = { velocity = 2, amplitude = [3], frequency = 4 }
[[wall]]
type = "box"
low = 0
high = [1]
[[grain]]
position = 1
velocity = [-2]
radius = 0.5
[[grains]]
low = 1
high = 4
radius = 0.1
velocity = 5
[[emitter]]
position = 7
radius = 0.5
)",
                                    "");
  CHECK(s.gravity == Vector{0, 0, -2});
  CHECK(s.rotation == false);
  CHECK(s.periodic_low == Vector{0, 0, -5});
  CHECK(s.periodic_high == Vector{0, 0, 6});
  REQUIRE(s.walls.size() == 2);
  CHECK(std::get<PlaneWall>(s.walls[0].shape).point == Vector{0, 0, 1});
  CHECK(std::get<PlaneWall>(s.walls[0].shape).normal == Vector{0, 0, -1});
  CHECK(s.walls[0].motion.velocity == Vector{0, 0, 2});
  CHECK(s.walls[0].motion.oscillation_amplitude == Vector{0, 0, 3});
  CHECK(std::get<BoxWall>(s.walls[1].shape).low == Vector{});
  CHECK(std::get<BoxWall>(s.walls[1].shape).high == Vector{0, 0, 1});
  REQUIRE(s.grain.size() == 1);
  CHECK(s.grain[0].position == Vector{0, 0, 1});
  CHECK(s.grain[0].velocity == Vector{0, 0, -2});
  REQUIRE(s.grains.size() == 1);
  CHECK(s.grains[0].region.low == Vector{0, 0, 1});
  CHECK(s.grains[0].region.high == Vector{0, 0, 4});
  CHECK(s.grains[0].velocity == Vector{0, 0, 5});
  REQUIRE(s.emitters.size() == 1);
  CHECK(s.emitters[0].grain.position == Vector{0, 0, 7});
  CHECK(parse_scenario(smallest + "[space]\ndimension = 1\nrotation = false\n", "").rotation == false);
}

TEST_CASE("scenario: what is not said") {
  const Scenario s = parse_scenario(smallest, "bed.toml"), by_hand;
  CHECK(s.title == "");
  CHECK(s.scheme == by_hand.scheme);
  CHECK(s.threads == 1);
  CHECK(s.dimension == 3);
  CHECK(s.gravity == Vector{0, 0, -9.81});
  CHECK(s.rotation == true);
  CHECK(s.law == "linear");
  CHECK(!s.contact["friction"]);
  CHECK(!s.contact["tangential_ratio"]);
  REQUIRE(s.materials.size() == 1);
  CHECK(s.materials[0].name == "default");
  CHECK(s.guards.empty());
  CHECK(s.overlap_allowed_at_start == false);
  CHECK(parse_scenario(smallest + "[[material]]\ndensity = 3\n", "").materials[0].name == "default");

  const Scenario terse = parse_scenario("run={step=1e-4,end=2}\r\n[contact]\r\nstiffness=1\r\nfriction=2", "");
  CHECK(terse.end == 2);
  CHECK(terse.contact["friction"] == 2);
  CHECK(parse_scenario("run.step=1e-4\nrun.end=3\ncontact.stiffness=1", "").end == 3);

  const Scenario region =
      parse_scenario(smallest + "[[grains]]\nradius = 1\nregion_radius = 4\nregion_length = 5\n", "");
  CHECK(region.grains[0].region.axis == Vector{0, 0, 1});
  CHECK(region.grains[0].region.centre == Vector{});
  CHECK(region.grains[0].count == -1);
}

TEST_CASE("scenario: a pair inherits from [contact]; what it sets takes the place of its alternatives") {
  const auto pair = [](const std::string& contact, const std::string& keys, const std::string& more = "") {
    const Scenario s = parse_scenario("[run]\nstep = 1e-4\nend = 1\n[contact]\n" + contact +
                                          "\n[[pair]]\nmaterials = ['default', 'default']\n" + keys + "\n" + more,
                                      "");
    REQUIRE(s.pairs.size() == 1);
    return s.pairs[0].contact;
  };
  const std::string all = "stiffness = 1\ndamping = 2\nfriction = 3\ntangential_damping = 4\nattraction = 'allowed'";
  const ContactSettings same = pair(all, "");
  CHECK(same["stiffness"] == 1);
  CHECK(same["damping"] == 2);
  CHECK(same["friction"] == 3);
  CHECK(same["tangential_damping"] == 4);
  CHECK(same["attraction"] == Attraction::allowed);

  const ContactSettings bouncing = pair(all, "restitution = 0.5");
  CHECK(bouncing["restitution"] == 0.5);
  CHECK(!bouncing["damping"]);
  CHECK(bouncing["stiffness"] == 1);
  const ContactSettings damped = pair("stiffness = 1\nrestitution = 0.5", "damping_per_mass = 6");
  CHECK(damped["damping_per_mass"] == 6);
  CHECK(!damped["restitution"]);
  CHECK(pair(all, "damping = 7")["damping"] == 7);
  const ContactSettings timed = pair("stiffness = 1\nrestitution = 0.5", "duration = 8");
  CHECK(timed["duration"] == 8);
  CHECK(timed["restitution"] == 0.5);
  CHECK(!timed["stiffness"]);
  const ContactSettings stiff = pair("duration = 1\nrestitution = 0.5", "stiffness = 9");
  CHECK(stiff["stiffness"] == 9);
  CHECK(!stiff["duration"]);
  const ContactSettings sheared = pair(all, "tangential_damping_per_mass = 10");
  CHECK(sheared["tangential_damping_per_mass"] == 10);
  CHECK(!sheared["tangential_damping"]);

  const ContactSettings other = pair(all,
                                     "stiffness = 10\ndamping = 20\nfriction = 30\ntangential_ratio = 40\n"
                                     "tangential_damping = 50\nattraction = 'clipped'\ndamping_map = 'tsuji'");
  CHECK(other["stiffness"] == 10);
  CHECK(other["damping"] == 20);
  CHECK(other["friction"] == 30);
  CHECK(other["tangential_ratio"] == 40);
  CHECK(other["tangential_damping"] == 50);
  CHECK(other["attraction"] == Attraction::clipped);
  CHECK(other["damping_map"] == DampingMap::tsuji);
  const ContactSettings by_mass = pair("stiffness = 1\ndamping_per_mass = 11", "");
  CHECK(by_mass["damping_per_mass"] == 11);

  const ContactSettings hertz =
      pair("law = 'hertz_mindlin'\nrestitution = 0.5", "restitution = 0.25\nfriction = 1", "[[material]]\nyoung = 1e9");
  CHECK(hertz["restitution"] == 0.25);
  CHECK(hertz["friction"] == 1);

  const Scenario chosen = parse_scenario(chosen_step, "");
  CHECK(chosen.chooses_step);
  CHECK(chosen.accuracy == 2e-3);
  CHECK(chosen.changes[0].after->step == 1e-5);
  CHECK(!chosen.changes[0].after->chooses_step);

  const Scenario s = parse_scenario(alternatives, "");
  CHECK(s.onset == false);
  CHECK(s.smallest_step == 1e-9);
  CHECK(s.largest_step == 1e-3);
  CHECK(s.contact["restitution"] == 0.8);
  CHECK(s.contact["duration"] == 1e-3);
  CHECK(s.contact["tangential_damping_per_mass"] == 6);
  CHECK(s.pairs[0].contact["damping_per_mass"] == 5);
  CHECK(s.pairs[0].contact["stiffness"] == 1e4);

  const ContactSettings of_speed = parse_scenario(viscous, "").contact;
  CHECK(of_speed["rolling_friction"] == 0.1);
  CHECK(of_speed["rolling_stiffness_ratio"] == 0.8);
  CHECK(of_speed["rolling_damping"] == 0.3);
  CHECK(of_speed["twisting_friction"] == 0.2);
  CHECK(of_speed["twisting_stiffness_ratio"] == 0.6);
  CHECK(of_speed["twisting_damping"] == 0.4);
  CHECK(of_speed["damping_exponent"] == 0.3);
  CHECK(of_speed["restitution_speed"] == 0.2);
  CHECK(of_speed["tangential"] == TangentialForm::incremental);
  const ContactSettings measured = parse_scenario(fitted, "").contact;
  CHECK(measured["restitution_factor"] == 0.8);
  CHECK(measured["restitution_exponent"] == 0.2);
  CHECK(measured["duration_factor"] == 0.002);
  CHECK(measured["duration_exponent"] == 0.1);
  CHECK(measured["slowest_impact"] == 0.01);
  const Scenario of_impulses = parse_scenario(hard, "");
  CHECK(of_impulses.contact["projection"] == 0.3);
  CHECK(of_impulses.contact["impulses"] == HardMethod::simultaneous);
  CHECK(of_impulses.scheme == "impulse_leapfrog");
}

const std::string changing = smallest + R"(
[[wall]]
name = "lid"
present = false
[wall.motion]
velocity = [0, 0, 2]
times = [1, 3]
factors = [0, 1]
[wall.load]
mass = 0.5
axes = "xz"
force = [0, 0, -7]
pressure = 30
area = 0.25
damping = 4
times = [0, 2]
factors = [1, 0.5]
[[emitter]]
on = false
position = [0, 0, 1]
radius = 1
[[change]]
at = 0.5
wait = 0.25
wall.lid.present = true
[[change]]
when = "contacts > 3"
look = 9
run.step = 1e-5
)";

TEST_CASE("scenario: loads and changes") {
  const Scenario s = parse_scenario(changing, "");
  CHECK(!s.walls[0].present);
  CHECK(s.walls[0].motion.times == std::vector<Real>{1, 3});
  CHECK(s.walls[0].motion.factors == std::vector<Real>{0, 1});
  const LoadSpec& load = *s.walls[0].load;
  CHECK(load.mass == 0.5);
  CHECK(load.axes == "xz");
  CHECK(load.force == Vector{0, 0, -7});
  CHECK(load.pressure == 30);
  CHECK(load.area == 0.25);
  CHECK(load.damping == 4);
  CHECK(load.times == std::vector<Real>{0, 2});
  CHECK(load.factors == std::vector<Real>{1, 0.5});
  CHECK(!s.emitters[0].on);
  REQUIRE(s.changes.size() == 2);
  CHECK(s.changes[0].at == 0.5);
  CHECK(s.changes[0].wait == 0.25);
  CHECK(s.changes[1].when->column == "contacts");
  CHECK(s.changes[1].look == 9);
}

TEST_CASE("scenario: every key is described once, and read in the files above") {
  std::set<std::pair<std::string_view, std::string_view>> keys;
  std::set<std::string_view> sections = {"", "wall.motion", "wall.load", "grains.sizes", "emitter.sizes"};
  for (const KeyDoc& doc : scenario_keys()) {
    INFO(doc.section, " ", doc.key);
    CHECK(keys.insert({doc.section, doc.key}).second);
    CHECK(!doc.doc.empty());
    CHECK(!doc.fallback.empty());
    CHECK((doc.type == KeyDoc::Type::choice || doc.type == KeyDoc::Type::some) == !doc.choices.empty());
    CHECK(sections.contains(doc.section));
    const bool is_section = doc.type == KeyDoc::Type::table || doc.type == KeyDoc::Type::tables;
    if (is_section) sections.insert(doc.key);
    const std::string written = "\n" + std::string(doc.key) + " = ";
    if (!is_section && doc.type != KeyDoc::Type::changes)
      CHECK((in_3d + alternatives + chosen_step + viscous + fitted + hard + changing).find(written) !=
            std::string::npos);
  }
  const auto find = [](std::string_view section, std::string_view key) {
    return *std::find_if(scenario_keys().begin(), scenario_keys().end(),
                         [&](const KeyDoc& d) { return d.section == section && d.key == key; });
  };
  CHECK(find("run", "step").required());
  CHECK(find("run", "step").unit == "s");
  CHECK(find("run", "threads").fallback == "1");
  CHECK(find("run", "scheme").fallback == "\"auto\"");
  CHECK(find("space", "gravity").fallback == "[0, 0, -9.81]");
  CHECK(find("wall", "type").fallback == "\"plane\"");
  CHECK(find("wall", "caps").fallback == "true");
  CHECK(find("contact", "stiffness").fallback == "required by kuwabara_kono and extended_nonlinear");
  CHECK(find("pair", "stiffness").fallback == "as in [contact]");
  CHECK(find("initial", "overlap").fallback == "\"refuse\"");
  CHECK(find("contact", "restitution").range.contains(1));
  CHECK(find("contact", "restitution").range.contains(0));  // where attraction is allowed
}

Scenario with(const std::string& text, const std::vector<std::string>& overrides) {
  return parse_scenario(text, "f", overrides);
}

TEST_CASE("scenario: overrides") {
  const std::string text = smallest + R"(
[[wall]]
motion = { rate = 1, axis = [0, 0, 1] }
[[grains]]
kind = "data"
)";
  const Scenario s =
      with(text, {"contact.stiffness=8000", "run.scheme=rk4", "grains.file=beds/a#b.data", "space.gravity=[0, 0, -1]",
                  "guards.step=off", "run.end = 3", "run.threads=2", "title=5 mm \"Kies\" \\ ö", "space.gravity.0=2",
                  "wall.0.motion.rate=4", "wall.motion.axis.1=5"});
  CHECK(s.contact["stiffness"] == 8000);
  CHECK(s.scheme == "rk4");
  CHECK(s.grains[0].file == "beds/a#b.data");
  CHECK(s.gravity == Vector{2, 0, -1});
  CHECK(s.guards.at("step") == GuardAction::off);
  CHECK(s.end == 3);
  CHECK(s.title == "5 mm \"Kies\" \\ ö");
  CHECK(s.walls[0].motion.rotation_rate == 4);
  CHECK(s.walls[0].motion.axis == Vector{0, 5, 1});
  CHECK(s.threads == 2);

  CHECK(with(text, {"grains.0.file=/beds/a.data"}).grains[0].file == "/beds/a.data");
  CHECK(parse_scenario(text, "cases/a.toml", std::vector<std::string>{"grains.file=../a.data"}).grains[0].file ==
        "cases/../a.data");
  CHECK(with(text, {"grains.file=a", "title=newmark(0.25,0.5)"}).title == "newmark(0.25,0.5)");
  CHECK(with(text, {"grains.file=a", "run.scheme=taylor3", "run.scheme=rk4"}).scheme == "rk4");
  CHECK(with(text, {"grains.file=\"1e5\""}).grains[0].file == "1e5");
  CHECK(with(text, {"grains=[]"}).grains.empty());
  CHECK(with(text, {"grains.file=a", "wall.motion={}"}).walls[0].motion.rotation_rate == 0);
  CHECK(with("", {"run.step=1e-4", "run.end=1", "contact.stiffness=1"}).step == 1e-4);
}

// `from` in the smallest scenario becomes `to`; where it is empty, `to` is appended. A ~ in a message stands for any
// words.
struct Refused {
  const char* from;
  std::string to;
  const char* message;
};

std::string replaced(const Refused& r) {
  const std::string from = r.from;
  if (from.empty()) return smallest + r.to;
  std::string text = smallest;
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), r.to);
}

bool like(const std::string& text, const std::string& pattern) {
  const std::size_t gap = pattern.find('~');
  if (gap == std::string::npos) return text == pattern || text.starts_with(pattern + "\n");  // more faults follow
  const std::string head = pattern.substr(0, gap), tail = pattern.substr(gap + 1);
  return text.size() >= head.size() + tail.size() && text.starts_with(head) && text.ends_with(tail);
}

template <class Call>
void check_refused(Call&& call, const std::string& message) {
  try {
    call();
    FAIL_CHECK("not refused; expected: ", message);
  } catch (const Error& e) {
    CHECK(e.code() == Exit::bad_input);
    if (!like(e.what(), message)) FAIL_CHECK(std::string(e.what()), "\n  expected: ", message);
  }
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST_CASE("scenario: an override names one of several sections") {
  const std::string text = smallest + R"(
[[wall]]
name = "floor"
[[wall]]
name = "motion"
motion = { rate = 1, axis = [0, 0, 1] }
[[wall]]
name = "0"
[[emitter]]
name = "spout"
position = [0, 0, 1]
radius = 1
every = 1
[[removal]]
name = "out-let"
point = [0, 0, 0]
normal = [0, 0, 1]
[[removal]]
point = [0, 0, 0]
normal = [0, 0, 1]
)";
  const Scenario s = with(text, {"wall.floor.point=[0, 0, 7]", "wall.motion.motion.rate=3", "wall.0.normal=[1, 0, 0]",
                                 "emitter.spout.every=2", "emitter.radius=3", "removal.out-let.point.2=-4"});
  CHECK(s.walls[0].motion.rotation_rate == 0);
  CHECK(std::get<PlaneWall>(s.walls[0].shape).point == Vector{0, 0, 7});
  CHECK(std::get<PlaneWall>(s.walls[0].shape).normal == Vector{1, 0, 0});  // a number is a number, whatever the names
  CHECK(s.walls[1].motion.rotation_rate == 3);
  CHECK(s.emitters[0].every == 2);
  CHECK(s.emitters[0].grain.radius == 3);
  CHECK(s.removals[0].region.point == Vector{0, 0, -4});
  CHECK(s.removals[1].region.point == Vector{0, 0, 0});
  for (const auto& [change, message] :
       {std::pair{
            "wall.flor.point=[0, 0, 1]",
            "wall.flor: found 3 entries, named floor, motion, 0; expected the number or the name of one entry, as "
            "in wall.0 or wall.floor; did you mean 'floor'?"},
        {"wall.floor=1",
         "wall.floor: found 3 entries, named floor, motion, 0; expected the number or the name of one entry, as in "
         "wall.0 or wall.floor; did you mean 'floor'?"},
        {"removal.slot.point=1",
         "removal.slot: found 2 entries, named out-let; expected the number or the name of one entry, as in removal.0 "
         "or removal.out-let"}})
    check_refused([&, change = change] { with(text, {change}); }, "--set " + std::string(change) + ": " + message);
}

TEST_CASE("scenario: what is wrong is told with its place, what was found and what was expected") {
  const Refused refused[] = {
      {"step = 1e-4", "step 1e-4",
       "f:2:6: found text that is not valid TOML: Error while parsing key-value pair: expected '=', saw '1'; expected "
       "key = value, each key once, text and numbers with units in quotes"},
      {"step = 1e-4", "step = fast",
       "f:2:10: found text that is not valid TOML: Error while parsing boolean: expected 'false', saw 'fas'; expected "
       "key = value, each key once, text and numbers with units in quotes"},
      {"step = 1e-4", "step = 1e-4\nstep = 1e-5",
       "f:3:8: found text that is not valid TOML: Error while parsing key-value pair: cannot redefine existing "
       "floating-point 'step'; expected key = value, each key once, text and numbers with units in quotes"},
      {"step = 1e-4", "step = 1e400",
       "f:2:13: found text that is not valid TOML: Error while parsing floating-point: '1e400' could not be "
       "interpreted as a value; expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[run]\nthreads = 2\n",
       "f:6:1: found text that is not valid TOML: Error while parsing table header: cannot redefine existing table "
       "'run'; expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[[wall]\n",
       "f:6:8: found text that is not valid TOML: Error while parsing table header: expected ']', saw '\\n'; expected "
       "key = "
       "value, each key once, text and numbers with units in quotes"},
      {"", "title = 'x\n",
       "f:6:11: found text that is not valid TOML: Error while parsing literal string: control characters other than "
       "TAB (U+0009) are explicitly prohibited; expected key = value, each key once, text and numbers with units in "
       "quotes"},
      {"", std::string("[grain\000]\n", 9),
       "f:6:7: found text that is not valid TOML: Error while parsing table header: expected ']', saw '\\u0000'; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[output]\ncolour_range = [0, 1]\n",
       "f:7:16: output.colour_range: found without a number as output.colour; expected this key only beside one, for "
       "example colour = \"speed\""},
      {"", "[output]\ncolour = \"material\"\ncolour_range = [0, 1]\n",
       "f:8:16: output.colour_range: found without a number as output.colour; expected this key only beside one, for "
       "example colour = \"speed\""},
      {"", "[output]\ncolour = \"sped\"\n",
       "f:7:10: output.colour: found the text 'sped'; expected 'material', 'size', 'speed', 'coordination', 'spin', "
       "'velocity_x', 'velocity_y', 'velocity_z', 'force', 'pressure' or 'temperature'; did you mean 'speed'?"},
      {"", "[output]\nséries = 1\n", "f:7:2: found 'é'; expected only ASCII outside quotes and comments"},
      {"", "[output]\n“series” = 1\n", "f:7:1: found '“'; expected only ASCII outside quotes and comments"},
      {"step = 1e-4", "stpe = 1e-4",
       "f:2:1: run.stpe: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, smallest_step, "
       "largest_step, seed, onset; did you mean "
       "'step'?"},
      {"stiffness = 1e5", "stifness = 1e5",
       "f:5:1: contact.stifness: no such key; expected one of ~; did you mean 'stiffness'?"},
      {"stiffness = 1e5", "stiffness = 1e5\ndensity = 2500",
       "f:6:1: contact.density: no such key; expected one of ~; it is a key of [[material]]"},
      {"stiffness = 1e5", "stiffness = 1e5\nhaze = 1", "f:6:1: contact.haze: no such key; expected one of ~"},
      {"[run]", "g = 9.81\n[run]", "f:1:1: g: no such key; expected one of ~"},
      {"[run]", "step = 1\n[run]", "f:1:1: step: no such key; expected one of ~; it is a key of [run] and [guards]"},
      {"[run]", "contcat = 1\n[run]", "f:1:1: contcat: no such key; expected one of ~; did you mean 'contact'?"},
      {"", "[[walls]]\n", "f:6:3: walls: no such key; expected one of ~; did you mean 'wall'?"},
      {"", "[[wall]]\nmotion = { sped = 1 }\n",
       "f:7:12: wall.0.motion.sped: no such key; expected one of velocity, axis, center, rate, amplitude, frequency, "
       "phase, times, factors"},
      {"", "[[grain]]\n\"radi\\nus\" = 1\n",
       "f:7:1: grain.0.radi?us: no such key; expected one of position, velocity, spin, radius, mass, material; did you "
       "mean 'radius'?"},
      {"", "[guards]\noverlaps = 'warn'\n",
       "f:7:1: guards.overlaps: no such key; expected one of overlap, travel, step, residual, finite, round_off; did "
       "you mean "
       "'overlap'?"},
      {"step = 1e-4\n", "",
       "f:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive scheme the "
       "first step; \"auto\": chosen by the program), here "
       "or by --set run.step=..."},
      {"[run]\nstep = 1e-4\nend = 1\n", "",
       "f:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive scheme the "
       "first step; \"auto\": chosen by the program), here "
       "or by --set run.step=..."},
      {"end = 1", "",
       "f:1:1: run.end: missing; expected a number > 0 in s (time at which the run ends), here or by --set "
       "run.end=..."},
      {"stiffness = 1e5", "",
       "f:4:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
       "--set contact.stiffness=..."},
      {"[contact]\nstiffness = 1e5\n", "",
       "f:1:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
       "--set contact.stiffness=..."},
      {"", "[[grain]]\nradius = 1\n",
       "f:6:1: grain.0.position: missing; expected 3 numbers [x, y, z] in m (position of the grain's centre), here or "
       "by --set grain.0.position=..."},
      {"", "[[grain]]\nposition = [0, 0, 0]\n",
       "f:6:1: grain.0.radius: missing; expected a number > 0 in m (radius of the grain), here or by --set "
       "grain.0.radius=..."},
      {"", "[[pair]]\nfriction = 1\n",
       "f:6:1: pair.0.materials: missing; expected the names of two materials, [\"first\", \"second\"] (the two "
       "materials in contact), here or by --set pair.0.materials=..."},
      {"", "[[wall]]\ntype = 'box'\nlow = [0, 0, 0]\n",
       "f:6:1: wall.0.high: missing; expected 3 numbers [x, y, z] in m (highest corner), here or by --set "
       "wall.0.high=..."},
      {"", "[[wall]]\ntype = 'cylinder'\n",
       "f:6:1: wall.0.radius: missing; expected a number > 0 in m (radius of the cylinder), here or by --set "
       "wall.0.radius=..."},
      {"", "[[wall]]\nmotion = { rate = 1 }\n",
       "f:7:10: wall.0.motion.axis: missing; expected the direction of the axis of rotation, [x, y, z], here or by "
       "--set wall.0.motion.axis=..."},
      {"", "[[grains]]\nkind = 'data'\n",
       "f:6:1: grains.0.file: missing; expected text in quotes (path of a LAMMPS data file or a CSV table, relative to "
       "the scenario file, or else to the working folder), here or by --set grains.0.file=..."},
      {"", "[[grains]]\nradius = 1\n",
       "f:6:1: grains.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set grains.0.low=..."},
      {"", "[[grains]]\nradius = 1\nhigh = [1, 1, 1]\n",
       "f:6:1: grains.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set grains.0.low=..."},
      {"", "[[grains]]\nradius = 1\nregion_radius = 1\n",
       "f:6:1: grains.0.region_length: missing; expected a number > 0 in m, here or by --set "
       "grains.0.region_length=..."},
      {"", "[[grains]]\nkind = 'random'\nradius = 1\nlow = [0, 0, 0]\nhigh = [9, 9, 9]\n",
       "f:6:1: grains.0.count: missing; expected a whole number >= 1, here or by --set grains.0.count=..."},
      {"", "[[emitter]]\nradius = 1\n",
       "f:6:1: emitter.0.position: missing; expected a position in m, or place = \"top\", or a region (low and high, "
       "or "
       "region_radius), here or by --set emitter.0.position=..."},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\ncount = 2\n",
       "f:6:1: emitter.0.every: missing; expected a number > 0 in s, because count is above 1, here or by --set "
       "emitter.0.every=..."},
      {"step = 1e-4", "step = '1e-4'",
       "f:2:8: run.step: found the text '1e-4' without a unit; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = true", "f:2:8: run.step: found true; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = [1e-4]",
       "f:2:8: run.step: found an array of 1 value; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 1979-05-27",
       "f:2:8: run.step: found a date or time; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 1e-4\nthreads = 1.5",
       "f:3:11: run.threads: found 1.5; expected a whole number >= 1 and <= 4096"},
      {"step = 1e-4", "step = 1e-4\nscheme = 4",
       "f:3:10: run.scheme: found 4; expected a name that `cairn schemes` lists, or \"auto\""},
      {"step = 1e-4", "step = 1e-4\nscheme = 'rk5'",
       "f:3:10: run.scheme: found the text 'rk5'; expected a name that `cairn schemes` lists, or \"auto\"; did you "
       "mean 'rk4'?"},
      {"", "[space]\nrotation = 1\n", "f:7:12: space.rotation: found 1; expected true or false"},
      {"", "[space]\nrotation = 'no'\n", "f:7:12: space.rotation: found the text 'no'; expected true or false"},
      {"", "[guards]\nstep = 1\n", "f:7:8: guards.step: found 1; expected 'refuse', 'warn' or 'off'"},
      {"", "[output]\nseries = { every = 1 }\n", "f:7:10: output.series: found a table; expected a number >= 0 in s"},
      {"[run]", "run = 1\n[space]", "f:1:7: run: found 1; expected one section [run]"},
      {"[run]", "[[run]]", "f:1:1: run: found an array of 1 value; expected one section [run]"},
      {"", "[wall]\nradius = 1\n", "f:6:1: wall: found a table; expected sections [[wall]]"},
      {"[run]", "wall = [1, 2]\n[run]", "f:1:9: wall.0: found 1; expected sections [[wall]]"},
      {"", "[[wall]]\nmotion = 3\n", "f:7:10: wall.0.motion: found 3; expected a table { key = value, ... }"},
      {"", "[[pair]]\nmaterials = 'default'\n",
       "f:7:13: pair.0.materials: found the text 'default'; expected the names of two materials, [\"first\", "
       "\"second\"]"},
      {"", "[[pair]]\nmaterials = ['default', 3]\n",
       "f:7:25: pair.0.materials.1: found 3; expected the names of two materials, [\"first\", \"second\"]"},
      {"step = 1e-4", "step = 0", "f:2:8: run.step: found 0; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = nan", "f:2:8: run.step: found nan; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = -inf", "f:2:8: run.step: found -inf; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 1e-400", "f:2:8: run.step: found 0; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 'often'",
       "f:2:8: run.step: found the text 'often'; expected a number > 0 in s, or \"auto\", or a number with a unit as "
       "in "
       "\"0.5 s\""},
      {"step = 1e-4", "step = 'auto'\nscheme = 'rkf45_relative'",
       "f:2:8: run.step: found \"auto\" with the adaptive scheme rkf45_relative, which chooses its steps itself; "
       "expected "
       "its first step in s"},
      {"step = 1e-4", "step = 'auto'\naccuracy = 0.6",
       "f:3:12: run.accuracy: found 0.6; expected a number >= 1e-06 and <= 0.5"},
      {"end = 1", "end = 1\naccuracy = '1 %'",
       "f:4:12: run.accuracy: found with a fixed step; expected this key only with step = \"auto\""},
      {"step = 1e-4", "step = 2", "f:2:8: run.step: found a step longer than run.end; expected a shorter step"},
      {"end = 1", "end = 1\nthreads = 0", "f:4:11: run.threads: found 0; expected a whole number >= 1 and <= 4096"},
      {"end = 1", "end = 1\nthreads = 1e9",
       "f:4:11: run.threads: found 1e+09; expected a whole number >= 1 and <= 4096"},
      {"end = 1", "end = 1\nseed = -1", "f:4:8: run.seed: found -1; expected a whole number >= 0"},
      {"end = 1", "end = 1\nseed = 1e19", "f:4:8: run.seed: found 1e+19; expected a whole number >= 0"},
      {"end = 1", "end = 1\ntolerance = 1", "f:4:13: run.tolerance: found 1; expected a number > 0 and < 1"},
      {"", "[space]\ndimension = 4\n", "f:7:13: space.dimension: found 4; expected a whole number >= 1 and <= 3"},
      {"", "[space]\nperiodic_x = [1, 1]\n", "f:7:14: space.periodic_x: found low >= high; expected low < high"},
      {"", "[space]\nperiodic_x = [1, inf]\n",
       "f:7:18: space.periodic_x.1: found inf; expected 2 numbers [low, high] in m"},
      {"", "[[material]]\npoisson = 0.6\n", "f:7:11: material.0.poisson: found 0.6; expected a number > -1 and <= 0.5"},
      {"", "[[material]]\ndensity = 0\n", "f:7:11: material.0.density: found 0; expected a number > 0 in kg/m^3"},
      {"stiffness = 1e5", "stiffness = 1e5\nrestitution = 0",
       "f:6:15: contact.restitution: found restitution = 0, which a clipped contact cannot realise with any finite "
       "damping: its force ends before the grains stop separating; expected at least 0.01, about five times critical "
       "damping, or attraction = \"allowed\""},
      {"stiffness = 1e5", "stiffness = 1e5\nfriction = -0.1",
       "f:6:12: contact.friction: found -0.1; expected a number >= 0"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nradius = -1\n",
       "f:8:10: grain.0.radius: found -1; expected a number > 0 in m"},
      {"", "[[grains]]\nradius = 1\nradius_spread = 1\n",
       "f:8:17: grains.0.radius_spread: found 1; expected a number >= 0 and < 1"},
      {"", "[[emitter]]\ncount = 0\n", "f:7:9: emitter.0.count: found 0; expected a whole number >= 1"},
      {"", "[search]\nskin = -1\n", "f:7:8: search.skin: found -1; expected a number >= 0 in m"},
      {"[contact]", "[contact]\nlaw = 'hertz'",
       "f:5:7: contact.law: found the text 'hertz'; expected 'linear', 'hertz_mindlin', 'kuwabara_kono', "
       "'extended_nonlinear', 'extended_linear', 'impulse' or 'dynamics'; did you mean 'hertz_mindlin'?"},
      {"stiffness = 1e5", "law = 'dynamics'\nrestitution = 0.5\n[output]\nledger_split = true",
       "f:8:16: output.ledger_split: found true with contact.law = \"dynamics\", whose contacts have no duration; "
       "expected false"},
      {"stiffness = 1e5", "stiffness = 1e5\nattraction = 'clip'",
       "f:6:14: contact.attraction: found the text 'clip'; expected 'clipped' or 'allowed'; did you mean 'clipped'?"},
      {"", "[guards]\nstep = 'never'\n",
       "f:7:8: guards.step: found the text 'never'; expected 'refuse', 'warn' or 'off'"},
      {"", "[initial]\noverlap = 'alow'\n",
       "f:7:11: initial.overlap: found the text 'alow'; expected 'refuse' or 'allow'; did you mean 'allow'?"},
      {"", "[[wall]]\ntype = 'sphere'\n",
       "f:7:8: wall.0.type: found the text 'sphere'; expected 'plane', 'box' or 'cylinder'"},
      {"", "[[emitter]]\nplace = 'bottom'\n", "f:7:9: emitter.0.place: found the text 'bottom'; expected 'top'"},
      {"", "[space]\ngravity = [0, -9.81]\n",
       "f:7:11: space.gravity: found an array of 2 values; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ngravity = -9.81\n", "f:7:11: space.gravity: found -9.81; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ngravity = [0, 0, '-9.81']\n",
       "f:7:18: space.gravity.2: found the text '-9.81' without a unit; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ngravity = [0, 0, nan]\n",
       "f:7:18: space.gravity.2: found nan; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ndimension = 2\ngravity = [0, 0, -9.81]\n",
       "f:8:11: space.gravity: found an array of 3 values; expected 2 numbers [x, z] in m/s^2"},
      {"", "[space]\ndimension = 1\ngravity = [0, -9.81]\n",
       "f:8:11: space.gravity: found an array of 2 values; expected one number, the height z, in m/s^2"},
      {"", "[space]\ndimension = 2\n[[grain]]\nposition = [0, 0]\nspin = [0, 1, 0]\nradius = 1\n",
       "f:10:8: grain.0.spin: found an array of 3 values; expected one number, about +y, in rad/s"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nspin = 1\nradius = 1\n",
       "f:8:8: grain.0.spin: found 1; expected 3 numbers [x, y, z] in rad/s"},
      {"", "[[wall]]\nnormal = [0, 0, 0]\n",
       "f:7:10: wall.0.normal: found a direction of length zero; expected any other"},
      {"", "[[wall]]\ntype = 'box'\nlow = [0, 0, 0]\nhigh = [1, 0, 1]\n",
       "f:9:8: wall.0.high: found no room between low and high; expected high > low in every direction"},
      {"", "[[grains]]\nradius = 1\nlow = [0, 0, 0]\nhigh = [1, 1, -1]\n",
       "f:9:8: grains.0.high: found no room between low and high; expected high > low in every direction"},
      {"", "[space]\ndimension = 2\nperiodic_y = [0, 1]\n",
       "f:8:14: space.periodic_y: does not exist here; expected only where space.dimension >= 3"},
      {"", "[space]\ndimension = 1\nrotation = true\n",
       "f:8:12: space.rotation: found true; expected false where space.dimension = 1, because nothing spins there"},
      {"", "[space]\ndimension = 1\n[[grain]]\nposition = 0\nspin = 1\nradius = 1\n",
       "f:10:8: grain.0.spin: does not exist here; expected only where space.dimension >= 2"},
      {"", "[space]\ndimension = 1\n[[wall]]\ntype = 'cylinder'\nradius = 1\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n",
       "f:9:8: wall.0.type: found 'cylinder' where space.dimension = 1; expected 'cylinder' only where space.dimension "
       ">= 2"},
      {"", "[space]\ndimension = 2\n[[wall]]\ntype = 'cylinder'\nradius = 1\naxis = [0, 1]\n",
       "f:11:8: wall.0.axis: does not exist here; expected only where space.dimension >= 3"},
      {"", "[space]\ndimension = 2\n[[wall]]\nmotion = { rate = 1, axis = [0, 1] }\n",
       "f:9:29: wall.0.motion.axis: does not exist here; expected only where space.dimension >= 3"},
      {"", "[space]\ndimension = 1\n[[wall]]\nmotion = { rate = 1 }\n",
       "f:9:19: wall.0.motion.rate: does not exist here; expected only where space.dimension >= 2"},
      {"", "[space]\ndimension = 1\n[[grains]]\nradius = 1\nregion_radius = 1\n",
       "f:10:17: grains.0.region_radius: does not exist here; expected only where space.dimension >= 2"},
      {"stiffness = 1e5", "stiffness = 1e5\ndamping = 1\nrestitution = 0.5",
       "f:7:15: contact.restitution: found beside damping; expected only one of them"},
      {"stiffness = 1e5", "stiffness = 1e5\ndamping = 1\ndamping_per_mass = 0.5",
       "f:7:20: contact.damping_per_mass: found beside damping; expected only one of them"},
      {"stiffness = 1e5", "stiffness = 1e5\nrestitution = 0.5\nduration = 1e-3",
       "f:7:12: contact.duration: found beside stiffness; expected only one of the two"},
      {"stiffness = 1e5", "stiffness = 1e5\ntangential_damping = 1\ntangential_damping_per_mass = 1",
       "f:7:31: contact.tangential_damping_per_mass: found beside tangential_damping; expected only one of the two"},
      {"stiffness = 1e5", "duration = 1e-3",
       "f:5:12: contact.duration: found without restitution; expected duration and restitution, or stiffness in place "
       "of duration"},
      {"stiffness = 1e5", "restitution = 0.5",
       "f:4:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
       "--set contact.stiffness=..."},
      {"stiffness = 1e5", "duration = 1e-3\ndamping = 1",
       "f:5:12: contact.duration: found without restitution; expected duration and restitution, or stiffness in place "
       "of duration"},
      {"", "[[pair]]\nmaterials = ['default', 'default']\nduration = 1\n",
       "f:8:12: pair.0.duration: found without restitution; expected duration and restitution, or stiffness in place "
       "of duration"},
      {"", "[[pair]]\nmaterials = ['default', 'default']\ndamping = 1\nrestitution = 1\n",
       "f:9:15: pair.0.restitution: found beside damping; expected only one of them"},
      {"", "[[pair]]\nmaterials = ['default', 'default']\nlaw = 'linear'\n",
       "f:8:1: pair.0.law: no such key; expected one of ~; it is a key of [contact]"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\nstiffness = 1e5",
       "f:6:13: contact.stiffness: does not belong to law 'hertz_mindlin'; expected only law, restitution, friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\ndamping = 1",
       "f:6:11: contact.damping: does not belong to law 'hertz_mindlin'; expected only law, restitution, friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\nduration = 1",
       "f:6:12: contact.duration: does not belong to law 'hertz_mindlin'; expected only law, restitution, friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'",
       "f:5:7: contact.law: found 'hertz_mindlin' without a [[material]]; expected at least one [[material]] with "
       "young"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\n[[material]]\nyoung = 1e7\n[[material]]\nname = 'soft'",
       "f:8:1: material.1.young: missing; expected a number > 0 in Pa, which law 'hertz_mindlin' needs, here or by "
       "--set material.1.young=..."},
      {"stiffness = 1e5",
       "law = 'hertz_mindlin'\n[[material]]\nyoung = 1e7\n[[pair]]\nmaterials = ['default', 'default']\nstiffness = 1",
       "f:10:13: pair.0.stiffness: does not belong to law 'hertz_mindlin'; expected only materials, restitution, "
       "friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"", "[[wall]]\nradius = 1\n",
       "f:7:10: wall.0.radius: does not belong to type 'plane'; expected only type, name, material, point, normal, "
       "present, load, motion"},
      {"", "[[wall]]\ntype = 'plane'\nside = 'inside'\n",
       "f:8:8: wall.0.side: does not belong to type 'plane'; expected only type, name, material, point, normal, "
       "present, load, motion"},
      {"", "[[wall]]\ntype = 'box'\nnormal = [0, 0, 1]\n",
       "f:8:10: wall.0.normal: does not belong to type 'box'; expected only type, name, material, side, low, high, "
       "present, load, motion"},
      {"", "[[wall]]\ntype = 'cylinder'\nradius = 1\ncaps = true\n",
       "f:9:8: wall.0.caps: found without length; expected caps and length"},
      {"", "[[grains]]\nkind = 'data'\nfile = 'x'\nmaterial = 'default'\nmaterials = ['default']\n",
       "f:10:13: grains.0.materials: found beside material; expected only one of them"},
      {"", "[[grains]]\nkind = 'data'\nfile = 'x'\nmaterials = ['default', 'glas']\n",
       "f:9:25: grains.0.materials.1: found the unknown material 'glas'; expected 'default'"},
      {"", "[[grains]]\nkind = 'csv'\nfile = 'x'\nmaterials = []\n",
       "f:9:13: grains.0.materials: found an array of 0 values; expected names of materials, [\"first\", ...]"},
      {"", "[[grains]]\nfile = 'x'\n", "f:7:8: grains.0.file: does not belong to kind 'lattice'; expected only ~"},
      {"", "[[grains]]\nkind = 'data'\nfile = 'x'\nradius = 1\n",
       "f:9:10: grains.0.radius: does not belong to kind 'data'; expected only kind, material, file, materials"},
      {"", "[[grains]]\nkind = 'data'\nfile = ''\n", "f:8:8: grains.0.file: found an empty text; expected a path"},
      {"", "[[grains]]\nkind = 'random'\nradius = 1\nspacing = 1\n",
       "f:9:11: grains.0.spacing: does not belong to kind 'random'; expected only ~"},
      {"", "[[grains]]\nradius = 1\nregion_radius = 1\nregion_length = 1\nlow = [0, 0, 0]\n",
       "f:10:7: grains.0.low: found beside region_radius; expected a box or a cylinder, not both"},
      {"", "[[grains]]\nradius = 1\ncenter = [0, 0, 0]\n",
       "f:8:10: grains.0.center: found without region_radius; expected region_radius too"},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\nposition = [0, 0, 0]\n",
       "f:9:12: emitter.0.position: found beside place; expected only one of them"},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\nvelocity = [0, 0, 0]\n",
       "f:9:12: emitter.0.velocity: found beside place; expected only one of them"},
      {"", "[[emitter]]\nradius = 1\nposition = [0, 0, 0]\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\n",
       "f:8:12: emitter.0.position: found beside a region; expected only one of them"},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\nregion_radius = 1\n",
       "f:9:17: emitter.0.region_radius: found beside place; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\n",
       "f:6:1: emitter.0.radius: missing; expected a number > 0 in m, or sizes, here or by --set emitter.0.radius=..."},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\nsizes = { kind = 'normal', mean = 1, deviation = 0.1 }\n",
       "f:8:10: emitter.0.radius: found beside sizes; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nmass = 1\nsizes = { kind = 'normal', mean = 1, deviation = 0.1 }\n",
       "f:8:8: emitter.0.mass: found beside sizes; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nmass = 1\nradius = 1\nradius_spread = 0.1\n",
       "f:8:8: emitter.0.mass: found beside radius_spread; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\nrate = 1\nevery = 1\n",
       "f:10:9: emitter.0.every: found beside rate; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\ntimes = [1]\ncount = 1\n",
       "f:10:9: emitter.0.count: found beside times; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\ntimes = [2, 1]\n",
       "f:9:9: emitter.0.times: found numbers out of order; expected ascending times in s"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\ntimes = [2, -1]\n",
       "f:9:13: emitter.0.times.1: found -1; expected numbers >= 0 in s, as in [a, b, c]"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'normal', mean = 1, deviation = 0.5 }\n",
       "f:8:9: emitter.0.sizes.low: found -0.5 m (the default is 3 deviations below the mean or the median); expected "
       "a number > 0"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'list', radii = [1, 2], shares = [1] }\n",
       "f:8:9: emitter.0.sizes.shares: found 1; expected one for each of the 2 radii"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'normal', mean = 1, deviation = 0.1, median = 1 }\n",
       "f:8:64: emitter.0.sizes.median: does not belong to kind 'normal'; expected only kind, by, mean, deviation, "
       "low, "
       "high"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { mean = 1 }\n",
       "f:8:9: emitter.0.sizes.kind: missing; expected 'normal', 'lognormal', 'list' or 'table' (kind of size "
       "distribution), here or by --set emitter.0.sizes.kind=..."},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'lognormal', median = 1, deviation = '1 mm' }\n",
       "f:8:55: emitter.0.sizes.deviation: ~"},
      {"", "[[removal]]\n",
       "f:6:1: removal.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set removal.0.low=..."},
      {"", "[[removal]]\npoint = [0, 0, 0]\n",
       "f:6:1: removal.0.normal: missing; expected both a point of the plane and its normal, here or by --set "
       "removal.0.normal=..."},
      {"", "[[probe]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nlow = [0, 0, 0]\n",
       "f:9:7: probe.0.low: found beside a plane; expected a box, a cylinder or a plane, whose region_radius makes it "
       "a "
       "disc"},
      {"", "[space]\nperiodic_x = [0, 1]\n[[probe]]\nlow = [0, 0, 0]\nhigh = [2, 1, 1]\n",
       "f:9:7: probe.0.low: found 0 to 2 m along x, beyond the periodic cell; expected a probe within 0 to 1 m"},
      {"", "[space]\nperiodic_x = [0, 1]\n[[probe]]\npoint = [2, 0, 0]\nnormal = [1, 0, 0]\n",
       "f:9:9: probe.0.point: found 2 m along x, beyond the periodic cell; expected a probe within 0 to 1 m"},
      {"", "[[probe]]\nnormal = [0, 0, 1]\n",
       "f:6:1: probe.0.point: missing; expected both a point of the plane and its normal, here or by --set "
       "probe.0.point=..."},
      {"", "[[probe]]\n",
       "f:6:1: probe.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set probe.0.low=..."},
      {"", "[output]\nfields = ['forces']\n",
       "f:7:11: output.fields.0: found the text 'forces'; expected a list of 'force', 'torque', 'stress', 'pressure', "
       "'coordination' or 'temperature', each once; did you mean 'force'?"},
      {"", "[output]\nfields = ['force', 'force']\n",
       "f:7:20: output.fields.1: found the text 'force' a second time; expected a list of 'force', 'torque', 'stress', "
       "'pressure', "
       "'coordination' or 'temperature', each once"},
      {"", "[[removal]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nlow = [0, 0, 0]\n",
       "f:9:7: removal.0.low: found beside a plane; expected a box, a cylinder or a plane"},
      {"", "[[removal]]\nname = 'a,b'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
       "f:7:8: removal.0.name: found 'a,b'; expected a name without quotes, commas, # or line breaks"},
      {"",
       "[[removal]]\nname = 'a'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
       "[[removal]]\nname = 'a_mass'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
       "f:11:8: removal.1.name: found 'a_mass', which adds a second column 'removed_a_mass' in series.csv; expected "
       "another name"},
      {"", "[[wall]]\nname = 'removed_a'\n[[removal]]\nname = 'a_force_x'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
       "f:9:8: removal.0.name: found 'a_force_x', which adds a second column 'removed_a_force_x' in series.csv; "
       "expected another name"},
      {"", "[[material]]\nname = 'a'\n[[material]]\nname = 'a'\n",
       "f:9:8: material.1.name: found 'a', a name already in use; expected a different name"},
      {"", "[[material]]\n[[material]]\n",
       "f:7:1: material.1.name: found 'default' (given by default), a name already in use; expected a different name"},
      {"", "[[material]]\nname = ''\n", "f:7:8: material.0.name: found an empty text; expected a name"},
      {"", "[[wall]]\nname = 'wall2'\n[[wall]]\n",
       "f:8:1: wall.1.name: found 'wall2' (given by default), a name already in use; expected a different name"},
      {"", "[[emitter]]\nname = 'e'\nradius = 1\nplace = 'top'\n[[emitter]]\nname = 'e'\nradius = 1\nplace = 'top'\n",
       "f:11:8: emitter.1.name: found 'e', a name already in use; expected a different name"},
      {"", "[[wall]]\nmaterial = 'glas'\n[[material]]\nname = 'glass'\n[[material]]\nname = 'steel'\n",
       "f:7:12: wall.0.material: found the unknown material 'glas'; expected 'glass' or 'steel'; did you mean "
       "'glass'?"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nradius = 1\nmaterial = ''\n",
       "f:9:12: grain.0.material: found the unknown material ''; expected 'default'"},
      {"", "[[pair]]\nmaterials = ['default', 'steel']\n",
       "f:7:25: pair.0.materials.1: found the unknown material 'steel'; expected 'default'"},
      {"", "[[pair]]\nmaterials = ['default']\n",
       "f:7:13: pair.0.materials: found an array of 1 value; expected the names of two materials, [\"first\", "
       "\"second\"]"},
      {"",
       "[[material]]\nname = 'a'\n[[material]]\nname = 'b'\n[[pair]]\nmaterials = ['a', 'b']\n[[pair]]\nmaterials = "
       "['b', 'a']\n",
       "f:13:13: pair.1.materials: found a second [[pair]] of the same two materials; expected one"},
      {"", "title = '''x'''\n", "f:6:9: found text of several lines; expected one line in single quotes"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nradius = 1\nradius.x = 2\n",
       "f:9:1: found text that is not valid TOML: Error while parsing key-value pair: cannot redefine existing integer "
       "as dotted key-value pair; expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[search]\nskin = '1'\"x\"\n",
       "f:7:11: found \" inside a key or a value; expected quotes around the whole key or value"},
      {"", "[[grain]]\nposition = { x = 1 }\n",
       "f:7:12: grain.0.position: found a table; expected 3 numbers [x, y, z] in m"},
      {"", "[[grain]]\nposition = [[0, 0, 0]]\n",
       "f:7:12: grain.0.position: found an array of 1 value; expected 3 numbers [x, y, z] in m"},
      {"", "[[grain]]\nposition = [0, 0\n",
       "f:7:18: found text that is not valid TOML: Error while parsing array: encountered end-of-file; expected key = "
       "value, each key once, text and numbers with units in quotes"},
      {"", "a.b.c.d.e.f.g.h.i.j = 1\n", "f:6:18: found a key of too many parts; expected at most 3 parts"},
      {"", "[search]\nskin = 1\"x\"\n",
       "f:7:9: found \" inside a key or a value; expected quotes around the whole key or value"},
      {"", "[search]\n1=2=3\n", "f:7:2: found = after a number; expected a key that begins with a letter"},
  };
  for (const Refused& r : refused) check_refused([&] { parse_scenario(replaced(r), "f"); }, r.message);
}

TEST_CASE("scenario: all faults of a file are told at once, without those that only follow from others") {
  const std::string text =
      "[run]\nstpe = 1e-4\nend = '1 m'\n[contact]\nstiffness = 1e5\nrestituton = 0.5\n"
      "[[wall]]\ntype = 'plain'\nnormal = [0, 0, 1]\nradius = 3\n[[grain]]\nradius = -1\n";
  check_refused(
      [&] { parse_scenario(text, "f"); },
      "f:2:1: run.stpe: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, smallest_step, "
      "largest_step, seed, onset; did you mean 'step'?\nf:3:7: run.end: found '1 m', which is not a quantity in s; "
      "expected a number > 0 in s\nf:6:1: contact.restituton: no such key; expected one of ~; did you mean "
      "'restitution'?\nf:8:8: wall.0.type: found the text 'plain'; expected 'plane', 'box' or 'cylinder'; did you mean "
      "'plane'?\nf:11:1: grain.0.position: missing; expected 3 numbers [x, y, z] in m (position of the "
      "grain's centre), here or by --set grain.0.position=...\nf:12:10: grain.0.radius: found -1; expected a number > "
      "0 in m");
  // A section nobody knows hides no other fault, and what it was to hold is not missed.
  const std::string misspelt =
      "[rnu]\nstep = 1\n[contact]\nstifness = 1\n[[wall]]\ntype = 'plain'\n[[grain]]\nradius = -1\n";
  const std::string told = message_of([&] { parse_scenario(misspelt, "f"); });
  for (const char* fault : {"f:1:2: rnu: no such key", "did you mean 'run'?", "f:4:1: contact.stifness: no such key",
                            "f:6:8: wall.0.type: found the text 'plain'", "f:7:1: grain.0.position: missing",
                            "f:8:10: grain.0.radius: found -1"})
    CHECK_MESSAGE(told.find(fault) != std::string::npos, told);
  CHECK_MESSAGE(std::count(told.begin(), told.end(), '\n') == 4, told);
  // Nor does one that is like no other; what is missing then is missing.
  const std::string strange = message_of([] { parse_scenario("[weather]\nwind = 1\n", "f"); });
  for (const char* fault : {"f:1:2: weather: no such key", "run.step: missing", "contact.stiffness: missing"})
    CHECK_MESSAGE(strange.find(fault) != std::string::npos, strange);
  // Materials and the space that may stand in it are not taken for missing by what speaks of them.
  for (const char* name : {"[[materail]]\nname = 'glass'\n", "[spcae]\ndimension = 2\n", "material = 1\n"}) {
    const std::string one =
        message_of([&] { parse_scenario(name + smallest + "[[wall]]\nmaterial = 'glass'\nnormal = [0, 1]\n", "f"); });
    CHECK_MESSAGE(one.find('\n') == std::string::npos, one);
  }
}

TEST_CASE("scenario: units in texts") {
  const auto read = [](const std::vector<std::string>& changes) { return with(smallest, changes); };
  CHECK(read({"run.step=\"20 us\""}).step == 20e-6);
  CHECK(read({"run.step=35 ms"}).step == 35e-3);
  CHECK(read({"run.end=2 min"}).end == 120);
  CHECK(read({"contact.stiffness='50 kN/m'"}).contact["stiffness"] == 5e4);
  CHECK(read({"contact.restitution=70 %"}).contact["restitution"] == 0.7);
  CHECK(read({"contact.damping=3 g/s"}).contact["damping"] == 3e-3);
  CHECK(read({"contact.damping=3 N s/m"}).contact["damping"] == 3);
  CHECK(read({"contact.damping=3 N*s*m^-1"}).contact["damping"] == 3);
  const Scenario s = parse_scenario(smallest +
                                        "[space]\ngravity = [0, '0 cm/s2', \"-981 cm/s\u00b2\"]\n"
                                        "[[material]]\ndensity = '2.7 g/cm^3'\nyoung = '70 GPa'\n"
                                        "[[wall]]\nmotion = { axis = [0, 0, 1], rate = '120 rpm', phase = '90 deg' }\n"
                                        "[[wall]]\nmotion = { axis = [0, 0, 1], rate = '180 deg/s' }\n"
                                        "[[grain]]\nposition = ['35 mm', 1, '1 inch']\nradius = 1\n",
                                    "f", std::vector<std::string>{"grain.radius=3.5mm", "grain.mass=250 mg"});
  CHECK(s.gravity == Vector{0, 0, -9.81});
  CHECK(s.materials[0].density == doctest::Approx(2700).epsilon(1e-15));
  CHECK(s.materials[0].young == 70e9);
  CHECK(s.walls[0].motion.rotation_rate == doctest::Approx(12.566370614359172).epsilon(1e-15));
  CHECK(s.walls[0].motion.oscillation_phase == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(s.walls[1].motion.rotation_rate == doctest::Approx(3.141592653589793).epsilon(1e-15));
  CHECK(s.grain[0].position.x == 35e-3);
  CHECK(s.grain[0].position.z == doctest::Approx(25.4e-3).epsilon(1e-15));
  CHECK(s.grain[0].radius == 3.5e-3);
  CHECK(s.grain[0].mass == 250e-6);

  const std::pair<const char*, const char*> refused[] = {
      {"run.step=5 mm", "found '5 mm', which is not a quantity in s; expected a number > 0 in s, or \"auto\""},
      {"run.step=5 sec", "there is no unit 'sec'; expected a number > 0 in s, or \"auto\""},
      {"run.step=-5 ms", "found the text '-5 ms'; expected a number > 0 in s, or \"auto\""},
      {"run.step=1e500 s",
       "found '1e500 s', which is too large or too small for any number; expected a number > 0 in s, or \"auto\""},
      {"contact.stiffness=5 N/", "a unit is missing in 'N/'; expected a number > 0 in N/m"},
      {"contact.stiffness=5 N//m", "a unit is missing in 'N//m'; expected a number > 0 in N/m"},
      {"contact.stiffness=5 N/m^", "a power is missing after ^; expected a number > 0 in N/m"},
      {"contact.stiffness=5 kNn/m", "there is no unit 'kNn'; did you mean 'kN'?; expected a number > 0 in N/m"},
      {"contact.restitution=0.5 m",
       "found '0.5 m', which is not a number without unit; expected a number >= 0 and <= 1"},
      {"contact.restitution='0.5'", "found the text '0.5' without a unit; expected a number >= 0 and <= 1"},
      {"run.threads=2 m", "found the text '2 m'; expected a whole number >= 1 and <= 4096"},
  };
  for (const auto& [change, message] : refused) {
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    check_refused([&] { read({change}); }, std::string("--set ") + change + ": " + key + ": " + message);
  }
}

TEST_CASE("scenario: an override at fault is named") {
  const std::string text = smallest + "[space]\ngravity = [0, 0, 1]\n[[wall]]\n[[wall]]\n";
  const std::pair<const char*, const char*> refused[] = {
      {"step=1", "--set step=1: step: no such key; expected one of ~; it is a key of [run] and [guards]"},
      {"run.step", "--set run.step: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"run.step=", "--set run.step=: found no value; expected a value after the '='"},
      {"run.step=fast",
       "--set run.step=fast: run.step: found the text 'fast'; expected a number > 0 in s, or \"auto\", or a number "
       "with a unit as "
       "in \"0.5 s\""},
      {"run.step=-1", "--set run.step=-1: run.step: found -1; expected a number > 0 in s, or \"auto\""},
      {"run.stpe=1",
       "--set run.stpe=1: run.stpe: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, "
       "smallest_step, "
       "largest_step, seed, onset; did you "
       "mean 'step'?"},
      {"run.step=[1",
       "--set run.step=[1: found text that is not valid TOML: Error while parsing array: encountered end-of-file; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"run.step='a",
       "--set run.step='a: found text that is not valid TOML: Error while parsing string: encountered end-of-file; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"run.step=1e400",
       "--set run.step=1e400: run.step: found '1e400', which is too large or too small for any number; expected a "
       "number > 0 in s, or \"auto\""},
      {"run.step=1\nrun.end=2",
       "--set run.step=1?run.end=2: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"run..step=1",
       "--set run..step=1: found text that is not valid TOML: Error while parsing key: expected bare key starting "
       "character or string delimiter, saw '.'; expected key = value, each key once, text and numbers with units in "
       "quotes"},
      {"run=1", "--set run=1: run: found 1; expected one section [run]"},
      {"#run.step=1", "--set #run.step=1: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"[run]=1", "--set [run]=1: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"=1",
       "--set =1: found text that is not valid TOML: Error while parsing root table: expected keys, tables, whitespace "
       "or comments, saw '='; expected key = value, each key once, text and numbers with units in quotes"},
      {"foo.bar=1", "--set foo.bar=1: foo: no such key; expected one of ~"},
      {"title=3", "--set title=3: title: found 3; expected text in quotes"},
      {"space.gravity.3=1",
       "--set space.gravity.3=1: space.gravity.3: found 3 entries; expected a smaller number; entries are counted from "
       "0"},
      {"wall.type=box",
       "--set wall.type=box: wall.type: found 2 entries; expected the number of one entry, as in wall.0.type"},
      {"wall.2.type=box",
       "--set wall.2.type=box: wall.2: found 2 entries; expected a smaller number; entries are counted from 0"},
      {"wall.0.type=box",
       "f:8:1: wall.0.low: missing; expected 3 numbers [x, y, z] in m (lowest corner), here or by --set "
       "wall.0.low=..."},
      {"wall.0=1", "--set wall.0=1: wall.0: found 1; expected sections [[wall]]"},
      {"wall.x.type=box",
       "--set wall.x.type=box: wall.x: found 2 entries; expected the number of one entry, as in wall.0.x"},
      {"space.dimension=2", "f:7:11: space.gravity: found an array of 3 values; expected 2 numbers [x, z] in m/s^2"},
      {"run.é=1", "--set run.é=1: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"a b=1",
       "--set a b=1: found text that is not valid TOML: Error while parsing key-value pair: expected '=', saw 'b'; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"contact.friction=0.1.2",
       "--set contact.friction=0.1.2: contact.friction: found '0.1.2', which is not a number; expected a number >= 0"},
  };
  for (const auto& [change, message] : refused) check_refused([&] { with(text, {change}); }, message);
}

// What a section, or a kind of it, needs around a key that is tried.
const std::map<std::string, const char*> around = {
    {"contact", "contact={}"},
    {"contact hertz_mindlin", "contact={law='hertz_mindlin'}"},
    {"contact kuwabara_kono", "contact={law='kuwabara_kono', stiffness=1}"},
    {"contact extended_nonlinear", "contact={law='extended_nonlinear', stiffness=1}"},
    {"contact extended_linear",
     "contact={law='extended_linear', restitution_factor=1, restitution_exponent=1, duration_factor=1, "
     "duration_exponent=1}"},
    {"contact impulse", "contact={law='impulse', restitution=1}"},
    {"pair", "pair=[{materials=['glass', 'glass']}]"},
    {"material", "material=[{name='glass'}, {name='steel'}]"},
    {"wall", "wall=[{type='cylinder', radius=1}]"},
    {"wall plane", "wall=[{}]"},
    {"wall box", "wall=[{type='box', low=[0, 0, 0], high=[1, 1, 1]}]"},
    {"wall.motion", "wall=[{motion={}}]"},
    {"wall.load", "wall=[{load={mass=1}}]"},
    {"change", "change=[{at=0.1, run={step=1e-5}}]"},
    {"grain", "grain=[{position=[0, 0, 0], radius=1}]"},
    {"grains", "grains=[{radius=1, region_radius=1}]"},
    {"grains data", "grains=[{kind='data', file='x'}]"},
    {"grains csv", "grains=[{kind='csv', file='x'}]"},
    {"grains.sizes", "grains=[{region_radius=1, sizes={kind='normal', mean=1, deviation=0.1}}]"},
    {"grains.sizes lognormal", "grains=[{region_radius=1, sizes={kind='lognormal', median=1, deviation=0.1}}]"},
    {"grains.sizes list", "grains=[{region_radius=1, sizes={kind='list', radii=[1], shares=[1]}}]"},
    {"grains.sizes table", "grains=[{region_radius=1, sizes={kind='table', file='x'}}]"},
    {"emitter", "emitter=[{place='top', radius=1}]"},
    {"emitter.sizes", "emitter=[{place='top', sizes={kind='normal', mean=1, deviation=0.1}}]"},
    {"emitter.sizes lognormal", "emitter=[{place='top', sizes={kind='lognormal', median=1, deviation=0.1}}]"},
    {"emitter.sizes list", "emitter=[{place='top', sizes={kind='list', radii=[1], shares=[1]}}]"},
    {"emitter.sizes table", "emitter=[{place='top', sizes={kind='table', file='x'}}]"},
    {"probe", "probe=[{point=[0, 0, 0], normal=[0, 0, 1]}]"},
    {"removal", "removal=[{point=[0, 0, 0], normal=[0, 0, 1]}]"},
};

TEST_CASE("scenario: no number beyond its range, nothing of another type") {
  for (const KeyDoc& doc : scenario_keys()) {
    const std::string section(doc.section), key(doc.key), kind(doc.only.substr(0, doc.only.find(' ')));
    std::vector<std::string> overrides;
    for (const std::string& name : {section + " " + kind, section})
      if (overrides.empty() && around.contains(name)) overrides.push_back(around.at(name));
    std::string path = section.empty() ? key : section + "." + key;
    if (overrides.size() == 1 && section != "contact") path.insert(path.find('.'), ".0");
    if (section == "pair" && around.contains("contact " + kind)) overrides.push_back(around.at("contact " + kind));
    if (kind == "hertz_mindlin") overrides.push_back("material.1.young=1");
    const auto refused = [&](const std::string& value) {
      std::vector<std::string> all = overrides;
      all.push_back(path + "=" + value);
      const std::string found = value == "x" ? "the text 'x'" : value;
      check_refused([&] { with(in_3d, all); },
                    "--set " + path + "=" + value + ": " + path + ": found " + found + "; expected ~");
    };
    const KeyDoc::Range& range = doc.range;
    if (std::isfinite(range.low)) refused(to_text(range.low_allowed ? range.low - 1 : range.low));
    if (std::isfinite(range.high)) refused(to_text(range.high_allowed ? range.high + 1 : range.high));
    if (doc.type == KeyDoc::Type::number) refused("inf");
    refused(doc.type == KeyDoc::Type::text || doc.type == KeyDoc::Type::choice ? "1" : "x");
    if (doc.type == KeyDoc::Type::table || doc.type == KeyDoc::Type::tables) refused("1");
  }
}

TEST_CASE("scenario: bytes that are no text, and depths without end") {
  const auto refused = [](const std::string& text, const std::string& message) {
    check_refused([&] { parse_scenario(text, "f"); }, message);
  };
  refused("", "f:1:1: run.step: missing; ~");
  refused("\n# nothing\n", "f:1:1: run.step: missing; ~");
  refused(std::string(1, '\0'), "f:1:1: found text that is not valid TOML: ~");
  const std::string not_utf8 = "f:6:9: found a byte that is not UTF-8; expected a text file in UTF-8";
  for (const char* bytes : {"\xff", "\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\x80", "\xe2\x82", "\xed\xa0\x80",
                            "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"})
    for (const char* around : {"a = '   ?'", "a = \"   ?\"", "#       ?"}) {
      std::string text = around;
      refused(smallest + text.replace(text.find('?'), 1, bytes), not_utf8);
    }
  // Where toml++ would test U+1100 for a blank, which is undefined.
  const std::string bare = "f:6:~found '\u1100'; expected only ASCII outside quotes and comments";
  for (const char* text : {"a = \u1100", "\u1100 = 1", "a = 1\u1100", "a = true\u1100", "a = 'b'\u1100", "[a]\u1100"})
    refused(smallest + text, bare);
  for (const char* text : {"a = 1'\u1100'", "a = '1''\u1100'", "[a]'\u1100'", "a = [1'\u1100']", "a = [1[\"\u1100\"]]",
                           "a = +\"\u1100\"", "a = 1979-05-27 07\"\u1100\""})
    refused(smallest + text, "f:6:~ inside a key or a value; expected quotes around the whole key or value");
  refused(smallest + "a = 1a=\"\u1100\"", "f:6:7: found = after a number; expected a key that begins with a letter");
  refused(smallest + "a = \"\"\"\\\u1100\"\"\"", "f:6:5: found text of several lines; ~");
  CHECK(parse_scenario("\xef\xbb\xbf" + smallest, "f").end == 1);  // byte order mark
  CHECK(parse_scenario("title = 'ö \u1100 \U0001f600' # \u1100\n" + smallest, "f").title == "ö \u1100 \U0001f600");
  CHECK(parse_scenario("title = \"\\\"ö\\\\\" # 'ö\n" + smallest, "f").title == "\"ö\\");
  refused("title = 'öö' x\n", "f:1:14: found text that is not valid TOML: ~");  // columns count characters
  refused("a = \"\\\"\" \u1100", "f:1:10: found '\u1100'; ~");

  const auto repeated = [](const std::string& what, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += what;
    return text;
  };
  for (const int depth : {20, 1000, 50000}) {
    refused("a = " + repeated("[", depth), "f:1:~");
    refused("a = " + repeated("{ a = ", depth), "f:1:~");
    refused("[" + repeated("a.", depth) + "a]", "f:1:19: found a key of too many parts; expected at most 3 parts");
    refused(repeated("a.", depth) + "a = 1", "f:1:18: found a key of too many parts; expected at most 3 parts");
    refused(repeated("a . ", depth) + "a = 1", "f:1:35: found a key of too many parts; expected at most 3 parts");
    refused(repeated("'a'.", depth) + "a = 1",
            "f:1:5: found ' inside a key or a value; expected quotes around the whole key or value");
    refused(repeated("[a]\n", depth), "f:2:1: found text that is not valid TOML: ~");
    refused(repeated("9", depth), "f:1:~");
    refused("run = " + repeated("9", depth), "f:1:~");
    refused(smallest + "x" + repeated("x", depth) + " = 1", "f:6:1: contact.xxx~impulses");
    check_refused([&] { with(smallest, {repeated("a.", depth) + "a=1"}); }, "--set a.~");
    check_refused([&] { with(smallest, {"title=" + repeated("[", depth)}); }, "--set title=~");
  }
}

// Only errors may come out of a file that was damaged.
TEST_CASE("scenario: thousands of damaged files") {
  const std::string pieces[] = {"[",     "]",   "[[", "]]",         "{",    "}",       "\"", "'",      "\"\"\"", "=",
                                ".",     ",",   "#",  "\n",         "\\",   "\\u00e9", "é",  "\u1100", "\xff",   "-",
                                "1e999", "nan", "0x", "1979-05-27", "true", "wall",    "\r", "\t"};
  const std::string good[] = {in_3d, alternatives, smallest};
  for (const std::string& text : good) CHECK_NOTHROW(parse_scenario(text, "f"));
  int accepted = 0, refused = 0;
  for (std::uint64_t n = 0; n < 6000; ++n) {
    std::uint64_t draws = 0;
    const auto below = [&](std::size_t limit) {
      return static_cast<std::size_t>(random_uniform(1, n, draws++) * static_cast<Real>(limit));
    };
    std::string text = good[below(std::size(good))];
    const std::size_t changes = 1 + below(2);
    for (std::size_t k = 0; k < changes; ++k) {
      const std::size_t at = below(text.size()), length = below(std::min<std::size_t>(20, text.size() - at));
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 3:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 4:
          text.replace(at, length, pieces[below(std::size(pieces))]);
          break;
      }
    }
    try {
      const std::vector<std::string> overrides = {"run.end=2", text.substr(below(text.size()), below(30))};
      parse_scenario(text, "f", std::span(overrides).first(below(3)));
      ++accepted;
    } catch (const Error& e) {
      CHECK(e.code() == Exit::bad_input);
      ++refused;
    }
  }
  CHECK(accepted > 100);
  CHECK(refused > 1000);
}

TEST_CASE("scenario: files") {
  std::string folder = (std::filesystem::temp_directory_path() / "cairn_test_XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/a.toml";
  write_file_atomically(path, smallest + "[[grains]]\nkind = 'data'\nfile = 'a.data'\n");
  const Scenario s = read_scenario(path, std::vector<std::string>{"run.end=3"});
  CHECK(s.file == path);
  CHECK(s.end == 3);
  REQUIRE(s.grains.size() == 1);
  CHECK(s.grains[0].file == folder + "/a.data");
  CHECK_THROWS_WITH_AS(read_scenario(folder), ("cannot read " + folder + ": Is a directory").c_str(), Error);
  CHECK_THROWS_WITH_AS(read_scenario(folder + "/b.toml"),
                       ("cannot read " + folder + "/b.toml: No such file or directory").c_str(), Error);
  write_file_atomically(path, "step = 1");
  check_refused([&] { read_scenario(path); }, path + ":1:1: step: no such key; ~");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn
