// Steps that dashpots make unstable are refused, on one contact before the run and on a packing once there is one.
#include <doctest/doctest.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

const char* const thrown =
    "[run]\nscheme = \"velocity_verlet_predicted\"\nstep = 3.236e-4\nend = 0.6\n[contact]\nstiffness = "
    "1e5\nrestitution = 0.1\nfriction = 0.3\n"
    "[[wall]]\ntype = \"plane\"\n[[grain]]\nposition = [0, 0, 0.01001]\nvelocity = [0.1, 0, -0.02]\nradius = 0.01\n";

const char* const bed =
    "[run]\nscheme = \"velocity_verlet_predicted\"\nstep = \"20 us\"\nend = \"0.5 s\"\n"
    "[contact]\nlaw = \"hertz_mindlin\"\nrestitution = 0.1\nfriction = 0.5\n"
    "[[material]]\nname = \"sand\"\ndensity = 2600\nyoung = \"10 MPa\"\npoisson = 0.25\n"
    "[[wall]]\ntype = \"box\"\nlow = [0, 0, 0]\nhigh = [\"6 cm\", \"6 cm\", \"30 cm\"]\n"
    "[[grains]]\nkind = \"random\"\nlow = [0, 0, 0]\nhigh = [\"6 cm\", \"6 cm\", \"30 cm\"]\nradius = \"4 mm\"\n"
    "count = 400\n";

}  // namespace

TEST_CASE("step guard: one strongly damped contact limits the step") {
  const Desk desk;
  write(desk / "f.toml", thrown);
  const Outcome o = desk.cairn(Words{"run", "f.toml", "--quiet"} + unseen());
  CHECK(o.code == 3);
  CHECK(o.tells("damping ratio 1.24319; without dashpots the limit would be 0.000647209 s"));
  CHECK(desk.cairn({"check", "f.toml"}).err == o.err);
  // The limit is that of the scheme: 0.000125275 s, and the implicit one has it without dashpots.
  CHECK(desk.cairn(Words{"check", "f.toml"} + set({"run.step=1.25e-4"})).code == 0);
  CHECK(desk.cairn(Words{"check", "f.toml"} + set({"run.step=1.26e-4"})).code == 3);
  CHECK(desk.cairn(Words{"check", "f.toml"} + set({"run.scheme=velocity_verlet_implicit"})).code == 0);
}

TEST_CASE("step guard: a packing that grows too stiff in its dashpots is foretold and stopped") {
  const Desk desk;
  write(desk / "f.toml", bed);
  const Outcome o = desk.cairn(Words{"run", "f.toml", "--quiet", "--out", "out"} + unseen());
  CHECK(o.code == 3);
  CHECK(o.tells(" s of velocity_verlet_predicted on the contact network at t = "));
  CHECK(o.tells("first at grain "));
  CHECK(o.tells(", by the contact of grain "));
  CHECK(o.tells("take run.scheme = \"velocity_verlet_implicit\""));
  CHECK(!o.tells("found by the guard"));
  const json summary = json::parse(content(desk / "out/summary.json"));
  CHECK(summary["guards"]["step"]["message"].get<std::string>().find("contact network") != std::string::npos);
  // A rehearsal may come as far as the packing, and stop there: here it ends before.
  const Words early = Words{"check", "f.toml", "--json"} + set({"run.end=0.05"});
  const json expected = json::parse(desk.cairn(early).out);
  CHECK(expected["warnings"].dump().find("once grains are packed") != std::string::npos);
}

}  // namespace cairn
