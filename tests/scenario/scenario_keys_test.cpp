// Scenario files: every key in every dimension, and what is taken where a file does not say it.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "scenario/scenario_checks.hpp"

namespace cairn {
namespace {

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

}  // namespace
}  // namespace cairn
