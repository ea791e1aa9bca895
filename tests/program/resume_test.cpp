// The same bits on any number of threads, and after a resume; what checkpoints and old results are safe from.
#include <doctest/doctest.h>

#include <cmath>
#include <regex>

#include "cairn/core/hash.hpp"
#include "program/desk.hpp"
#include "program/shaken.hpp"

namespace cairn {
namespace {

TEST_CASE("program: the same bits on any number of threads") {
  const Desk desk;
  write(desk / "shaken.toml", shaken);
  const auto run = [&](const std::string& out, const std::string& threads) {
    const json summary = desk.run(out, "shaken.toml", {"--threads", threads});
    CHECK(summary.at("threads") == std::stoi(threads));
    return summary;
  };
  const json one = run("one", "1");
  // That the case is what it is meant to be.
  CHECK(one.at("particles") > 2700);
  CHECK(one.at("contacts") > 3000);
  CHECK(one.at("list_rebuilds") > 10);
  CHECK(one.at("energy").at("slip") > 1.0);
  CHECK(one.at("energy").at("external") > 1.0);
  for (const char* threads : {"2", "3", "7"}) {
    CAPTURE(std::string(threads));
    const json other = run(threads, threads);
    CHECK(other.at("state_hash") == one.at("state_hash"));
    check_same_summary(one, other, {"settings"});
    check_same_results(desk, "one", threads);
  }
}

TEST_CASE("program: stopped and resumed, on other threads, ends with the same bits") {
  const Desk desk;
  write(desk / "shaken.toml", shaken);
  std::uint64_t draw = 0;
  for (const std::string scheme : {"velocity_verlet_predicted", "rk4", "adams_bashforth2", "dormand_prince54",
                                   "central_difference", "position_verlet"}) {
    CAPTURE(scheme);
    const Words with_scheme = set({"run.scheme=" + scheme, "run.end=0.008"});
    const json whole = desk.run("whole", "shaken.toml", with_scheme);
    std::set<std::int64_t> stops;
    while (stops.size() < 3)
      stops.insert(1 + static_cast<std::int64_t>((whole.at("steps").get<Real>() - 1) * random_uniform(11, ++draw, 0)));
    json pieces;
    int threads = 0;
    Real seconds = 0;
    for (const std::int64_t stop : stops) {
      CAPTURE(stop);
      const Words until{"--stop-after", std::to_string(stop), "--threads", std::to_string(1 + threads++ % 3)};
      pieces = threads == 1 ? desk.run("pieces", "shaken.toml", with_scheme + until) : desk.resume("pieces", until);
      CHECK(pieces.at("steps") == stop);
      CHECK(pieces.at("wall_seconds") > seconds);
      seconds = pieces.at("wall_seconds");
    }
    pieces = desk.resume("pieces");
    CHECK(pieces.at("wall_seconds") > seconds);
    CHECK(pieces.at("state_hash") == whole.at("state_hash"));
    const auto work = [](const json& run) {
      return run.at("wall_seconds").get<Real>() * run.at("particle_steps_per_second").get<Real>();
    };
    CHECK(work(desk.resume("pieces")) / work(pieces) == doctest::Approx(1));  // nothing is left to do
    check_same_summary(whole, pieces, {"settings"});
    check_same_results(desk, "whole", "pieces");
  }
}

TEST_CASE("program: the speed of a run counts the grains of each step, those before a resume included") {
  const Desk desk;
  write(desk / "a.toml",
        "[run]\nstep = 1e-5\nend = 0.01\n[contact]\nstiffness = 1e3\n"
        "[[emitter]]\nposition = [0, 0, 0]\nvelocity = [3, 0, 0]\nradius = 1e-3\nevery = 1e-3\ncount = 11\n");
  const auto work = [](const json& run) {
    return run.at("wall_seconds").get<Real>() * run.at("particle_steps_per_second").get<Real>();
  };
  // A hundred steps each with one grain, with two and so on to ten; the eleventh grain comes at the end.
  const json whole = desk.run("out", "a.toml");
  CHECK(whole.at("particles") == 11);
  CHECK(work(whole) == doctest::Approx(5500));
  desk.run("out", "a.toml", {"--stop-after", "350"});
  CHECK(work(desk.resume("out", {"--stop-after", "720"})) ==
        doctest::Approx(100 * (1 + 2 + 3 + 4 + 5 + 6 + 7) + 20 * 8));
  CHECK(work(desk.resume("out")) == doctest::Approx(5500));
}

TEST_CASE("program: where a run was stopped is not seen in its results") {
  // Few outputs, so that a stop looks at the ledger where the whole run does not.
  const Desk desk;
  const Words few = set({"run.end=0.5", "output.series=0.5"});
  const json whole = desk.run("whole", scenario("bounce"), few);
  REQUIRE(whole.at("steps") == 5000);
  for (const char* stop : {"0", "1", "450", "4000", "4999", "5000"}) {  // 450: at its fastest, just above the floor
    CAPTURE(std::string(stop));
    desk.run("pieces", scenario("bounce"), few + Words{"--stop-after", stop});
    desk.resume("pieces", {"--stop-after", stop});  // nothing to do
    check_same_summary(whole, desk.resume("pieces"));
    check_same_summary(whole, desk.resume("pieces"));  // it is over; once more changes nothing
    check_same_results(desk, "whole", "pieces");
  }
}

TEST_CASE("program: an adaptive scheme takes the same steps however closely it is watched") {
  const Desk desk;
  const Words adaptive = set({"run.scheme=dormand_prince54", "run.step=1e-3", "run.end=0.5"});
  const auto watched = [&](std::initializer_list<std::string> how) {
    return desk.run("out", scenario("bounce"), adaptive + set(how));
  };
  const json whole = watched({"output.series=0"});
  for (const char* what : {"series=0.0137", "frames=0.0137", "checkpoint=0.0137", "pictures=0.0837"}) {
    CAPTURE(std::string(what));
    const json other = watched({std::string("output.") + what});
    CHECK(other.at("state_hash") == whole.at("state_hash"));
    CHECK(other.at("steps") == whole.at("steps"));
  }
  // Each row is of the first state at or after its time.
  watched({"output.series=0.02"});
  const auto time = CsvTable(desk / "out/series.csv").column("time");
  REQUIRE(time.size() > 20);
  for (std::size_t k = 1; k < time.size(); ++k) CHECK(std::floor(time[k] / 0.02) > std::floor(time[k - 1] / 0.02));
  CHECK(time.back() == 0.5);
}

TEST_CASE("program: the series has the end, and where a run used to end is not seen once it goes on") {
  const Desk desk;
  const Words seldom = set({"output.series=0.3"}), later = set({"run.end=0.7"});
  const auto last = [&](const std::string& out) { return CsvTable(desk / out / "series.csv").column("time").back(); };
  const json whole = desk.run("whole", scenario("bounce"), seldom + later);
  CHECK(last("whole") == whole.at("time"));
  desk.run("pieces", scenario("bounce"), seldom + set({"run.end=0.5"}));
  CHECK(last("pieces") == doctest::Approx(0.5));
  desk.resume("pieces");  // it is over, and stays so
  CHECK(last("pieces") == doctest::Approx(0.5));
  CHECK(CsvTable(desk / "pieces/series.csv").rows.size() == 3);
  check_same_summary(whole, desk.resume("pieces", later), {"settings", "pictures"});
  check_same_results(desk, "whole", "pieces");
}

TEST_CASE("program: a damaged checkpoint is passed over, and without a whole one nothing is touched") {
  const Desk desk;
  const Words often = set({"run.end=0.1", "output.series=0.005", "output.checkpoint=0.02"});
  const json whole = desk.run("whole", scenario("pyramid"), often);
  const auto truncate = [](std::string bytes) { return bytes.substr(0, bytes.size() * 3 / 5); };
  const auto flip = [](std::string bytes) {
    bytes[bytes.size() / 2] ^= 4;
    return bytes;
  };
  const auto empty = [](const std::string&) { return std::string(); };
  for (const auto& damage : std::vector<std::function<std::string(std::string)>>{truncate, flip, empty}) {
    desk.run("cut", scenario("pyramid"), often + Words{"--stop-after", "7500"});
    const std::vector<fs::path> found = checkpoints(desk, "cut");
    REQUIRE(found.size() == 2);
    write(found[0], damage(content(found[0])));
    const Outcome o = desk.cairn({"resume", "cut"});
    CHECK(o.code == 0);
    CHECK(o.err.starts_with("warning: "));
    CHECK(o.tells(found[0].filename().string()));
    CHECK(o.tells("resuming from the older checkpoint cut/checkpoint/" + found[1].filename().string()));
    const json cut = json::parse(content(desk / "cut" / "summary.json"));
    CHECK(cut.at("state_hash") == whole.at("state_hash"));
    check_same_summary(whole, cut);
    check_same_results(desk, "whole", "cut");

    desk.run("lost", scenario("pyramid"), often + Words{"--stop-after", "7500"});
    for (const fs::path& p : checkpoints(desk, "lost")) write(p, damage(content(p)));
    const std::string series = content(desk / "lost" / "series.csv");
    const Outcome lost = desk.cairn({"resume", "lost"});
    CHECK(lost.code == 8);
    CHECK(lost.err.starts_with("error: "));
    for (const fs::path& p : checkpoints(desk, "lost")) CHECK(lost.tells(p.filename().string()));
    const bool untouched = content(desk / "lost" / "series.csv") == series;
    CHECK(untouched);
  }
}

TEST_CASE("program: what a checkpoint cannot be continued with is refused, not tried") {
  const Desk desk;
  const auto resume_with = [&](const std::string& change) {
    desk.run("out", scenario("bounce"), {"--set", "run.end=0.2", "--stop-after", "1000"});
    return desk.cairn({"resume", "out", "--set", change}).code;
  };
  for (const char* key :
       {"run.seed=2", "run.onset=off", "contact.law=hertz_mindlin", "wall.0.point=[0,0,1]", "title=x"})
    CHECK_MESSAGE(resume_with(key) == 2, key);
  CHECK(resume_with("run.end=0.3") == 0);
  // Schemes that remember steps, or whose velocities are half a step behind, start anew.
  for (const char* key : {"run.scheme=adams_bashforth2", "run.scheme=central_difference", "run.step=2e-4"}) {
    CAPTURE(std::string(key));
    CHECK(resume_with(key) == 0);
    const json changed = json::parse(content(desk / "out/summary.json"));
    CHECK(desk.run("again", "out/scenario.toml", {"--set", "run.end=0.2", "--force"}).at("state_hash") ==
          changed.at("state_hash"));
  }
}

TEST_CASE("program: a new run keeps the results of an old one beside, or replaces them when it is told to") {
  const Desk desk;
  const auto billiards = [&](const std::string& end, const Words& more = {}) {
    const Outcome o = desk.cairn(Words{"run", scenario("billiards"), "--out", "out"} + unseen() +
                                 set({"run.end=" + end, "output.frames=0.01"}) + more);
    CHECK_MESSAGE(o.code == 0, o.err);
    return o;
  };
  const auto frames = [&](const std::string& out) {
    const auto all = fs::directory_iterator(desk / out / "frames");
    return std::distance(begin(all), end(all));
  };
  billiards("0.1");
  const std::string series = content(desk / "out/series.csv"), summary = content(desk / "out/summary.json");
  CHECK(billiards("0.05").tells("note: the earlier results in out are kept in out.1; --force replaces them\n"));
  CHECK(frames("out") == 6);
  CHECK(frames("out.1") == 11);
  CHECK(content(desk / "out.1/series.csv") == series);
  CHECK(content(desk / "out.1/summary.json") == summary);
  CHECK(desk.cairn({"verify", "out.1"}).code == 0);
  CHECK(desk.resume("out.1", set({"run.end=0.2"})).at("finished") == true);

  CHECK(billiards("0.02", {"--force", "--stop-after", "150"}).err.find("kept") == std::string::npos);
  CHECK(frames("out") == 2);
  CHECK(!fs::exists(desk / "out.2"));
  CHECK(billiards("0.03", {"--quiet"}).err == "");                  // kept, though without a word
  CHECK(desk.resume("out.2").at("time") == doctest::Approx(0.02));  // an unfinished run goes on where it is kept
  CHECK(json::parse(content(desk / "out/summary.json")).at("time") == doctest::Approx(0.03));

  // A run that cannot start touches nothing.
  const std::string before = content(desk / "out/series.csv");
  CHECK(desk.cairn({"run", scenario("billiards"), "--out", "out", "--force", "--set", "run.step=1 km"}).code == 2);
  CHECK(content(desk / "out/series.csv") == before);

  fs::create_directories(desk / "home" / "frames");
  write(desk / "home" / "frames" / "mine.txt", "precious");
  desk.cairn({"run", scenario("billiards"), "--out", "home", "--set", "run.end=0.01", "--force"});  // or refuses to
  CHECK(fs::exists(desk / "home" / "frames" / "mine.txt"));
}

TEST_CASE("program: a resume that would end before its checkpoint is refused, and nothing is lost") {
  const Desk desk;
  desk.run("out", scenario("billiards"), set({"run.end=0.1"}));
  const std::string series = content(desk / "out/series.csv"), final = content(desk / "out/final.csv");
  const Outcome o = desk.cairn({"resume", "out", "--set", "run.end=0.05"});
  CHECK(o.code == 2);
  CHECK_MESSAGE(o.tells("run.end = 0.05 s is before the checkpoint, which is at t = 0.1 s; expected a later end"),
                o.err);
  CHECK(content(desk / "out/series.csv") == series);
  CHECK(content(desk / "out/final.csv") == final);
  CHECK(desk.resume("out", set({"run.end=0.1"})).at("time") == 0.1);  // the same end is no fault
  CHECK(desk.resume("out", set({"run.end=0.15"})).at("time") == 0.15);
  desk.run("adaptive", scenario("billiards"), set({"run.scheme=dormand_prince54", "run.end=0.1"}));
  CHECK(desk.cairn({"resume", "adaptive", "--set", "run.end=0.05"}).code == 2);
}

TEST_CASE("program: frames written so far are kept while a run goes on with others or none") {
  const Desk desk;
  desk.run("out", scenario("billiards"),
           set({"run.end=0.1", "output.frames=0.01", "output.format=both", "output.contacts=true"}) +
               Words{"--stop-after", "500"});
  const auto entries = [&](const std::string& list) {
    const std::string text = content(desk / "out" / list);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("<DataSet", at)) != text.npos; ++at) ++count;
    return count;
  };
  const std::string first = content(desk / "out/frames/frame_000000.vtp"), xyz = content(desk / "out/frames.xyz");
  CHECK(entries("frames.pvd") == 6);
  desk.resume("out", set({"output.frames=0"}) + Words{"--stop-after", "600"});
  desk.resume("out", set({"output.frames=0.01", "output.format=xyz"}) + Words{"--stop-after", "800"});
  desk.resume("out", set({"output.format=vtp"}) + Words{"--stop-after", "900"});
  desk.resume("out", set({"output.format=both"}));
  // Grains at 0 to 50, 90 and 100 ms; contacts at 70 and 80 ms too.
  CHECK(entries("frames.pvd") == 8);
  CHECK(entries("contacts.pvd") == 10);
  CHECK(content(desk / "out/frames/frame_000000.vtp") == first);
  const std::string longer = content(desk / "out/frames.xyz");
  const bool kept = longer.starts_with(xyz);
  CHECK(kept);
  const std::regex time(" Time=([^ \n]+)");
  Words times;
  for (std::sregex_iterator it(longer.begin(), longer.end(), time), end; it != end; ++it) times.push_back((*it)[1]);
  CHECK(times.size() == 9);  // 0 to 50, 70, 80, 100 ms
}

}  // namespace
}  // namespace cairn
