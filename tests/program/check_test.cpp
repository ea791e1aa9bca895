// What a user does before running: start from a ready case, check it, know its cost.
#include <doctest/doctest.h>

#include <cmath>

#include "program/desk.hpp"

namespace cairn {
namespace {

Real bytes_in(const fs::path& folder) {
  Real bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += static_cast<Real>(entry.file_size());
  return bytes;
}

TEST_CASE("new: a ready case that checks and runs; nothing is overwritten") {
  const Desk desk;
  const Outcome list = desk.cairn({"new", "--list"});
  CHECK(list.code == 0);
  CHECK(list.out.find("hopper") != std::string::npos);
  CHECK(desk.cairn({"new"}).code == 0);
  CHECK(content(desk / "starter.toml") == content(scenario("starter")));
  write(desk / "starter.toml", "mine");
  const Outcome again = desk.cairn({"new"});
  CHECK(again.code == 2);
  CHECK(again.tells("starter.toml exists already"));
  CHECK(content(desk / "starter.toml") == "mine");
  CHECK(desk.cairn({"new", "drum", "--out", "-"}).out == content(scenario("drum")));
  CHECK(desk.cairn({"new", "drumm"}).tells("did you mean 'drum'?"));
  CHECK(desk.cairn({"new", "pour", "--out", "nowhere/pour.toml"}).code == 4);
  CHECK(desk.cairn({"new", "pyramid", "--out", "p.toml"}).code == 0);
  CHECK(desk.cairn({"run", "p.toml", "--stop-after", "10", "--quiet"}).code == 0);
}

TEST_CASE("new: every ready case is listed with the time that it says itself") {
  const Desk desk;
  const std::string list = desk.cairn({"new", "--list"}).out;
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(CAIRN_SOURCE_DIR "/scenarios")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".toml" || name == "chute") continue;  // chute is not alone
    CAPTURE(name);
    const std::string text = content(entry.path()), before = "\n# Takes about ", after = " on one core.\n";
    const std::size_t begin = text.find(before), end = text.find(after);
    REQUIRE(begin < end);
    REQUIRE(end != std::string::npos);
    const std::string time = text.substr(begin + before.size(), end - begin - before.size());
    const std::size_t row = list.find("\n" + name + " ");
    REQUIRE(row != std::string::npos);
    const std::string line = list.substr(row + 1, list.find('\n', row + 1) - row - 1);
    CHECK(line.find("  " + time, name.size()) != std::string::npos);
    ++cases;
  }
  CHECK(cases > 15);
}

TEST_CASE("check: what would run is what runs, and nothing is written") {
  const Desk desk;
  const std::string starter = scenario("starter");
  const Outcome o = desk.cairn({"check", starter, "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const json expected = json::parse(o.out);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(desk / "")) files += entry.path().filename().string()[0] != '.';
  CHECK(files == 0);

  const json summary = desk.summary_of("out", {"run", starter, "--out", "out"});
  CHECK(expected["steps"] == summary["steps"]);
  CHECK(expected["grains_at_the_end"] == summary["particles"]);
  CHECK(expected["step_limit"] == summary["step_limit"]);
  CHECK(expected["contacts"][0]["steps"].get<Real>() ==
        doctest::Approx(summary["contact_pairs"][0]["steps"].get<Real>()));
  CHECK(std::fabs(expected["disk_bytes"].get<Real>() / bytes_in(desk / "out") - 1) < 0.3);
  CHECK(expected["seconds"].get<Real>() > 0);
  CHECK(expected["memory_bytes"].get<Real>() > 1e6);
}

TEST_CASE("check: --json lists errors too") {
  const Desk desk;
  write(desk / "f.toml",
        "[run]\nstep = 1e-5\n[contact]\nstiffness = 1\n[[material]]\nname = \"glass\"\ndensity = 0\n"
        "[[grain]]\nposition = [0, 0, 0]\nradius = 1\nmaterial = \"glass\"\n[[wall]]\ntype = \"cone\"\n");
  const Outcome o = desk.cairn({"check", "f.toml", "--json"});
  CHECK(o.code == 2);
  const json errors = json::parse(o.out).at("errors");
  REQUIRE(errors.size() == 3);  // a material at fault is still known by its name
  CHECK(errors[0].get<std::string>().find("run.end: missing") != std::string::npos);
  CHECK(errors[1].get<std::string>().find("f.toml:7:11: material.0.density: found 0") != std::string::npos);
  CHECK(errors[2].get<std::string>().find("wall.0.type: found the text 'cone'") != std::string::npos);
  write(desk / "g.toml", "[[material]]\nname = \"glass\"\ndensity = 0\n[contact]\nstifness = 1\n");
  CHECK(json::parse(desk.cairn({"check", "g.toml", "--json"}).out).at("errors").size() >= 2);
  CHECK(json::parse(desk.cairn({"check", scenario("starter"), "--json"}).out).at("errors").empty());
}

TEST_CASE("check: frames of contacts are among what the disk must hold") {
  const Desk desk;
  const Words frames =
      set({"run.end=0.3", "output.frames=0.01", "output.contacts=true", "output.pictures=0", "output.report=false"});
  const Outcome o = desk.cairn(Words{"check", scenario("pyramid"), "--json"} + frames);
  REQUIRE_MESSAGE(o.code == 0, o.err);
  desk.run("out", scenario("pyramid"), frames);
  CHECK(std::fabs(json::parse(o.out)["disk_bytes"].get<Real>() / bytes_in(desk / "out") - 1) < 0.3);
}

TEST_CASE("check: the memory is that of the run within a fifth, whatever a scheme keeps") {
#ifndef __SANITIZE_ADDRESS__
  const Desk desk;
  write(desk / "block.toml", R"(
[run]
step = 1e-5
end = 1e-4
[contact]
stiffness = 1e4
[[wall]]
type = "plane"
normal = [0, 0, 1]
[[grains]]
kind = "lattice"
low = [0, 0, 0]
high = [0.35, 0.35, 0.35]
radius = 0.005
)");
  const Words bare = set({"output.pictures=0", "output.report=false"});
  const auto with = [&](const char* scheme) { return bare + set({std::string("run.scheme=") + scheme}); };
  for (const Words& more : {bare, Words{}, with("rk4"), with("abm4")}) {
    const Outcome check = desk.cairn(Words{"check", "block.toml", "--json"} + more);
    REQUIRE_MESSAGE(check.code == 0, check.err);
    const Outcome run = desk.cairn(Words{"run", "block.toml", "--quiet"} + more);
    const json expected = json::parse(check.out);
    const Real memory = expected["memory_bytes"];
    CHECK(std::fabs(memory / run.memory - 1) < 0.2);
    CHECK(expected["memory_bytes_per_grain"] == memory / expected["grains"].get<Real>());
  }
#endif
}

TEST_CASE("check: grains that emitters bring are counted; their bed makes the memory") {
  const Desk desk;
  const auto memory = [&](const std::string& count) {
    const Outcome o = desk.cairn({"check", scenario("pour"), "--json", "--set", "emitter.count=" + count, "--set",
                                  "emitter.rate=1e6", "--set", "output.pictures=0"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    const json j = json::parse(o.out);
    CHECK(j["grains"] == 1);
    CHECK(std::to_string(j["grains_at_the_end"].get<int>()) == count);
    return j["memory_bytes"].get<Real>();
  };
  const Real few = memory("5000"), many = memory("25000");
  CHECK(many - few > 20000 * 200);   // the state alone takes more
  CHECK(many - few < 20000 * 2500);  // [bytes]; room to spare and holes included
}

TEST_CASE("check: a billion grains are counted, not made") {
  const Desk desk;
  const auto write_big = [&](const std::string& grains) {
    write(desk / "big.toml",
          "[run]\nstep = 1e-6\nend = 1\n[contact]\nstiffness = 1e5\n[[wall]]\n[[grains]]\nlow = [0, "
          "0, 0]\nhigh = [10, 10, 10]\nradius = 0.005\n" +
              grains);
  };
  for (const auto& [grains, count] : {std::pair{"spacing = 0.01001\n", 997002999},
                                      {"kind = 'random'\ncount = 1e9\n", 1000000000},
                                      {"spacing = 0.01001\ncount = 900000000\n", 900000000}}) {
    CAPTURE(std::string(grains));
    write_big(grains);
    const Outcome o = desk.cairn({"check", "big.toml", "--json", "--set", "output.pictures=0"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
#ifndef __SANITIZE_ADDRESS__
    CHECK(o.memory < 5e8);
#endif
    const json j = json::parse(o.out);
    CHECK(j.at("grains") == count);
    CHECK(j.at("grains_at_the_end") == count);
    CHECK(j.at("sampled") == true);
    const Real per_grain = j.at("memory_bytes_per_grain");
    CHECK(per_grain > 300);
    CHECK(per_grain < 2500);
    CHECK(j.at("seconds") > 1e6);
    const Outcome told = desk.cairn({"check", "big.toml"});
    CHECK(told.out.find("grains    " + std::to_string(count) + " of radius 0.005 to 0.005 m") != std::string::npos);
    CHECK(told.out.find("not placed one by one") != std::string::npos);
  }
  write_big("spacing = 0.01001\ncount = 999000000\n");
  const Outcome o = desk.cairn({"check", "big.toml"});
  CHECK(o.code == 2);
  CHECK(o.tells("grains.0: only 997002999 of 999000000 grains of the lattice fit"));
  CHECK(json::parse(desk.cairn({"check", scenario("starter"), "--json"}).out).at("sampled") == false);
}

TEST_CASE("check: faults are those of a run") {
  const Desk desk;
  for (const Words& changes : {set({"run.step=1 s"}), set({"run.stp=1"}), set({"contact.stiffness=1e30"})}) {
    const Outcome check = desk.cairn(Words{"check", scenario("starter")} + changes);
    const Outcome run = desk.cairn(Words{"run", scenario("starter"), "--quiet"} + changes);
    CHECK(check.code != 0);
    CHECK(check.code == run.code);
    CHECK(check.err == run.err);
  }
}

// The stand-in for grains to come is periodic and has no walls.
TEST_CASE("check: a scenario with probes, and with changes that wait for a wall") {
  const Desk desk;
  const Outcome o =
      desk.cairn(Words{"check", scenario("silo")} + set({"probe=[{low=[-0.01,0,0], high=[0.01,0.02,0.3]}]",
                                                         "change.1.when=gate_force_z < -1 N", "change.0.at=9"}));
  CHECK_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("change    the silo is full: at t = 9 s: emitter.spout.on = false (after the end of the run)\n") !=
        std::string::npos);
}

}  // namespace
}  // namespace cairn
