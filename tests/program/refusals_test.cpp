// The program refuses wrong input with an exit code for each kind of fault and a message that helps.
#include <doctest/doctest.h>

#include <algorithm>

#include "program/desk.hpp"

namespace cairn {
namespace {

TEST_CASE("program: what is wrong is refused with its own exit code and words that help") {
  const Desk desk;
  std::string typo = content(scenario("bounce"));
  typo.replace(typo.find("stiffness"), 9, "stifness");
  write(desk / "typo.toml", typo);
  const std::string above = typo.substr(0, typo.find("stifness"));
  const auto line = 1 + std::count(above.begin(), above.end(), '\n');
  write(desk / "empty.toml", "");
  write(desk / "binary.toml", "\xff\xfe\x7f\x01");
  write(desk / "file", "in the way");
  fs::create_directory(desk / "folder");
  fs::create_directories(desk / "bare/checkpoint");
  const std::string bounce = scenario("bounce"), billiards = scenario("billiards");
  write(desk / "hard.toml",
        "[run]\nstep = 1e-3\nend = 1\n[contact]\nlaw = \"dynamics\"\nrestitution = 0.5\n[[wall]]\n[[grain]]\n"
        "position = [0, 0, 1]\nradius = 0.1\n");
  const Words soft{"contact.law: found \"dynamics\"", "needs contacts with a stiffness", "\"linear\""};

  struct Case {
    int code;
    Words arguments;
    Words words;  // the message has them all
  };
  const Case cases[] = {
      {2,
       {"run", "typo.toml"},
       {"typo.toml:" + std::to_string(line) + ":1: ", "contact.stifness", "did you mean 'stiffness'"}},
      {2, {"run", bounce, "--set", "contact.stifness=1"}, {"--set contact.stifness=1", "did you mean 'stiffness'"}},
      {2, {"advise", "hard.toml"}, soft},
      {2, {"equilibrium", "hard.toml"}, soft},
      {2, {"restitution", "hard.toml"}, soft},
      {2, {"restitution", "--law", "impulse"}, {"found \"impulse\"", soft[1], soft[2]}},
      {2, {"stability", "hard.toml"}, soft},
      {2, {"run", bounce, "--set", "run.step=-1"}, {"run.step", "-1", "> 0"}},
      {2, {"run", bounce, "--set", "run.step=nan"}, {"run.step", "nan"}},
      {2, {"run", bounce, "--set", "run.end"}, {"key=value"}},
      {2,
       {"run", bounce, "--set", "run.scheme=position_verlot"},
       {"run.scheme", "position_verlot", "did you mean 'position_verlet'?", "cairn schemes"}},
      {2, {"run", bounce, "--set", "guards.step=perhaps"}, {"guards.step", "'refuse', 'warn' or 'off'"}},
      {2, {"run", bounce, "--set", "grain=[]"}, {"no grains"}},
      {2, {"run", "empty.toml"}, {"empty.toml:1:1: ", "run.step"}},
      {2, {"run", "binary.toml"}, {"binary.toml:1:"}},
      {4, {"run", "missing.toml"}, {"missing.toml", "No such file"}},
      {4, {"run", "folder"}, {"folder", "Is a directory"}},
      {2, {"run"}, {"file"}},
      {2, {"run", bounce, "--threads", "0"}, {"--threads"}},
      {2, {"run", bounce, "--frobnicate"}, {"--frobnicate"}},
      {2, {"frobnicate"}, {}},
      {2, {}, {"no command given"}},
      // The limit of a bare contact: 2 / sqrt(k / m).
      {3,
       {"run", bounce, "--set", "run.step=0.0064"},
       {"run.step = 0.0064 s", "0.0063245", "velocity_verlet", "guards.step"}},
      {3,
       {"run", billiards, "--set", "grain.1.position=[1.07,0]"},
       {"overlap at the start", "grain 0", "grain 1", "initial.overlap"}},
      {3, {"run", bounce, "--set", "grain.position=[0,0,0.049]"}, {"overlap at the start", "wall 'floor'"}},
      {3, {"run", billiards, "--set", "contact.stiffness=300"}, {"overlap", "grain ", "guards.overlap"}},
      // So far above the limit that the first bounce throws the ball to the sky.
      {3,
       {"run", bounce, "--set", "run.step=0.01", "--set", "guards.step=off", "--set", "guards.travel=off"},
       {"residual", "guards.residual"}},
      {4, {"run", billiards, "--out", "file"}, {"file"}},
      {4, {"run", billiards, "--out", "file/inside"}, {"file"}},
      {4, {"resume", "folder"}, {"folder", "checkpoint"}},
      {4, {"resume", "bare"}, {"bare", "checkpoint"}},
      {4, {"resume", "nowhere"}, {"nowhere"}},
  };
  for (const Case& c : cases) {
    std::string command;
    for (const std::string& a : c.arguments) command += ' ' + a;
    CAPTURE(command);
    const Outcome o = desk.cairn(c.arguments);
    CHECK(o.code == c.code);
    CHECK(o.out == "");
    // One error; of a scenario all its faults, each on a line that begins with its place.
    bool errors_only = o.err.starts_with("error: ");
    for (std::size_t at = o.err.find('\n'); at + 1 < o.err.size(); at = o.err.find('\n', at + 1))
      errors_only = errors_only && o.err.compare(at + 1, c.arguments.back().size(), c.arguments.back()) == 0;
    CHECK_MESSAGE((errors_only || o.tells("--help")), o.err);
    for (const std::string& word : c.words) CHECK_MESSAGE(o.tells(word), o.err, " lacks ", word);
  }
  CHECK(content(desk / "file") == "in the way");
}

TEST_CASE("program: a guard can be told to warn or to be silent") {
  const Desk desk;
  const std::string bounce = scenario("bounce"), billiards = scenario("billiards");
  // Fallen 2 cm of 10, the ball has touched nothing yet.
  const Words fall = set({"grain.position=[0,0,0.15]", "run.end=0.0640", "run.step=0.0064"});
  CHECK(desk.cairn(Words{"run", bounce} + fall).code == 3);
  const Outcome warned = desk.cairn(Words{"run", bounce, "--out", "warned"} + fall + set({"guards.step=warn"}));
  CHECK(warned.code == 0);
  CHECK(warned.out.find("warning: run.step") != std::string::npos);
  const json step = json::parse(content(desk / "warned/summary.json")).at("guards").at("step");
  CHECK(step.at("action") == "warn");
  CHECK(step.at("message") != "");
  CHECK(desk.run("off", bounce, fall + set({"guards.step=off"})).at("guards").at("step") ==
        json{{"action", "off"}, {"message", ""}});

  const Words soft = set({"contact.stiffness=300", "run.end=1.5"});
  CHECK(desk.cairn(Words{"run", billiards} + soft).code == 3);
  const json softly = desk.run("soft", billiards, soft + set({"guards.overlap=warn"}));
  const json overlap = softly.at("guards").at("overlap"), largest = softly.at("largest_overlap");
  CHECK(overlap.at("action") == "warn");
  CHECK(largest.at("fraction") > 0.25);
  CHECK(overlap.at("message").get<std::string>().find(largest.at("between").get<std::string>()) != std::string::npos);

  const Words pressed = set({"grain.1.position=[1.07,0]", "run.end=0.1"});
  CHECK(desk.cairn(Words{"run", billiards} + pressed).code == 3);
  CHECK(desk.run("pressed", billiards, pressed + set({"initial.overlap=allow"})).at("steps") == 1000);
}

TEST_CASE("program: a motion beyond all numbers is stopped, and its grain named") {
  // A thousand times above the stability limit, a ball between walls is thrown from one into the other, each time
  // a thousand times farther. The other ball, at rest in the middle, feels nothing.
  const Desk desk;
  write(desk / "wild.toml", R"(
[run]
step = 0.1
end = 100
[space]
gravity = [0, 0, 0]
[contact]
stiffness = 1e5
[[wall]]
name = "box"
type = "box"
low = [-1, -1, -1]
high = [1, 1, 1]
[[grain]]
position = [0.4, 0, 0]
radius = 0.1
mass = 1
[[grain]]
position = [-0.4, 0, 0.905]
radius = 0.1
mass = 1
[guards]
step = "off"
overlap = "off"
travel = "off"
residual = "off"
[initial]
overlap = "allow"
)");
  for (const char* scheme : {"velocity_verlet_predicted", "rk4", "central_difference", "adams_bashforth2", "taylor3"}) {
    CAPTURE(std::string(scheme));
    const Outcome o = desk.cairn({"run", "wild.toml", "--force", "--set", std::string("run.scheme=") + scheme});
    CHECK(o.code == 3);
    CHECK(o.err.starts_with("error: grain 1 is faster than 1e100 m/s at t = "));
    CHECK(o.tells("position ("));
    CHECK(o.tells("velocity ("));
    CHECK(o.out == "");
  }
  // Not a number from the first force on: two grains in one place have no direction between them.
  const Outcome o = desk.cairn({"run", "wild.toml", "--force", "--set", "grain.1.position=[0.4,0,0]"});
  CHECK(o.code == 3);
  CHECK(o.err.starts_with("error: grain 0 is not finite at t = 0.1 s (step 1)"));
  CHECK(o.tells("neighbours: 1;"));
}

}  // namespace
}  // namespace cairn
