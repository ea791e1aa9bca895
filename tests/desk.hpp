// For tests of the program: a folder it runs in, and what came of it.
#pragma once
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

inline std::string quoted_for_shell(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Words words(const std::string& separated_by_blanks) {
  std::istringstream in(separated_by_blanks);
  return {std::istream_iterator<std::string>(in), {}};
}

struct Outcome {
  int code;
  std::string out, err;

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

  Outcome cairn(const Words& arguments) const {
    std::string command = "cd " + quoted_for_shell(folder_) + " && exec " + quoted_for_shell(CAIRN_PROGRAM);
    for (const std::string& a : arguments) command += ' ' + quoted_for_shell(a);
    const int status = std::system((command + " </dev/null >.out 2>.err").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(*this / ".out"),
            content(*this / ".err")};
  }

  // A run that must succeed; returns its summary.
  json summary_of(const std::string& out, const Words& arguments) const {
    const Outcome o = cairn(arguments);
    std::string command;
    for (const std::string& a : arguments) command += ' ' + a;
    REQUIRE_MESSAGE(o.code == 0, command, "\n", o.err);
    return json::parse(content(*this / out / "summary.json"));
  }
  json run(const std::string& out, const std::string& scenario, const Words& more = {}) const {
    return summary_of(out, Words{"run", scenario, "--out", out} + more);
  }
  json resume(const std::string& out, const Words& more = {}) const {
    return summary_of(out, Words{"resume", out} + more);
  }

 private:
  std::string folder_;
};

inline std::string scenario(const std::string& name) {
  return CAIRN_SOURCE_DIR "/scenarios/" + name + ".toml";
}

inline Words set(std::initializer_list<std::string> changes) {
  Words all;
  for (const std::string& change : changes) all = all + Words{"--set", change};
  return all;
}

}  // namespace cairn
