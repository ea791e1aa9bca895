// The ledger by pair of materials and by wall.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cairn/run/record.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {
namespace {

const std::string head = R"(
[run]
step = 2e-5
end = 0.3
[output]
ledger_split = true
[contact]
stiffness = 1e4
restitution = 0.5
friction = 0.3
[[material]]
name = "rubber"
density = 1200
[[material]]
name = "steel"
density = 7800
[[wall]]
name = "floor"
[[wall]]
name = "belt"
point = [1, 0, 0]
normal = [-1, 0, 0]
motion = { velocity = [0, 1, 0] }
)";
// A grain bounces on the floor; far away another one is pressed against the belt by its speed.
const std::string bounces = "[[grain]]\nmaterial = 'rubber'\nradius = 0.01\nposition = [0, 0, 0.05]\n";
const std::string meets = R"([[grain]]
material = "steel"
radius = 0.01
position = [0.95, 0, 0.9]
velocity = [1, 0, 0]
)";
const std::string crowd = R"([[grains]]
kind = "lattice"
material = "rubber"
low = [-0.05, -0.05, 0.01]
high = [0.05, 0.05, 0.11]
count = 60
radius = 0.01
jitter = 5e-4
[[grains]]
kind = "lattice"
material = "steel"
low = [-0.05, -0.05, 0.12]
high = [0.05, 0.05, 0.2]
count = 40
radius = 0.01
jitter = 5e-4
)";

struct Found {
  std::map<std::string, Real> columns;
  LedgerChannels ledger;
};
Found found(const std::string& grains, const std::string& scheme = "velocity_verlet_predicted") {
  const std::vector<std::string> overrides{"run.scheme=" + scheme};
  Simulation s(parse_scenario(head + grains, "split.toml", overrides));
  s.start();
  while (!(s.advance() & Occasion::finished)) {
  }
  const auto now = s.synchronised();
  s.measure();
  const RecordSample sample = record_sample(std::as_const(s));
  Found f;
  f.ledger = sample.ledger;
  for (const RecordColumn& column : record_columns(s.scenario()))
    if (column.name.starts_with("pair_") || column.name.starts_with("wall_"))
      f.columns[column.name] = std::get<Real>(column.value(sample));
  return f;
}

}  // namespace

TEST_CASE("ledger split: each part takes what it takes alone") {
  const Found both = found(bounces + meets), floor = found(bounces), belt = found(meets);
  CHECK(both.columns.size() == (3 + 2) * 3);
  for (const auto& [name, energy] : both.columns) {
    INFO(name);
    if (name.starts_with("pair_")) CHECK(energy == 0);
    const Found& alone = name.starts_with("wall_floor") ? floor : belt;
    CHECK(energy == doctest::Approx(alone.columns.at(name)).epsilon(0.02));
  }
  CHECK(both.columns.at("wall_floor_dashpot") > 0);
  CHECK(both.columns.at("wall_floor_slip") == 0);
  CHECK(both.columns.at("wall_belt_slip") > 0);
}

TEST_CASE("ledger split: the parts add up to the ledger, with a scheme of every kind") {
  for (const char* scheme : {"velocity_verlet_predicted", "central_difference", "rk4", "gear3"}) {
    INFO(std::string(scheme));
    const Found f = found(crowd, scheme);
    for (const int channel : LedgerSplit::channels) {
      Real sum = 0;
      for (const auto& [name, energy] : f.columns)
        if (name.ends_with(std::string("_") + channel_names[channel])) sum += energy;
      CHECK(f.ledger[channel] > 0);
      CHECK(sum == doctest::Approx(f.ledger[channel]).epsilon(1e-3));  // but for what no contact was left to take
    }
    CHECK(f.columns.at("pair_rubber_steel_slip") > 0);
    CHECK(f.columns.at("pair_rubber_rubber_dashpot") > 0);
  }
}

}  // namespace cairn
