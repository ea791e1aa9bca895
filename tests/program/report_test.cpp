// What a run leaves behind to look at: pictures, frames, the report.
#include "cairn/report/report.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/error.hpp"
#include "program/desk.hpp"

namespace cairn {
namespace {

// Two grains meet head-on and part, e = 0.8; the contact lasts some 36 steps.
constexpr const char* meeting = R"(
title = "two <grains> & a report"
[run]
scheme = "velocity_verlet_predicted"
step = 1e-4
end = 0.1
[space]
gravity = [0, 0, 0]
[contact]
stiffness = 1000
restitution = 0.8
friction = 0.3
[[material]]
name = "glass"
[[grain]]
position = [0, 0, 0]
velocity = [1, 0, 0]
radius = 0.01
mass = 0.003
[[grain]]
position = [0.04, 0, 0.005]
radius = 0.01
mass = 0.003
[output]
frames = 0.01
format = "both"
contacts = true
pictures = 0.025
)";

json shown(const Desk& desk, const std::string& out, const Words& more = {}) {
  return desk.summary_of(out, Words{"run", "a.toml", "--out", out} + more);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST_CASE("report: says what the summary says") {
  const Desk desk;
  write(desk / "a.toml", meeting);
  const json summary = shown(desk, "out");
  const std::string html = content(desk / "out" / "report.html");
  CHECK(holds(html, "<h1>two &lt;grains&gt; &amp; a report</h1>"));
  CHECK(holds(html, summary["state_hash"].get<std::string>()));
  CHECK(holds(html, summary["scheme_claims"]["reference"].get<std::string>()));
  CHECK(holds(html, summary["citation"].get<std::string>()));
  CHECK(holds(html, "claims order 2"));
  CHECK(holds(html, "divides the error by 4"));
  CHECK(holds(html, "position = [0.04, 0, 0.005]"));  // the scenario
  // The contact: t_c of the linear law, clipped, and the restitution asked for.
  REQUIRE(summary["contact_pairs"].size() == 1);
  const json& contact = summary["contact_pairs"][0];
  CHECK(contact["first"] == "glass");
  CHECK(contact["second"] == "glass");
  CHECK(contact["restitution"].get<double>() == doctest::Approx(0.8).epsilon(1e-5));
  CHECK(contact["stiffness"].get<double>() == doctest::Approx(1000));
  CHECK(contact["steps"].get<double>() ==
        doctest::Approx(contact["duration"].get<double>() / summary["step"].get<double>()));
  CHECK(contact["duration"].get<double>() == doctest::Approx(3.6e-3).epsilon(0.05));
  CHECK(holds(html, "<td>0.8000</td>"));
  // The ledger: 1.5 mJ, and the part that the dashpot took.
  const double lost = summary["energy"]["dashpot"].get<double>() / summary["energy"]["initial"].get<double>();
  CHECK(lost > 0.05);
  CHECK(holds(html, "0.0015 J of energy and no energy was added from outside"));
  CHECK(holds(html, std::to_string(std::lround(100 * lost)) + "\u00a0% was dissipated by dashpots"));
  CHECK(fs::exists(desk / "out" / "figures" / "energy.csv"));
  CHECK(fs::exists(desk / "out" / "figures" / "energy.gp"));

  // Made again from the folder alone, word for word.
  fs::remove(desk / "out" / "report.html");
  fs::remove_all(desk / "out" / "figures");
  const Outcome again = desk.cairn({"report", "out"});
  CHECK(again.code == 0);
  CHECK(again.out == "out/report.html\n");
  CHECK(content(desk / "out" / "report.html") == html);

  // Without gnuplot one line says so, the last; before it stands at most what a run that takes long says of its
  // progress.
  const auto no_programs = [] { ::setenv("PATH", "/nowhere", 1); };
  const std::string note = "note: gnuplot is not installed, so the figures have no SVG files\n";
  for (const Words& command : {Words{"run", "a.toml", "--out", "out", "--force"}, Words{"report", "out"}}) {
    const Outcome bare = desk.cairn(command, no_programs);
    INFO(bare.err);
    CHECK(bare.code == 0);
    REQUIRE(bare.err.ends_with(note));
    std::istringstream before(bare.err.substr(0, bare.err.size() - note.size()));
    for (std::string line; std::getline(before, line);)
      CHECK((command[0] == "run" && line.find(" steps/s  t = ") != std::string::npos));
  }

  CHECK(desk.cairn({"report", "nowhere"}).code == static_cast<int>(Exit::io));
  write(desk / "out" / "summary.json", "{}");
  const Outcome old = desk.cairn({"report", "out"});
  CHECK(old.code == static_cast<int>(Exit::io));
  CHECK(old.tells("was not written by this version of Cairn"));
}

// Files that were written before the end: frames, contacts, pictures.
Words lines_of_frames(const std::string& checksums) {
  Words lines;
  std::istringstream all(checksums);
  for (std::string line; std::getline(all, line);)
    if (line.find('/') != line.npos && line.find("figures/") == line.npos) lines.push_back(line);
  return lines;
}

TEST_CASE("pictures, frames and contacts: as asked for, and the same after a resume") {
  const Desk desk;
  write(desk / "a.toml", meeting);
  const json whole = shown(desk, "whole");
  REQUIRE(whole["pictures"].size() == 5);
  CHECK(whole["pictures"][0]["time"] == 0);
  CHECK(whole["pictures"][4]["time"].get<double>() == doctest::Approx(0.1));
  const json early = shown(desk, "parts", words("--stop-after 437"));
  REQUIRE(early["pictures"].size() == 3);  // two that were due, and where it stopped
  CHECK(early["pictures"][2]["time"].get<double>() == doctest::Approx(0.0437));
  CHECK(holds(content(desk / "parts" / "report.html"), "It was stopped by --stop-after"));
  CHECK(!holds(content(desk / "whole" / "report.html"), "It was stopped by"));
  const json rest = desk.resume("parts");
  CHECK(rest["pictures"] == whole["pictures"]);
  int compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(desk / "whole")) {
    const fs::path name = fs::relative(entry.path(), desk / "whole");
    const std::string top = name.begin()->string();
    if (!entry.is_regular_file() || top == "checkpoint" || top == "figures") continue;
    if (top == "summary.json" || top == "report.html") continue;  // hold the time it took
    if (top == "checksums.txt") {                                 // theirs too
      CHECK(lines_of_frames(content(entry.path())) == lines_of_frames(content(desk / "parts" / name)));
      continue;
    }
    CHECK_MESSAGE(content(entry.path()) == content(desk / "parts" / name), name.string());
    ++compared;
  }
  CHECK(compared == 6 + 2 * (11 + 1) + 1 + 2);  // pictures; frames and contacts with lists; xyz; series and final

  CHECK(lines_of_frames(content(desk / "whole/checksums.txt")).size() == 5 + 2 * 11);

  // A new run takes away what it does not write itself.
  desk.run("whole", "a.toml", set({"output.frames=0"}));
  for (const char* gone : {"pictures", "frames", "contacts", "frames.xyz", "contacts.pvd", "report.html", "figures"})
    CHECK_MESSAGE(!fs::exists(desk / "whole" / gone), gone);
}

TEST_CASE("report: the command can be copied into a shell") {
  const Desk desk;
  write(desk / "my case.toml", meeting);
  desk.summary_of("out", Words{"run", "my case.toml", "--out", "out"} + set({"run.end=1 ms", "title=a; b"}));
  CHECK(
      holds(content(desk / "out" / "report.html"), "cairn run 'my case.toml' --set 'run.end=1 ms' --set 'title=a; b'"));
}

TEST_CASE("pictures do not change the run, not even of schemes that choose their steps") {
  const Desk desk;
  write(desk / "a.toml", meeting);
  for (const char* scheme : {"dormand_prince54", "velocity_verlet_predicted"}) {
    const std::string s = std::string("run.scheme=") + scheme;
    const json with = desk.run("with", "a.toml", set({s, "output.pictures=0.00713"}));
    const json without = desk.run("without", "a.toml", set({s}));
    CHECK(with["pictures"].size() > 10);
    CHECK(without["pictures"].empty());
    CHECK(with["state_hash"] == without["state_hash"]);
  }
}

}  // namespace
}  // namespace cairn
