// Earlier results are kept beside, whole, whatever happens in between.
#include "cairn/formats/earlier_results.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/formats/files.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> results{"frames/a.vtp", "frames/b.vtp", "series.csv", "summary.json"};

void make(const std::string& folder, const std::string& content) {
  make_folder(folder + "/frames");
  for (const std::string& name : results) write_file_atomically(folder + "/" + name, content);
}

void check_kept(const std::string& folder, const std::string& content) {
  for (const std::string& name : results) {
    CAPTURE(name);
    REQUIRE(fs::exists(folder + "/" + name));
    CHECK(read_file(folder + "/" + name) == content);
  }
  CHECK(!fs::exists(folder + ".part"));
}

TEST_CASE("earlier results: each time they go into a folder of their own, and nothing else does") {
  const FreshFolder top;
  const std::string folder = top / "out";
  CHECK(keep_beside(top / "nowhere", results) == "");
  for (int k = 1; k <= 3; ++k) {
    make(folder, "run " + std::to_string(k));
    if (k == 1) write_file_atomically(folder + "/frames/mine.txt", "mine");
    if (k == 2) make_folder(folder + ".3");  // taken
    const std::string expected = folder + (k < 3 ? "." + std::to_string(k) : ".4");
    CHECK(keep_beside(k == 2 ? folder + "/" : folder, results) == expected);
    check_kept(expected, "run " + std::to_string(k));
    for (const std::string& name : results) CHECK(!fs::exists(folder + "/" + name));
    CHECK(read_file(folder + "/frames/mine.txt") == "mine");
    CHECK(!fs::exists(expected + "/frames/mine.txt"));
    CHECK(keep_beside(folder, results) == "");
  }
}

TEST_CASE("earlier results: a move that was cut short is completed by the next") {
  const FreshFolder top;
  const std::string folder = top / "out", part = folder + ".1.part";
  for (std::size_t moved = 1; moved < results.size(); ++moved) {
    CAPTURE(moved);
    fs::remove_all(folder + ".1");
    make(folder, "first");
    make_folder(part + "/frames");
    for (std::size_t k = 0; k < moved; ++k) fs::rename(folder + "/" + results[k], part + "/" + results[k]);
    CHECK(keep_beside(folder, results) == folder + ".1");
    check_kept(folder + ".1", "first");
  }
  // What was left of one run is never overwritten by another.
  fs::remove_all(folder + ".1");
  make(part, "first");
  make(folder, "second");
  CHECK(keep_beside(folder, results) == folder + ".2");
  check_kept(folder + ".2", "second");
  CHECK(read_file(part + "/series.csv") == "first");
}

TEST_CASE("earlier results: behind a link they stay where it leads, and none is written through") {
  const FreshFolder top;
  const std::string disk = top / "disk", folder = top / "out";
  make(disk + "/run", "far");
  fs::create_directory_symlink(disk + "/run", folder);
  CHECK(keep_beside(folder, results) == fs::canonical(disk + "/run").string() + ".1");
  check_kept(disk + "/run.1", "far");
  CHECK(fs::is_symlink(folder));

  make(folder, "again");
  make_folder(top / "elsewhere");
  fs::create_directory_symlink(top / "elsewhere", disk + "/run.2.part");
  check_error(Exit::io, disk + "/run.2.part: it is a symbolic link", [&] { keep_beside(folder, results); });
  for (const std::string& name : results) CHECK(read_file(folder + "/" + name) == "again");
  CHECK(fs::is_empty(top / "elsewhere"));
}

}  // namespace
}  // namespace cairn
