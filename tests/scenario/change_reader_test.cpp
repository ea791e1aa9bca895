// [[change]] sections and loads of walls: what they say, and faults in them.
#include "cairn/scenario/change_reader.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "cairn/core/error.hpp"
#include "cairn/scenario/scenario_file.hpp"

using namespace cairn;

namespace {

const std::string head = R"([run]
step = 1e-5
end = 1
[contact]
stiffness = 1e4
[[wall]]
name = "gate"
[[wall]]
name = "lid"
normal = [0, 0, -1]
load = { mass = 0.1, pressure = "2 kPa", area = "3 cm^2" }
[[emitter]]
name = "hose"
position = [0, 0, 0]
radius = 1e-3
)";

std::string faults_of(const std::string& text) {
  try {
    parse_scenario(text, "f.toml", {});
  } catch (const Error& e) {
    CHECK(e.code() == Exit::bad_input);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("changes: each adds to those before it, in the units of its keys") {
  const Scenario s = parse_scenario(head + R"(
[[change]]
name = "first"
at = "20 ms"
run.step = "2 us"
wall.gate.motion.velocity = [0, 0, "-5 mm/s"]
wall.lid.load.pressure = "4 kPa"
[[change]]
when = " kinetic>2 mJ "
wait = 0.5
look = 7
contact.friction = 0.25
emitter.0.on = false
wall.0.present = false
)",
                                    "f.toml", {});
  REQUIRE(s.changes.size() == 2);
  const ChangeSpec &one = s.changes[0], &two = s.changes[1];
  CHECK(one.name == "first");
  CHECK(one.at == 0.02);
  CHECK(one.after->step == 2e-6);
  CHECK(one.after->walls[0].motion.velocity.z == -5e-3);
  CHECK(one.after->walls[1].load->pressure == 4000);
  CHECK(one.after->emitters[0].on);
  CHECK(one.settings == std::vector<std::string>{"run.step = \"2 us\"",
                                                 "wall.gate.motion.velocity = [0, 0, \"-5 mm/s\"]",
                                                 "wall.lid.load.pressure = \"4 kPa\""});
  CHECK(two.name == "change2");
  CHECK(two.when->column == "kinetic");
  CHECK(!two.when->below);
  CHECK(two.when->value == doctest::Approx(2e-3));
  CHECK(two.wait == 0.5);
  CHECK(two.look == 7);
  CHECK(two.after->step == 2e-6);
  CHECK(!two.after->emitters[0].on);
  CHECK(!two.after->walls[0].present);
  CHECK(s.step == 1e-5);
  CHECK(s.walls[0].present);
}

TEST_CASE("changes: faults say where, and what may change") {
  const std::string change = head + "[[change]]\nat = 0.1\n";
  const auto line = [&](const std::string& fault) { return "f.toml:18:" + fault; };
  CHECK(faults_of(change + "contact.law = \"linear\"\n")
            .starts_with(line("9: change.0.contact.law: cannot change while a run goes on; expected one of ")));
  CHECK(faults_of(change + "wall.gate.point = [0, 0, 1]\n")
            .starts_with(
                line("11: change.0.wall.gate.point: cannot change while a run goes on; expected one of present")));
  CHECK(faults_of(change + "wall.gaet.present = false\n") ==
        line("6: wall.gaet: found 2 entries, named gate, lid; expected the number or the name of one entry, as in "
             "wall.0 or wall.gate; did you mean 'gate'?"));
  CHECK(faults_of(change + "wall.2.present = false\n")
            .starts_with(line("6: wall.2: found 2 entries; expected a smaller number")));
  CHECK(faults_of(change + "run.stp = 1\n").find("run.stp: no such key; expected one of scheme, step") !=
        std::string::npos);
  CHECK(faults_of(change + "run.step = -1\n").starts_with(line("12: run.step: found -1; expected a number > 0 in s")));
  CHECK(faults_of(change + "wall.gate.load.force = [0, 0, 1]\n")
            .find("change.0.wall.gate.load: the wall has no load; expected a [[wall]] with load.mass") !=
        std::string::npos);
  const std::string both =
      faults_of(change + "contact.law = \"linear\"\n[[change]]\nat = 0.2\nwall.gate.point = [0, 0, 1]\n");
  CHECK(both.find("change.0.contact.law: cannot change") != std::string::npos);
  CHECK(both.find("change.1.wall.gate.point: cannot change") != std::string::npos);
  CHECK(faults_of(change + "run.step = 1e-6\nname = \"a\"\n[[change]]\nname = \"a\"\nrun.step = 1e-6\n")
            .find("found 'a', a name already in use") != std::string::npos);
  CHECK(faults_of(change + "grains.0.radius = 1\n").find("change.0.grains: no such key") != std::string::npos);
  CHECK(faults_of(head + "[[change]]\nat = 0.1\n") ==
        "f.toml:16:1: change.0: changes nothing; expected keys that change, as in run.step");
  CHECK(faults_of(change + "when = \"kinetic < 1\"\nrun.step = 1\n")
            .find("when: found beside at; expected only one of the two") != std::string::npos);
  const std::string wait = head + "[[change]]\nrun.step = 1e-6\nwhen = ";
  CHECK(faults_of(wait + "\"kinetc < 1 J\"\n")
            .find("found no column 'kinetc' of series.csv; expected one of time, kinetic") != std::string::npos);
  CHECK(faults_of(wait + "\"kinetc < 1 J\"\n").find("did you mean 'kinetic'?") != std::string::npos);
  CHECK(faults_of(wait + "\"kinetic = 1 J\"\n")
            .find("expected a column, < or >, and a value, as in \"kinetic < 1e-6 J\"") != std::string::npos);
  CHECK(faults_of(wait + "\"kinetic < 1 kg\"\n").find("expected a value in J") != std::string::npos);
}

// A lid that shears a bed moves along x and is free along z.
TEST_CASE("loads: along an axis a wall is moved either by motion or by forces") {
  const auto lid = [](const std::string& keys) {
    return faults_of("[run]\nstep = 1\nend = 1\n[contact]\nstiffness = 1\n[[wall]]\n" + keys +
                     "\n[[grain]]\nposition = [0, 0, 1]\nradius = 1e-3\n");
  };
  const std::string sheared = "motion = { velocity = [0.1, 0, 0] }\n";
  CHECK(lid(sheared + "load = { mass = 1, axes = \"z\" }") == "");
  CHECK(lid(sheared + "load = { mass = 1 }")
            .find("wall.0.load.axes: found none where motion moves the wall along x; expected only axes along which") !=
        std::string::npos);
  CHECK(lid("motion = { amplitude = [0, 0, 1e-3], frequency = 5 }\nload = { mass = 1, axes = \"yz\" }")
            .find("wall.0.load.axes: found \"yz\" where motion moves the wall along z") != std::string::npos);
  CHECK(faults_of(head + "[[change]]\nat = 0.1\nwall.lid.motion.velocity = [0, 0, 1]\n")
            .find("load.axes: found none where motion moves the wall along z") != std::string::npos);
}

TEST_CASE("loads: faults say what is missing") {
  const auto with = [](const std::string& load, const std::string& type = "plane") {
    return faults_of("[run]\nstep = 1\nend = 1\n[[wall]]\ntype = \"" + type + "\"\nload = { " + load + " }\n");
  };
  CHECK(with("force = [0, 0, 1]").find("wall.0.load.mass: missing; expected a number > 0 in kg") != std::string::npos);
  CHECK(with("mass = 1, pressure = 1").find("wall.0.load.area: missing; expected the area in m^2") !=
        std::string::npos);
  CHECK(with("mass = 1, times = [0, 1]").find("wall.0.load.factors: missing; expected as many numbers as times") !=
        std::string::npos);
  CHECK(with("mass = 1, times = [0, 1], factors = [1]").find("found 1 numbers; expected 2, one for each of times") !=
        std::string::npos);
  CHECK(with("mass = 1, times = [1, 1], factors = [1, 2]").find("found numbers out of order") != std::string::npos);
  CHECK(with("mass = 1, axes = \"q\"").find("expected 'x', 'y', 'z'") != std::string::npos);
}

TEST_CASE("changes: which keys may change") {
  for (const char* key : {"run.step", "space.gravity", "contact.friction", "pair.0.restitution", "wall.3.present",
                          "wall.gate.motion.velocity", "wall.gate.load.force", "emitter.hose.on", "output.frames"})
    CHECK_MESSAGE(may_change(key), key);
  for (const char* key : {"run", "run.threads", "wall.gate", "wall.gate.point", "wall.gate.load.mass", "contact.law",
                          "grains.0.radius", "change.0.at", "nothing.at.all", ""})
    CHECK_MESSAGE(!may_change(key), key);
}

TEST_CASE("changes: one more is written behind those that have happened") {
  const std::string text = "[run]\nstep = 1\n[[change]]\nat = 1\nrun.step = 2\n[[change]]\nat = 3\nrun.step = 4\n";
  const std::array<std::string, 2> settings{"contact.friction=0.5", "wall.gate.motion.velocity=[0, 0, 1]"};
  const std::string added =
      "[[change]]\nname = \"cairn resume --set 3\"\nat = 2.5\ncontact.friction = 0.5\nwall.gate.motion.velocity = [0, "
      "0, "
      "1]\n";
  CHECK(with_change(text, 0, 2.5, settings) ==
        "[run]\nstep = 1\n" + added + "\n[[change]]\nat = 1\nrun.step = 2\n[[change]]\nat = 3\nrun.step = 4\n");
  CHECK(with_change(text, 1, 2.5, settings) ==
        "[run]\nstep = 1\n[[change]]\nat = 1\nrun.step = 2\n" + added + "\n[[change]]\nat = 3\nrun.step = 4\n");
  CHECK(with_change(text, 2, 2.5, settings) == text + "\n" + added);
  // A second time at the same checkpoint: behind the first.
  const std::array<std::string, 1> later{"contact.friction=0.7"};
  const std::string twice = with_change(with_change(text, 1, 2.5, settings), 1, 2.5, later);
  CHECK(twice.find("resume --set 3") < twice.find("resume --set 4"));
  CHECK(twice.find("resume --set 4\"\nat = 2.5\ncontact.friction = 0.7\n") < twice.find("at = 3"));
}
