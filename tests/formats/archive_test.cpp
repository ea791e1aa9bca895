// The container of checkpoints, the files it stands in and their generations.
#include "cairn/formats/archive.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/vec3.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/output/checkpoint_files.hpp"
#include "fresh_folder.hpp"

namespace cairn {
namespace {

using Words = std::vector<std::string>;
namespace fs = std::filesystem;

template <class F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return Error(Exit::ok, "no error");
}

// No file may grow beyond `bytes`: the system writes what fits and refuses the rest, as a full disk does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limited) == 0);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_;
};

const std::vector<Vector> positions{{0.1, -2.5, 1e-300}, {1.0 / 3, 0, -0.0}};

// The bytes of the archive that `fill` makes.
template <class Fill>
std::string archive_of(Fill&& fill) {
  std::string bytes;
  ArchiveWriter counted, writer([&](std::string_view part) { bytes += part; });
  for (ArchiveWriter* w : {&counted, &writer}) fill(*w), w->finish();
  CHECK(counted.size() == bytes.size());
  CHECK(writer.size() == bytes.size());
  return bytes;
}

std::string small_archive() {
  return archive_of([](ArchiveWriter& writer) {
    writer.add_values("x", positions);
    writer.add_value("step", std::int64_t{-7});
    writer.add_values("empty", std::vector<int>{});
    writer.add_text("scenario", "title = 'a'\n");
  });
}

std::string with_byte(std::string bytes, std::size_t at, int change) {
  bytes[at] = static_cast<char>(bytes[at] ^ change);
  return bytes;
}

std::string numbered_archive(std::int64_t number, std::size_t filling = 0) {
  return archive_of([&](ArchiveWriter& writer) {
    writer.add_value("number", number);
    writer.add_values("filling", std::vector<std::int64_t>(filling, number));
  });
}

TEST_CASE("crc32c: check values, and the division of polynomials bit by bit") {
  CHECK(crc32c("123456789") == 0xE3069283);
  CHECK(crc32c("") == 0);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AA);  // RFC 3720, B.4
  CHECK(crc32c(std::string(32, '\xff')) == 0x62A8AB43);
  std::string bytes;
  for (int size = 0; size < 40; ++size) {
    std::uint32_t expected = ~0u;
    for (const char c : bytes) {
      expected ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) expected = (expected >> 1) ^ (expected % 2 * 0x82f63b78u);
    }
    CHECK(crc32c(bytes) == ~expected);
    bytes += static_cast<char>(73 * size + 200);
  }
}

TEST_CASE("archive: what goes in comes out") {
  const auto reader = ArchiveReader::parse(small_archive(), "a.cp");
  CHECK(reader.has("x"));
  CHECK(!reader.has("y"));
  const auto x = reader.values<Vector>("x", 2);
  CHECK(std::memcmp(x.data(), positions.data(), sizeof(Vector) * 2) == 0);
  CHECK(reader.value<std::int64_t>("step") == -7);
  CHECK(reader.values<int>("empty").empty());
  CHECK(reader.text("scenario") == "title = 'a'\n");
  CHECK(small_archive() == small_archive());
}

// An archive put together by hand from its documented layout, of one section or two equal ones.
std::string by_hand(const std::string& name, std::uint32_t element, std::uint64_t size, const std::string& values,
                    std::uint32_t sections = 1, int written = 1) {
  const auto number = [](auto value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto filled = [](std::string text) { return text.append((8 - text.size() % 8) % 8, '\0'); };
  const std::string checked =
      number(static_cast<std::uint32_t>(name.size())) + number(element) + number(size) + filled(name) + filled(values);
  std::string bytes = "cairnarc" + number(archive_version);
  for (int k = 0; k < written; ++k) bytes += "sect" + number(crc32c(checked)) + checked;
  bytes += "done" + number(sections);
  Hash hash;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    hash.add(word);
  }
  return bytes + number(hash.value());
}

TEST_CASE("archive: the bytes are those of the documented layout") {
  const std::vector<std::uint16_t> values{0x6261, 0x6463, 0x6665};
  CHECK(archive_of([&](ArchiveWriter& w) { w.add_values("name", values); }) == by_hand("name", 2, 6, "abcdef"));
  const std::string_view whole = "abcdef";
  for (const std::size_t cut : {0, 1, 2, 5, 6}) {
    const auto in_parts = [&](const ArchiveWriter::Sink& to) { to(whole.substr(0, cut)), to(whole.substr(cut)); };
    CHECK(archive_of([&](ArchiveWriter& w) { w.add_section("name", 2, 6, in_parts); }) ==
          by_hand("name", 2, 6, "abcdef"));
    CHECK_THROWS_AS(archive_of([&](ArchiveWriter& w) { w.add_section("name", 2, 8, in_parts); }), std::logic_error);
  }
}

TEST_CASE("archive: contradictions under right checksums are refused") {
  const auto check = [](const std::string& bytes, const std::string& message) {
    check_error(Exit::corrupt, message, [&] { ArchiveReader::parse(bytes, "a.cp"); });
  };
  check(by_hand("x", 8, ~std::uint64_t{0}, ""), "a.cp: section 1 'x' is cut off");
  check(by_hand("x", 0, 8, "abcdefgh"), "a.cp: section 1 'x' ends within an element");
  check(by_hand("x", 8, 7, "abcdefg"), "a.cp: section 1 'x' ends within an element");
  check(by_hand("x", 8, 8, "abcdefgh", 2), "a.cp: has another number of sections than its footer states");
  check(by_hand("x", 8, 8, "abcdefgh", 2, 2), "a.cp: section 2 'x' appears twice");
}

TEST_CASE("archive: a second section of one name is refused") {
  ArchiveWriter writer;
  writer.add_value("a", 1);
  CHECK_THROWS_AS(writer.add_value("a", 2), std::logic_error);
}

TEST_CASE("archive: every change of a byte is detected") {
  const std::string good = small_archive();
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int change = 1; change < 256; ++change) {
      const Error error = error_of([&] { ArchiveReader::parse(with_byte(good, at, change), "a.cp"); });
      REQUIRE_MESSAGE(error.code() == Exit::corrupt, "byte ", at, " changed by ", change);
      REQUIRE(std::string(error.what()).starts_with("a.cp: "));
    }
}

TEST_CASE("archive: every truncation and every addition is detected") {
  const std::string good = small_archive();
  for (std::size_t size = 0; size < good.size(); ++size)
    REQUIRE_MESSAGE(error_of([&] { ArchiveReader::parse(good.substr(0, size), ""); }).code() == Exit::corrupt, size);
  for (std::size_t more = 1; more < 40; ++more)
    REQUIRE(error_of([&] { ArchiveReader::parse(good + std::string(more, '\0'), ""); }).code() == Exit::corrupt);
  CHECK(error_of([&] { ArchiveReader::parse(good + good, ""); }).code() == Exit::corrupt);
}

TEST_CASE("archive: messages name file and section") {
  const std::string good = small_archive();
  const auto check_parse = [](const std::string& bytes, const std::string& message) {
    check_error(Exit::corrupt, message, [&] { ArchiveReader::parse(bytes, "a.cp"); });
  };
  check_parse(with_byte(good, good.find("sect") + 40, 1), "a.cp: section 1 'x' is damaged");
  check_parse(with_byte(good, good.size() - 1, 1), "a.cp: is damaged: the hash in its footer differs");
  check_parse(with_byte(good, 8, 1), "a.cp: has format version 13, expected 12");
  check_parse(good.substr(0, good.size() - 30), "a.cp: section 4 'scenario' is cut off");
  check_parse(good.substr(0, good.size() - 1), "a.cp: is cut off in its footer");
  check_parse(good + std::string(8, '\0'), "a.cp: has bytes after its footer");
  check_parse(good.substr(0, 16), "a.cp: is cut off before section 1 or the footer");
  check_parse(good.substr(0, 43), "a.cp: section 1 is cut off in its name");
  check_parse("", "a.cp: is too short for a checkpoint");
  check_parse(std::string(64, 'x'), "a.cp: does not begin like a checkpoint");

  const auto reader = ArchiveReader::parse(good, "a.cp");
  const auto check_read = [&](const std::string& message, auto&& read) { check_error(Exit::corrupt, message, read); };
  check_read("a.cp: section 'y' is missing", [&] { reader.values<Real>("y"); });
  check_read("a.cp: section 'step' has elements of 8 bytes, expected 4", [&] { reader.value<float>("step"); });
  check_read("a.cp: section 'x' has 2 elements, expected 3", [&] { reader.values<Vector>("x", 3); });
  check_read("a.cp: section 'empty' has 0 elements, expected 1", [&] { reader.value<int>("empty"); });
}

TEST_CASE("files: written whole, read back; errors with path and cause") {
  const FreshFolder folder;
  const std::string content("a\0b\n", 4);
  write_file_atomically(folder / "a", "old, and longer");
  write_file_atomically(folder / "a", content);
  CHECK(read_file(folder / "a") == content);
  CHECK(!fs::exists(folder / "a.part"));
  const std::string large(1'000'000, 'x');
  write_file_atomically(folder / "large", large);
  CHECK(read_file(folder / "large") == large);
  write_file_atomically(folder / "empty", "");
  CHECK(read_file(folder / "empty").empty());
  if (fs::exists("/proc/self/maps")) CHECK(read_file("/proc/self/maps").size() > 100);  // says its size is 0

  check_error(Exit::io, "cannot read " + folder / "none" + ": No such file", [&] { read_file(folder / "none"); });
  check_error(Exit::io, "Is a directory", [&] { read_file(folder.path()); });
  check_error(Exit::io, folder / "none/a", [&] { write_file_atomically(folder / "none/a", ""); });
  make_folder(folder / "b/c/");
  make_folder(folder / "b/c");
  check_error(Exit::io, "Is a directory", [&] { write_file_atomically(folder / "b", "x"); });
  CHECK(!fs::exists(folder / "b.part"));
  check_error(Exit::io, "cannot make the folder", [&] { make_folder(folder / "a"); });
}

TEST_CASE("files: what cannot be written whole leaves the old content, and no litter") {
  const FreshFolder folder;
  write_file_atomically(folder / "a", "old");
  {
    const FileSizeLimit limit(60);
    check_error(Exit::no_space, "cannot write " + folder / "a.part: ", [&] {
      write_file_atomically(folder / "a", std::string(100, 'x'));
    });
    check_error(Exit::no_space, "the file needs 100 bytes; 60 bytes were written",
                [&] { write_file_atomically(folder / "a", std::string(100, 'x')); });
  }
  CHECK(read_file(folder / "a") == "old");
  CHECK(!fs::exists(folder / "a.part"));
}

TEST_CASE("files: nothing is written through a link, and a file with another name keeps what it had there") {
  const FreshFolder folder;
  const auto mine = [&](const char* name) { return read_file(folder / name); };
  for (const char* name : {"a", "b"}) write_file_atomically(folder / name, "mine\n");
  fs::create_symlink("a", folder / "link");
  fs::create_hard_link(folder / "b", folder / "other");
  for (const char* name : {"link", "other"}) {
    CAPTURE(std::string(name));
    const std::string path = folder / name;
    // In place of the part of an atomic file.
    fs::rename(path, path + ".part");
    write_file_atomically(path, "new");
    CHECK(read_file(path) == "new");
    fs::remove(path);
    fs::copy(folder / "a", path);
    fs::remove(path);
    if (name == std::string("link"))
      fs::create_symlink("a", path);
    else
      fs::create_hard_link(folder / "b", path);
    { TextFile::create(path).write("new"); }
    CHECK(read_file(path) == "new");
    CHECK(fs::symlink_status(path).type() == fs::file_type::regular);
  }
  CHECK(mine("a") == "mine\n");
  CHECK(mine("b") == "mine\n");
  { TextFile::create(folder / "given", Place::given).write("1"); }
  fs::create_symlink("given", folder / "to_given");
  { TextFile::create(folder / "to_given", Place::given).write("2"); }
  CHECK(mine("given") == "2");

  fs::create_symlink("a", folder / "series");
  FileSum sum;
  sum.add("mine\n");
  check_error(Exit::io, "cannot continue " + folder / "series: it is a symbolic link",
              [&] { TextFile::reopen(folder / "series", sum); });
  check_error(Exit::io, folder / "series: it is a symbolic link", [&] { refuse_link(folder / "series"); });
  refuse_link(folder / "a");
  refuse_link(folder / "nothing");
  fs::create_symlink("a", folder / ".lock");
  check_error(Exit::io, ".lock: it is a symbolic link", [&] { FolderLock lock(folder.path()); });
  fs::remove(folder / ".lock");
  fs::create_hard_link(folder / "a", folder / ".lock");
  { const FolderLock lock(folder.path()); }
  CHECK(mine("a") == "mine\n");
  fs::create_directory(folder / "in the way");
  check_error(Exit::io, "Is a directory", [&] { TextFile::create(folder / "in the way"); });
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0666) == 0);
  check_error(Exit::io, "expected a file", [&] { TextFile::create(folder / "pipe"); });
  fs::rename(folder / "pipe", folder / "b.part");
  check_error(Exit::io, "expected a file", [&] { write_file_atomically(folder / "b", ""); });
  CHECK(fs::exists(folder / "b.part"));
}

TEST_CASE("files: none takes the descriptor of a standard stream") {
  const FreshFolder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    TextFile file = TextFile::create(folder / "a");
    const FolderLock lock(folder.path());
    NewFile other(folder / "b", 0);
    for (const int stream : {0, 1, 2})
      if (::write(stream, "printed", 7) >= 0) ::_exit(1);
    file.write("written");
    file.close();
    ::_exit(0);
  }
  int status = 1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(read_file(folder / "a") == "written");
}

TEST_CASE("files: a folder is locked for one process, until that ends in whatever way") {
  const FreshFolder folder;
  const std::string a = folder / "a";
  { const FolderLock lock = FolderLock::make(a); }
  CHECK(!fs::exists(a));  // it was made for nothing
  check_error(Exit::io, "cannot write " + a, [&] { FolderLock lock(a); });

  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const FolderLock lock = FolderLock::make(a);
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  check_error(Exit::busy, "(process " + std::to_string(child) + ")", [&] { FolderLock::make(a); });
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  {
    const FolderLock lock(a);
    check_error(Exit::busy, "(process " + std::to_string(::getpid()) + ")", [&] { FolderLock second(a); });
    write_file_atomically(a + "/result", "");
  }
  CHECK(fs::exists(a + "/result"));
  CHECK(std::distance(fs::directory_iterator(a), {}) == 1);
  for (const int end : ready) ::close(end);
}

TEST_CASE("files: of processes that want one folder at once, each has it or is told that it is busy") {
  const FreshFolder folder;
  std::vector<pid_t> children;
  for (int k = 0; k < 3; ++k) {
    children.push_back(::fork());
    REQUIRE(children.back() >= 0);
    if (children.back() > 0) continue;
    for (int n = 0; n < 5000; ++n) {
      const Error error = error_of([&] { FolderLock lock(folder.path()); });
      if (error.code() != Exit::ok && error.code() != Exit::busy) ::_exit(1);
    }
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
}

void save(Generations& generations, std::string_view archive) {
  NewGeneration generation = generations.begin(archive.size());
  generation.write(archive);
  generations.keep(std::move(generation));
}

std::int64_t loaded(Generations& generations, std::string& warning) {
  return generations.load_newest(warning).value<std::int64_t>("number");
}

TEST_CASE("generations: the newest is read, two are kept, litter and other names are passed over") {
  const FreshFolder folder;
  Generations generations(folder.path()), nowhere(folder / "none");
  std::string warning = "old";
  check_error(Exit::io, "there is no checkpoint in " + folder.path(), [&] { loaded(generations, warning); });
  check_error(Exit::io, "cannot read the folder", [&] { loaded(nowhere, warning); });
  const Words others{"checkpoint.99.part",
                     "checkpoint.",
                     "checkpoint.007",
                     "checkpoint.5.tar.gz",
                     "checkpoint.backup",
                     "checkpoint.-1",
                     "checkpoint.18446744073709551616"};
  for (const std::string& other : others) write_file_atomically(folder / other, "mine");
  for (std::int64_t k = 1; k <= 12; ++k) {
    save(generations, numbered_archive(k));
    CHECK(Generations(folder.path()).load_newest(warning).value<std::int64_t>("number") == k);
    CHECK(warning.empty());
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) ==
          static_cast<std::int64_t>(others.size()) + std::min<std::int64_t>(k, 2));
  }
  { generations.begin(10).write("not kept"); }
  CHECK(!fs::exists(folder / "checkpoint.13.part"));
  CHECK(loaded(generations, warning) == 12);
  for (const std::string& other : others) CHECK(read_file(folder / other) == "mine");
}

TEST_CASE("generations: a corrupt newest falls back to the older, and says so") {
  const FreshFolder folder;
  Generations generations(folder.path());
  std::string warning;
  save(generations, numbered_archive(1));
  save(generations, numbered_archive(2));
  write_file_atomically(folder / "checkpoint.2", with_byte(numbered_archive(2), 60, 1));
  CHECK(loaded(generations, warning) == 1);
  CHECK(warning.find("checkpoint.2: ") != std::string::npos);
  CHECK(warning.find("resuming from the older checkpoint " + folder / "checkpoint.1") != std::string::npos);

  write_file_atomically(folder / "checkpoint.1", numbered_archive(1).substr(0, 50));
  check_error(Exit::corrupt, "no other checkpoint exists", [&] { loaded(generations, warning); });

  save(generations, numbered_archive(3));
  CHECK(loaded(generations, warning) == 3);
  CHECK(warning.empty());
}

TEST_CASE(
    "generations: the good one a run fell back to stays until two good ones are there, and outlasts damaged ones") {
  const FreshFolder folder;
  std::string warning;
  const auto present = [&] {
    std::vector<std::uint64_t> numbers;
    for (const GenerationFile& file : generations(folder.path())) numbers.push_back(file.number);
    return numbers;
  };
  using Numbers = std::vector<std::uint64_t>;
  {
    Generations first(folder.path());
    for (int k = 1; k <= 2; ++k) save(first, numbered_archive(k));
  }
  const std::string damaged = with_byte(numbered_archive(2), 60, 1);
  write_file_atomically(folder / "checkpoint.2", damaged);
  for (const std::int64_t newest : {3, 4, 5}) {  // each time the newest is damaged before the next process comes
    CAPTURE(newest);
    Generations again(folder.path());
    CHECK(loaded(again, warning) == 1);
    CHECK(present() == Numbers{static_cast<std::uint64_t>(newest - 1), 1});
    save(again, numbered_archive(newest));
    CHECK(present() == Numbers{static_cast<std::uint64_t>(newest), 1});
    if (newest < 5) write_file_atomically(folder / ("checkpoint." + std::to_string(newest)), damaged);
  }
  Generations last(folder.path());
  CHECK(loaded(last, warning) == 5);
  save(last, numbered_archive(6));
  CHECK(present() == Numbers{6, 5});
  write_file_atomically(folder / "checkpoint.5", damaged);  // an older one that is not known yet
  Generations after(folder.path());
  CHECK(loaded(after, warning) == 6);
  save(after, numbered_archive(7));
  CHECK(present() == Numbers{7, 6});
}

TEST_CASE("generations: a process killed while saving leaves a whole one") {
  const FreshFolder folder;
  Generations generations(folder.path());
  save(generations, numbered_archive(0));
  std::int64_t last = 0;
  for (unsigned trial = 0; trial < 20; ++trial) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (std::int64_t k = last + 1;; ++k) save(generations, numbered_archive(k, 20'000));
    }
    ::usleep(1000 + 700 * trial);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    std::string warning;
    const std::int64_t number = loaded(generations, warning);
    CHECK(warning.empty());
    CHECK(number >= last);
    last = number;
  }
  CHECK(last > 0);
  save(generations, numbered_archive(last));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}

}  // namespace
}  // namespace cairn
