// Changes in time as the user of the program meets them.
#include <doctest/doctest.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

// The silo with fewer grains: full, at rest, open, within a fifth of a second.
Words small_silo(const std::string& out) {
  return Words{"run", scenario("silo"), "--out", out} + unseen() +
         set({"run.scheme=velocity_verlet_predicted", "run.end=0.28", "run.step=2e-5", "contact.stiffness=5e3",
              "emitter.count=60", "change.0.at=0.03", "change.1.when=kinetic < 1e-4 J"});
}

TEST_CASE("change: a silo fills, rests, opens and empties in one run, the same if resumed") {
  const Desk desk;
  const json whole = desk.summary_of("whole", small_silo("whole"));
  CHECK(whole.at("removals").at("slot").at("grains") > 20);
  CHECK(desk.cairn(small_silo("parts") + Words{"--stop-after", "5000"}).code == 0);
  CHECK(desk.resume("parts", Words{"--stop-after", "12000"}).at("state_hash") != whole.at("state_hash"));
  const json parts = desk.resume("parts");
  CHECK(parts.at("state_hash") == whole.at("state_hash"));
  CHECK(content(desk / "parts/series.csv") == content(desk / "whole/series.csv"));
}

TEST_CASE("change: resume --set is written into the folder, which repeats the whole run") {
  const Desk desk;
  CHECK(desk.cairn(small_silo("a") + Words{"--stop-after", "6000"}).code == 0);
  const Outcome refused = desk.cairn(Words{"resume", "a"} + set({"wall.gate.point=[0,0,1]"}));
  CHECK(refused.code == 2);
  CHECK(refused.tells("a resumed run cannot change wall.gate.point; expected run.end, run.threads"));
  const Outcome moved = desk.cairn(Words{"resume", "a"} + set({"contact.friction=0.1"}));
  CHECK(moved.code == 2);  // the changes were set on the command line
  CHECK(moved.tells("the run was started with --set change.0.at=0.03; expected no such setting"));

  write(desk / "b.toml",
        "[run]\nstep = 1e-5\nend = 0.05\n[contact]\nstiffness = 1e4\nrestitution = 0.5\nfriction = 0.3\n"
        "[[wall]]\nname = \"floor\"\n[[grain]]\nposition = [0, 0, 0.012]\nradius = 0.01\nspin = [0, 9, 0]\n"
        "[[change]]\nat = 0.04\nwall.floor.motion.velocity = [0.1, 0, 0]\n"
        "[output]\npictures = 0\nreport = false\n");
  CHECK(desk.cairn({"run", "b.toml", "--out", "b", "--stop-after", "2500"}).code == 0);
  const json changed = desk.resume("b", set({"space.gravity=[1, 0, -9]", "contact.restitution=0.9"}));
  CHECK(content(desk / "b/scenario.toml").find("at = 0.025\nspace.gravity = [1, 0, -9]\ncontact.restitution = 0.9\n") !=
        std::string::npos);
  const json repeated = desk.run("again", "b/scenario.toml");
  CHECK(repeated.at("state_hash") == changed.at("state_hash"));
  const json unchanged = desk.run("unchanged", "b.toml");
  CHECK(unchanged.at("state_hash") != changed.at("state_hash"));
}

TEST_CASE("change: a resume goes on with a scheme of any kind, and the series with its columns") {
  const Desk desk;
  write(desk / "b.toml",
        "[run]\nstep = 1e-4\nend = 0.05\n[contact]\nstiffness = 1e3\nrestitution = 0.5\n"
        "[[wall]]\nname = \"floor\"\n[[grain]]\nposition = [0, 0, 0.012]\nradius = 0.01\n"
        "[output]\npictures = 0\nreport = false\nseries = 1e-3\n");
  const std::string schemes[] = {"velocity_verlet", "newmark", "rk4", "implicit_midpoint", "gear4"};
  for (const std::string& before : schemes)
    for (const std::string& after : schemes) {
      INFO(before, " to ", after);
      const Words out{"--out", "out", "--force"};
      CHECK(desk.cairn(Words{"run", "b.toml", "--stop-after", "250"} + out + set({"run.scheme=" + before})).code == 0);
      const std::string head = content(desk / "out/series.csv");
      const json s = desk.resume("out", set({"run.scheme=" + after}));
      CHECK(s.at("finished") == true);
      CHECK(content(desk / "out/series.csv").starts_with(head));
    }
}

TEST_CASE("change: the command in the report repeats a run that a resume changed") {
  const Desk desk;
  write(desk / "a.toml",
        "# not yet changed by: cairn resume --set contact.friction=0.3\n"
        "[run]\nstep = 1e-4\nend = 0.05\n[contact]\nstiffness = 1e4\n[[wall]]\nname = \"floor\"\n"
        "[[grain]]\nposition = [0, 0, 0.012]\nradius = 0.01\n[output]\npictures = 0\n");
  const auto prints = [&](const std::string& command) {
    return content(desk / "out/report.html").find(command + "<") != std::string::npos;
  };
  CHECK(desk.cairn({"run", "a.toml", "--out", "out", "--stop-after", "250"}).code == 0);
  desk.resume("out", set({"run.end=0.06"}) + Words{"--stop-after", "300"});
  CHECK(prints("cairn run a.toml --set run.end=0.06"));
  const json changed = desk.resume("out", set({"space.gravity=[1, 0, -9]"}));
  CHECK(prints("cairn run out/scenario.toml --set run.end=0.06"));
  const json repeated = desk.run("again", "out/scenario.toml", set({"run.end=0.06"}));
  CHECK(repeated.at("state_hash") == changed.at("state_hash"));
}

}  // namespace
}  // namespace cairn
