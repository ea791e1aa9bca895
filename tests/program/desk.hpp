// For tests of the program as its user meets it: a folder to run it in, and readers of what it leaves behind.
#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

inline std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "cannot read ", path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  REQUIRE_MESSAGE(file.good(), "cannot write ", path.string());
}

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Words words(const std::string& separated_by_blanks) {
  std::istringstream in(separated_by_blanks);
  return {std::istream_iterator<std::string>(in), {}};
}

inline std::string scenario(const std::string& name) {
  return CAIRN_SOURCE_DIR "/scenarios/" + name + ".toml";
}

inline Words set(std::initializer_list<std::string> changes) {
  Words all;
  for (const std::string& change : changes) all = all + Words{"--set", change};
  return all;
}

// For runs that nobody looks at.
inline Words unseen() {
  return set({"output.pictures=0", "output.report=false"});
}

// A run that ends when it is stopped.
inline Words endless(const std::string& out) {
  return Words{"run", scenario("pyramid"), "--out", out} + unseen() +
         set({"run.step=1e-5", "run.end=1e6", "output.series=0.04"});
}

// Until another process has made the file.
inline void wait_for(const fs::path& path) {
  for (int k = 0; !fs::exists(path); ++k) {
    REQUIRE_MESSAGE(k < 60'000, path.string() << " does not appear");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// A table as the program writes it, and as every reader of CSV must find it.
struct CsvTable {
  Words comments, names;
  std::vector<std::vector<Real>> rows;
  std::vector<Words> texts;  // of each row; NaN stands for those of `named` among its numbers

  explicit CsvTable(const fs::path& path) {
    const std::set<std::string> named{"material", "first_material", "second_material", "wall", "probe"};
    std::istringstream lines(content(path));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) {
        REQUIRE_MESSAGE(names.empty(), "a comment below the header: ", line);
        comments.push_back(line);
        continue;
      }
      Words cells;
      std::istringstream parts(line + ',');
      for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
      if (names.empty()) {
        names = cells;
        continue;
      }
      REQUIRE_MESSAGE(cells.size() == names.size(), "a row of other length than the header: ", line);
      std::vector<Real> row;
      texts.push_back(cells);
      for (const std::string& cell : cells) {
        if (named.contains(names[row.size()])) {
          row.push_back(std::numeric_limits<Real>::quiet_NaN());
          continue;
        }
        Real value = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        REQUIRE_MESSAGE((error == std::errc() && end == cell.data() + cell.size()), "not a number: '", cell, "'");
        row.push_back(value);
      }
      rows.push_back(row);
    }
    REQUIRE(!names.empty());
  }

  std::vector<Real> column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    REQUIRE_MESSAGE(at != names.end(), "no column ", name);
    std::vector<Real> values;
    for (const auto& row : rows) values.push_back(row[static_cast<std::size_t>(at - names.begin())]);
    return values;
  }
};

struct Outcome {
  int code;
  bool killed;  // by a signal it did not handle
  std::string out, err;
  Real memory;  // [bytes] it held at the most

  bool tells(std::string_view words) const { return err.find(words) != std::string::npos; }
};

// A fresh folder the program runs in, gone with all it wrote.
class Desk {
 public:
  Desk() : folder_((fs::temp_directory_path() / "cairn_test_XXXXXX").string()) {
    REQUIRE(::mkdtemp(folder_.data()) != nullptr);
  }
  ~Desk() { fs::remove_all(folder_); }
  Desk(const Desk&) = delete;
  fs::path operator/(const std::string& name) const { return fs::path(folder_) / name; }

  // Starts the program and returns its process; `prepare` is called in it first.
  pid_t start(const Words& arguments, const std::function<void()>& prepare = {}) const {
    Words all = Words{CAIRN_PROGRAM} + arguments;
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = *this / ".out", err = *this / ".err";
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process > 0) return process;
    const auto open_as = [](int descriptor, const char* path, int flags) {
      if (::dup2(::open(path, flags, 0666), descriptor) < 0) ::_exit(127);
    };
    open_as(0, "/dev/null", O_RDONLY);
    open_as(1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    open_as(2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    if (::chdir(folder_.c_str()) < 0) ::_exit(127);
    if (prepare) prepare();
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  // Of the process that was started last.
  Outcome wait(pid_t process) const {
    int status = 0;
    rusage used{};
    REQUIRE(::wait4(process, &status, 0, &used) == process);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), WIFSIGNALED(status) != 0,
            content(*this / ".out"), content(*this / ".err"), 1024.0 * static_cast<Real>(used.ru_maxrss)};
  }
  Outcome cairn(const Words& arguments, const std::function<void()>& prepare = {}) const {
    return wait(start(arguments, prepare));
  }

  // Runs that must succeed; they return the summary. run() makes no pictures and no report.
  json summary_of(const std::string& out, const Words& arguments) const {
    const Outcome o = cairn(arguments);
    std::string command;
    for (const std::string& a : arguments) command += ' ' + a;
    REQUIRE_MESSAGE(o.code == 0, command, "\n", o.err);
    return json::parse(content(*this / out / "summary.json"));
  }
  json run(const std::string& out, const std::string& scenario, const Words& more = {}) const {
    return summary_of(out, Words{"run", scenario, "--out", out} + unseen() + more);
  }
  json resume(const std::string& out, const Words& more = {}) const {
    return summary_of(out, Words{"resume", out} + more);
  }

 private:
  std::string folder_;
};

// But for the clock and the number of threads, and what else is named.
inline void check_same_summary(const json& a, const json& b, const std::set<std::string>& apart = {}) {
  json left = a, right = b;
  for (const char* key : {"wall_seconds", "particle_steps_per_second", "threads"}) left.erase(key), right.erase(key);
  for (const std::string& key : apart) left.erase(key), right.erase(key);
  const json difference = json::diff(left, right);
  CHECK_MESSAGE(difference.empty(), "the summaries differ: ", difference.dump());
}

// Everything a run left, byte for byte, but for the summary's clock and the checkpoints.
inline void check_same_results(const Desk& desk, const std::string& a, const std::string& b) {
  Words files{"series.csv", "final.csv"};
  if (fs::exists(desk / a / "frames.pvd")) files.push_back("frames.pvd");
  if (fs::exists(desk / a / "frames"))
    for (const auto& entry : fs::directory_iterator(desk / a / "frames"))
      files.push_back("frames/" + entry.path().filename().string());
  for (const std::string& file : files) {
    const bool same = content(desk / a / file) == content(desk / b / file);
    CHECK_MESSAGE(same, file, " of ", b, " is not that of ", a);
  }
}

// Newest first.
inline std::vector<fs::path> checkpoints(const Desk& desk, const std::string& out) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(desk / out / "checkpoint")) found.push_back(entry.path());
  const auto number = [](const fs::path& p) { return std::stoi(p.extension().string().substr(1)); };
  std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return number(a) > number(b); });
  return found;
}

}  // namespace cairn
