// Scenario files: pairs, loads and changes, the description of every key, and how files are read.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "cairn/formats/files.hpp"
#include "scenario/scenario_checks.hpp"

namespace cairn {
namespace {

TEST_CASE("scenario: a pair inherits from [contact]; what it sets takes the place of its alternatives") {
  const auto pair = [](const std::string& contact, const std::string& keys, const std::string& more = "") {
    const Scenario s = parse_scenario("[run]\nstep = 1e-4\nend = 1\n[contact]\n" + contact +
                                          "\n[[pair]]\nmaterials = ['default', 'default']\n" + keys + "\n" + more,
                                      "");
    REQUIRE(s.pairs.size() == 1);
    return s.pairs[0].contact;
  };
  const std::string all = "stiffness = 1\ndamping = 2\nfriction = 3\ntangential_damping = 4\nattraction = 'allowed'";
  const ContactSettings same = pair(all, "");
  CHECK(same["stiffness"] == 1);
  CHECK(same["damping"] == 2);
  CHECK(same["friction"] == 3);
  CHECK(same["tangential_damping"] == 4);
  CHECK(same["attraction"] == Attraction::allowed);

  const ContactSettings bouncing = pair(all, "restitution = 0.5");
  CHECK(bouncing["restitution"] == 0.5);
  CHECK(!bouncing["damping"]);
  CHECK(bouncing["stiffness"] == 1);
  const ContactSettings damped = pair("stiffness = 1\nrestitution = 0.5", "damping_per_mass = 6");
  CHECK(damped["damping_per_mass"] == 6);
  CHECK(!damped["restitution"]);
  CHECK(pair(all, "damping = 7")["damping"] == 7);
  const ContactSettings timed = pair("stiffness = 1\nrestitution = 0.5", "duration = 8");
  CHECK(timed["duration"] == 8);
  CHECK(timed["restitution"] == 0.5);
  CHECK(!timed["stiffness"]);
  const ContactSettings stiff = pair("duration = 1\nrestitution = 0.5", "stiffness = 9");
  CHECK(stiff["stiffness"] == 9);
  CHECK(!stiff["duration"]);
  const ContactSettings sheared = pair(all, "tangential_damping_per_mass = 10");
  CHECK(sheared["tangential_damping_per_mass"] == 10);
  CHECK(!sheared["tangential_damping"]);

  const ContactSettings other = pair(all,
                                     "stiffness = 10\ndamping = 20\nfriction = 30\ntangential_ratio = 40\n"
                                     "tangential_damping = 50\nattraction = 'clipped'\ndamping_map = 'tsuji'");
  CHECK(other["stiffness"] == 10);
  CHECK(other["damping"] == 20);
  CHECK(other["friction"] == 30);
  CHECK(other["tangential_ratio"] == 40);
  CHECK(other["tangential_damping"] == 50);
  CHECK(other["attraction"] == Attraction::clipped);
  CHECK(other["damping_map"] == DampingMap::tsuji);
  const ContactSettings by_mass = pair("stiffness = 1\ndamping_per_mass = 11", "");
  CHECK(by_mass["damping_per_mass"] == 11);

  const ContactSettings hertz =
      pair("law = 'hertz_mindlin'\nrestitution = 0.5", "restitution = 0.25\nfriction = 1", "[[material]]\nyoung = 1e9");
  CHECK(hertz["restitution"] == 0.25);
  CHECK(hertz["friction"] == 1);

  const Scenario chosen = parse_scenario(chosen_step, "");
  CHECK(chosen.chooses_step);
  CHECK(chosen.accuracy == 2e-3);
  CHECK(chosen.changes[0].after->step == 1e-5);
  CHECK(!chosen.changes[0].after->chooses_step);

  const Scenario s = parse_scenario(alternatives, "");
  CHECK(s.onset == false);
  CHECK(s.smallest_step == 1e-9);
  CHECK(s.largest_step == 1e-3);
  CHECK(s.contact["restitution"] == 0.8);
  CHECK(s.contact["duration"] == 1e-3);
  CHECK(s.contact["tangential_damping_per_mass"] == 6);
  CHECK(s.pairs[0].contact["damping_per_mass"] == 5);
  CHECK(s.pairs[0].contact["stiffness"] == 1e4);

  const ContactSettings of_speed = parse_scenario(viscous, "").contact;
  CHECK(of_speed["rolling_friction"] == 0.1);
  CHECK(of_speed["rolling_stiffness_ratio"] == 0.8);
  CHECK(of_speed["rolling_damping"] == 0.3);
  CHECK(of_speed["twisting_friction"] == 0.2);
  CHECK(of_speed["twisting_stiffness_ratio"] == 0.6);
  CHECK(of_speed["twisting_damping"] == 0.4);
  CHECK(of_speed["damping_exponent"] == 0.3);
  CHECK(of_speed["restitution_speed"] == 0.2);
  CHECK(of_speed["tangential"] == TangentialForm::incremental);
  const ContactSettings measured = parse_scenario(fitted, "").contact;
  CHECK(measured["restitution_factor"] == 0.8);
  CHECK(measured["restitution_exponent"] == 0.2);
  CHECK(measured["duration_factor"] == 0.002);
  CHECK(measured["duration_exponent"] == 0.1);
  CHECK(measured["slowest_impact"] == 0.01);
  const Scenario of_impulses = parse_scenario(hard, "");
  CHECK(of_impulses.contact["projection"] == 0.3);
  CHECK(of_impulses.contact["impulses"] == HardMethod::simultaneous);
  CHECK(of_impulses.scheme == "impulse_leapfrog");
}

TEST_CASE("scenario: loads and changes") {
  const Scenario s = parse_scenario(changing, "");
  CHECK(!s.walls[0].present);
  CHECK(s.walls[0].motion.times == std::vector<Real>{1, 3});
  CHECK(s.walls[0].motion.factors == std::vector<Real>{0, 1});
  const LoadSpec& load = *s.walls[0].load;
  CHECK(load.mass == 0.5);
  CHECK(load.axes == "xz");
  CHECK(load.force == Vector{0, 0, -7});
  CHECK(load.pressure == 30);
  CHECK(load.area == 0.25);
  CHECK(load.damping == 4);
  CHECK(load.times == std::vector<Real>{0, 2});
  CHECK(load.factors == std::vector<Real>{1, 0.5});
  CHECK(!s.emitters[0].on);
  REQUIRE(s.changes.size() == 2);
  CHECK(s.changes[0].at == 0.5);
  CHECK(s.changes[0].wait == 0.25);
  CHECK(s.changes[1].when->column == "contacts");
  CHECK(s.changes[1].look == 9);
}

TEST_CASE("scenario: every key is described once, and read in the files above") {
  std::set<std::pair<std::string_view, std::string_view>> keys;
  std::set<std::string_view> sections = {"", "wall.motion", "wall.load", "grains.sizes", "emitter.sizes"};
  for (const KeyDoc& doc : scenario_keys()) {
    INFO(doc.section, " ", doc.key);
    CHECK(keys.insert({doc.section, doc.key}).second);
    CHECK(!doc.doc.empty());
    CHECK(!doc.fallback.empty());
    CHECK((doc.type == KeyDoc::Type::choice || doc.type == KeyDoc::Type::some) == !doc.choices.empty());
    CHECK(sections.contains(doc.section));
    const bool is_section = doc.type == KeyDoc::Type::table || doc.type == KeyDoc::Type::tables;
    if (is_section) sections.insert(doc.key);
    const std::string written = "\n" + std::string(doc.key) + " = ";
    if (!is_section && doc.type != KeyDoc::Type::changes)
      CHECK((in_3d + alternatives + chosen_step + viscous + fitted + hard + changing).find(written) !=
            std::string::npos);
  }
  const auto find = [](std::string_view section, std::string_view key) {
    return *std::find_if(scenario_keys().begin(), scenario_keys().end(),
                         [&](const KeyDoc& d) { return d.section == section && d.key == key; });
  };
  CHECK(find("run", "step").required());
  CHECK(find("run", "step").unit == "s");
  CHECK(find("run", "threads").fallback == "1");
  CHECK(find("run", "scheme").fallback == "\"auto\"");
  CHECK(find("space", "gravity").fallback == "[0, 0, -9.81]");
  CHECK(find("wall", "type").fallback == "\"plane\"");
  CHECK(find("wall", "caps").fallback == "true");
  CHECK(find("contact", "stiffness").fallback == "required by kuwabara_kono and extended_nonlinear");
  CHECK(find("pair", "stiffness").fallback == "as in [contact]");
  CHECK(find("initial", "overlap").fallback == "\"refuse\"");
  CHECK(find("contact", "restitution").range.contains(1));
  CHECK(find("contact", "restitution").range.contains(0));  // where attraction is allowed
}

TEST_CASE("scenario: files") {
  std::string folder = (std::filesystem::temp_directory_path() / "cairn_test_XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/a.toml";
  write_file_atomically(path, smallest + "[[grains]]\nkind = 'data'\nfile = 'a.data'\n");
  const Scenario s = read_scenario(path, std::vector<std::string>{"run.end=3"});
  CHECK(s.file == path);
  CHECK(s.end == 3);
  REQUIRE(s.grains.size() == 1);
  CHECK(s.grains[0].file == folder + "/a.data");
  CHECK_THROWS_WITH_AS(read_scenario(folder), ("cannot read " + folder + ": Is a directory").c_str(), Error);
  CHECK_THROWS_WITH_AS(read_scenario(folder + "/b.toml"),
                       ("cannot read " + folder + "/b.toml: No such file or directory").c_str(), Error);
  write_file_atomically(path, "step = 1");
  check_refused([&] { read_scenario(path); }, path + ":1:1: step: no such key; ~");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn
