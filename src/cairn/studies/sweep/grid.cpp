#include "cairn/studies/sweep/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "cairn/core/error.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/core/text.hpp"
#include "cairn/scenario/key_doc.hpp"
#include "cairn/scenario/quantity.hpp"

namespace cairn::studies {
namespace {

constexpr std::size_t most_points = 100'000;

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  const auto take = [&](std::size_t end) { values.emplace_back(trimmed(text.substr(begin, end - begin))); };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++k;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ',' && depth == 0) {
      take(k);
      begin = k + 1;
    } else {
      depth += (c == '[' || c == '(' || c == '{') - (c == ']' || c == ')' || c == '}');
    }
  }
  take(text.size());
  return values;
}

SweepKey read_key(const std::string& setting) {
  const auto refuse = [&](const std::string& message) {
    throw Error(Exit::bad_input, "--set " + setting + ": " + message);
  };
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse("found no KEY=VALUES; expected for example contact.friction=0.1,0.2,0.3");
  SweepKey key{std::string(trimmed(std::string_view(setting).substr(0, equals))),
               split_values(std::string_view(setting).substr(equals + 1))};
  std::set<std::string> known;
  for (const std::string& value : key.values) {
    if (value.empty()) refuse("found an empty value; expected values with single commas between them");
    if (!known.insert(value).second) refuse("found the value " + value + " twice; expected each value once");
  }
  return key;
}

// What a folder may be called without quotes in a shell.
std::string as_name(std::string_view words) {
  constexpr std::string_view plain = "._-+=,";
  std::string name;
  for (const char c : words) {
    if (c == '"' || c == '\'' || c == ' ') continue;
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0 || plain.find(c) != plain.npos;
    name += kept ? c : '_';
  }
  constexpr std::size_t longest = 120;  // a name has room for 255 bytes
  if (name.size() <= longest) return name;
  Hash hash;
  for (const char c : words) hash.add(static_cast<std::uint64_t>(c));
  return name.substr(0, longest) + fmt::format("-{:016x}", hash.value());
}

// The unit of a key as --set writes it, "wall.drum.motion.rate" or "removal.0.point.2"; "1": none known.
std::string unit_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  while (parts.size() > 1 && parts.back().find_first_not_of("0123456789") == std::string_view::npos) parts.pop_back();
  for (const KeyDoc& doc : scenario_keys())
    if (doc.key == parts.back() && doc.section.substr(0, doc.section.find('.')) == parts.front() && !doc.unit.empty())
      return std::string(doc.unit);
  return "1";
}

}  // namespace

SweepGrid sweep_grid(std::span<const std::string> settings) {
  SweepGrid grid;
  std::size_t count = 1;
  for (const std::string& setting : settings) {
    grid.keys.push_back(read_key(setting));
    const SweepKey& key = grid.keys.back();
    for (std::size_t k = 0; k + 1 < grid.keys.size(); ++k)
      if (grid.keys[k].key == key.key)
        throw Error(Exit::bad_input, "--set " + setting + ": found " + key.key +
                                         " twice; expected all its values in one --set, with commas between them");
    if (count > most_points / key.values.size())
      throw Error(Exit::bad_input, fmt::format("found more than {0} points; expected at most {0}", most_points));
    count *= key.values.size();
  }
  const bool single = count == 1;
  std::set<std::string> names;
  for (std::size_t k = 0; k < count; ++k) {
    SweepPoint point;
    std::string words;
    std::size_t rest = count, number = k;
    for (const SweepKey& key : grid.keys) {
      rest /= key.values.size();
      const std::string& value = key.values[number / rest];
      number %= rest;
      point.values.push_back(value);
      point.overrides.push_back(key.key + "=" + value);
      if (single || key.swept()) words += (words.empty() ? "" : ",") + point.overrides.back();
    }
    point.name = as_name(words);
    if (!names.insert(point.name).second)
      throw Error(Exit::bad_input, "found two points that would share the folder " + point.name +
                                       "; expected values that differ in more than blanks and signs");
    grid.points.push_back(std::move(point));
  }
  return grid;
}

SweepNumbers numbers_of(const SweepKey& key) {
  SweepNumbers numbers{{}, unit_of(key.key)};
  for (const std::string& value : key.values) {
    std::string_view text = trimmed(value);
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'')) text = text.substr(1, text.size() - 2);
    Real number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool plain = error == std::errc() && rest == text.data() + text.size();
    try {
      numbers.values.push_back(plain ? number : quantity(text, numbers.unit == "1" ? "" : numbers.unit));
    } catch (const Error&) {
      return {};
    }
  }
  return numbers;
}

}  // namespace cairn::studies
