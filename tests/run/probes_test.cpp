// Probes: what they measure against closed forms, and what passes a plane.
#include "cairn/run/probes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/run/space.hpp"

namespace cairn {
namespace {

constexpr Real radius = 0.01, mass = 0.02, g = 9.81, stiffness = 1e5;

Scenario scenario() {
  Scenario s;
  s.step = 1e-4, s.end = 0.1;
  s.gravity = {};
  s.contact["stiffness"] = stiffness;
  s.contact["restitution"] = 0.5;
  s.materials = {Material{}};
  return s;
}

GrainSpec grain(const Vector& x, const Vector& v = {}) {
  return {.position = x, .velocity = v, .radius = radius, .mass = mass};
}

ProbeSpec box(const Vector& low, const Vector& high) {
  ProbeSpec p{.name = "box", .region = {}};
  p.region.kind = RegionSpec::Kind::box, p.region.low = low, p.region.high = high;
  return p;
}
ProbeSpec plane(const Vector& point, const Vector& normal, Real disc = 0) {
  ProbeSpec p{.name = "plane", .region = {}};
  p.region.kind = RegionSpec::Kind::half_space, p.region.point = point, p.region.normal = normal;
  p.region.radius = disc;
  return p;
}

// The last row of each probe; of a plane all that passed.
std::map<std::string, ProbeRow> last_rows(const Scenario& s) {
  Simulation run(s);
  run.start();
  while (!run.over()) run.advance();
  for (std::size_t k = 0; k < run.probes().size(); ++k) run.probes().due(k);
  const auto now = run.synchronised();
  std::map<std::string, ProbeRow> rows;
  for (ProbeRow& row : run.probes().take(run.world())) rows[row.name] = row;
  return rows;
}
ProbeRow last_row(Scenario s, const ProbeSpec& probe) {
  s.probes = {probe};
  return last_rows(s).at(probe.name);
}

// The columns of the series by name.
std::map<std::string, Real> series_of(Simulation& run) {
  const auto now = run.synchronised();
  const RecordSample sample = record_sample(run, 0);
  std::map<std::string, Real> values;
  for (const RecordColumn& column : record_columns(run.scenario()))
    std::visit([&](auto a) { values[column.name] = static_cast<Real>(a); }, column.value(sample));
  return values;
}

// A column of grains at rest under gravity on a floor, the overlaps as their weights ask for.
Scenario column(int count) {
  Scenario s = scenario();
  s.gravity = {0, 0, -g};
  s.walls = {{.name = "floor", .shape = PlaneWall{}}};
  Real z = radius - count * mass * g / stiffness;
  for (int i = 0; i < count; ++i) {
    s.grain.push_back(grain({0.02, 0.02, z}));
    z += 2 * radius - (count - 1 - i) * mass * g / stiffness;
  }
  s.periodic_low = {0, 0, 0}, s.periodic_high = {0.04, 0.05, 0};
  s.end = 0.01;
  return s;
}

TEST_CASE("probe: the stress in a column at rest is the weight above by the area") {
  constexpr int count = 10;
  const Real area = 0.04 * 0.05, weight = mass * g;
  Scenario s = column(count);
  // A slab between the centres of grains k - 1 and k sees one contact, which carries count - k grains, along its
  // height.
  for (const int k : {1, 4, 9}) {
    const Real low = s.grain[k - 1].position.z, high = s.grain[k].position.z;
    const ProbeRow row = last_row(s, box({0, 0, low + 0.002}, {0.04, 0.05, high - 0.004}));
    CHECK(row.contact_stress.c[2] == doctest::Approx((count - k) * weight / area).epsilon(1e-6));
    for (const int c : {0, 1, 3, 4, 5}) CHECK(std::fabs(row.contact_stress.c[c]) < 1e-9);
    CHECK(row.number == 0);
    CHECK(std::isnan(row.velocity.z));
  }
  // At the floor the whole column.
  const ProbeRow bottom = last_row(s, box({0, 0, 0}, {0.04, 0.05, 0.005}));
  CHECK(bottom.contact_stress.c[2] == doctest::Approx(count * weight / area).epsilon(1e-6));
  // A cylinder about the column, in place of a slab.
  ProbeSpec around{.name = "round", .region = {}};
  around.region.kind = RegionSpec::Kind::cylinder;
  around.region.centre = {0.02, 0.02, s.grain[5].position.z}, around.region.radius = 0.015,
  around.region.length = 0.002;
  const ProbeRow round = last_row(s, around);
  CHECK(round.contact_stress.c[2] == doctest::Approx(4.5 * weight / (pi * 0.015 * 0.015)).epsilon(1e-6));
  CHECK(round.number == 1);
  CHECK(round.coordination == 2);
}

TEST_CASE("series: stress and packing fraction of a column between floor and open top") {
  Simulation run(column(10));
  run.start();
  auto values = series_of(run);
  const Real height = run.world().position(9).z + radius, volume = 0.04 * 0.05 * height;
  CHECK(values.at("packing_fraction") == doctest::Approx(10 * 4.0 / 3 * pi * std::pow(radius, 3) / volume));
  Real moment = 0;  // of each contact its load times its length
  for (int k = 0; k < 10; ++k)
    moment += (10 - k) * mass * g * (run.world().position(k).z - (k > 0 ? run.world().position(k - 1).z : 0));
  CHECK(values.at("contact_stress_zz") == doctest::Approx(moment / volume));
  CHECK(values.at("kinetic_stress_zz") == doctest::Approx(0));
  CHECK(values.at("coordination") == doctest::Approx((2 * 9 + 1) / 10.0));  // the floor counts once
}

TEST_CASE("series: where no grain is above a floor there is no space, and no packing fraction or stress") {
  Scenario s = column(0);
  s.emitters.emplace_back();
  s.emitters[0].name = "later", s.emitters[0].grain = grain({0.02, 0.025, 0.5}), s.emitters[0].first = 0.01;
  s.end = 0.011;
  Simulation run(s);
  run.start();
  auto empty = series_of(run);
  for (const char* name : {"packing_fraction", "contact_stress_zz", "kinetic_stress_zz"}) {
    CAPTURE(std::string(name));
    CHECK(std::isnan(empty.at(name)));
  }
  while (!run.over()) run.advance();
  const Real height = run.world().position(0).z + radius;
  CHECK(series_of(run).at("packing_fraction") ==
        doctest::Approx(4.0 / 3 * pi * std::pow(radius, 3) / (0.04 * 0.05 * height)));
}

TEST_CASE("series: the kinetic stress, and in which spaces there are such columns") {
  Scenario s = scenario();
  s.periodic_high = {1, 1, 1};
  s.grain = {grain({0.2, 0.2, 0.2}, {5, 0, 3}), grain({0.6, 0.6, 0.6}, {1, 0, 1})};
  Simulation run(s);
  run.start();
  auto values = series_of(run);  // about the mean (3, 0, 2): +-(2, 0, 1)
  CHECK(values.at("kinetic_stress_xx") == doctest::Approx(mass * 8));
  CHECK(values.at("kinetic_stress_zz") == doctest::Approx(mass * 2));
  CHECK(values.at("kinetic_stress_xz") == doctest::Approx(mass * 4));
  CHECK(values.at("contact_stress_xx") == 0);

  CHECK(has_space(s));
  s.periodic_high.z = 0;
  CHECK(!has_space(s));  // no floor
  s.walls = {{.name = "floor", .shape = PlaneWall{{0, 0, 0.1}, {0, 0, 2}}}};
  CHECK(has_space(s));
  s.walls[0].motion = {.axis = {0, 0, 3}, .rotation_rate = 1};
  CHECK(has_space(s));
  s.walls[0].motion.axis = {1, 0, 0};
  CHECK(!has_space(s));  // it turns
  s.walls[0].motion = {};
  s.walls.push_back({.name = "slope", .shape = PlaneWall{{0, 0, 0}, {0, 1, 1}}});
  CHECK(!has_space(s));
  s.walls[1].shape = BoxWall{WallSide::outside, {0, 0, 0.2}, {0.1, 0.1, 0.3}};
  CHECK(!has_space(s));  // takes room, and is not a bound

  // A box with a lid that moves down: the volume is that between them now.
  s = scenario();
  s.walls = {{.name = "box", .shape = BoxWall{WallSide::inside, {0, 0, 0}, {1, 1, 1}}},
             {.name = "lid", .shape = PlaneWall{{0, 0, 0.8}, {0, 0, -1}}, .motion = {.velocity = {0, 0, -1}}}};
  s.grain = {grain({0.2, 0.2, 0.2})};
  Simulation pressed(s);
  pressed.start();
  while (!pressed.over()) pressed.advance();
  CHECK(series_of(pressed).at("packing_fraction") ==
        doctest::Approx(4.0 / 3 * pi * std::pow(radius, 3) / (0.8 - 0.1)).epsilon(1e-9));

  // A silo: a cylinder that stands on a floor.
  CylinderWall silo;
  silo.point = {0, 0, 0}, silo.axis = {0, 0, 1}, silo.radius = 0.5;
  s.walls = {{.name = "silo", .shape = silo}, {.name = "floor", .shape = PlaneWall{}}};
  CHECK(has_space(s));
  Simulation filled(s);
  filled.start();
  CHECK(space_of(filled.world(), 3) == doctest::Approx(pi * 0.25 * (0.2 + radius)));
  s.dimension = 2;
  CHECK(!has_space(s));  // there the axis is y, so that the cylinder bounds the height beside the floor
}

TEST_CASE("probe: the packing fraction of a lattice, also where the region cuts grains and over borders") {
  Scenario s = scenario();
  s.periodic_high = {0.1, 0.1, 0.1};
  // Simple cubic, spacing 0.02 and a bit: 5 x 5 x 5 in the cell, some of them over its border.
  for (int i = 0; i < 125; ++i) s.grain.push_back(grain({0.02 * (i % 5), 0.02 * (i / 5 % 5), 0.02 * (i / 25)}));
  for (GrainSpec& one : s.grain) one.radius = 0.0099;
  s.end = s.step;
  const Real whole = 4.0 / 3 * pi * std::pow(0.0099 / 0.02, 3);
  CHECK(last_row(s, box({0, 0, 0}, {0.1, 0.1, 0.1})).packing_fraction == doctest::Approx(whole).epsilon(1e-9));
  CHECK(last_row(s, box({0, 0, 0}, {0.1, 0.1, 0.1})).number == 125);
  // Any region of whole periods has the fraction of the lattice, wherever it cuts.
  CHECK(last_row(s, box({0.013, 0.003, 0.007}, {0.053, 0.063, 0.027})).packing_fraction ==
        doctest::Approx(whole).epsilon(1e-6));
  // A slab through the middle of a layer, a tenth of a radius thick: discs.
  const Real h = 0.00099, r = 0.0099;
  CHECK(last_row(s, box({0, 0, 0.04 - h / 2}, {0.1, 0.1, 0.04 + h / 2})).packing_fraction ==
        doctest::Approx(pi * (r * r - h * h / 12) / (0.02 * 0.02)).epsilon(1e-9));
}

TEST_CASE("probe: velocity, temperature and kinetic stress of the grains inside, weighted by mass") {
  Scenario s = scenario();
  s.grain = {grain({0.1, 0, 0.1}, {0, 0, 4}), grain({0.2, 0, 0.1}), grain({5, 0, 5}, {9, 9, 9})};
  s.grain[1].mass = 3 * mass;
  s.end = s.step;
  const ProbeRow row = last_row(s, box({0, -1, 0}, {1, 1, 1}));
  CHECK(row.number == 2);
  CHECK(row.velocity.z == doctest::Approx(1));
  CHECK(row.temperature == doctest::Approx(1));                           // 3 / D
  CHECK(row.kinetic_stress.c[2] == doctest::Approx(mass * (9 + 3) / 2));  // volume 2
  CHECK(row.coordination == 0);
}

TEST_CASE("plane: a stream of grains, one by one, each way; through the disc or past it") {
  Scenario s = scenario();
  for (int i = 0; i < 20; ++i) s.grain.push_back(grain({0.05, 0, -0.03 * i - 0.015}, {0, 0, 3}));
  s.end = 0.1;  // 100 grains per second: ten have passed
  const ProbeRow up = last_row(s, plane({0, 0, 0}, {0, 0, 2}));
  CHECK(up.passed == 10);
  CHECK(up.passed_mass == doctest::Approx(10 * mass));
  CHECK(up.flow == doctest::Approx(100));
  CHECK(up.mass_flow == doctest::Approx(100 * mass));
  CHECK(!up.number);
  CHECK(std::isnan(up.packing_fraction));
  CHECK(last_row(s, plane({0, 0, 0}, {0, 0, -1})).passed == -10);
  CHECK(last_row(s, plane({0, 0, 0}, {1, 0, 0})).passed == 0);
  CHECK(last_row(s, plane({0, 0, 0}, {0, 0, 1}, 0.06)).passed == 10);
  CHECK(last_row(s, plane({0, 0, 0}, {0, 0, 1}, 0.04)).passed == 0);
}

TEST_CASE("plane: once in a period, wherever in the cell it stands, for every scheme of velocities") {
  Scenario s = scenario();
  s.periodic_high = {1, 1, 1};
  s.periodic_low = {0, 0, 0};
  s.end = 1;
  s.step = 1e-3;
  for (const char* scheme : {"velocity_verlet_predicted", "central_difference", "rk4"}) {
    s.scheme = scheme;
    // Five turns and a bit, up from 0.33 to 5.83 and down to -5.17.
    for (const Real at : {0.0, 1e-9, 0.25, 0.5, 0.999999, 1.0}) {
      CAPTURE(at);
      s.grain = {grain({0.2, 0.2, 0.33}, {0, 0, 5.5})};
      const std::int64_t up = last_row(s, plane({0, 0, at}, {0, 0, 1})).passed.value();
      CHECK(up == (at == 0.5 ? 6 : 5));
      s.grain = {grain({0.2, 0.2, 0.33}, {0, 0, -5.5})};
      CHECK(last_row(s, plane({0, 0, at}, {0, 0, 1})).passed == (at == 0.5 ? -5 : -6));
    }
    // An oblique way over two borders at once, and an oblique plane.
    s.grain = {grain({0.2, 0.5, 0.2}, {2, 0, 2})};
    CHECK(last_row(s, plane({0.5, 0, 0.5}, {1, 0, 1})).passed == 2);
  }
}

TEST_CASE("plane: grains that are put in or taken away do not pass") {
  Scenario s = scenario();
  s.gravity = {0, 0, -g};
  EmitterSpec tap;
  tap.name = "tap", tap.grain = grain({0, 0, 0.1}), tap.every = 0.05, tap.count = 12;
  s.emitters = {tap};
  RemovalSpec drain;
  drain.name = "drain", drain.region.kind = RegionSpec::Kind::half_space;
  drain.region.point = {0, 0, -0.1}, drain.region.normal = {0, 0, 1};
  s.removals = {drain};
  s.end = 0.5;
  ProbeSpec above = plane({0, 0, 0.2}, {0, 0, 1}), middle = plane({0, 0, 0}, {0, 0, -1}),
            below = plane({0, 0, -0.2}, {0, 0, 1});
  above.name = "above", middle.name = "middle", below.name = "below";
  s.probes = {above, middle, below, box({-1, -1, -1}, {1, 1, 0})};
  Simulation run(s);
  run.start();
  while (!run.over()) run.advance();
  for (std::size_t k = 0; k < run.probes().size(); ++k) run.probes().due(k);
  const std::vector<ProbeRow> rows = run.probes().take(run.world());
  CHECK(rows[0].passed == 0);
  CHECK(rows[2].passed == 0);
  // What passed the middle is below it or was taken away.
  CHECK(rows[1].passed > 3);
  CHECK(run.removals().grains(0) > 1);
  CHECK(rows[1].passed == rows[3].number.value() + run.removals().grains(0));
  CHECK(rows[1].passed_mass == doctest::Approx(mass * rows[1].passed.value()));
}

TEST_CASE("probe: a region beyond the periodic cell is refused") {
  Scenario s = scenario();
  s.periodic_high = {1, 0, 0};
  s.grain = {grain({0.5, 0, 0})};
  s.probes = {box({0, -9, -9}, {1, 9, 9})};
  Simulation{s};
  s.probes = {box({0, -9, -9}, {1.1, 9, 9})};
  CHECK_THROWS_WITH_AS(Simulation{s}, doctest::Contains("probe 'box': found 0 to 1.1 m along x, beyond"), Error);
  s.probes = {plane({2, 0, 0}, {1, 0, 0})};
  CHECK_THROWS_AS(Simulation{s}, Error);
  s.probes = {plane({2, 0, 0}, {0, 0, 1})};
  Simulation{s};
}

}  // namespace
}  // namespace cairn
