// What the program prints on a terminal, and that colours go nowhere else.
#include <fcntl.h>
#include <stdlib.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

struct Surroundings {
  const char* terminal;  // TERM
  const char* no_color;  // null: not set
};

// What the program shows on a terminal that is its standard output and error.
std::string shown(const Words& arguments, const Surroundings& in) {
  const Desk desk;
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(::grantpt(terminal) == 0);
  REQUIRE(::unlockpt(terminal) == 0);
  const std::string name = ::ptsname(terminal);
  desk.cairn(arguments, [&] {
    ::setenv("TERM", in.terminal, 1);
    in.no_color == nullptr ? ::unsetenv("NO_COLOR") : ::setenv("NO_COLOR", in.no_color, 1);
    const int other = ::open(name.c_str(), O_RDWR | O_NOCTTY);
    if (::dup2(other, 1) < 0 || ::dup2(other, 2) < 0) ::_exit(127);
  });
  std::string text(4096, '\0');
  const ssize_t count = ::read(terminal, text.data(), text.size());
  ::close(terminal);
  REQUIRE(count > 0);
  return text.substr(0, static_cast<std::size_t>(count));
}

TEST_CASE("terminal: errors are red and headings bold, on terminals that may show it") {
  const Words wrong{"run", "nowhere.toml"}, table{"new", "--list"};
  const Surroundings coloured{"xterm", nullptr};
  CHECK(shown(wrong, coloured).starts_with("\033[1m\033[31merror:\033[0m cannot read nowhere.toml"));
  CHECK(shown(table, coloured).starts_with("\033[1mcase "));
  CHECK(shown(wrong, {"xterm", ""}).starts_with("\033"));  // an empty NO_COLOR asks for nothing
  for (const Surroundings& plain : {Surroundings{"xterm", "1"}, {"dumb", nullptr}, {"", nullptr}})
    for (const Words& arguments : {wrong, table}) CHECK(shown(arguments, plain).find('\033') == std::string::npos);
  const Desk desk;
  const auto terminal = [] { ::setenv("TERM", "xterm", 1); };
  CHECK(desk.cairn(wrong, terminal).err.find('\033') == std::string::npos);
  CHECK(desk.cairn(table, terminal).out.find('\033') == std::string::npos);
}

TEST_CASE("terminal: the list of ready cases is a table") {
  const Desk desk;
  const Outcome o = desk.cairn({"new", "--list"});
  REQUIRE(o.code == 0);
  std::istringstream lines(o.out);
  std::string head, line;
  std::getline(lines, head);
  const std::size_t shows = head.find("shows"), grains = head.find("grains");
  REQUIRE(shows != std::string::npos);
  std::size_t rows = 0;
  while (std::getline(lines, line) && !line.empty()) {
    CAPTURE(line);
    ++rows;
    for (const std::size_t column : {shows, grains}) {
      CHECK(line.at(column - 1) == ' ');
      CHECK(line.at(column) != ' ');
    }
  }
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(CAIRN_SOURCE_DIR "/scenarios"))
    cases += entry.path().extension() == ".toml";
  CHECK(rows == cases - 1);  // but for chute, which needs a data file
  CHECK(o.out.find("\npour            pouring into a box  ") != std::string::npos);
}

}  // namespace
}  // namespace cairn
