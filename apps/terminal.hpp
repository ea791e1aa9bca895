// Everything the program prints goes through here: text from outside shows its control characters, and never reaches
// a terminal as they are.
#pragma once
#include <string_view>

namespace cairn {

void print(std::string_view text);        // to the standard output
void print_error(std::string_view text);  // to the standard error

}  // namespace cairn
