// Whole runs with schemes that choose their steps.
#include <doctest/doctest.h>

#include <algorithm>

#include "program/desk.hpp"

namespace cairn {
namespace {

// Grains rain on a shaken floor, rub, and leave through a drain.
const std::string rain = R"(
[run]
scheme = "dormand_prince54"
step = 2e-5
largest_step = 2e-4
tolerance = 1e-5
end = 0.01
[space]
periodic_x = [0, 0.03]
periodic_y = [0, 0.03]
[contact]
duration = 5e-4
restitution = 0.6
friction = 0.4
[[wall]]
point = [0, 0, 0]
motion = { amplitude = [0, 0, 2e-4], frequency = 100 }
[[grains]]
kind = "lattice"
low = [0, 0, 0]
high = [0.03, 0.03, 0.009]
radius = 2e-3
jitter = 3e-5
velocity = [0.1, 0, -0.4]
[[emitter]]
low = [0, 0, 0.012]
high = [0.03, 0.03, 0.02]
rate = 2000
radius = 1.5e-3
velocity = [0, 0, -0.6]
[[removal]]
low = [0, 0, -0.01]
high = [0.01, 0.03, 0.003]
from = 3e-3
every = 1e-3
[output]
pictures = 0
)";

TEST_CASE("adaptive: on three threads, and stopped and resumed, to the same bits") {
  const Desk desk;
  write(desk / "rain.toml", rain);
  for (const char* scheme : {"dormand_prince54", "bogacki_shampine32", "rkf45_absolute"}) {
    INFO(std::string(scheme));
    const Words with = set({"run.scheme=" + std::string(scheme)});
    const json whole = desk.run("whole", "rain.toml", with);
    check_same_summary(whole, desk.run("threads", "rain.toml", with + set({"run.threads=3"})), {"settings"});
    desk.run("parts", "rain.toml", with + Words{"--stop-after", "150"});
    check_same_summary(whole, desk.resume("parts"));
    check_same_results(desk, "whole", "parts");
    CHECK(whole.at("rejected_steps") > 0);
  }
}

TEST_CASE("adaptive: the step over time stands in the series and the report, within its limits") {
  const Desk desk;
  write(desk / "rain.toml", rain);
  desk.summary_of("out", Words{"run", "rain.toml", "--out", "out"});
  const std::vector<Real> step = CsvTable(desk / "out/series.csv").column("step");
  const auto [low, high] = std::minmax_element(step.begin() + 1, step.end());
  CHECK(*low < 2e-5);
  CHECK(*high > 2e-5);
  CHECK(*high <= 2e-4);
  CHECK(content(desk / "out/report.html").find("Step chosen by the adaptive scheme.") != std::string::npos);
  CHECK(CsvTable(desk / "out/figures/step.csv").rows.size() == step.size());
}

TEST_CASE("adaptive: a smallest step that is rejected ends the run and says what to do") {
  const Desk desk;
  write(desk / "rain.toml", rain);
  const Outcome o = desk.cairn(Words{"run", "rain.toml", "--out", "out"} + unseen() +
                               set({"run.smallest_step=1e-5", "run.tolerance=1e-9"}));
  INFO(o.err);
  CHECK(o.code == 3);
  CHECK(o.tells("the smallest step 1e-05 s was rejected at t = "));
  CHECK(o.tells(" tolerances, asks for a step of "));
  CHECK(o.tells("; allow smaller steps or a larger tolerance"));
  CHECK(json::parse(content(desk / "out/summary.json")).at("finished") == false);
}

TEST_CASE("adaptive: limits of the step that make no sense are refused") {
  const Desk desk;
  write(desk / "rain.toml", rain);
  const auto refused = [&](const Words& changes, const char* message) {
    Words all{"run", "rain.toml", "--out", "out"};
    for (const std::string& change : changes) all = all + Words{"--set", change};
    const Outcome o = desk.cairn(all);
    INFO(o.err);
    CHECK(o.code == 2);
    CHECK(o.tells(message));
  };
  refused({"run.scheme=rk4"},
          "run.largest_step: found with rk4, a scheme of fixed step; expected this key only with an adaptive");
  refused({"run.smallest_step=3e-5"}, "run.smallest_step: found more than run.step");
  refused({"run.largest_step=1e-5"}, "run.largest_step: found less than run.step");
  refused({"run.largest_step=0"}, "run.largest_step: found 0; expected a number > 0 in s");
  const Outcome check = desk.cairn({"check", "rain.toml"});
  INFO(check.out, check.err);
  CHECK(check.code == 0);
}

}  // namespace
}  // namespace cairn
