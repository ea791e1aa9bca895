// probes.csv, the fields of grains, and materials in every output: the same bytes on any threads and after a resume,
// and no other result is changed.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "program/desk.hpp"

namespace cairn {
namespace {

// Two materials that fall into a box, some through a plane.
const std::string mixed = R"(
run.step = "100 us"
run.end = 0.2
contact = { stiffness = 2e4, restitution = 0.7, friction = 0.4 }
material = [{ name = "glass" }, { name = "wet steel", density = 7800 }]
emitter = [{ name = "tap", position = [0, 0, 0.25], radius = 0.01, every = 0.05, count = 8, material = "wet steel" }]
removal = [{ name = "drain", low = [-0.1, -0.1, 0], high = [0, 0, 0.02], from = 0.15 }]
[[wall]]
name = "box"
material = "wet steel"
type = "box"
low = [-0.1, -0.1, 0]
high = [0.1, 0.1, 0.6]
[[grains]]
kind = "random"
low = [-0.1, -0.1, 0]
high = [0.1, 0.1, 0.2]
radius = 0.01
count = 60
)";
const std::string probes = R"(
[[probe]]
name = "bottom"
low = [-0.1, -0.1, 0]
high = [0.1, 0.1, 0.05]
[[probe]]
name = "flow"
point = [0, 0, 0.1]
normal = [0, 0, -1]
every = 0.0137
[[probe]]
region_radius = 0.05
region_length = 0.1
center = [0, 0, 0.1]
every = 0.01
)";

TEST_CASE("probes.csv: the same bytes on two threads, after a stop, and no state changed") {
  const Desk desk;
  write(desk / "off.toml", mixed);
  write(desk / "on.toml", mixed + probes);
  for (const char* scheme : {"velocity_verlet_predicted", "central_difference", "bogacki_shampine32"}) {
    CAPTURE(std::string(scheme));
    const Words with = set({std::string("run.scheme=") + scheme});
    const json off = desk.run("off", "off.toml", with), whole = desk.run("whole", "on.toml", with);
    CHECK(!fs::exists(desk / "off" / "probes.csv"));
    CHECK(off["state_hash"] == whole["state_hash"]);
    check_same_results(desk, "off", "whole");
    const std::string table = content(desk / "whole" / "probes.csv");
    desk.run("two", "on.toml", with + Words{"--threads", "2"});
    CHECK((content(desk / "two" / "probes.csv") == table));
    const std::int64_t steps = whole["steps"];
    desk.run("stopped", "on.toml", with + Words{"--stop-after", std::to_string(steps / 3)});
    CHECK((content(desk / "stopped" / "probes.csv") != table));
    desk.resume("stopped", Words{"--stop-after", std::to_string(steps / 2 + 7)});
    desk.resume("stopped");
    CHECK((content(desk / "stopped" / "probes.csv") == table));
    check_same_results(desk, "whole", "stopped");
    CHECK(desk.cairn({"verify", "stopped"}).code == 0);
  }

  const CsvTable read(desk / "whole" / "probes.csv");
  CHECK(read.names == words("time probe number packing_fraction velocity_x velocity_y velocity_z temperature "
                            "coordination contact_stress_xx contact_stress_yy contact_stress_zz contact_stress_xy "
                            "contact_stress_yz contact_stress_xz kinetic_stress_xx kinetic_stress_yy kinetic_stress_zz "
                            "kinetic_stress_xy kinetic_stress_yz kinetic_stress_xz passed passed_mass flow mass_flow"));
  std::map<std::string, int> rows;
  Real flowed = 0, before = 0;
  for (std::size_t k = 0; k < read.rows.size(); ++k) {
    const std::string& name = read.texts[k][1];
    ++rows[name];
    const auto& row = read.rows[k];
    CHECK(std::isnan(row[2]) == (name == "flow"));
    CHECK(std::isnan(row[21]) == (name != "flow"));
    if (name != "flow") continue;
    if (!std::isnan(row[24])) flowed += row[24] * (row[0] - before);
    before = row[0];
    CHECK(flowed == doctest::Approx(row[22]));  // the flow is that between rows
  }
  CHECK(rows["bottom"] == 101);
  CHECK(rows["flow"] == 15);
  CHECK(rows["probe3"] == 21);
  CHECK(before > 0);
  CHECK(flowed > 0);

  // Damage is found.
  std::string bytes = content(desk / "whole" / "probes.csv");
  bytes[bytes.size() / 2] ^= 1;
  write(desk / "whole" / "probes.csv", bytes);
  CHECK(desk.cairn({"verify", "whole"}).code == 8);
}

TEST_CASE("output.fields: in every frame and in final.csv, of which a run can begin again") {
  const Desk desk;
  write(desk / "a.toml", mixed);
  const Words with = set({"output.frames=0.05", "output.format=both", "output.contacts=true"}),
              fields = set({"output.fields=[\"force\", \"torque\", \"stress\", \"pressure\", \"coordination\", "
                            "\"temperature\"]"});
  const json plain = desk.run("plain", "a.toml", with), full = desk.run("full", "a.toml", with + fields);
  CHECK(plain["state_hash"] == full["state_hash"]);
  const CsvTable before(desk / "plain" / "final.csv"), after(desk / "full" / "final.csv");
  CHECK(before.names == words("id x y z vx vy vz wx wy wz radius mass type material ix iy iz"));
  CHECK(after.names == before.names + words("force_x force_y force_z torque_x torque_y torque_z stress_xx stress_yy "
                                            "stress_zz stress_xy stress_yz stress_xz pressure coordination "
                                            "temperature"));
  for (std::size_t k = 0; k < after.rows.size(); ++k) {
    const auto& row = after.rows[k];
    CHECK(row[29] == doctest::Approx((row[23] + row[24] + row[25]) / 3));
    CHECK(after.texts[k][13] == (row[12] == 1 ? "glass" : "wet steel"));
    if (row[30] == 0) CHECK(row[19] == doctest::Approx(-9.81 * row[11]));  // in free fall
  }
  const auto has = [&](const std::string& file, const std::string& array) {
    return content(desk / file).find(" Name=\"" + array + "\"") != std::string::npos;
  };
  for (const std::string& array : words("radius type force torque stress pressure coordination temperature"))
    CHECK(has("full/frames/frame_000003.vtp", array));
  for (const std::string& array : words("radius type")) CHECK(has("plain/frames/frame_000003.vtp", array));
  CHECK(!has("plain/frames/frame_000003.vtp", "force"));
  for (const std::string& array : words("first_type second_type"))
    CHECK(has("plain/contacts/contacts_000003.vtp", array));
  CHECK(content(desk / "plain/frames.xyz").find("\n0 glass ") != std::string::npos);
  CHECK(content(desk / "full/frames.xyz").find(":force:R:3:torque:R:3:stress:R:6:pressure:R:1:coordination:I:1:") !=
        std::string::npos);
  CHECK(full["materials"] == json::parse(R"({"glass": 1, "wet steel": 2})"));
  CHECK(full["walls"] == json::parse(R"({"box": {"number": -1, "material": "wet steel"}})"));

  // A run can begin where the other ended, materials included.
  write(desk / "b.toml", mixed.substr(0, mixed.find("emitter")) +
                             "grains = [{ kind = \"csv\", file = \"full/final.csv\" "
                             "}]\ninitial.overlap = \"allow\"\n");
  desk.run("again", "b.toml", set({"run.end=0.0001"}));
  const CsvTable again(desk / "again" / "final.csv");
  CHECK(again.column("type") == after.column("type"));
}

TEST_CASE("contact_events.csv: materials of both sides, and the name of the wall") {
  const Desk desk;
  write(desk / "a.toml", mixed);
  desk.run("out", "a.toml", set({"output.contact_events=true", "run.end=0.5"}));
  const CsvTable events(desk / "out" / "contact_events.csv");
  bool wall = false, two = false;
  for (std::size_t k = 0; k < events.rows.size(); ++k) {
    const auto& row = events.rows[k];
    const Words& text = events.texts[k];
    CHECK(text[15] == (row[1] < 0 ? "box" : ""));
    for (const int side : {0, 1}) CHECK(text[13 + side] == (row[11 + side] == 1 ? "glass" : "wet steel"));
    if (row[1] < 0) CHECK(row[12] == 2);
    for (const int side : {0, 1})  // the tap's grains come last
      if (row[side] >= 0) CHECK(row[11 + side] == (row[side] < 60 ? 1 : 2));
    wall = wall || row[1] < 0, two = two || (row[1] >= 0 && row[11] != row[12]);
  }
  CHECK(wall);
  CHECK(two);
}

}  // namespace
}  // namespace cairn
