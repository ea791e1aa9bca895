// The list of a run's files with their checksums, and the names a run may give to files.
#include "cairn/output/checksum_list.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

std::string sealed(const std::string& text) {
  FileSum sum;
  sum.add(text);
  return text + line_of({names::checksums, sum});
}

TEST_CASE("checksum list: lines come back, and the seal covers every byte above it") {
  const std::string above = checksum_list_head + line_of({"frames/frame_000000.vtp", {1569, 0x622e0f9d}}) +
                            line_of({"a name with blanks", {std::numeric_limits<std::uint64_t>::max(), 1}});
  CHECK(above.ends_with("00000001 18446744073709551615 a name with blanks\n"));
  const ChecksumList open = parse_list(above + "0badf00d  12 half a li", "list");
  CHECK(!open.sealed);
  REQUIRE(open.files.size() == 2);
  CHECK(open.files[0].name == "frames/frame_000000.vtp");
  CHECK(open.files[0].sum == FileSum{1569, 0x622e0f9d});
  CHECK(open.files[1].name == "a name with blanks");
  CHECK(open.files[1].sum.size == std::numeric_limits<std::uint64_t>::max());

  const std::string good = sealed(above);
  CHECK(parse_list(good, "list").sealed);
  CHECK(parse_list(good, "list").files.size() == 2);
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    try {
      const bool is_sealed = parse_list(bad, "list").sealed;
      CHECK(!is_sealed);  // the name or the end of the last line
    } catch (const Error& error) {
      CHECK(error.code() == Exit::corrupt);
      ++refused;
    }
  }
  CHECK(refused >= static_cast<int>(above.size() + 20));
  check_error(Exit::corrupt, "list:5: expected a line", [&] { parse_list(good + "\n", "list"); });
  check_error(Exit::corrupt, "list: the file was changed", [&] { parse_list(good + "x", "list"); });
  check_error(Exit::corrupt, "list:2: expected a line", [] { parse_list("#\n12 x y\n", "list"); });
}

TEST_CASE("checksum list: files that are listed again keep the lines of the others to the byte") {
  const FreshFolder folder;
  const std::string path = folder / "checksums.txt";
  for (const char* name : {"report.html", "final.csv"}) write_file_atomically(folder / name, name);
  const std::string head = "# an older head\n" + line_of({"frames/frame_000000.vtp", {1, 2}}),
                    last = line_of({"final.csv", sum_of(folder / "final.csv")});
  const std::vector<std::string> again{"report.html"};
  list_again(folder.path(), again);
  CHECK(!std::filesystem::exists(path));
  const std::string open = head + line_of({"report.html", {3, 4}}) + last;
  write_file_atomically(path, open);
  list_again(folder.path(), again);
  CHECK(read_file(path) == open);
  write_file_atomically(path, sealed(open));
  list_again(folder.path(), again);
  CHECK(read_file(path) == sealed(head + last + line_of({"report.html", sum_of(folder / "report.html")})));
}

TEST_CASE("names: numbers are those that are written, in the same width") {
  CHECK(names::frame.name(12) == "frames/frame_000012.vtp");
  CHECK(names::checkpoint.name(7) == "checkpoint/checkpoint.7");
  for (const names::Numbered& kind : names::numbered)
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{999'999}, std::uint64_t{1'000'000},
                                       std::numeric_limits<std::uint64_t>::max()}) {
      CHECK(kind.number_of(kind.file(number)) == number);
      CHECK(names::is_numbered(kind.name(number)));
      for (const std::string& other : {"0" + kind.file(number), kind.file(number) + "0.", kind.file(number) + " "})
        CHECK(kind.number_of(other) == std::nullopt);
    }
  for (const char* other : {"frame_12.vtp", "frame_0000012.vtp", "frame_-00012.vtp", "frame_.vtp", "frame_000012.VTP"})
    CHECK(names::frame.number_of(other) == std::nullopt);
  CHECK(!names::is_numbered("frames"));
  CHECK(!names::is_numbered("pictures/frame_000012.vtp"));
}

}  // namespace
}  // namespace cairn
