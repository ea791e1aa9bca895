// cairn sweep as its user meets it.
#include <doctest/doctest.h>
#include <signal.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

Words pyramids(const Words& more, const std::string& end = "0.02") {
  return Words{"sweep", scenario("pyramid"), "--out", "out"} + unseen() + set({"run.end=" + end}) + more;
}

// sweep.csv, whose cells may stand in quotes, as the csv module of Python reads it.
struct SweepTable {
  Words names;
  std::vector<Words> rows;

  explicit SweepTable(const fs::path& path) {
    std::istringstream lines(content(path));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      Words cells(1);
      bool quoted = false;
      for (const char c : line) {
        if (c == '"')
          quoted = !quoted;
        else if (c == ',' && !quoted)
          cells.emplace_back();
        else
          cells.back() += c;
      }
      if (names.empty()) {
        names = cells;
        continue;
      }
      REQUIRE_MESSAGE(cells.size() == names.size(), line);
      rows.push_back(cells);
    }
  }
  std::string cell(std::size_t row, const std::string& column) const {
    const auto at = std::find(names.begin(), names.end(), column);
    REQUIRE_MESSAGE(at != names.end(), "no column ", column);
    return rows.at(row)[static_cast<std::size_t>(at - names.begin())];
  }
};

TEST_CASE("sweep: a table in the order of the grid, and each run as if it were run alone") {
  const Desk desk;
  const Words grid = set({"contact.stiffness=2e5,1e5", "run.scheme=rk4,newmark(0.25,0.5)"});
  const Outcome o = desk.cairn(pyramids(grid + Words{"--csv", "mine.csv", "--jobs", "3"}));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("4 of 4 runs finished.") != o.out.npos);
  CHECK(content(desk / "mine.csv") == content(desk / "out/sweep.csv"));
  const SweepTable table(desk / "out/sweep.csv");
  REQUIRE(table.rows.size() == 4);
  std::size_t row = 0;
  for (const std::string stiffness : {"2e5", "1e5"})
    for (const std::string scheme : {"rk4", "newmark(0.25,0.5)"}) {
      CAPTURE(scheme);
      const json alone = desk.run("alone", scenario("pyramid"),
                                  set({"run.end=0.02", "contact.stiffness=" + stiffness, "run.scheme=" + scheme}));
      CHECK(std::stod(table.cell(row, "contact.stiffness")) == std::stod(stiffness));
      CHECK(table.cell(row, "run.scheme") == scheme);
      CHECK(table.cell(row, "state") == "finished");
      CHECK(table.cell(row, "state_hash") == alone.at("state_hash"));
      CHECK(std::stod(table.cell(row, "kinetic")) == alone.at("energy").at("kinetic").get<Real>());
      CHECK(std::stod(table.cell(row, "barycentre_z")) == alone.at("barycentre").at(2).get<Real>());
      CHECK(std::stod(table.cell(row, "steps")) == alone.at("steps").get<Real>());
      const json summary = json::parse(content(desk / "out" / table.cell(row, "folder") / "summary.json"));
      check_same_summary(alone, summary, {"settings"});
      ++row;
    }
  CHECK(table.cell(3, "folder") == "contact.stiffness=1e5,run.scheme=newmark_0.25,0.5_");
  CHECK(content(desk / "out/report.html").find("contact.stiffness") != std::string::npos);
  CHECK(fs::exists(desk / "out/figures/kinetic.csv"));

  const Outcome j = desk.cairn(pyramids(grid + Words{"--json"}));
  REQUIRE(j.code == 0);
  const json parsed = json::parse(j.out);
  REQUIRE(parsed.at("sweep").size() == 4);
  CHECK(parsed["sweep"][0]["contact.stiffness"] == 2e5);
  CHECK(parsed["sweep"][1]["run.scheme"] == "newmark(0.25,0.5)");
}

TEST_CASE("sweep: finished runs are kept, stopped ones go on, new values are added") {
  const Desk desk;
  const std::string folder = "out/run.step=1e-5";
  desk.summary_of(folder, Words{"run", scenario("pyramid"), "--out", folder, "--stop-after", "700"} + unseen() +
                              set({"run.end=0.02", "run.step=1e-5"}));
  REQUIRE(desk.cairn(pyramids(set({"run.step=2e-5,1e-5"}))).code == 0);
  const json resumed = json::parse(content(desk / folder / "summary.json"));
  CHECK(resumed.at("finished") == true);
  const json alone = desk.run("alone", scenario("pyramid"), set({"run.end=0.02", "run.step=1e-5"}));
  CHECK(resumed.at("state_hash") == alone.at("state_hash"));
  CHECK(resumed.at("steps") == 2000);

  const auto written = [&](const std::string& name) {
    return fs::last_write_time(desk / "out" / name / "summary.json");
  };
  const auto before = written("run.step=1e-5");
  const Outcome more = desk.cairn(pyramids(set({"run.step=1e-5,4e-5,2e-5"}) + Words{"--json"}));
  REQUIRE(more.code == 0);
  CHECK(written("run.step=1e-5") == before);
  const json rows = json::parse(more.out).at("sweep");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("state_hash") == alone.at("state_hash"));
  CHECK(rows[1].at("steps") == 500);
}

TEST_CASE("sweep: a run that a guard refuses ends no other, and is told with its reason") {
  const Desk desk;
  const Words grid = set({"contact.stiffness=1e5,10,2e5"}) + Words{"--jobs", "1"};
  const Outcome o = desk.cairn(pyramids(grid, "0.2"));
  CHECK(o.code == 3);
  CHECK(o.out.find("2 of 3 runs finished, 1 failed.") != o.out.npos);
  CHECK(o.out.find("failed: contact.stiffness=10: ") != o.out.npos);
  const SweepTable table(desk / "out/sweep.csv");
  REQUIRE(table.rows.size() == 3);
  CHECK(table.cell(0, "state") == "finished");
  CHECK(table.cell(1, "state") == "failed");
  CHECK(table.cell(1, "kinetic") == "nan");
  CHECK(table.cell(1, "message").find("overlap") != std::string::npos);
  CHECK(table.cell(2, "state") == "finished");
  const auto refused = fs::last_write_time(desk / "out/contact.stiffness=10/summary.json");
  CHECK(desk.cairn(pyramids(grid, "0.2")).code == 3);  // it would be refused again
  CHECK(fs::last_write_time(desk / "out/contact.stiffness=10/summary.json") == refused);
}

TEST_CASE("sweep: every point is read before any run begins") {
  const Desk desk;
  const auto refused = [&](const Words& more, const std::string& message) {
    const Outcome o = desk.cairn(pyramids(more));
    CHECK(o.code == 2);
    CHECK_MESSAGE(o.err.find(message) != o.err.npos, o.err);
    CHECK(!fs::exists(desk / "out"));
    CHECK(o.out.empty());
  };
  refused(set({"contact.stiffnes=1,2"}), "contact.stiffnes: no such key");
  refused(set({"contact.stiffness=1e5,-1"}), "--set contact.stiffness=-1: contact.stiffness: found -1; expected");
  refused(set({"run.scheme=rk4,rk5"}), "did you mean 'rk4'?");
  refused(set({"run.step=1e-5,,2e-5"}), "--set run.step=1e-5,,2e-5: found an empty value");
  refused(set({"run.step=1e-5,1e-5"}), "found the value 1e-5 twice");
  refused(set({"run.step=1e-5", "run.step=2e-5"}), "found run.step twice");
  refused(set({"run.step"}), "found no KEY=VALUES");
  refused(set({"title=a b,ab"}), "found two points that would share the folder title=ab");
  const Outcome o = desk.cairn(pyramids(set({"contact.stiffnes=1,2"})));
  CHECK(o.err.find("stiffnes: no such key") == o.err.rfind("stiffnes: no such key"));  // told once
  CHECK(desk.cairn({"sweep", scenario("pyramid")}).code == 2);
}

TEST_CASE("sweep: results of something else are not touched") {
  const Desk desk;
  const Words steps = set({"run.step=1e-5,2e-5"});
  REQUIRE(desk.cairn(pyramids(steps)).code == 0);
  const auto refused = [&](const Words& arguments, const std::string& message) {
    const Outcome o = desk.cairn(arguments);
    CHECK(o.code == 2);
    CHECK_MESSAGE(o.err.find(message) != o.err.npos, o.err);
  };
  refused(pyramids(steps, "0.03"), "out/run.step=1e-5: found results of a run with other settings");
  refused(Words{"sweep", scenario("billiards"), "--out", "out"} + set({"run.end=0.1,0.2"}),
          "found results of another scenario");
  desk.run("alone", scenario("pyramid"), set({"run.end=0.02"}));
  refused(Words{"sweep", scenario("pyramid"), "--out", "alone"} + steps, "alone: found the results of a run");
  refused(pyramids(steps + Words{"--column", "kinetik"}), "did you mean 'kinetic'?");
}

TEST_CASE("sweep: a run that is killed ends no other, and goes on from its checkpoint") {
  const Desk desk;
  const Words grid = set({"run.step=1e-6,2e-5"}) + Words{"--jobs", "1"};
  const pid_t process = desk.start(pyramids(grid, "0.5"));
  const fs::path folder = desk / "out/run.step=1e-6";
  wait_for(folder / "checkpoint/checkpoint.1");
  ::kill(std::stoi(content(folder / ".lock")), SIGKILL);
  const Outcome o = desk.wait(process);
  CHECK(o.code == 128 + SIGKILL);
  CHECK(o.out.find("failed: run.step=1e-6: the run was ended by a signal: Killed") != o.out.npos);
  CHECK(SweepTable(desk / "out/sweep.csv").cell(0, "state") == "failed");
  CHECK(SweepTable(desk / "out/sweep.csv").cell(1, "state") == "finished");
  REQUIRE(desk.cairn(pyramids(grid, "0.5")).code == 0);
  const json alone = desk.run("alone", scenario("pyramid"), set({"run.end=0.5", "run.step=1e-6"}));
  CHECK(SweepTable(desk / "out/sweep.csv").cell(0, "state_hash") == alone.at("state_hash"));
}

TEST_CASE("sweep: runs of a scenario that was edited meanwhile do not mix") {
  const Desk desk;
  const std::string text = content(scenario("pyramid"));
  write(desk / "case.toml", text);
  const Words command = Words{"sweep", "case.toml", "--out", "out", "--jobs", "1"} + unseen() +
                        set({"run.step=1e-6,2e-5", "run.end=0.2"});
  const pid_t process = desk.start(command);
  wait_for(desk / "out/run.step=1e-6/checkpoint/checkpoint.1");
  write(desk / "case.toml", text + "\n");
  const Outcome o = desk.wait(process);
  CHECK(o.code == 2);
  const SweepTable table(desk / "out/sweep.csv");
  CHECK(table.cell(0, "state") == "finished");
  CHECK(table.cell(1, "message").find("found results of another scenario") != std::string::npos);
  CHECK(desk.cairn(command).tells("out/run.step=1e-6: found results of another scenario"));
  CHECK(desk.cairn(command).code == 2);
}

TEST_CASE("sweep: without time left no run begins, and the same command goes on") {
  const Desk desk;
  const Words grid = set({"run.step=1e-5,2e-5"});
  const Outcome o = desk.cairn(pyramids(grid + Words{"--wall-time", "1"}));  // less than the margin of an end
  CHECK(o.code == 0);
  CHECK(o.err.find("stopped by --wall-time; the same command goes on from here") != o.err.npos);
  CHECK(SweepTable(desk / "out/sweep.csv").cell(1, "state") == "waiting");
  CHECK(desk.cairn(pyramids(grid + Words{"--wall-time", "0"})).code == 2);
  REQUIRE(desk.cairn(pyramids(grid + Words{"--wall-time", "1 h"})).code == 0);
  CHECK(SweepTable(desk / "out/sweep.csv").cell(1, "state") == "finished");
}

TEST_CASE("sweep: a signal stops all runs, and the same command goes on") {
  const Desk desk;
  const Words grid = set({"contact.stiffness=1e5,2e5,3e5", "run.step=1e-6"}) + Words{"--jobs", "2"};
  const pid_t process = desk.start(pyramids(grid, "0.5"));
  for (const char* value : {"1e5", "2e5"})
    wait_for(desk / "out" / (std::string("contact.stiffness=") + value) / "checkpoint/checkpoint.1");
  ::kill(process, SIGINT);
  const Outcome o = desk.wait(process);
  CHECK(o.code == 130);
  CHECK(o.err.find("stopped by SIGINT; the same command goes on from here") != o.err.npos);
  const SweepTable table(desk / "out/sweep.csv");
  REQUIRE(table.rows.size() == 3);
  CHECK(table.cell(0, "state") == "stopped");
  CHECK(table.cell(1, "state") == "stopped");
  CHECK(table.cell(2, "state") == "waiting");
  for (const char* value : {"1e5", "2e5"})
    CHECK(json::parse(content(desk / "out" / (std::string("contact.stiffness=") + value) / "summary.json"))
              .at("stopped_by") == "SIGINT");

  const Outcome whole = desk.cairn(pyramids(grid, "0.5") + Words{"--json"});
  REQUIRE_MESSAGE(whole.code == 0, whole.err);
  const json rows = json::parse(whole.out).at("sweep");
  const json alone =
      desk.run("alone", scenario("pyramid"), set({"run.end=0.5", "contact.stiffness=1e5", "run.step=1e-6"}));
  CHECK(rows[0].at("state_hash") == alone.at("state_hash"));
  CHECK(rows[2].at("state") == "finished");
}

}  // namespace
}  // namespace cairn
