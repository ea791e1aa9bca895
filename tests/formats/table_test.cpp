// Tables and the text file under them: numbers survive to the bit, and a resumed run goes on where its checkpoint was.
#include "cairn/formats/table.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

const std::vector<Table::Column> columns{{"t", "s"}, {"energy", "J"}, {"grains", "1"}};

TEST_CASE("table: comments, units, names, rows") {
  const FreshFolder folder;
  Table table = Table::create(folder / "a.csv", "1.2.3", columns);
  table.row({0.1, -0.0, 3});
  table.row({1e22, 5e-324, std::numeric_limits<std::int64_t>::min()});
  table.row({0.0 / 0.0, -std::numeric_limits<Real>::infinity(), -1});
  table.close();
  CHECK(read_file(folder / "a.csv") ==
        "# cairn 1.2.3\n# units: t [s], energy [J], grains [1]\nt,energy,grains\n"
        "0.1,-0,3\n1e+22,5e-324,-9223372036854775808\nnan,-inf,-1\n");
}

TEST_CASE("table: text is quoted where a reader would stumble (RFC 4180)") {
  const FreshFolder folder;
  const Table::Column names[] = {{"scheme", "1"}, {"order", "1"}};
  const std::vector<std::string> texts{"rk4", "newmark(0.25,0.5)", "a \"b\"", "#1"};
  Table table = Table::create(folder / "a.csv", "1.2.3", names);
  for (const std::string& text : texts) table.row({text, 4});
  table.close();
  const std::string written = read_file(folder / "a.csv");
  CHECK(written.ends_with("\nrk4,4\n\"newmark(0.25,0.5)\",4\n\"a \"\"b\"\"\",4\n\"#1\",4\n"));
}

TEST_CASE("table: doubles come back to the bit") {
  std::vector<Real> numbers{0.1, 1.0 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -0.0, 0x1p53};
  for (std::uint64_t k = 0; numbers.size() < 20'000; ++k) {
    const Real a = std::bit_cast<Real>(mix(k));
    if (std::isfinite(a)) numbers.push_back(a);
  }
  const FreshFolder folder;
  Table table = Table::create(folder / "a.csv", "", std::vector<Table::Column>{{"a", "1"}});
  for (const Real a : numbers) table.row({a});
  table.close();
  std::istringstream lines(read_file(folder / "a.csv"));
  std::string line;
  for (int head = 0; head < 3; ++head) std::getline(lines, line);
  for (const Real a : numbers) {
    REQUIRE(std::getline(lines, line));
    REQUIRE(std::bit_cast<std::uint64_t>(std::strtod(line.c_str(), nullptr)) == std::bit_cast<std::uint64_t>(a));
  }
  CHECK(!std::getline(lines, line));
}

TEST_CASE("table: continued at an offset, the file is that of a run without a break") {
  const FreshFolder folder;
  Table whole = Table::create(folder / "whole.csv", "1", columns);
  Table broken = Table::create(folder / "broken.csv", "1", columns);
  const auto rows = [](Table& table, int begin, int end) {
    for (int k = begin; k < end; ++k) table.row({0.1 * k, 1.0 / (k + 1), k});
  };
  rows(whole, 0, 9000);
  rows(broken, 0, 4000);
  broken.sync();
  const FileSum before = broken.sum();
  rows(broken, 4000, 7777);  // lost in the break, some of it in the file
  broken.close();
  CHECK(fs::file_size(folder / "broken.csv") > before.size);
  CHECK(sum_of(folder / "broken.csv", before.size) == before);

  // A copy made by links keeps what it has.
  const std::string copied = read_file(folder / "broken.csv");
  fs::create_hard_link(folder / "broken.csv", folder / "copy.csv");
  Table resumed = Table::resume(folder / "broken.csv", columns, before);
  CHECK(resumed.sum() == before);
  CHECK(fs::file_size(folder / "broken.csv") > before.size);
  resumed.cut();
  CHECK(fs::file_size(folder / "broken.csv") == before.size);
  rows(resumed, 4000, 9000);
  CHECK(resumed.sum() == whole.sum());
  CHECK(read_file(folder / "copy.csv") == copied);
  resumed.close();
  whole.close();
  CHECK(read_file(folder / "broken.csv") == read_file(folder / "whole.csv"));
}

TEST_CASE("table: what cannot be continued is refused and left as it is") {
  const FreshFolder folder;
  Table table = Table::create(folder / "a.csv", "1", columns);
  table.row({0.5, 1.5, 2});
  const std::uint64_t size = table.sum().size;
  table.close();
  const std::string before = read_file(folder / "a.csv");
  const auto first = [&](std::uint64_t bytes) {
    FileSum sum;
    sum.add(before.substr(0, bytes));
    return sum;
  };
  const auto resume = [&](const FileSum& sum) { Table::resume(folder / "a.csv", columns, sum); };
  check_error(Exit::corrupt, "the file has only " + std::to_string(size), [&] { resume({size + 1, first(size).crc}); });
  check_error(Exit::corrupt, "were changed since the checkpoint", [&] { resume({size, first(size).crc + 1}); });
  check_error(Exit::corrupt, "no line begins there", [&] { resume(first(size - 1)); });
  check_error(Exit::io, "no row begins there", [&] { resume(first(10)); });
  check_error(Exit::io, "its columns are not those", [&] {
    Table::resume(folder / "a.csv", std::vector<Table::Column>{{"t", "ms"}, {"energy", "J"}, {"grains", "1"}},
                  first(size));
  });
  check_error(Exit::io, "No such file", [&] { Table::resume(folder / "none.csv", columns, first(size)); });
  // Every byte that was changed before that place, and none behind it.
  for (std::size_t at = 0; at < before.size(); ++at) {
    std::string edited = before + "0.6,1.5,2\n";
    edited[at] = static_cast<char>(edited[at] ^ 1);
    write_file_atomically(folder / "a.csv", edited);
    check_error(Exit::corrupt, "were changed", [&] { resume(first(size)); });
    CHECK(read_file(folder / "a.csv") == edited);
  }
  write_file_atomically(folder / "a.csv", before + "half a ro");
  resume(first(size));
  write_file_atomically(folder / "a.csv", before);
  CHECK(read_file(folder / "a.csv") == before);
}

TEST_CASE("table: a row of another length or a name that needs quotes is a programming error") {
  const FreshFolder folder;
  Table table = Table::create(folder / "a.csv", "1", columns);
  CHECK_THROWS_AS(table.row({1.0}), std::logic_error);
  CHECK_THROWS_AS(Table::create(folder / "b.csv", "1", std::vector<Table::Column>{{"a,b", "1"}}), std::logic_error);
  CHECK_THROWS_AS(Table::create(folder / "b.csv", "1", std::vector<Table::Column>{{"a", "1"}, {"a", "s"}}),
                  std::logic_error);
  CHECK(!fs::exists(folder / "b.csv"));
}

TEST_CASE("text file: flushed text is in the file, a full disk is reported, the destructor flushes") {
  const FreshFolder folder;
  {
    TextFile file = TextFile::create(folder / "a");
    file.write("one\n");
    CHECK(file.offset() == 4);
    CHECK(read_file(folder / "a").empty());
    file.flush();
    CHECK(read_file(folder / "a") == "one\n");
    TextFile moved = std::move(file);
    moved.write("two\n");
  }
  CHECK(read_file(folder / "a") == "one\ntwo\n");
  TextFile long_file = TextFile::create(folder / "long");
  for (int k = 0; k < 1000; ++k) long_file.write(std::string(999, 'x') + "\n");
  CHECK(fs::file_size(folder / "long") > 900'000);
  check_error(Exit::io, folder / "none/a", [&] { TextFile::create(folder / "none/a"); });
  if (fs::exists("/dev/full")) {
    TextFile full = TextFile::create("/dev/full", Place::given);
    full.write("x");
    check_error(Exit::no_space, "cannot write /dev/full: No space left", [&] { full.flush(); });
    CHECK(full.offset() == 1);
  }
}

TEST_CASE("text file: what did not fit on the disk is written when there is space again") {
  const FreshFolder folder;
  TextFile file = TextFile::create(folder / "a");
  const std::string text = "0123456789012345678901234567890123456789\n";
  file.write(text);
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limited{30, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limited);
  check_error(Exit::no_space, "cannot write " + folder / "a: ", [&] { file.flush(); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK(read_file(folder / "a") == text.substr(0, 30));
  CHECK(file.offset() == text.size());
  file.flush();
  CHECK(read_file(folder / "a") == text);
}

}  // namespace
}  // namespace cairn
