#include "terminal.hpp"

#include <cstdio>

#include "cairn/formats/printable.hpp"

namespace cairn {
namespace {

// Not by fmt, which throws where nothing can read it.
void write(std::FILE* to, std::string_view text) {
  const std::string shown = printable(text);
  std::fwrite(shown.data(), 1, shown.size(), to);
}

}  // namespace

void print(std::string_view text) {
  write(stdout, text);
}

void print_error(std::string_view text) {
  write(stderr, text);
}

}  // namespace cairn
