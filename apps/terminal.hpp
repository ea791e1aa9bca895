// Everything the program prints goes through here: text from outside shows its control characters, and never reaches
// a terminal as they are. On a terminal "error:" and "warning:" are coloured and headings bold, unless NO_COLOR is set
// or TERM is dumb.
#pragma once
#include <cstdio>
#include <string_view>

namespace cairn {

bool is_terminal(std::FILE* to);          // that obeys escapes; "dumb" ones do not
void print(std::string_view text);        // to the standard output
void print_error(std::string_view text);  // to the standard error
void print_table(std::string_view text);  // its first line is the heading

}  // namespace cairn
