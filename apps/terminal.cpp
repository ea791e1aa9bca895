#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cairn/formats/printable.hpp"

namespace cairn {
namespace {

constexpr std::string_view plain = "\033[0m", bold = "\033[1m", red = "\033[31m", yellow = "\033[33m";

// no-color.org: any NO_COLOR that is not empty.
bool in_colour(std::FILE* to) {
  const char* no = std::getenv("NO_COLOR");
  return is_terminal(to) && (no == nullptr || *no == 0);
}

// Not by fmt, which throws where nothing can read it.
void put(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
}

std::string_view colour_of(std::string_view word) {
  return word == "error:" || word == "failed:" ? red : word == "warning:" ? yellow : "";
}

// In colour the first word of a line that tells of a fault.
void write(std::FILE* to, std::string_view text) {
  const std::string shown = printable(text);
  if (!in_colour(to)) return put(to, shown);
  for (std::size_t begin = 0; begin < shown.size();) {
    const std::size_t end = std::min(shown.find('\n', begin), shown.size() - 1) + 1;
    const std::string_view line = std::string_view(shown).substr(begin, end - begin);
    const std::string_view word = line.substr(0, line.find(' ')), colour = colour_of(word);
    if (colour.empty())
      put(to, line);
    else
      put(to, std::string(bold) + std::string(colour) + std::string(word) + std::string(plain) +
                  std::string(line.substr(word.size())));
    begin = end;
  }
}

}  // namespace

bool is_terminal(std::FILE* to) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(::fileno(to)) != 0 && terminal != nullptr && *terminal != 0 && std::string_view(terminal) != "dumb";
}

void print(std::string_view text) {
  write(stdout, text);
}

void print_error(std::string_view text) {
  write(stderr, text);
}

void print_table(std::string_view text) {
  const std::string shown = printable(text);
  const std::size_t end = std::min(shown.find('\n'), shown.size());
  const bool coloured = in_colour(stdout);
  put(stdout, (coloured ? std::string(bold) : "") + shown.substr(0, end) + (coloured ? std::string(plain) : "") +
                  shown.substr(end));
}

}  // namespace cairn
