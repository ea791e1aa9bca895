// Overrides of a scenario file (--set), units in texts, and what is refused with which words.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "scenario/scenario_checks.hpp"

namespace cairn {
namespace {

TEST_CASE("scenario: overrides") {
  const std::string text = smallest + R"(
[[wall]]
motion = { rate = 1, axis = [0, 0, 1] }
[[grains]]
kind = "data"
)";
  const Scenario s =
      with(text, {"contact.stiffness=8000", "run.scheme=rk4", "grains.file=beds/a#b.data", "space.gravity=[0, 0, -1]",
                  "guards.step=off", "run.end = 3", "run.threads=2", "title=5 mm \"Kies\" \\ ö", "space.gravity.0=2",
                  "wall.0.motion.rate=4", "wall.motion.axis.1=5"});
  CHECK(s.contact["stiffness"] == 8000);
  CHECK(s.scheme == "rk4");
  CHECK(s.grains[0].file == "beds/a#b.data");
  CHECK(s.gravity == Vector{2, 0, -1});
  CHECK(s.guards.at("step") == GuardAction::off);
  CHECK(s.end == 3);
  CHECK(s.title == "5 mm \"Kies\" \\ ö");
  CHECK(s.walls[0].motion.rotation_rate == 4);
  CHECK(s.walls[0].motion.axis == Vector{0, 5, 1});
  CHECK(s.threads == 2);

  CHECK(with(text, {"grains.0.file=/beds/a.data"}).grains[0].file == "/beds/a.data");
  CHECK(parse_scenario(text, "cases/a.toml", std::vector<std::string>{"grains.file=../a.data"}).grains[0].file ==
        "cases/../a.data");
  CHECK(with(text, {"grains.file=a", "title=newmark(0.25,0.5)"}).title == "newmark(0.25,0.5)");
  CHECK(with(text, {"grains.file=a", "run.scheme=taylor3", "run.scheme=rk4"}).scheme == "rk4");
  CHECK(with(text, {"grains.file=\"1e5\""}).grains[0].file == "1e5");
  CHECK(with(text, {"grains=[]"}).grains.empty());
  CHECK(with(text, {"grains.file=a", "wall.motion={}"}).walls[0].motion.rotation_rate == 0);
  CHECK(with("", {"run.step=1e-4", "run.end=1", "contact.stiffness=1"}).step == 1e-4);
}

TEST_CASE("scenario: an override names one of several sections") {
  const std::string text = smallest + R"(
[[wall]]
name = "floor"
[[wall]]
name = "motion"
motion = { rate = 1, axis = [0, 0, 1] }
[[wall]]
name = "0"
[[emitter]]
name = "spout"
position = [0, 0, 1]
radius = 1
every = 1
[[removal]]
name = "out-let"
point = [0, 0, 0]
normal = [0, 0, 1]
[[removal]]
point = [0, 0, 0]
normal = [0, 0, 1]
)";
  const Scenario s = with(text, {"wall.floor.point=[0, 0, 7]", "wall.motion.motion.rate=3", "wall.0.normal=[1, 0, 0]",
                                 "emitter.spout.every=2", "emitter.radius=3", "removal.out-let.point.2=-4"});
  CHECK(s.walls[0].motion.rotation_rate == 0);
  CHECK(std::get<PlaneWall>(s.walls[0].shape).point == Vector{0, 0, 7});
  CHECK(std::get<PlaneWall>(s.walls[0].shape).normal == Vector{1, 0, 0});  // a number is a number, whatever the names
  CHECK(s.walls[1].motion.rotation_rate == 3);
  CHECK(s.emitters[0].every == 2);
  CHECK(s.emitters[0].grain.radius == 3);
  CHECK(s.removals[0].region.point == Vector{0, 0, -4});
  CHECK(s.removals[1].region.point == Vector{0, 0, 0});
  for (const auto& [change, message] :
       {std::pair{
            "wall.flor.point=[0, 0, 1]",
            "wall.flor: found 3 entries, named floor, motion, 0; expected the number or the name of one entry, as "
            "in wall.0 or wall.floor; did you mean 'floor'?"},
        {"wall.floor=1",
         "wall.floor: found 3 entries, named floor, motion, 0; expected the number or the name of one entry, as in "
         "wall.0 or wall.floor; did you mean 'floor'?"},
        {"removal.slot.point=1",
         "removal.slot: found 2 entries, named out-let; expected the number or the name of one entry, as in removal.0 "
         "or removal.out-let"}})
    check_refused([&, change = change] { with(text, {change}); }, "--set " + std::string(change) + ": " + message);
}

TEST_CASE("scenario: an override with an unknown name tells the name of the only section") {
  const std::string text = smallest + "[[wall]]\nname = \"drum\"\ntype = \"cylinder\"\nradius = 1\naxis = [0, 0, 1]\n";
  check_refused([&] { with(text, {"wall.dram.radius=0.1"}); },
                "--set wall.dram.radius=0.1: wall.0.dram: no such key; expected one of ~, or the name of the entry, "
                "'drum'; did you mean 'drum'?");
  check_refused([&] { with(text, {"wall.motoin.rate=1"}); },
                "--set wall.motoin.rate=1: wall.0.motoin: no such key; expected one of ~, or the name of the entry, "
                "'drum'; did you mean 'motion'?");
  check_refused([&] { with(text, {"wall.radus=1"}); },
                "--set wall.radus=1: wall.0.radus: no such key; expected one of ~; did you mean 'radius'?");
}

TEST_CASE("scenario: units in texts") {
  const auto read = [](const std::vector<std::string>& changes) { return with(smallest, changes); };
  CHECK(read({"run.step=\"20 us\""}).step == 20e-6);
  CHECK(read({"run.step=35 ms"}).step == 35e-3);
  CHECK(read({"run.end=2 min"}).end == 120);
  CHECK(read({"contact.stiffness='50 kN/m'"}).contact["stiffness"] == 5e4);
  CHECK(read({"contact.restitution=70 %"}).contact["restitution"] == 0.7);
  CHECK(read({"contact.damping=3 g/s"}).contact["damping"] == 3e-3);
  CHECK(read({"contact.damping=3 N s/m"}).contact["damping"] == 3);
  CHECK(read({"contact.damping=3 N*s*m^-1"}).contact["damping"] == 3);
  const Scenario s = parse_scenario(smallest +
                                        "[space]\ngravity = [0, '0 cm/s2', \"-981 cm/s\u00b2\"]\n"
                                        "[[material]]\ndensity = '2.7 g/cm^3'\nyoung = '70 GPa'\n"
                                        "[[material]]\nname = 'glass'\ndensity = '2.5 g/cc'\n"
                                        "[[wall]]\nmotion = { axis = [0, 0, 1], rate = '120 rpm', phase = '90 deg' }\n"
                                        "[[wall]]\nmotion = { axis = [0, 0, 1], rate = '180 deg/s' }\n"
                                        "[[grain]]\nposition = ['35 mm', 1, '1 inch']\nradius = 1\n",
                                    "f", std::vector<std::string>{"grain.radius=3.5mm", "grain.mass=250 mg"});
  CHECK(s.gravity == Vector{0, 0, -9.81});
  CHECK(s.materials[0].density == doctest::Approx(2700).epsilon(1e-15));
  CHECK(s.materials[0].young == 70e9);
  CHECK(s.materials[1].density == doctest::Approx(2500).epsilon(1e-15));
  CHECK(s.walls[0].motion.rotation_rate == doctest::Approx(12.566370614359172).epsilon(1e-15));
  CHECK(s.walls[0].motion.oscillation_phase == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(s.walls[1].motion.rotation_rate == doctest::Approx(3.141592653589793).epsilon(1e-15));
  CHECK(s.grain[0].position.x == 35e-3);
  CHECK(s.grain[0].position.z == doctest::Approx(25.4e-3).epsilon(1e-15));
  CHECK(s.grain[0].radius == 3.5e-3);
  CHECK(s.grain[0].mass == 250e-6);

  const std::pair<const char*, const char*> refused[] = {
      {"run.step=5 mm", "found '5 mm', which is not a quantity in s; expected a number > 0 in s, or \"auto\""},
      {"run.step=5 sec", "there is no unit 'sec'; expected a number > 0 in s, or \"auto\""},
      {"run.step=-5 ms", "found the text '-5 ms'; expected a number > 0 in s, or \"auto\""},
      {"run.step=1e500 s",
       "found '1e500 s', which is too large or too small for any number; expected a number > 0 in s, or \"auto\""},
      {"contact.stiffness=5 N/", "a unit is missing in 'N/'; expected a number > 0 in N/m"},
      {"contact.stiffness=5 N//m", "a unit is missing in 'N//m'; expected a number > 0 in N/m"},
      {"contact.stiffness=5 N/m^", "a power is missing after ^; expected a number > 0 in N/m"},
      {"contact.stiffness=5 kNn/m", "there is no unit 'kNn'; did you mean 'kN'?; expected a number > 0 in N/m"},
      {"contact.stiffness=2,500",
       "found '2,500', a number with a comma; write a point for decimals and no separators of thousands; expected a "
       "number > 0 in N/m"},
      {"contact.stiffness=2,5 kN/m",
       "found '2,5 kN/m', a number with a comma; write a point for decimals and no separators of thousands; expected a "
       "number > 0 in N/m"},
      {"contact.restitution=0.5 m",
       "found '0.5 m', which is not a number without unit; expected a number >= 0 and <= 1"},
      {"contact.restitution='0.5'", "found the text '0.5' without a unit; expected a number >= 0 and <= 1"},
      {"run.threads=2 m", "found the text '2 m'; expected a whole number >= 1 and <= 4096"},
  };
  for (const auto& [change, message] : refused) {
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    check_refused([&] { read({change}); }, std::string("--set ") + change + ": " + key + ": " + message);
  }
}

TEST_CASE("scenario: an override at fault is named") {
  const std::string text = smallest + "[space]\ngravity = [0, 0, 1]\n[[wall]]\n[[wall]]\n";
  const std::pair<const char*, const char*> refused[] = {
      {"step=1", "--set step=1: step: no such key; expected one of ~; it is a key of [run] and [guards]"},
      {"run.step", "--set run.step: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"run.step=", "--set run.step=: found no value; expected a value after the '='"},
      {"run.step=fast",
       "--set run.step=fast: run.step: found the text 'fast'; expected a number > 0 in s, or \"auto\", or a number "
       "with a unit as "
       "in \"0.5 s\""},
      {"run.step=-1", "--set run.step=-1: run.step: found -1; expected a number > 0 in s, or \"auto\""},
      {"run.stpe=1",
       "--set run.stpe=1: run.stpe: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, "
       "smallest_step, "
       "largest_step, seed, onset; did you "
       "mean 'step'?"},
      {"run.step=[1",
       "--set run.step=[1: found text that is not valid TOML: Error while parsing array: encountered end-of-file; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"run.step='a",
       "--set run.step='a: found text that is not valid TOML: Error while parsing string: encountered end-of-file; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"run.step=1e400",
       "--set run.step=1e400: run.step: found '1e400', which is too large or too small for any number; expected a "
       "number > 0 in s, or \"auto\""},
      {"run.step=1\nrun.end=2",
       "--set run.step=1?run.end=2: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"run..step=1",
       "--set run..step=1: found text that is not valid TOML: Error while parsing key: expected bare key starting "
       "character or string delimiter, saw '.'; expected key = value, each key once, text and numbers with units in "
       "quotes"},
      {"run=1", "--set run=1: run: found 1; expected one section [run]"},
      {"#run.step=1", "--set #run.step=1: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"[run]=1", "--set [run]=1: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"=1",
       "--set =1: found text that is not valid TOML: Error while parsing root table: expected keys, tables, whitespace "
       "or comments, saw '='; expected key = value, each key once, text and numbers with units in quotes"},
      {"foo.bar=1", "--set foo.bar=1: foo: no such key; expected one of ~"},
      {"title=3", "--set title=3: title: found 3; expected text in quotes"},
      {"space.gravity.3=1",
       "--set space.gravity.3=1: space.gravity.3: found 3 entries; expected a smaller number; entries are counted from "
       "0"},
      {"wall.type=box",
       "--set wall.type=box: wall.type: found 2 entries; expected the number of one entry, as in wall.0.type"},
      {"wall.2.type=box",
       "--set wall.2.type=box: wall.2: found 2 entries; expected a smaller number; entries are counted from 0"},
      {"wall.0.type=box",
       "f:8:1: wall.0.low: missing; expected 3 numbers [x, y, z] in m (lowest corner), here or by --set "
       "wall.0.low=..."},
      {"wall.0=1", "--set wall.0=1: wall.0: found 1; expected sections [[wall]]"},
      {"wall.x.type=box",
       "--set wall.x.type=box: wall.x: found 2 entries; expected the number of one entry, as in wall.0.x"},
      {"space.dimension=2", "f:7:11: space.gravity: found an array of 3 values; expected 2 numbers [x, z] in m/s^2"},
      {"run.é=1", "--set run.é=1: found no key=value; expected key=value, as in contact.friction=0.3"},
      {"a b=1",
       "--set a b=1: found text that is not valid TOML: Error while parsing key-value pair: expected '=', saw 'b'; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"contact.friction=0.1.2",
       "--set contact.friction=0.1.2: contact.friction: found '0.1.2', which is not a number; expected a number >= 0"},
  };
  for (const auto& [change, message] : refused) check_refused([&] { with(text, {change}); }, message);
}

}  // namespace
}  // namespace cairn
