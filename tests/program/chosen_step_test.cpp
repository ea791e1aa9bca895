// Whole runs whose step the program chooses.
#include <doctest/doctest.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

TEST_CASE("chosen step: on two threads, and stopped and resumed, to the same bits") {
  const Desk desk;
  const Words chosen = set({"run.step=auto", "run.end=0.4", "output.pictures=0"});
  const json whole = desk.run("whole", scenario("pyramid"), chosen);
  REQUIRE(whole.at("chosen_steps").size() > 0);
  check_same_summary(whole, desk.run("threads", scenario("pyramid"), chosen + set({"run.threads=2"})), {"settings"});
  desk.run("parts", scenario("pyramid"), chosen + Words{"--stop-after", "150"});
  check_same_summary(whole, desk.resume("parts"));
  check_same_results(desk, "whole", "parts");
  // One that is over by the step in use does not go on.
  CHECK(desk.cairn({"resume", "parts", "--set", "run.end=0.2"}).code == 2);
}

}  // namespace
}  // namespace cairn
