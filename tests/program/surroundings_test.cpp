// How the program meets what is around it: terminals, files that are none, threads, batch systems, large scenarios.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>
#include <tuple>

#include "program/desk.hpp"

namespace cairn {
namespace {

const std::string sound =
    "[run]\nstep = 1e-5\nend = 1e-3\n"
    "[contact]\nstiffness = 1e4\nrestitution = 0.5\n"
    "[[grain]]\nposition = [0, 0, 0.02]\nradius = 0.01\n";

//----------------------------------------------------------------------------------------------------------- terminals

// Characters a terminal would obey: controls but line breaks and tabs, those of eight bits, changes of direction.
bool obeyed(const std::string& text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned a = at(k);
    if ((a < 0x20 && a != '\n' && a != '\t') || a == 0x7f) return true;
    if (a == 0xc2 && at(k + 1) < 0xa0) return true;
    if (a == 0xe2 && at(k + 1) == 0x80 && at(k + 2) >= 0xaa && at(k + 2) <= 0xae) return true;
    if (a == 0xff) return true;
  }
  return false;
}

TEST_CASE("terminal: names with escapes are refused where they stand, and nothing raw is printed") {
  const Desk desk;
  for (const auto& [escape, code] : {std::pair{"\\u001b[31mW", "U+001B"},
                                     {"\\u202e", "U+202E"},
                                     {"\\u009b31m", "U+009B"},
                                     {"\\u2066", "U+2066"},
                                     {"a\\tb", "U+0009"}}) {
    CAPTURE(std::string(escape));
    const std::string name = std::string("\"") + escape + "\"";
    struct Place {
      std::string text, where;
    };
    const std::string box = "low = [0, 0, 1]\nhigh = [1, 1, 2]\n";
    const Place places[] = {
        {"title = " + name + "\n" + sound, "1:9: title: "},
        {sound + "[[wall]]\nname = " + name + "\nnormal = [0, 0, 1]\ntype = \"plane\"\n", "11:8: wall.0.name: "},
        {sound + "[[material]]\nname = " + name + "\n", "11:8: material.0.name: "},
        {sound + "[[emitter]]\nname = " + name + "\nposition = [0, 0, 1]\nradius = 0.1\n", "11:8: emitter.0.name: "},
        {sound + "[[removal]]\nname = " + name + "\n" + box, "11:8: removal.0.name: "},
        {sound + "[[grains]]\nkind = \"csv\"\nfile = " + name + "\n", "12:8: grains.0.file: "},
    };
    for (const Place& place : places) {
      write(desk / "f.toml", place.text);
      const Outcome o = desk.cairn({"check", "f.toml"});
      CHECK(o.code == 2);
      CHECK_MESSAGE(o.err.starts_with("error: f.toml:" + place.where + "found the text '"), o.err);
      CHECK(o.tells(std::string("with the character ") + code));
      CHECK(!obeyed(o.err + o.out));
    }
  }
}

TEST_CASE("terminal: nothing raw comes from keys, values, paths, data and the command line") {
  const Desk desk;
  const std::string evil = "\x1b]0;x\x07\xe2\x80\xae\xc2\x9b";
  write(desk / "f.toml", sound);
  write(desk / ("f" + evil + "\xff.toml"), sound);
  write(desk / "key.toml", sound + "\"\\u001b[31mkey\\u202e\" = 1\n");
  write(desk / "section.toml", sound + "[\"\\u001b[2J\\u202e\"]\nx = 1\n");
  write(desk / "raw.toml", sound + "x = \"" + evil + "\"\n");
  write(desk / "plain.toml", sound + evil + "\n");
  write(desk / "table.toml", sound + "[[grains]]\nkind = \"csv\"\nfile = \"table.csv\"\n");
  write(desk / "table.csv", "x,y,z,radius\n0,0," + evil + ",1\n");
  const Words all[] = {{"check", "f" + evil + "\xff.toml"},
                       {"run", "f" + evil + "\xff.toml", "--out", "o" + evil + "\xff"},
                       {"run", "f" + evil + "\xff.toml", "--out", "o" + evil, "--json"},
                       {"check", "f" + evil + "\xff.toml", "--json"},
                       {"resume", "o" + evil + "\xff"},
                       {"report", "o" + evil + "\xff"},
                       {"check", "gone" + evil},
                       {"check", "key.toml"},
                       {"check", "section.toml"},
                       {"check", "raw.toml"},
                       {"check", "plain.toml"},
                       {"check", "table.toml"},
                       {"check", "f.toml", "--set", "title=" + evil},
                       {"check", "f.toml", "--set", "run.scheme=" + evil},
                       {"check", "f.toml", "--set", evil + "=1"},
                       {"check", "f.toml", "--set", "run." + evil + "=\xff"},
                       {"check", "f.toml", "--" + evil},
                       {"run", "f.toml", "--threads", evil},
                       {"schemes", evil},
                       {"laws", evil},
                       {"new", evil},
                       {"study", evil},
                       {evil}};
  for (const Words& arguments : all) {
    const Outcome o = desk.cairn(arguments);
    CHECK((o.out + o.err).size() > 10);
    CHECK_MESSAGE(!obeyed(o.out + o.err), o.out, o.err);
    CHECK(o.code <= 4);
  }
  CHECK(desk.cairn({"run", "f" + evil + "\xff.toml", "--out", "again" + evil}).code == 0);
}

TEST_CASE("terminal: names that would spoil a table are refused; in JSON and pages they are escaped") {
  const Desk desk;
  for (const char* name : {"a,b", "a\\\"b", "a\\nb", "a#b"}) {
    write(desk / "f.toml", sound + "[[wall]]\nname = \"" + name + "\"\nnormal = [0, 0, 1]\ntype = \"plane\"\n");
    const Outcome o = desk.cairn({"check", "f.toml"});
    CHECK(o.code == 2);
    CHECK(o.tells("wall.0.name"));
  }
  const std::string title = "<b>&\"quotes\" 'and' \\ \xc3\xbc</script>";
  write(desk / "f.toml", "title = \"<b>&\\\"quotes\\\" 'and' \\\\ \xc3\xbc</script>\"\n" + sound +
                             "[[wall]]\nname = \"<i>'&;\"\nnormal = [0, 0, 1]\ntype = \"plane\"\n");
  REQUIRE(desk.cairn({"run", "f.toml", "--out", "out"}).code == 0);
  CHECK(json::parse(content(desk / "out/summary.json")).at("scenario") == title);
  CHECK(json::parse(desk.cairn({"check", "f.toml", "--json"}).out).at("title") == title);
  CHECK(CsvTable(desk / "out/series.csv").column("<i>'&;_force_z").size() > 1);
  const std::string page = content(desk / "out/report.html");
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("<i>") == std::string::npos);
  CHECK(page.find("&lt;b&gt;&amp;&quot;quotes&quot;") != std::string::npos);
}

//--------------------------------------------------------------------------------------------------------------- files

TEST_CASE("files: devices, pipes and endless lines are refused before they fill the memory or are waited for") {
  const Desk desk;
  REQUIRE(::mkfifo((desk / "pipe").c_str(), 0666) == 0);
  const auto with = [&](const std::string& kind, const std::string& file) {
    write(desk / "f.toml", sound + "[[grains]]\nkind = \"" + kind + "\"\nfile = \"" + file + "\"\n");
    const Outcome o = desk.cairn({"check", "f.toml"});
    CHECK(o.code == (o.tells("cannot read") ? 4 : 2));
    CHECK(o.memory < 300e6);
    return o.err;
  };
  std::ofstream(desk / "hole.csv").close();
  fs::resize_file(desk / "hole.csv", std::uintmax_t{1} << 33);  // takes no room on the disk
  write(desk / "line.csv", "x,y,z,radius\n" + std::string(3 << 20, '1') + "\n");
  write(desk / "line.data", "bed\n" + std::string(5 << 20, '1') + "\n");
  for (const char* kind : {"csv", "data"}) {
    CHECK(with(kind, "/dev/zero") == "error: cannot read /dev/zero: it is a device; expected a file\n");
    CHECK(with(kind, "hole.csv") == "error: hole.csv:1: found binary data, expected text\n");
  }
  CHECK(with("csv", "pipe") == "error: pipe:1: found no row, expected a row with the names of the columns\n");
  CHECK(with("data", "pipe") == "error: pipe:1: found an empty file, expected a title line and 'N atoms'\n");
  CHECK(with("csv", "line.csv") == "error: line.csv:2: found a line longer than 1 MiB, expected a row of a table\n");
  CHECK(with("data", "line.data") == "error: line.data:2: found a line longer than 1 MiB, expected a row of a table\n");
  const Outcome o = desk.cairn({"check", "pipe"});
  CHECK(o.code == 4);
  CHECK(o.err == "error: cannot read pipe: it is a pipe that gave no data\n");
}

TEST_CASE("files: a scenario may come through a pipe, however slowly") {
  const Desk desk;
  REQUIRE(::mkfifo((desk / "pipe").c_str(), 0666) == 0);
  const pid_t process = desk.start({"check", "pipe"});
  std::thread writer([&] {
    const int end = ::open((desk / "pipe").c_str(), O_WRONLY);
    for (const std::size_t half : {std::size_t{0}, sound.size() / 2}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(half == 0 ? 1500 : 100));  // longer than a pipe is tried
      CHECK(::write(end, sound.data() + half, half == 0 ? sound.size() / 2 : sound.size() - half) > 0);
    }
    ::close(end);
  });
  writer.join();
  const Outcome o = desk.wait(process);
  CHECK(o.err == "");
  CHECK(o.code == 0);
}

//------------------------------------------------------------------------------------------------------------- threads

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("threads: those the system does not give are missed before the run, in words and with a code") {
  const Desk desk;
  const auto little = [] {
    const rlimit stack{64 << 20, 64 << 20}, all{1'500'000'000, 1'500'000'000};
    if (::setrlimit(RLIMIT_STACK, &stack) != 0 || ::setrlimit(RLIMIT_AS, &all) != 0) ::_exit(126);
  };
  write(desk / "f.toml", sound);
  for (const Words& arguments : {Words{"run", "f.toml", "--out", "out"}, {"check", "f.toml"}}) {
    const Outcome o = desk.cairn(arguments + Words{"--threads", "64"}, little);
    CHECK(o.code == 9);
    CHECK(o.err.starts_with("error: cannot start 64 threads: the system allows only "));
    CHECK(o.tells("use fewer threads"));
    CHECK(!fs::exists(desk / "out"));
  }
  CHECK(desk.cairn({"run", "f.toml", "--out", "out", "--threads", "2"}, little).code == 0);
}
#endif

//------------------------------------------------------------------------------------------------------- batch systems

TEST_CASE("batch: SIGXCPU stops a run as SIGTERM does") {
  const Desk desk;
  const pid_t process = desk.start(endless("out"));
  wait_for(desk / "out/checkpoint/checkpoint.1");
  ::kill(process, SIGXCPU);
  const Outcome o = desk.wait(process);
  CHECK(o.code == 128 + SIGXCPU);
  CHECK(!o.killed);
  CHECK(o.out.find("stopped by SIGXCPU; resume with: cairn resume out\n") != std::string::npos);
  CHECK(json::parse(content(desk / "out/summary.json")).at("stopped_by") == "SIGXCPU");
}

TEST_CASE("batch: SIGUSR1 and SIGUSR2 write a checkpoint, and the run goes on to the same bits") {
  const Desk desk;
  const pid_t process = desk.start(endless("out"));
  wait_for(desk / "out/checkpoint/checkpoint.1");
  int number = 1;
  for (const int signal : {SIGUSR1, SIGUSR2, SIGUSR1}) {
    ::kill(process, signal);
    wait_for(desk / ("out/checkpoint/checkpoint." + std::to_string(++number)));
  }
  ::kill(process, SIGKILL);
  CHECK(desk.wait(process).killed);
  const json resumed = desk.resume("out", Words{"--stop-after", "200000"});
  const json whole = desk.summary_of("whole", endless("whole") + Words{"--stop-after", "200000"});
  CHECK(resumed.at("state_hash") == whole.at("state_hash"));
}

TEST_CASE("batch: --wall-time ends a run in time, to go on with the same bits") {
  const Desk desk;
  const Outcome o = desk.cairn(endless("out") + Words{"--wall-time", "3"});
  CHECK(o.code == 0);
  CHECK(o.out.find("stopped by --wall-time; resume with: cairn resume out\n") != std::string::npos);
  const json stopped = json::parse(content(desk / "out/summary.json"));
  CHECK(stopped.at("finished") == false);
  CHECK(stopped.at("stopped_by") == "--wall-time");
  CHECK(stopped.at("steps") > 0);
  const std::string steps = std::to_string(stopped.at("steps").get<std::int64_t>());
  CHECK(desk.summary_of("whole", endless("whole") + Words{"--stop-after", steps}).at("state_hash") ==
        stopped.at("state_hash"));
  // In less time than the end takes there is no step, but a checkpoint to go on from.
  CHECK(desk.resume("out", Words{"--wall-time", "1 ms"}).at("steps") == stopped.at("steps"));
}

TEST_CASE("batch: --wall-time is read as people and batch systems write it") {
  const Desk desk;
  write(desk / "f.toml", sound);
  for (const char* time : {"3600", "1e4", "2 h", "90 min", "1:30:00", "0:00:59"})
    CHECK_MESSAGE(desk.cairn(Words{"run", "f.toml", "--out", "out", "--wall-time", time} + unseen()).code == 0, time);
  for (const char* time : {"0", "-1", "soon", "1:30", "1:60:00", "1:2:3", "3 m", "nan", "inf", "1:30:00 h"}) {
    const Outcome o = desk.cairn({"run", "f.toml", "--out", "bad", "--wall-time", time});
    CHECK_MESSAGE(o.code == 2, time);
    CHECK(o.tells("--wall-time"));
    CHECK(!fs::exists(desk / "bad"));
  }
}

//------------------------------------------------------------------------------------------------------ large scenarios

TEST_CASE("large: many materials are looked at, the pairs with the shortest collisions listed and all counted") {
  const Desk desk;
  constexpr int materials = 600;
  std::string text =
      "[run]\nstep = 1e-5\nend = 1e-4\n[contact]\nstiffness = 1e4\nrestitution = 0.5\n[[wall]]\nname = "
      "\"floor\"\ntype = \"plane\"\nnormal = [0, 0, 1]\n";
  for (int k = 0; k < materials; ++k)
    text += "[[material]]\nname = \"m" + std::to_string(k) + "\"\ndensity = " + std::to_string(3000 - k) +
            "\n[[grain]]\nmaterial = \"m" + std::to_string(k) + "\"\nradius = 0.01\nposition = [" +
            std::to_string(k % 10 * 0.03) + ", " + std::to_string(k / 10 % 10 * 0.03) + ", " +
            std::to_string(0.02 + k / 100 * 0.03) + "]\n";
  write(desk / "f.toml", text);
  const Outcome o = desk.cairn({"check", "f.toml"});
  CHECK(o.code == 0);
  constexpr int pairs = materials * (materials - 1) / 2 + materials, listed = 100;  // those with walls included
  CHECK(o.out.find("and " + std::to_string(pairs - listed) + " more pairs of materials") != std::string::npos);
  const json contacts = json::parse(desk.cairn({"check", "f.toml", "--json"}).out);
  CHECK(contacts.at("contacts_in_all") == pairs);
  REQUIRE(contacts.at("contacts").size() == listed);
  // The lightest materials are the last ones: theirs are the shortest collisions.
  CHECK(contacts.at("shortest_collision").at("first") == "m598");
  CHECK(contacts.at("shortest_collision").at("second") == "m599");
  // Durations go with the root of the effective mass; a wall has none that is smaller.
  std::vector<std::tuple<Real, int, int>> all;
  for (int i = 0; i < materials; ++i)
    for (int j = i + 1; j < materials; ++j) all.emplace_back(1 / (1.0 / (3000 - i) + 1.0 / (3000 - j)), i, j);
  std::sort(all.begin(), all.end());
  std::set<std::pair<std::string, std::string>> expected, found;
  for (int k = 0; k < listed; ++k)
    expected.emplace("m" + std::to_string(std::get<1>(all[k])), "m" + std::to_string(std::get<2>(all[k])));
  for (const json& contact : contacts.at("contacts")) found.emplace(contact.at("first"), contact.at("second"));
  CHECK(found == expected);
  // The limit of the step is that of the two lightest alone.
  write(desk / "two.toml", text.substr(0, text.find("[[material]]")) +
                               text.substr(text.find("[[material]]\nname = \"m" + std::to_string(materials - 2))));
  const json two = json::parse(desk.cairn({"check", "two.toml", "--json"}).out);
  CHECK(two.at("grains") == 2);
  CHECK(contacts.at("step_limit").get<Real>() == doctest::Approx(two.at("step_limit").get<Real>()).epsilon(1e-9));
}

TEST_CASE("large: of thousands of walls with seams the first is named, as of few") {
  const Desk desk;
  const auto seam = [&](int side) {
    std::string text = "[run]\nstep = 1e-5\nend = 1e-4\n[contact]\nstiffness = 1e4\nrestitution = 0.5\n";
    for (int k = 0; k < side * side; ++k) {
      const auto at = [](int n) { return std::to_string(n * 0.1); };
      text += "[[wall]]\ntype = \"box\"\nside = \"outside\"\nlow = [" + at(k % side) + ", " + at(k / side) +
              ", 0]\nhigh = [" + at(k % side + 1) + ", " + at(k / side + 1) + ", 0.05]\n";
    }
    write(desk / "f.toml", text + "[[grain]]\nposition = [0.05, 0.05, 0.1]\nradius = 0.02\n");
    const json warnings = json::parse(desk.cairn({"check", "f.toml", "--json"}).out).at("warnings");
    REQUIRE(warnings.size() == 1);
    return warnings[0].get<std::string>();
  };
  const std::string few = seam(3), many = seam(60);
  const auto first = [](const std::string& warning) { return warning.substr(0, warning.find("; the same holds for")); };
  CHECK(first(few).starts_with("walls 'wall1' and 'wall2' have faces in one plane, z = 0.05 m, that meet from "));
  CHECK(first(many) == first(few));
  CHECK(few.ends_with("; the same holds for 11 more pairs of walls"));
  CHECK(many.ends_with("; the same holds for at least 999 more pairs of walls"));
}

TEST_CASE("large: a run with thousands of walls is reported, with the loads that are largest") {
  const Desk desk;
  constexpr int side = 70;
  std::string text = "[run]\nstep = 1e-5\nend = 2e-4\n[contact]\nstiffness = 1e4\nrestitution = 0.5\n";
  for (int k = 0; k < side * side; ++k) {
    const std::string x = std::to_string(k % side * 0.1), y = std::to_string(k / side * 0.1),
                      end = std::to_string(k % side * 0.1 + 0.05), last = std::to_string(k / side * 0.1 + 0.05);
    text += "[[wall]]\nname = \"w" + std::to_string(k) + "\"\ntype = \"box\"\nside = \"outside\"\nlow = [" + x + ", " +
            y + ", 0]\nhigh = [" + end + ", " + last + ", 0.05]\n";
  }
  text += "[[grain]]\nposition = [0.025, 0.025, 0.059999]\nradius = 0.01\n";
  write(desk / "f.toml", text);
  const Outcome o = desk.cairn({"run", "f.toml", "--out", "out", "--set", "output.series=1e-4"});
  CHECK(o.code == 0);
  std::ifstream figure(desk / "out/figures/wall_forces.csv");
  std::string line, names;
  while (std::getline(figure, line))
    if (!line.starts_with("#") && names.empty()) names = line;
  CHECK(std::count(names.begin(), names.end(), ',') == 24);
  CHECK(names.find("w0") != std::string::npos);  // the one with the grain
  CHECK(content(desk / "out/report.html").find("of " + std::to_string(side * side) + " walls") != std::string::npos);
  CHECK(CsvTable(desk / "out/series.csv").names.size() > side * side * 6);
}

}  // namespace
}  // namespace cairn
