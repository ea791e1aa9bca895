#include "cairn/formats/printable.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace cairn {
namespace {

constexpr std::pair<unsigned, unsigned> unprintable[] = {
    {0x00, 0x1f},      // controls
    {0x7f, 0x9f},      // delete, and controls of eight bits
    {0x61c, 0x61c},    // direction of writing
    {0x200b, 0x200b},  // a blank without width
    {0x200e, 0x200f},  // direction of writing
    {0x2028, 0x202e},  // ends of lines, direction of writing
    {0x2060, 0x206f},  // blanks without width, direction of writing
    {0xfeff, 0xfeff},  // byte order mark
    {0xfff9, 0xfffb},  // annotations
    {0xe0000, 0xe0fff},
};

// The text is one whole character.
unsigned code_point(std::string_view character) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(character[k])); };
  if (character.size() == 1) return byte(0);
  unsigned code = byte(0) & (0xffu >> (character.size() + 1));
  for (std::size_t k = 1; k < character.size(); ++k) code = code << 6 | (byte(k) & 0x3f);
  return code;
}

bool shown(unsigned code) {
  return std::none_of(std::begin(unprintable), std::end(unprintable),
                      [&](const auto& range) { return range.first <= code && code <= range.second; });
}

template <class... T>
std::string written(const char* format, T... values) {
  char text[24];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

unsigned first_byte(std::string_view text) {
  return static_cast<unsigned char>(text[0]);
}

}  // namespace

std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned a = byte(0), b = byte(1);
  if (a < 0x80) return 1;
  if (a < 0xc2 || a > 0xf4) return 0;
  // Too long for what they encode, surrogates, beyond U+10FFFF.
  if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) || (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
    return 0;
  const std::size_t size = a < 0xe0 ? 2 : a < 0xf0 ? 3 : 4;
  for (std::size_t k = 1; k < size; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  return size;
}

std::string first_unprintable(std::string_view text) {
  for (std::size_t size = 0; !text.empty(); text.remove_prefix(size)) {
    size = character_size(text);
    if (size == 0) return written("byte %02X", first_byte(text));
    if (const unsigned code = code_point(text.substr(0, size)); !shown(code)) return written("U+%04X", code);
  }
  return "";
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t size = 0; !text.empty(); text.remove_prefix(std::max<std::size_t>(1, size))) {
    size = character_size(text);
    if (size == 0) {
      out += written("\\x%02x", first_byte(text));
      continue;
    }
    const unsigned code = code_point(text.substr(0, size));
    if (shown(code) || code == '\n' || code == '\t')
      out += text.substr(0, size);
    else if (code < 0x10000)
      out += written("\\u%04x", code);
    else  // as JSON writes it, in two halves
      out += written("\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
  }
  return out;
}

}  // namespace cairn
