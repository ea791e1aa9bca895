// Text from outside as a terminal may show it. Control characters and escape sequences in names, paths and messages
// could change the terminal, or show something other than what stands there.
#pragma once
#include <string>
#include <string_view>

namespace cairn {

// [bytes] of the UTF-8 character the text begins with; 0 if it is none.
std::size_t character_size(std::string_view text);

// The first character of a text that a terminal would obey rather than show, as "U+001B", or a byte that is not UTF-8,
// as "byte FF"; empty if there is none. These are control characters, those that change the direction of writing, and
// some that nothing shows. Line breaks and tabs are among them.
std::string first_unprintable(std::string_view text);

// Writes them as JSON does, "\u001b", and bytes that are not UTF-8 as "\xff". Line breaks and tabs stay.
std::string printable(std::string_view text);

}  // namespace cairn
