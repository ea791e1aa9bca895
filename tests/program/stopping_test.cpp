// How a run ends before its time: by signals, kills, guards, full disks and small memories; and what it leaves behind.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "cairn/core/hash.hpp"
#include "program/desk.hpp"

namespace cairn {
namespace {

// 96,000 steps in a quarter of a second, most of them in contact.
Words pyramid(const std::string& out) {
  return Words{"run", scenario("pyramid"), "--out", out} + unseen() +
         set({"run.step=1e-5", "run.end=0.96", "output.series=0.04"});
}

json summary_in(const Desk& desk, const std::string& out) {
  return json::parse(content(desk / out / "summary.json"));
}

void limit(decltype(RLIMIT_AS) what, rlim_t bytes) {
  const rlimit limited{bytes, bytes};
  if (::setrlimit(what, &limited) != 0) ::_exit(126);
}

//------------------------------------------------------------------------------------------------------------- signals

TEST_CASE("stopping: a signal leaves whole results, a checkpoint and the word how to go on") {
  const Desk desk;
  for (const auto& [signal, name] : {std::pair{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}) {
    CAPTURE(std::string(name));
    const std::string out = name;
    const pid_t process = desk.start(endless(out));
    wait_for(desk / out / "checkpoint/checkpoint.1");
    for (int k = 0; k < 3; ++k) ::kill(process, signal);  // an impatient user
    const Outcome o = desk.wait(process);
    CHECK(o.code == 128 + signal);
    CHECK(!o.killed);
    CHECK(o.out.find(std::string("stopped by ") + name + "; resume with: cairn resume " + out + "\n") !=
          std::string::npos);
    const json stopped = summary_in(desk, out);
    CHECK(stopped.at("finished") == false);
    CHECK(stopped.at("stopped_by") == name);
    CHECK(CsvTable(desk / out / "final.csv").rows.size() == stopped.at("particles"));

    const Words end = set({"run.end=" + std::to_string(stopped.at("time").get<Real>() + 0.1)});
    const json whole = desk.summary_of("whole", pyramid("whole") + end), resumed = desk.resume(out, end);
    CHECK(resumed.at("steps") > stopped.at("steps"));
    CHECK(resumed.at("finished") == true);
    CHECK(resumed.at("stopped_by") == "");
    check_same_summary(whole, resumed, {"settings"});
    check_same_results(desk, "whole", out);
  }
}

TEST_CASE("stopping: a signal before the first step ends the program, which pretends no checkpoint") {
  const Desk desk;
  const std::string pipe = desk / "scenario.toml";
  REQUIRE(::mkfifo(pipe.c_str(), 0666) == 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t process = desk.start({"run", "scenario.toml", "--out", "out"});
    const int end = ::open(pipe.c_str(), O_WRONLY);  // once the program reads
    REQUIRE(end >= 0);
    ::kill(process, signal);
    const Outcome o = desk.wait(process);
    ::close(end);
    CHECK(o.code == 128 + signal);
    CHECK(!o.killed);
    CHECK(o.tells("nothing to resume"));
    CHECK(!fs::exists(desk / "out"));
  }
}

TEST_CASE("stopping: a signal while a checkpoint is loaded leaves it to resume from") {
  const Desk desk;
  desk.run("out", scenario("bounce"), set({"run.end=0.1"}) + Words{"--stop-after", "10"});
  const fs::path newest = checkpoints(desk, "out").front();
  const std::string whole = content(newest);
  fs::remove(newest);
  REQUIRE(::mkfifo(newest.c_str(), 0666) == 0);
  const pid_t process = desk.start({"resume", "out"});
  const int end = ::open(newest.c_str(), O_WRONLY);  // once the program reads
  REQUIRE(end >= 0);
  ::kill(process, SIGTERM);
  const Outcome o = desk.wait(process);
  ::close(end);
  CHECK(o.code == 128 + SIGTERM);
  CHECK(o.err == "stopped while loading; the checkpoints are unchanged, and the run can be resumed again\n");
  fs::remove(newest);
  write(newest, whole);
  CHECK(desk.resume("out").at("steps") == 1000);
}

TEST_CASE("stopping: killed at any moment, again and again, a run ends with the same bits") {
  const Desk desk;
  const Words often{"--checkpoint-every", "0.01"}, half = set({"run.end=0.48"});
  const auto begin = std::chrono::steady_clock::now();
  const json whole = desk.summary_of("whole", pyramid("whole") + half + often);
  const std::chrono::duration<Real> length = std::chrono::steady_clock::now() - begin;
  constexpr int wanted = 50, most_in_one_run = 5;
  int kills = 0, runs = 0, began_again = 0;
  std::uint64_t draw = 0;
  // Whether it was killed, at some moment of the first half of the time a whole run took, before it was over.
  const auto killed = [&](const Words& arguments) {
    const pid_t process = desk.start(arguments + often);
    std::this_thread::sleep_for(0.5 * random_uniform(23, ++draw, 0) * length);
    ::kill(process, SIGKILL);
    const Outcome o = desk.wait(process);
    const bool no_checkpoint = o.code == 4 && o.tells("nothing to resume");  // the one before was killed too soon
    CHECK_MESSAGE((o.killed || o.code == 0 || no_checkpoint), o.err);
    CHECK(o.err.find("warning") == std::string::npos);
    kills += o.killed;
    const Outcome verified = desk.cairn({"verify", "out"});
    CHECK_MESSAGE((verified.code == 0 || (verified.code == 4 && verified.tells("nothing to verify"))), verified.err);
    return o.killed;
  };
  for (; kills < wanted && runs < 2 * wanted; ++runs) {
    fs::remove_all(desk / "out");
    bool more = killed(pyramid("out") + half);
    for (int k = 1; k < most_in_one_run && more; ++k) more = killed({"resume", "out"});
    Outcome o = desk.cairn({"resume", "out"});
    if (o.code == 4 && o.tells("nothing to resume")) {
      ++began_again;
      o = desk.cairn(pyramid("out") + half);
    }
    CHECK_MESSAGE(o.code == 0, o.err);
    check_same_summary(whole, summary_in(desk, "out"));
    check_same_results(desk, "whole", "out");
  }
  MESSAGE(kills, " kills of ", runs, " runs, ", began_again, " of them before the first checkpoint");
  CHECK(kills >= wanted);
}

TEST_CASE("stopping: checkpoints come at the start, by the clock if told, and at the end") {
  const Desk desk;
  const auto newest = [&](const std::string& pause) {
    desk.summary_of("out", pyramid("out") + Words{"--stop-after", "5", "--checkpoint-every", pause});
    return checkpoints(desk, "out").front().filename();
  };
  CHECK(newest("0") == "checkpoint.2");
  CHECK(newest("600") == "checkpoint.2");
  CHECK(newest("1e-9") == "checkpoint.7");
}

//----------------------------------------------------------------------------------------------------- one at a time

TEST_CASE("stopping: a folder a run is writing into is refused to others, until it ends") {
  const Desk desk;
  const pid_t process = desk.start(endless("out"));
  wait_for(desk / "out/checkpoint/checkpoint.1");
  const Desk other;
  for (const Words& arguments : {pyramid(desk / "out"), Words{"resume", desk / "out"}}) {
    const Outcome o = other.cairn(arguments);
    CHECK(o.code == 7);
    CHECK(o.tells("another run is writing into"));
    CHECK(o.tells("process " + std::to_string(process)));
  }
  CHECK(fs::exists(desk / "out/checkpoint/checkpoint.1"));
  ::kill(process, SIGKILL);
  desk.wait(process);
  write(desk / "out/notes.txt", "mine");
  desk.resume("out", set({"run.end=0.01"}));
  desk.summary_of("out", pyramid("out"));
  CHECK(content(desk / "out/notes.txt") == "mine");
  CHECK(!fs::exists(desk / "out/.lock"));
}

//-------------------------------------------------------------------------------------------------------------- guards

TEST_CASE("stopping: a guard leaves the state it refused to look at, and checkpoints from before it") {
  const Desk desk;
  struct Case {
    std::string guard, scenario;
    Words settings;
  };
  const Words wild =
      set({"run.step=0.01", "run.end=1", "guards.step=off", "guards.travel=off", "output.checkpoint=0.1"});
  const Case cases[] = {
      {"overlap", scenario("billiards"), set({"contact.stiffness=300", "run.end=1.5", "output.checkpoint=0.1"})},
      {"residual", scenario("bounce"), wild},
      {"residual", scenario("bounce"), wild + set({"output.series=0", "output.checkpoint=0"})},  // seen at the end only
  };
  for (const Case& c : cases) {
    CAPTURE(c.guard);
    const Outcome o = desk.cairn(Words{"run", c.scenario, "--out", c.guard} + unseen() + c.settings);
    CHECK(o.code == 3);
    CHECK(o.tells(c.guard + "/final.csv"));
    const json stopped = summary_in(desk, c.guard);
    CHECK(stopped.at("finished") == false);
    const std::string why = stopped.at("stopped_by");
    CHECK(why.starts_with("guard: "));
    CHECK(o.tells(why.substr(7)));
    CHECK(why.find(stopped.at("guards").at(c.guard).at("message").get<std::string>()) != std::string::npos);
    CHECK(CsvTable(desk / c.guard / "series.csv").column("time").back() == stopped.at("time"));
    CHECK(CsvTable(desk / c.guard / "final.csv").rows.size() == stopped.at("particles"));

    // Refused again, as the checkpoint is of before; allowed, it goes on as if it had always been.
    CHECK(desk.cairn({"resume", c.guard}).code == 3);
    CHECK(summary_in(desk, c.guard).at("time") == stopped.at("time"));
    const Words allowed = set({"guards." + c.guard + "=warn"});
    const json whole = desk.run("whole", c.scenario, c.settings + allowed), resumed = desk.resume(c.guard, allowed);
    check_same_summary(whole, resumed, {"settings"});
    check_same_results(desk, "whole", c.guard);
  }
  // What is seen at the end only has made no checkpoint either.
  CHECK(desk.cairn(Words{"run", cases[2].scenario, "--out", "end"} + unseen() + cases[2].settings).code == 3);
  CHECK(checkpoints(desk, "end") == std::vector{desk / "end/checkpoint/checkpoint.1"});
}

TEST_CASE("stopping: what is is not finite can be looked at, or gone on with") {
  const Desk desk;
  write(desk / "one_place.toml", R"(
[run]
step = 0.001
end = 0.1
[contact]
stiffness = 1e3
[[grain]]
position = [0, 0, 0]
radius = 0.1
mass = 1
[[grain]]
position = [0, 0, 0]
radius = 0.1
mass = 1
[guards]
overlap = "off"
residual = "off"
[initial]
overlap = "allow"
)");
  const Outcome o = desk.cairn({"run", "one_place.toml", "--out", "out"});
  CHECK(o.code == 3);
  CHECK(summary_in(desk, "out").at("steps") == 1);
  CHECK(content(desk / "out/final.csv").find("nan") != std::string::npos);
  const json warned = desk.run("out", "one_place.toml", set({"guards.finite=warn"}));
  CHECK(warned.at("steps") == 100);
  CHECK(warned.at("guards").at("finite").at("message").get<std::string>().find("is not finite") != std::string::npos);
}

//--------------------------------------------------------------------------------------------------- space and memory

TEST_CASE("stopping: a full disk keeps the last checkpoint, which goes on once there is room") {
  const Desk desk;
  const auto goes_on = [&](const Outcome& full, const std::string& cause, const Words& settings) {
    CHECK(full.code == 5);
    CHECK(full.tells("cannot write out/"));
    CHECK(full.tells(cause));
    CHECK(full.tells("cairn resume out"));
    const Outcome o = desk.cairn({"resume", "out"});
    CHECK_MESSAGE(o.code == 0, o.err);
    check_same_summary(desk.summary_of("whole", pyramid("whole") + settings), summary_in(desk, "out"));
    check_same_results(desk, "whole", "out");
  };

  SUBCASE("for a checkpoint") {
    const Words no_rows = set({"output.series=0"});
    desk.summary_of("out", pyramid("out") + no_rows + Words{"--stop-after", "40000"});
    const fs::path newest = checkpoints(desk, "out").front();
    const std::string before = content(newest);
    // Of all files before the end only the checkpoint comes to this limit.
    const rlim_t most = before.size() - 100;
    REQUIRE(fs::file_size(desk / "out/series.csv") < most);
    const Outcome full = desk.cairn({"resume", "out"}, [&] { limit(RLIMIT_FSIZE, most); });
    CHECK(full.tells(" bytes; " + std::to_string(most) + " bytes were written"));
    CHECK(checkpoints(desk, "out").front() == newest);
    const bool untouched = content(newest) == before;
    CHECK(untouched);
    goes_on(full, "File too large", no_rows);
  }
  SUBCASE("for the series") {
    // Rows for every step reach the limit after some 700; checkpoints do not.
    const Words rows = set({"output.series=1e-5", "run.end=0.04"});
    goes_on(desk.cairn(pyramid("out") + rows, [] { limit(RLIMIT_FSIZE, 300'000); }), "File too large", rows);
  }
}

TEST_CASE("stopping: out of memory is said") {
#ifndef __SANITIZE_ADDRESS__
  const Desk desk;
  write(desk / "many.toml", R"(
[run]
step = 1e-5
end = 1
[contact]
stiffness = 1e3
[[grains]]
kind = "lattice"
low = [0, 0, 0]
high = [100, 100, 100]
radius = 0.1
)");
  const Outcome o = desk.cairn({"run", "many.toml"}, [] { limit(RLIMIT_AS, 500'000'000); });
  CHECK(o.code == 6);
  CHECK(o.err.starts_with("error: out of memory"));
  CHECK(!fs::exists(desk / "results/many"));
#endif
}

//-------------------------------------------------------------------------------------------------------- absurd values

TEST_CASE("stopping: every number of steps and every interval comes to an end") {
  const Desk desk;
  const Words ball{"run", scenario("bounce"), "--out", "out", "--force"};
  const auto rows = [&](const std::string& change) {
    const Outcome o = desk.cairn(ball + set({"run.end=0.01", change}));
    CHECK_MESSAGE(o.code == 0, change, o.err);
    return CsvTable(desk / "out/series.csv").rows.size();
  };
  CHECK(rows("output.series=1e-300") == 101);  // every step
  CHECK(rows("output.series=1e-4") == 101);
  CHECK(rows("output.series=1e300") == 2);  // the start and the end
  CHECK(rows("output.series=0") == 1);      // the start alone
  CHECK(rows("output.series=0.005") == 3);
  CHECK(rows("output.frames=1e300") == 101);  // by default, a hundredth of the run
  CHECK(rows("output.checkpoint=1e300") == 101);

  for (const char* end : {"1e300", "1e13"}) {
    const Outcome o = desk.cairn(ball + set({std::string("run.end=") + end}));
    CHECK(o.code == 2);
    CHECK(o.tells("expected at most 1e+15"));
  }
  const Outcome tiny = desk.cairn(ball + set({"run.step=1e-300"}));
  CHECK(tiny.code == 2);
  CHECK(desk.cairn(ball + Words{"--stop-after", "-1"}).code == 2);
  CHECK(desk.cairn(ball + Words{"--stop-after", "1e3"}).code == 2);

  const Outcome odd = desk.cairn(ball + set({"run.end=0.01004"}));
  CHECK(odd.code == 0);
  // A slow machine may show its progress as well.
  CHECK(odd.err.starts_with(
      "note: run.end = 0.01004 s is not a whole number of steps of 0.0001 s; the run ends at t = 0.01 s\n"));
  CHECK(desk.cairn(ball + set({"run.end=0.01"})).err.find("note: ") == std::string::npos);
}

//-------------------------------------------------------------------------------------------------------------- resume

TEST_CASE("stopping: resume says what it cannot resume") {
  const Desk desk;
  write(desk / "file", "");
  fs::create_directory(desk / "photos");
  write(desk / "photos/a.txt", "mine");
  struct Case {
    std::string folder, words;
  };
  for (const auto& [folder, words] :
       {Case{"nowhere", "there is no folder nowhere"},
        {"file", "there is no folder file"},
        {"photos", "nothing to resume in photos: the folder has no checkpoint; start a run with: cairn run"}}) {
    const Outcome o = desk.cairn({"resume", folder});
    CHECK(o.code == 4);
    CHECK_MESSAGE(o.tells(words), o.err);
  }
  CHECK(std::distance(fs::directory_iterator(desk / "photos"), {}) == 1);

  desk.run("done", scenario("bounce"), set({"run.end=0.1"}));
  const Outcome o = desk.cairn({"resume", "done"});
  CHECK(o.code == 0);
  CHECK(o.tells("this run has reached its end; continue it with: cairn resume done --set run.end=0.2"));
  CHECK(desk.resume("done", set({"run.end=0.2"})).at("steps") == 2000);
}

TEST_CASE("stopping: --json prints the summary and nothing else") {
  const Desk desk;
  const Words ball{"run", scenario("bounce"), "--out", "out", "--json", "--threads", "2"};
  const Outcome half = desk.cairn(ball + set({"run.end=0.1"}) + Words{"--stop-after", "500"});
  CHECK(half.code == 0);
  CHECK(half.out == content(desk / "out/summary.json"));
  CHECK(half.tells("cairn resume out --threads 2"));
  const json summary = json::parse(half.out);
  CHECK(summary.at("settings") == json{"run.end=0.1"});
  CHECK(summary.at("threads") == 2);
  CHECK(summary.at("stopped_by") == "--stop-after");
  const Outcome rest = desk.cairn({"resume", "out", "--json", "--quiet"});
  CHECK(rest.out == content(desk / "out/summary.json"));
  CHECK(rest.err == "");
  CHECK(json::parse(rest.out).at("finished") == true);
  const Outcome guard = desk.cairn({"run", scenario("billiards"), "--set", "contact.stiffness=300", "--json"});
  CHECK(guard.code == 3);
  CHECK(json::parse(guard.out).at("stopped_by").get<std::string>().starts_with("guard: "));
}

TEST_CASE("stopping: a folder that cannot be written is said before the run starts") {
  const Desk desk;
  CHECK(desk.cairn({"run", scenario("bounce"), "--out", "/proc/cairn"}).code == 4);
  if (::geteuid() == 0) {
    MESSAGE("left out: root may write everywhere");
    return;
  }
  desk.run("out", scenario("bounce"), set({"run.end=0.1"}) + Words{"--stop-after", "10"});
  fs::permissions(desk / "out", fs::perms::owner_read | fs::perms::owner_exec);
  for (const Words& arguments : {Words{"run", scenario("bounce"), "--out", "out"}, Words{"resume", "out"}}) {
    const Outcome o = desk.cairn(arguments);
    CHECK(o.code == 4);
    CHECK(o.tells("cannot write out/.lock: Permission denied"));
  }
  fs::permissions(desk / "out", fs::perms::owner_all);
}

}  // namespace
}  // namespace cairn
