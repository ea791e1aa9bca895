// contact_events.csv of a run: the same bytes on any threads and after a resume, and no other result is changed.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "program/desk.hpp"

namespace cairn {
namespace {

TEST_CASE("contact_events.csv: the same bytes on two threads, after a stop, and no state changed") {
  const Desk desk;
  write(desk / "a.toml", R"(
run.step = "100 us"
contact = { stiffness = 2e4, restitution = 0.7, friction = 0.4 }
emitter = [{ name = "tap", position = [0, 0, 0.25], radius = 0.01, every = 0.05, count = 8 }]
removal = [{ name = "drain", low = [-0.1, -0.1, 0], high = [0, 0, 0.02], from = 0.15 }]
[[wall]]
type = "box"
low = [-0.1, -0.1, 0]
high = [0.1, 0.1, 0.6]
[[grains]]
kind = "random"
low = [-0.1, -0.1, 0]
high = [0.1, 0.1, 0.2]
radius = 0.01
count = 60
)");
  for (const char* scheme : {"velocity_verlet_predicted", "central_difference", "bogacki_shampine32"}) {
    CAPTURE(std::string(scheme));
    const Words with = set({std::string("run.scheme=") + scheme, "run.end=0.3"}),
                on = set({"output.contact_events=true"});
    const json off = desk.run("off", "a.toml", with);
    CHECK(!fs::exists(desk / "off" / "contact_events.csv"));
    const json whole = desk.run("whole", "a.toml", with + on);
    check_same_summary(off, whole, {"settings"});
    check_same_results(desk, "off", "whole");
    const std::string table = content(desk / "whole" / "contact_events.csv");
    desk.run("two", "a.toml", with + on + Words{"--threads", "2"});
    CHECK((content(desk / "two" / "contact_events.csv") == table));
    const std::int64_t steps = whole["steps"];
    desk.run("stopped", "a.toml", with + on + Words{"--stop-after", std::to_string(steps / 3)});
    CHECK((content(desk / "stopped" / "contact_events.csv") != table));
    desk.resume("stopped", Words{"--stop-after", std::to_string(steps / 2)});
    desk.resume("stopped");
    CHECK((content(desk / "stopped" / "contact_events.csv") == table));
    // A run that goes on does not show where it used to end; adaptive schemes cut their steps there.
    if (scheme != std::string("bogacki_shampine32")) {
      desk.run("longer", "a.toml", with + on + set({"run.end=0.2"}));
      desk.resume("longer", set({"run.end=0.3"}));
      CHECK((content(desk / "longer" / "contact_events.csv") == table));
    }

    const CsvTable read(desk / "whole" / "contact_events.csv");
    CHECK(read.names == words("first second began duration peak_force peak_force_time peak_overlap "
                              "peak_tangential_force approach_speed separation_speed parted first_type second_type "
                              "first_material second_material wall"));
    std::int64_t parted = 0, standing = 0;
    for (const auto& row : read.rows) {
      row[10] == 1 ? ++parted : ++standing;
      CHECK(row[3] >= 0);
      CHECK(row[2] + row[3] <= whole["time"].get<Real>() * (1 + 1e-12));
      CHECK(row[4] >= 0);
      CHECK(row[6] > 0);
      CHECK((row[10] == 0) == std::isnan(row[9]));
    }
    CHECK(parted == whole["contact_count"]["ended"]);
    CHECK(standing >= whole["contacts"]);
  }
}

TEST_CASE("contact_events.csv: a table asked for later begins there, and an old one does not outlive its run") {
  const Desk desk;
  const Words with = set({"run.end=1"});
  desk.run("out", scenario("bounce"), with + Words{"--stop-after", "5000"});
  desk.resume("out", set({"output.contact_events=true"}));
  const CsvTable late(desk / "out" / "contact_events.csv");
  REQUIRE(!late.rows.empty());
  CHECK(late.column("began")[0] >= 0.5 - 1e-9);
  desk.run("out", scenario("bounce"), with);
  CHECK(!fs::exists(desk / "out" / "contact_events.csv"));
}

}  // namespace
}  // namespace cairn
