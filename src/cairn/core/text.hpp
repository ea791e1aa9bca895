// Numbers as text: the shortest that reads back as the same bits, and a brief form for messages. Every NaN is "nan":
// its sign differs between processors. Also the blanks at the ends of a text.
#pragma once
#include <charconv>
#include <string>
#include <string_view>

#include "cairn/core/vec3.hpp"

namespace cairn {

inline std::string to_text(Real a) {
  if (a != a) return "nan";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, a).ptr};
}
// For people: six significant digits at most.
inline std::string brief(Real a) {
  if (a != a) return "nan";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, a, std::chars_format::general, 6).ptr};
}
inline std::string to_text(const Vector& a) {
  return "(" + to_text(a.x) + ", " + to_text(a.y) + ", " + to_text(a.z) + ")";
}
inline std::string brief(const Vector& a) {
  return "(" + brief(a.x) + ", " + brief(a.y) + ", " + brief(a.z) + ")";
}

// Rejected: std::isspace, which asks the locale, and find_first_of, with which reading data files took a third longer.
constexpr bool is_blank(char c) {
  return c == ' ' || ('\t' <= c && c <= '\r');
}
// Without the blanks at both ends.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace cairn
