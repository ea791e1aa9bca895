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

Energy after(const std::string& law, const std::string& bodies) {
  Simulation s(
      parse_scenario("[run]\nstep = 2e-5\nend = 0.5\nonset = 'on'\n[output]\nexpected_energy = true\n"
                     "[space]\ngravity = [0, 0, 0]\n[contact]\n" +
                         law + bodies,
                     "expected.toml", {}));
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
    const Energy e = after(law, two_and_a_wall);
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

}  // namespace cairn
