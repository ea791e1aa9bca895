#include "cairn/scenario/quantity.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {
namespace {

using std::string_view;

struct Dimension {
  std::array<int, 4> powers{};  // of m, kg, s, rad
  bool operator==(const Dimension&) const = default;
};

// factor 10^tens times the SI unit; the power of ten apart, because decimal numbers take it without rounding.
struct Unit {
  Dimension dimension;
  Real factor = 1;
  int tens = 0;
};

struct NamedUnit {
  string_view name;
  Unit unit;
  bool prefixes = false;
};

constexpr Dimension none{}, length{{1, 0, 0, 0}}, mass{{0, 1, 0, 0}}, duration{{0, 0, 1, 0}}, angle{{0, 0, 0, 1}},
    force{{1, 1, -2, 0}}, pressure{{-1, 1, -2, 0}}, energy{{2, 1, -2, 0}}, power{{2, 1, -3, 0}}, rate{{0, 0, -1, 0}};

// Factors: exact by definition (SI brochure, 9th ed.; inch, pound and standard gravity of 1959 and 1901).
constexpr NamedUnit units[] = {
    {"m", {length}, true},
    {"inch", {length, 254, -4}},
    {"ft", {length, 3048, -4}},
    {"g", {mass, 1, -3}, true},
    {"t", {mass, 1, 3}},
    {"lb", {mass, 45359237, -8}},
    {"s", {duration}, true},
    {"min", {duration, 60}},
    {"h", {duration, 3600}},
    {"rad", {angle}},
    {"deg", {angle, pi / 180}},
    {"turn", {angle, 2 * pi}},
    {"turns", {angle, 2 * pi}},
    {"rev", {angle, 2 * pi}},
    {"rpm", {{{0, 0, -1, 1}}, 2 * pi / 60}},
    {"Hz", {rate}, true},
    {"N", {force}, true},
    {"Pa", {pressure}, true},
    {"bar", {pressure, 1, 5}, true},
    {"psi", {pressure, 6894.757293168361}},
    {"J", {energy}, true},
    {"W", {power}, true},
    {"%", {none, 1, -2}},
    {"l", {{{3, 0, 0, 0}}, 1, -3}, true},
    {"L", {{{3, 0, 0, 0}}, 1, -3}, true},
    {"cc", {{{3, 0, 0, 0}}, 1, -6}},
};

struct Prefix {
  string_view name;
  int tens;
};
constexpr Prefix prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3},
                               {"c", -2},  {"d", -1}, {"k", 3},  {"M", 6},         {"G", 9}};

[[noreturn]] void wrong(const std::string& message) {
  throw Error(Exit::bad_input, message);
}

Unit named(string_view word) {
  for (const NamedUnit& u : units)
    if (word == u.name) return u.unit;
  for (const Prefix& p : prefixes)
    if (word.starts_with(p.name))
      for (const NamedUnit& u : units)
        if (u.prefixes && word.substr(p.name.size()) == u.name)
          return {u.unit.dimension, u.unit.factor, u.unit.tens + p.tens};
  std::vector<string_view> names = {"mm", "cm", "km", "um", "kg", "mg", "ms", "us", "kHz", "kN", "kPa", "MPa", "GPa"};
  for (const NamedUnit& u : units) names.push_back(u.name);
  wrong("there is no unit " + quoted_bytes(word) + suggestion(word, names));
}

constexpr bool blank(char c) {
  return c == ' ' || c == '\t';
}
constexpr bool digit(char c) {
  return '0' <= c && c <= '9';
}

// The power a unit's name is raised to, taken off its end: "m^-3", "m3", "m" with a superscript.
int take_power(string_view& word) {
  constexpr std::pair<string_view, int> superscripts[] = {{"\xc2\xb2", 2}, {"\xc2\xb3", 3}};
  for (const auto& [sign, value] : superscripts)
    if (word.ends_with(sign)) {
      word.remove_suffix(sign.size());
      return value;
    }
  std::size_t end = word.size();
  while (end > 0 && digit(word[end - 1])) --end;
  if (end == word.size()) {
    if (word.ends_with('^')) wrong("a power is missing after ^");
    return 1;
  }
  int value = 0;
  const auto result = std::from_chars(word.data() + end, word.data() + word.size(), value);
  if (result.ec != std::errc() || value > 9) wrong("the power in " + quoted_bytes(word) + " is too large");
  if (end > 0 && word[end - 1] == '-' && end > 1 && word[end - 2] == '^') value = -value, --end;
  if (end > 0 && word[end - 1] == '^') --end;
  word = word.substr(0, end);
  return value;
}

Unit parse_unit(string_view text) {
  Unit all;
  text = trimmed(text);
  int sign = 1;
  bool wants_word = !text.empty();
  const string_view whole = text;
  if (text.starts_with("1/")) text.remove_prefix(1), wants_word = false;
  while (!text.empty()) {
    if (blank(text[0]) || text[0] == '*' || text[0] == '/') {
      if (!blank(text[0])) {
        if (wants_word) wrong("a unit is missing in " + quoted_bytes(whole));
        wants_word = true, sign = text[0] == '/' ? -1 : 1;
      }
      text.remove_prefix(1);
      continue;
    }
    std::size_t size = 0;
    while (size < text.size() && !blank(text[size]) && text[size] != '*' && text[size] != '/') ++size;
    string_view word = text.substr(0, size);
    text.remove_prefix(size);
    const int exponent = sign * take_power(word);
    const Unit one = named(word);
    for (int k = 0; k < 4; ++k) all.dimension.powers[k] += exponent * one.dimension.powers[k];
    for (int k = 0; k < exponent; ++k) all.factor *= one.factor;
    for (int k = 0; k > exponent; --k) all.factor /= one.factor;
    all.tens += exponent * one.tens;
    sign = 1, wants_word = false;
  }
  if (wants_word) wrong("a unit is missing in " + quoted_bytes(whole));
  return all;
}

std::string full_name_of(string_view unit) {
  return unit.empty() ? "a number without unit" : "a quantity in " + std::string(unit);
}

// Sign, digits, point, digits; then, if `exponent` holds a number behind e or E, that. The end of both.
struct Decimal {
  string_view digits;
  int exponent = 0;
  std::size_t size = 0;  // 0: no number
};

Decimal decimal(string_view text) {
  Decimal d;
  std::size_t at = 0, digits = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  for (; at < text.size() && (digit(text[at]) || text[at] == '.'); ++at) digits += digit(text[at]);
  if (digits == 0) return d;
  d.digits = text.substr(text[0] == '+' ? 1 : 0, at - (text[0] == '+' ? 1 : 0));
  d.size = at;
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = text[at + 1] == '+' ? 2 : 1;
    const auto result = std::from_chars(text.data() + at + sign, text.data() + text.size(), d.exponent);
    if (result.ec == std::errc()) d.size = static_cast<std::size_t>(result.ptr - text.data());
  }
  return d;
}

}  // namespace

bool begins_with_number(string_view text) {
  return decimal(trimmed(text)).size > 0;
}

Real quantity(string_view text, string_view unit) {
  text = trimmed(text);
  const Decimal d = decimal(text);
  if (d.size == 0) wrong("found the text " + quoted_bytes(text) + ", which does not begin with a number");
  if (d.size + 1 < text.size() && text[d.size] == ',' && digit(text[d.size + 1]))
    wrong("found " + quoted_bytes(text) +
          ", a number with a comma; write a point for decimals and no separators of thousands");
  constexpr int largest = 400;
  if (d.exponent < -largest || d.exponent > largest)
    wrong("found " + quoted_bytes(text) + ", which is too large or too small for any number");
  const Unit given = parse_unit(text.substr(d.size)), wanted = parse_unit(unit);
  // As text, so that the power of ten does not round.
  const std::string shifted = std::string(d.digits) + "e" + std::to_string(d.exponent + given.tens - wanted.tens);
  Real value = 0;
  const auto result = std::from_chars(shifted.data(), shifted.data() + shifted.size(), value);
  if (result.ptr != shifted.data() + shifted.size()) wrong("found " + quoted_bytes(text) + ", which is not a number");
  if (result.ec != std::errc())
    wrong("found " + quoted_bytes(text) + ", which is too large or too small for any number");
  if (d.size == text.size()) wrong("found the text " + quoted_bytes(text) + " without a unit");
  if (!(given.dimension == wanted.dimension))
    wrong("found " + quoted_bytes(text) + ", which is not " + full_name_of(unit));
  return given.factor == wanted.factor ? value : value * (given.factor / wanted.factor);
}

}  // namespace cairn
