// The folder of a run among the files of others: what the program takes for its own, what it never writes through, what
// it notices when somebody changed it; and `cairn verify`.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <map>

#include "program/desk.hpp"

namespace cairn {
namespace {

const Words short_run = set({"run.end=0.1", "output.series=0.01", "output.frames=0.02", "output.format=both",
                             "output.contacts=true", "output.checkpoint=0.02"});

json bounce(const Desk& desk, const std::string& out, const Words& more = {}) {
  return desk.run(out, scenario("bounce"), short_run + more);
}
const Words half{"--stop-after", "500"};

std::map<std::string, std::string> all_files(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = content(entry.path());
  return files;
}

std::string flipped(std::string bytes, std::size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  return bytes;
}

// Files and states by name, of those that are damaged.
std::map<std::string, std::string> faults(const json& verified) {
  std::map<std::string, std::string> found;
  for (const json& file : verified.at("files"))
    if (!file.at("state").get<std::string>().starts_with("whole")) found[file.at("name")] = file.at("state");
  return found;
}
using Faults = std::map<std::string, std::string>;

Faults faults_of(const Desk& desk, const std::string& out, int code) {
  const Outcome o = desk.cairn({"verify", out, "--json"});
  CHECK_MESSAGE(o.code == code, o.out, o.err);
  const json verified = json::parse(o.out);
  CHECK(verified.at("whole") == (code == 0));
  return faults(verified);
}

//---------------------------------------------------------------------------------------------------- standard streams

TEST_CASE("files: with standard streams closed, nothing of what is printed lands in the files of a run") {
  const Desk desk;
  // Its end is no whole number of steps, which a run says before its first.
  const Words odd = short_run + set({"run.end=0.10004"});
  const auto run = [&](const std::string& out, int closed) {
    const Outcome o = desk.cairn(Words{"run", scenario("bounce"), "--out", out} + unseen() + odd, [&] {
      for (const int stream : {0, 1, 2})
        if ((closed >> stream & 1) != 0) ::close(stream);
    });
    CHECK(o.code == 0);
    return o;
  };
  CHECK(run("open", 0).tells("note: run.end"));
  for (int closed = 1; closed < 8; ++closed) {
    CAPTURE(closed);
    run("closed", closed);
    check_same_results(desk, "open", "closed");
  }
  CHECK(faults_of(desk, "closed", 0).empty());
}

//------------------------------------------------------------------------------------------------------- foreign files

TEST_CASE("files: a new run takes away what a run writes, by its exact names, and nothing that looks like it") {
  const Desk desk;
  const Words others = words(
      "checkpoint/checkpoint.backup checkpoint/checkpoint.5.tar.gz checkpoint/checkpoint.007 checkpoint/checkpoint. "
      "checkpoint/checkpoint.-1 checkpoint/notes.part frames/frame_notes.txt frames/frame_00001.vtp "
      "frames/frame_000001.vtp.bak frames/frame_000001.vtk frames/frame_0000001.vtp contacts/contacts_000001.csv "
      "pictures/picture_000001.jpg pictures/picture_best.png figures/energy.pdf figures/mine.csv series.csv.bak "
      "checksums.txt~ summary.json.old");
  const Words stale = words(
      "checkpoint/checkpoint.99 checkpoint/checkpoint.100.part frames/frame_000777.vtp frames/frame_1000000.vtp "
      "frames/frame_000778.vtp.part contacts/contacts_000777.vtp pictures/picture_000777.png figures/energy.svg "
      "figures/energy.gp.part report.html summary.json.part frames.pvd.part");
  bounce(desk, "plain");
  for (const char* sub : {"checkpoint", "frames", "contacts", "pictures", "figures"})
    fs::create_directories(desk / "out" / sub);
  for (const std::string& name : others) write(desk / "out" / name, "mine");
  for (const std::string& name : stale) write(desk / "out" / name, "of an earlier run");
  bounce(desk, "out");
  for (const std::string& name : others) {
    CAPTURE(name);
    REQUIRE(fs::exists(desk / "out" / name));
    CHECK(content(desk / "out" / name) == "mine");
    fs::remove(desk / "out" / name);
  }
  for (const std::string& name : stale) CHECK_MESSAGE(!fs::exists(desk / "out" / name), name);
  Words left, expected;
  for (const auto& [name, text] : all_files(desk / "out")) left.push_back(name);
  for (const auto& [name, text] : all_files(desk / "plain")) expected.push_back(name);
  CHECK(left == expected);
}

//--------------------------------------------------------------------------------------------------------------- links

TEST_CASE("files: a run writes through no link in its folder") {
  const Desk desk;
  const json whole = bounce(desk, "whole");
  fs::create_directories(desk / "home");
  const auto untouched = [&] {
    for (const auto& [name, text] : all_files(desk / "home")) CHECK_MESSAGE(text == "mine", name);
  };
  const Words names = words(
      "series.csv summary.json.part summary.json frames.pvd frames.pvd.part frames.xyz final.csv "
      "checksums.txt");
  for (const bool hard : {false, true}) {
    CAPTURE(hard);
    fs::remove_all(desk / "out");
    fs::create_directories(desk / "out");
    for (const std::string& name : names) {
      write(desk / "home" / name, "mine");
      if (hard)
        fs::create_hard_link(desk / "home" / name, desk / "out" / name);
      else
        fs::create_symlink(desk / "home" / name, desk / "out" / name);
    }
    check_same_summary(whole, bounce(desk, "out"));
    check_same_results(desk, "whole", "out");
    untouched();
  }

  // A lock is a file of its own.
  write(desk / "home/lock", "mine");
  fs::create_symlink(desk / "home/lock", desk / "out/.lock");
  const Words again = Words{"run", scenario("bounce"), "--out", "out"} + unseen() + short_run;
  const Outcome locked = desk.cairn(again);
  CHECK(locked.code == 4);
  CHECK(locked.tells("out/.lock: it is a symbolic link"));
  fs::remove(desk / "out/.lock");
  fs::create_hard_link(desk / "home/lock", desk / "out/.lock");
  CHECK(desk.cairn(again).code == 0);
  untouched();

  // Folders within that of a run are its own, and are looked at before it starts.
  for (const std::string& name : words("checkpoint frames contacts pictures figures")) {
    CAPTURE(name);
    const fs::path elsewhere = desk / "home" / (name + "_elsewhere");
    fs::create_directories(elsewhere);
    write(elsewhere / "frame_000000.vtp", "mine");
    bounce(desk, "out", half);
    fs::remove_all(desk / "out" / name);
    fs::create_directory_symlink(elsewhere, desk / "out" / name);
    const std::string series = content(desk / "out/series.csv");
    for (const Words& command : {again, Words{"resume", "out"}}) {
      if (command[0] == "resume" && name == "checkpoint") continue;  // there is none left to resume from
      const Outcome o = desk.cairn(command);
      CHECK(o.code == 4);
      CHECK_MESSAGE(o.tells("out/" + name + ": it is a symbolic link"), o.err);
    }
    CHECK(content(desk / "out/series.csv") == series);
    CHECK(std::distance(fs::directory_iterator(elsewhere), {}) == 1);
    untouched();
    fs::remove_all(desk / "out");
  }
  bounce(desk, "out");
  fs::create_directory_symlink(desk / "home", desk / "out/figures");
  const Outcome report = desk.cairn({"report", "out"});
  CHECK(report.code == 4);
  CHECK(report.tells("out/figures: it is a symbolic link"));
  untouched();

  // The folder itself may be one.
  fs::create_directories(desk / "large disk");
  fs::create_directory_symlink("large disk", desk / "link");
  check_same_summary(whole, bounce(desk, "link"));
  check_same_results(desk, "whole", "large disk");
}

TEST_CASE("files: a resume leaves a copy made by links as it is, and refuses to go on through one") {
  const Desk desk;
  const json whole = bounce(desk, "whole");
  bounce(desk, "out", half);
  fs::create_directories(desk / "copy");
  fs::copy(desk / "out", desk / "copy", fs::copy_options::recursive | fs::copy_options::create_hard_links);
  const auto before = all_files(desk / "copy");
  check_same_summary(whole, desk.resume("out"));
  check_same_results(desk, "whole", "out");
  CHECK(all_files(desk / "copy") == before);
  CHECK(faults_of(desk, "copy", 0).empty());
  check_same_summary(whole, desk.resume("copy"));

  bounce(desk, "linked", half);
  fs::rename(desk / "linked/series.csv", desk / "series.csv");
  fs::create_symlink("../series.csv", desk / "linked/series.csv");
  const std::string series = content(desk / "series.csv");
  const Outcome o = desk.cairn({"resume", "linked"});
  CHECK(o.code == 4);
  CHECK(o.tells("linked/series.csv: it is a symbolic link"));
  CHECK(content(desk / "series.csv") == series);
}

//--------------------------------------------------------------------------------------------------------- generations

TEST_CASE("files: the checkpoint a run fell back to stays until two good ones are there") {
  const Desk desk;
  const json whole = bounce(desk, "whole");
  bounce(desk, "out", half);
  std::vector<fs::path> found = checkpoints(desk, "out");
  REQUIRE(found.size() == 2);
  const fs::path good = found[1];
  const std::string bytes = content(good);
  write(found[0], flipped(content(found[0]), 1000));
  desk.resume("out", {"--stop-after", "501"});  // which saves once, at its end
  found = checkpoints(desk, "out");
  REQUIRE(found.size() == 2);
  CHECK(found[1] == good);
  const bool kept = content(good) == bytes;
  CHECK(kept);
  CHECK(faults_of(desk, "out", 0).empty());  // the damaged one is gone
  write(found[0], "damaged too");
  CHECK(desk.cairn({"verify", "out"}).code == 8);
  const Outcome o = desk.cairn({"resume", "out"});
  CHECK(o.code == 0);
  CHECK(o.tells("resuming from the older checkpoint out/checkpoint/" + good.filename().string()));
  check_same_summary(whole, json::parse(content(desk / "out/summary.json")));
  check_same_results(desk, "whole", "out");
}

//-------------------------------------------------------------------------------------------------------- edited files

TEST_CASE("files: a resume refuses files that were changed since its checkpoint, and touches none") {
  const Desk desk;
  const json whole = bounce(desk, "whole");
  bounce(desk, "out", half);
  for (const std::string& name : words("series.csv frames.xyz frames.pvd contacts.pvd checksums.txt")) {
    CAPTURE(name);
    const std::string good = content(desk / "out" / name);
    const std::size_t line = good.find('\n', good.size() / 4) + 1;
    const auto refused = [&](const std::string& bad, const std::string& words) {
      write(desk / "out" / name, bad);
      const auto before = all_files(desk / "out");
      const Outcome o = desk.cairn({"resume", "out"});
      CHECK(o.code == 8);
      CHECK_MESSAGE(o.tells("cannot continue out/" + name), o.err);
      CHECK_MESSAGE(o.tells(words), o.err);
      const bool untouched = all_files(desk / "out") == before;
      CHECK(untouched);
      CHECK(faults_of(desk, "out", 8).contains(name));
    };
    refused(flipped(good, line + 2), "changed since");                             // a digit
    refused(good.substr(0, line) + good.substr(good.find('\n', line) + 1) + good,  // a line less, and yet no shorter
            "changed since");
    refused(good.substr(0, line), "");
    fs::remove(desk / "out" / name);
    CHECK(desk.cairn({"resume", "out"}).code == 4);
    CHECK(faults_of(desk, "out", 8) == Faults{{name, "missing"}});
    write(desk / "out" / name, good);
  }
  // Without frames, no list of frames is gone on with.
  write(desk / "out/frames.xyz", "thrown away");
  CHECK(desk.cairn({"resume", "out", "--set", "output.frames=0", "--stop-after", "510"}).code == 0);
  check_same_summary(whole, bounce(desk, "out"));
}

//-------------------------------------------------------------------------------------------------------------- verify

TEST_CASE("verify: every file of a run that ended is covered, every kind of damage is found and named") {
  const Desk desk;
  desk.summary_of("out", Words{"run", scenario("bounce"), "--out", "out"} + short_run + set({"output.pictures=0.05"}));
  const auto files = all_files(desk / "out");
  const Outcome whole = desk.cairn({"verify", "out"});
  CHECK(whole.code == 0);
  CHECK(whole.err == "");
  for (const char* row : {"checkpoint/ ", "series.csv ", "frames/ ", "contacts/ ", "pictures/ ", "figures/ ",
                          "frames.xyz ", "final.csv ", "summary.json ", "report.html ", "checksums.txt "})
    CHECK_MESSAGE(whole.out.find(std::string("\n") + row) != std::string::npos, row);
  CHECK(whole.out.find("all " + std::to_string(files.size()) + " files are whole") != std::string::npos);
  const json verified = json::parse(desk.cairn({"verify", "out", "--json"}).out);
  CHECK(verified.at("ended") == true);
  CHECK(verified.at("whole") == true);
  CHECK(verified.at("steps") == 1000);
  CHECK(verified.at("files").size() == files.size());
  CHECK(verified.at("not_checked").empty());
  CHECK(all_files(desk / "out") == files);  // it writes nothing

  for (const auto& [name, good] : files) {
    if (name.starts_with("figures/") && !name.starts_with("figures/energy")) continue;  // are as these
    CAPTURE(name);
    const fs::path path = desk / "out" / name;
    const auto found = [&](const std::string& bad) {
      write(path, bad);
      const Outcome o = desk.cairn({"verify", "out", "--json"});
      CHECK(o.code == 8);
      CHECK_MESSAGE(o.tells("1 of "), o.err);
      CHECK_MESSAGE(o.tells("out/" + name), o.err);
      const Faults all = faults(json::parse(o.out));
      REQUIRE(all.size() == 1);
      CHECK(all.begin()->first == name);
      return all.begin()->second;
    };
    CHECK(found(flipped(good, good.size() / 2)) == "changed");
    const bool checkpoint = name.starts_with("checkpoint/"), list = name == "checksums.txt";
    CHECK(found(flipped(good, good.size() - (checkpoint || list ? 2 : 1))) == "changed");
    CHECK(found(good + "\n") == (checkpoint || list ? "changed" : "longer"));
    CHECK(found(good.substr(0, good.size() - 1)) == (checkpoint || list ? "changed" : "shorter"));
    if (list) CHECK(found(good.substr(0, good.rfind('\n', good.size() - 2) + 1)) == "changed");
    fs::remove(path);
    if (!checkpoint) {
      CHECK(faults_of(desk, "out", 8) == Faults{{name, "missing"}});
    }
    write(path, good);
  }
  CHECK(desk.cairn({"verify", "out"}).code == 0);

  for (const char* name : {"series.csv", "checksums.txt", "final.csv"}) {  // a pipe does not make it wait
    fs::remove(desk / "out" / name);
    REQUIRE(::mkfifo((desk / "out" / name).c_str(), 0666) == 0);
  }
  const Outcome broken = desk.cairn({"verify", "out"});
  CHECK(broken.code == 8);
  CHECK(broken.out.find("series.csv               1               0  damaged") != std::string::npos);
  CHECK(broken.tells("out/series.csv is not a file"));
  for (const char* name : {"series.csv", "checksums.txt", "final.csv"}) {
    fs::remove(desk / "out" / name);
    write(desk / "out" / name, files.at(name));
  }

  // A report made again, with less in it, is as good.
  fs::remove_all(desk / "out/pictures");
  CHECK(desk.cairn({"report", "out"}).code == 0);
  for (const auto& [name, state] : faults_of(desk, "out", 8)) {
    CHECK(name.starts_with("pictures/"));
    CHECK(state == "missing");
  }
  fs::remove_all(desk / "out/checkpoint");
  CHECK(faults_of(desk, "out", 8).at("checkpoint") == "missing");
}

TEST_CASE("verify: what a killed run wrote after its checkpoint is no damage, and is said") {
  const Desk desk;
  bounce(desk, "out", half);
  // As after a kill: neither the end nor what came after the checkpoint is in the list.
  const std::string list = content(desk / "out/checksums.txt");
  const std::size_t end = list.rfind('\n', list.find("summary.json")) + 1;
  write(desk / "out/checksums.txt", list.substr(0, end) + "0badf00d");
  for (const char* name : {"final.csv", "summary.json"}) fs::remove(desk / "out" / name);
  write(desk / "out/series.csv", content(desk / "out/series.csv") + "0.06,1,2");
  write(desk / "out/frames/frame_000003.vtp", "half a fr");
  const Outcome o = desk.cairn({"verify", "out"});
  CHECK_MESSAGE(o.code == 0, o.err);
  CHECK(o.out.find("8 of these bytes after the checkpoint") != std::string::npos);
  CHECK(o.out.find("the end of the run is not on record") != std::string::npos);
  CHECK(o.out.find("frames/frame_000003.vtp") != std::string::npos);
  const json verified = json::parse(desk.cairn({"verify", "out", "--json"}).out);
  CHECK(verified.at("ended") == false);
  CHECK(verified.at("not_checked") == json{"frames/frame_000003.vtp", "scenario.toml"});
  for (const json& file : verified.at("files"))
    if (file.at("name") == "series.csv") CHECK(file.at("bytes").get<int>() == 8 + file.at("expected_bytes").get<int>());
  // Frames of before the checkpoint are covered all the same.
  write(desk / "out/frames/frame_000001.vtp", "half a fr");
  CHECK(faults_of(desk, "out", 8).at("frames/frame_000001.vtp") == "shorter");
  const json whole = bounce(desk, "whole");
  check_same_summary(whole, desk.resume("out"));
  CHECK(faults_of(desk, "out", 8) == Faults{{"frames/frame_000001.vtp", "shorter"}});
}

TEST_CASE("verify: runs in pieces, with other outputs and with new ends are covered") {
  const Desk desk;
  bounce(desk, "out", half);
  CHECK(faults_of(desk, "out", 0).empty());
  desk.resume("out", set({"output.frames=0"}) + Words{"--stop-after", "600"});
  CHECK(faults_of(desk, "out", 0).empty());
  desk.resume("out", set({"output.frames=0.01", "output.format=vtp"}) + Words{"--stop-after", "700"});
  CHECK(faults_of(desk, "out", 0).empty());
  desk.resume("out", set({"output.format=both", "output.report=true"}));
  CHECK(faults_of(desk, "out", 0).empty());
  desk.resume("out", set({"run.end=0.15"}));
  CHECK(faults_of(desk, "out", 0).empty());
  const Outcome guard = desk.cairn({"run", scenario("billiards"), "--set", "contact.stiffness=300", "--out", "guard"});
  CHECK(guard.code == 3);
  CHECK(faults_of(desk, "guard", 0).empty());
}

TEST_CASE("verify: what it cannot verify") {
  const Desk desk;
  fs::create_directories(desk / "photos");
  write(desk / "photos/a.txt", "mine");
  for (const auto& [folder, words] : {std::pair{"nowhere", "there is no folder nowhere"},
                                      {"photos", "photos has no checkpoint, and no run ended in it"}}) {
    const Outcome o = desk.cairn({"verify", folder});
    CHECK(o.code == 4);
    CHECK_MESSAGE(o.tells(words), o.err);
    CHECK(o.out == "");
  }
  const pid_t process = desk.start(Words{"run", scenario("bounce"), "--out", "out"} + unseen() + set({"run.end=1e6"}));
  while (!fs::exists(desk / "out/checkpoint/checkpoint.1")) ::usleep(1000);
  const Desk other;
  const Outcome busy = other.cairn({"verify", desk / "out"});
  CHECK(busy.code == 7);
  CHECK(busy.tells("process " + std::to_string(process)));
  ::kill(process, SIGKILL);
  desk.wait(process);
  CHECK(faults_of(desk, "out", 0).empty());
  bounce(desk, "out");
  for (const fs::path& path : checkpoints(desk, "out")) write(path, "no checkpoint");
  CHECK(faults_of(desk, "out", 8).size() == 2);  // the end of the run covers the rest
  const Outcome help = desk.cairn({"verify", "--help"});
  CHECK(help.code == 0);
  CHECK(help.out.find("--json") != std::string::npos);
}

}  // namespace
}  // namespace cairn
