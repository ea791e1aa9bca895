// The energy that collisions should leave, beside the simulated one.
#include <doctest/doctest.h>

#include <cmath>

#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {
namespace {

struct Energy {
  Real simulated, expected, initial;
};

Energy after(const Scenario& scenario) {
  Simulation s(scenario);
  s.start();
  while (!(s.advance() & Occasion::finished)) {
  }
  const auto now = s.synchronised();
  s.measure();
  const RecordSample sample = record_sample(s, 0);
  for (const RecordColumn& column : record_columns(s.scenario()))
    if (column.name == "expected_energy")
      return {sample.energies.mechanical(), std::get<Real>(column.value(sample)), s.world().initial_energy()};
  return {};
}

const std::string two_and_a_wall = R"(
[[wall]]
type = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[grain]]
position = [0, 0, 0.1]
radius = 0.01
velocity = [0, 0, -1]
[[grain]]
position = [0, 0, 0.2]
radius = 0.02
velocity = [0, 0, -1]
)";

}  // namespace

TEST_CASE("expected energy: collisions of two bodies leave what the restitution of their law says") {
  for (const char* law : {"law = 'linear'\nstiffness = 1e5\nrestitution = 0.7\n",
                          "law = 'kuwabara_kono'\nstiffness = 1e7\nrestitution = 0.7\n"}) {
    const Energy e =
        after(parse_scenario("[run]\nstep = 2e-5\nend = 0.5\nonset = 'on'\n[output]\nexpected_energy = true\n"
                             "[space]\ngravity = [0, 0, 0]\n[contact]\n" +
                                 (law + two_and_a_wall),
                             "expected.toml", {}));
    INFO(std::string(law));
    CHECK(e.simulated < 0.75 * e.initial);
    CHECK(e.expected == doctest::Approx(e.simulated).epsilon(1e-3));
  }
  // Without the column nothing is followed.
  Simulation s(
      parse_scenario("[run]\nstep = 2e-5\nend = 0.1\n[contact]\nstiffness = 1e5\nrestitution = 0.7\n" + two_and_a_wall,
                     "plain.toml", {}));
  for (const RecordColumn& column : record_columns(s.scenario())) CHECK(column.name != "expected_energy");
}

// The mass that collides is that of the wall along the normal: sum of n_a^2/M over the axes on which it moves.
TEST_CASE("expected energy: a wall of finite mass counts along the axes on which it moves") {
  constexpr Real m = 0.01, M = 0.005, speed = 0.3, restitution = 0.5;
  struct Case {
    const char* axes;
    Vector normal;
    Real inverse_wall;  // [1/kg]
  };
  for (const Case& c : {Case{"z", {0, 0, 1}, 1 / M}, Case{"x", {0, 0, 1}, 0}, Case{"xz", {0, 0, 1}, 1 / M},
                        Case{"z", {std::sqrt(0.5), 0, std::sqrt(0.5)}, 0.5 / M}}) {
    CAPTURE(std::string(c.axes));
    CAPTURE(c.normal.x);
    Scenario s = parse_scenario(
        "[run]\nscheme = 'rk4'\nstep = 2e-5\nend = 0.01\n[output]\nexpected_energy = true\n"
        "[space]\ngravity = [0, 0, 0]\n[contact]\nstiffness = 1e4\nrestitution = 0.5\nattraction = 'allowed'\n"
        "[[wall]]\nname = 'w'\nload = { mass = 0.005 }\n[[grain]]\nposition = [0, 0, 1]\nradius = 0.01\nmass = 0.01\n",
        "expected.toml", {});
    s.walls[0].shape = PlaneWall{.point = {}, .normal = c.normal}, s.walls[0].load->axes = c.axes;
    s.grain[0].position = 0.01001 * c.normal, s.grain[0].velocity = -speed * c.normal;
    const Real lost = 0.5 / (1 / m + c.inverse_wall) * speed * speed * (1 - restitution * restitution);
    const Energy e = after(s);
    CHECK(e.expected == doctest::Approx(0.5 * m * speed * speed - lost).epsilon(1e-9));
    CHECK(e.simulated == doctest::Approx(e.expected).epsilon(2e-3));
  }
}

}  // namespace cairn
