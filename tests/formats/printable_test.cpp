#include "cairn/formats/printable.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace cairn {
namespace {

TEST_CASE("printable: whatever a terminal would obey is written out, all else stays") {
  CHECK(printable("K\xc3\xb6rner \xe7\xa0\x82 \xf0\x9f\x8f\x96\n\tend") ==
        "K\xc3\xb6rner \xe7\xa0\x82 \xf0\x9f\x8f\x96\n\tend");
  CHECK(printable("\x1b[31mW\xe2\x80\xae") == "\\u001b[31mW\\u202e");
  CHECK(printable("\r\x7f\xc2\x9b") == "\\u000d\\u007f\\u009b");
  CHECK(printable(std::string_view("\0", 1)) == "\\u0000");
  CHECK(printable("\x9b"
                  "31m\xff\xc3") == "\\x9b31m\\xff\\xc3");  // controls of eight bits, and half a character
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");    // a surrogate
}

TEST_CASE("printable: no character of those that do something gets through, each comes back from JSON") {
  const auto utf8 = [](unsigned c) {
    std::string s;
    if (c < 0x80) return std::string(1, static_cast<char>(c));
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    s += static_cast<char>((0xff00 >> (more + 1) & 0xff) | c >> 6 * more);
    for (int k = more - 1; k >= 0; --k) s += static_cast<char>(0x80 | (c >> 6 * k & 0x3f));
    return s;
  };
  int hidden = 0;
  for (unsigned c = 0; c < 0x110000; ++c) {
    if (0xd800 <= c && c < 0xe000) continue;
    const std::string text = utf8(c), shown = printable(text);
    if (character_size(text) != text.size()) FAIL_CHECK("character_size of U+", c);
    const bool control = c < 0x20 || (0x7f <= c && c < 0xa0);
    const bool bidirectional =
        c == 0x61c || c == 0x200e || c == 0x200f || (0x202a <= c && c <= 0x202e) || (0x2066 <= c && c <= 0x2069);
    if ((control || bidirectional) && first_unprintable(text).empty()) FAIL_CHECK("passed over: ", c);
    if (shown == text) continue;
    ++hidden;
    CHECK(nlohmann::json::parse("\"" + shown + "\"") == text);
  }
  CHECK(hidden > 65);
  CHECK(hidden < 5000);
}

TEST_CASE("printable: the first such character is named") {
  CHECK(first_unprintable("wall 7") == "");
  CHECK(first_unprintable("a\nb") == "U+000A");
  CHECK(first_unprintable("\xe2\x80\xae") == "U+202E");
  CHECK(first_unprintable("a\xff") == "byte FF");
}

}  // namespace
}  // namespace cairn
