// The summary of a run without a folder, and its way to JSON and back.
#include "cairn/run/summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cairn/formats/files.hpp"
#include "cairn/report/summary_json.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "fresh_folder.hpp"

using namespace cairn;

namespace {

Simulation ended(const std::string& scheme) {
  Simulation s(parse_scenario("[run]\nscheme = '" + scheme + R"('
step = 1e-4
end = 0.05
[contact]
stiffness = 1e4
restitution = 0.5
friction = 0.3
[[wall]]
type = "plane"
name = "floor"
[[grain]]
position = [0, 0, 0.02]
velocity = [0.1, 0, -1]
radius = 0.01
mass = 0.01
[[emitter]]
name = "spout"
position = [0.1, 0, 0.05]
radius = 0.01
mass = 0.01
every = 0.02
count = 3
[[removal]]
name = "drain"
low = [5, -1, -1]
high = [6, 1, 1]
)",
                              "a.toml", {}));
  s.start();
  while (!s.over()) s.advance();
  return s;
}

struct Listed {
  std::vector<std::string> names;
  template <class T>
  void operator()(const char* name, T&&, auto...) {
    names.emplace_back(name);
  }
};

TEST_CASE("summary: what a run became, found without a folder") {
  const Simulation s = ended("velocity_verlet_predicted");
  const RunSummary summary = run_summary(s, {.taken = {2, 3e5}, .stopped_by = ""});
  const World& w = s.world();
  CHECK(summary.steps == 500);
  CHECK(summary.particles == w.size());
  CHECK(summary.finished);
  CHECK(summary.wall_seconds == 2);
  CHECK(summary.particle_steps_per_second == 1.5e5);
  CHECK(summary.state_hash.size() == 16);
  CHECK(std::stoull(summary.state_hash, nullptr, 16) == w.hash());
  // The balance of the ledger, from the summary's own numbers.
  const EnergySummary& e = summary.energy;
  Real left = e.kinetic + e.rotational + e.gravitational + e.elastic - e.initial;
  for (int c = 0; c < Channel::count; ++c) left += c == Channel::external ? -e.ledger[c] : e.ledger[c];
  CHECK(e.ledger[Channel::dashpot] > 1e-4);
  CHECK(std::fabs(left - e.residual) < 1e-12);
  CHECK(norm(summary.momentum - w.momenta().linear) == 0);
  REQUIRE(summary.emitters.size() == 1);
  CHECK(summary.emitters[0].first == "spout");
  CHECK(summary.emitters[0].second.grains + 1 == w.size());
  CHECK(summary.emitters[0].second.grains + summary.emitters[0].second.waiting == 3);
  REQUIRE(summary.removals.size() == 1);
  CHECK(summary.removals[0].second.grains == 0);
  CHECK(!summary.effort);
  CHECK(!summary.accepted_steps);
  REQUIRE(summary.contact_pairs.size() == 2);  // grains with grains, and with the floor
  CHECK(summary.contact_pairs[0].restitution == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(run_summary(ended("newmark")).effort.has_value());
  CHECK(run_summary(ended("dormand_prince54")).accepted_steps.value_or(0) > 0);
}

TEST_CASE("summary: every field comes back from JSON, and no name stands for two") {
  for (const char* scheme : {"velocity_verlet_predicted", "newmark", "dormand_prince54"}) {
    RunSummary summary = run_summary(ended(scheme), {.stopped_by = "SIGINT"});
    summary.guards.emplace_back("overlap", GuardSummary{"warn", "deep"});
    summary.pictures.push_back({0.25, "pictures/picture_000001.png"});
    summary.scheme_claims.stability = std::nan("");  // not finite: null
    const FreshFolder folder;
    write_file_atomically(folder / "summary.json", to_json(summary));
    const RunSummary back = read_summary(folder / "summary.json");
    CHECK(to_json(back) == to_json(summary));
    CHECK(back.effort.has_value() == (scheme == std::string("newmark")));
    CHECK(std::isnan(back.scheme_claims.stability));
    Listed listed;
    for_each_field(summary, listed);
    CHECK(std::set<std::string>(listed.names.begin(), listed.names.end()).size() == listed.names.size());
    CHECK(listed.names.size() > 40);
  }
}

TEST_CASE("summary: a field that is missing is named") {
  nlohmann::json json = nlohmann::json::parse(to_json(RunSummary{}));
  json.erase("state_hash");
  const FreshFolder folder;
  write_file_atomically(folder / "summary.json", json.dump());
  CHECK_THROWS_WITH_AS(read_summary(folder / "summary.json"), doctest::Contains("state_hash"), Error);
}

}  // namespace
