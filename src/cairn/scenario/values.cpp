#include "cairn/scenario/values.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/printable.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/scenario/quantity.hpp"

namespace cairn {
namespace {

using Type = KeyDoc::Type;

// For errors: what stands there, and what ought to.
std::string found(const Node& node) {
  if (const auto* a = node.as<std::int64_t>()) return std::to_string(*a);
  if (const auto* a = node.as<Real>()) return to_text(*a);
  if (const auto* a = node.as<bool>()) return *a ? "true" : "false";
  if (const auto* a = node.as<std::string>()) return "the text " + quoted_bytes(*a);
  if (const auto* a = node.array())
    return "an array of " + std::to_string(a->size()) + (a->size() == 1 ? " value" : " values");
  return node.table() != nullptr ? "a table" : "a date or time";
}

}  // namespace

void fail(const Node& node, const std::string& path, const std::string& message) {
  throw Fault{node.mark.text() + ": " + (path.empty() ? message : path + ": " + message)};
}

std::string quoted_list(std::span<const std::string_view> words) {
  std::vector<std::string> all;
  for (const std::string_view word : words) all.push_back("'" + std::string(word) + "'");
  return joined(all, ", ", " or ");
}

std::string Values::expected(const KeyDoc& doc) const {
  const std::string unit = doc.unit.empty() ? "" : " in " + std::string(doc.unit);
  switch (doc.type) {
    case Type::number:
      return "a number" + range_text(doc.range) + unit +
             (doc.word.empty() ? "" : ", or \"" + std::string(doc.word) + "\"");
    case Type::whole_number:
      return "a whole number" + range_text(doc.range);
    case Type::flag:
      return "true or false";
    case Type::text:
      return "text in quotes";
    case Type::choice:
      return quoted_list(doc.choices);
    case Type::some:
      return "a list of " + quoted_list(doc.choices) + ", each once";
    case Type::scheme:
      return "a name that `cairn schemes` lists, or \"auto\"";
    case Type::names:
      return "the names of two materials, [\"first\", \"second\"]";
    case Type::name_list:
      return "names of materials, [\"first\", ...]";
    case Type::vector:
      return (dimension == 1   ? "one number, the height z,"
              : dimension == 2 ? "2 numbers [x, z]"
                               : "3 numbers [x, y, z]") +
             unit;
    case Type::spin:
      return (dimension == 3 ? "3 numbers [x, y, z]" : "one number, about +y,") + unit;
    case Type::interval:
      return "2 numbers [low, high]" + unit;
    case Type::numbers:
      return "numbers" + range_text(doc.range) + unit + ", as in [a, b, c]";
    case Type::table: {
      const std::string title = section_title(doc.key);
      return title.empty() ? "a table { key = value, ... }" : "one section " + title;
    }
    case Type::changes:
      return "a table of keys that change, { key = value, ... }";
    case Type::tables:
      return "sections " + section_title(doc.key);
  }
  return "";
}

void Values::wrong(const Value& v, const std::string& suggestion) const {
  fail(v, "found " + found(v.node) + "; expected " + expected(v.doc) + suggestion);
}

Real Values::number(const Value& v) const {
  Real a = 0;
  if (const auto* integer = v.node.as<std::int64_t>()) {
    a = static_cast<Real>(*integer);
  } else if (const auto* real = v.node.as<Real>()) {
    a = *real;
  } else if (const auto* text = v.node.as<std::string>(); text != nullptr && begins_with_number(*text)) {
    try {
      a = quantity(*text, v.doc.unit);
    } catch (const Error& e) {
      fail(v, std::string(e.what()) + "; expected " + expected(v.doc));
    }
  } else {
    const bool hint = text != nullptr && !v.doc.unit.empty();
    wrong(v, hint ? ", or a number with a unit as in \"0.5 " + std::string(v.doc.unit) + "\"" : "");
  }
  if (!std::isfinite(a) || !v.doc.range.contains(a)) wrong(v);
  return a;
}

bool Values::is_word(const Value& v) const {
  const auto* text = v.node.as<std::string>();
  return text != nullptr && !v.doc.word.empty() && *text == v.doc.word;
}

std::int64_t Values::whole_number(const Value& v) const {
  if (v.node.as<std::string>() != nullptr) wrong(v);
  if (const auto* integer = v.node.as<std::int64_t>()) {
    number(v);  // the range
    return *integer;
  }
  constexpr Real exact = 0x1p53;  // above it a floating-point number does not say which integer was meant
  const Real a = number(v);       // 1e6 is whole
  if (a != std::floor(a) || std::fabs(a) > exact) wrong(v);
  return static_cast<std::int64_t>(a);
}

bool Values::flag(const Value& v) const {
  const auto* a = v.node.as<bool>();
  if (a == nullptr) wrong(v);
  return *a;
}

std::string Values::text(const Value& v) const {
  const auto* a = v.node.as<std::string>();
  if (a == nullptr) wrong(v);
  // Names, titles and paths come back in messages, tables and pages.
  if (const std::string character = first_unprintable(*a); !character.empty())
    fail(v,
         "found " + found(v.node) + " with the character " + character + "; expected only characters that can be seen");
  return *a;
}

std::size_t Values::choice(const Value& v) const {
  const auto* word = v.node.as<std::string>();
  if (word == nullptr) wrong(v);
  const auto at = std::find(v.doc.choices.begin(), v.doc.choices.end(), *word);
  if (at == v.doc.choices.end()) wrong(v, suggestion(*word, v.doc.choices));
  return static_cast<std::size_t>(at - v.doc.choices.begin());
}

std::vector<std::size_t> Values::some(const Value& v) const {
  const Node::Array* array = v.node.array();
  if (array == nullptr) wrong(v);
  std::vector<std::size_t> places;
  for (const Node& node : *array) {
    const Value one{node, inside(v.path, std::to_string(places.size())), v.doc};
    const std::size_t place = choice(one);
    if (std::find(places.begin(), places.end(), place) != places.end())
      fail(one, "found " + found(node) + " a second time; expected " + expected(v.doc));
    places.push_back(place);
  }
  return places;
}

std::string Values::scheme(const Value& v) const {
  const auto* name = v.node.as<std::string>();
  if (name == nullptr) wrong(v);
  if (*name == chosen_by_case) return *name;
  const SchemeEntry* entry = find_scheme(*name);
  if (entry != nullptr) return entry->name;
  if (const std::string fault = scheme_numbers_fault(*name); !fault.empty()) fail(v, fault);
  wrong(v, scheme_suggestion(*name));
}

// A single number needs no brackets.
std::array<Real, 3> Values::components(const Value& v, int count) const {
  std::array<Real, 3> a{};
  const Node::Array* array = v.node.array();
  if (array == nullptr && count == 1) {
    a[0] = number(v);
    return a;
  }
  if (array == nullptr || array->size() != static_cast<std::size_t>(count)) wrong(v);
  for (std::size_t k = 0; k < array->size(); ++k)
    a[k] = number({(*array)[k], inside(v.path, std::to_string(k)), v.doc});
  return a;
}

Vector Values::vector(const Value& v) const {
  const std::array<Real, 3> a = components(v, dimension);
  if (dimension == 1) return {0, 0, a[0]};
  if (dimension == 2) return {a[0], 0, a[1]};
  return {a[0], a[1], a[2]};
}

Vector Values::direction(const Value& v) const {
  const Vector a = vector(v);
  if (a == Vector{}) fail(v, "found a direction of length zero; expected any other");
  return a;
}

Vector Values::spin(const Value& v) const {
  return dimension == 3 ? vector(v) : Vector{0, components(v, 1)[0], 0};
}

std::array<Real, 2> Values::interval(const Value& v) const {
  const std::array<Real, 3> a = components(v, 2);
  if (!(a[0] < a[1])) fail(v, "found low >= high; expected low < high");
  return {a[0], a[1]};
}

std::vector<Real> Values::numbers(const Value& v) const {
  const Node::Array* array = v.node.array();
  if (array == nullptr || array->empty()) wrong(v);
  std::vector<Real> all;
  for (const Node& node : *array) all.push_back(number({node, inside(v.path, std::to_string(all.size())), v.doc}));
  return all;
}

std::string Values::material(const Value& v) const {
  return known_material(v.node, v.path, v);
}

std::array<std::string, 2> Values::two_materials(const Value& v) const {
  const Node::Array* a = v.node.array();
  if (a == nullptr || a->size() != 2) wrong(v);
  return {known_material((*a)[0], inside(v.path, "0"), v), known_material((*a)[1], inside(v.path, "1"), v)};
}

std::vector<std::string> Values::material_list(const Value& v) const {
  const Node::Array* array = v.node.array();
  if (array == nullptr || array->empty()) wrong(v);
  std::vector<std::string> names;
  for (const Node& node : *array)
    names.push_back(known_material(node, inside(v.path, std::to_string(names.size())), v));
  return names;
}

std::string Values::known_material(const Node& node, const std::string& path, const Value& v) const {
  const auto* name = node.as<std::string>();
  if (name == nullptr) wrong({node, path, v.doc});
  if (std::find(materials.begin(), materials.end(), *name) == materials.end()) {
    const std::vector<std::string_view> names(materials.begin(), materials.end());
    fail(node, path,
         "found the unknown material " + quoted_bytes(*name) + "; expected " + quoted_list(names) +
             suggestion(*name, names));
  }
  return *name;
}

void Values::table(const Value& v) const {
  if (v.node.table() == nullptr) wrong(v);
}

void Values::tables(const Value& v) const {
  const Node::Array* array = v.node.array();
  if (array == nullptr) wrong(v);
  for (std::size_t k = 0; k < array->size(); ++k)
    if ((*array)[k].table() == nullptr) wrong({(*array)[k], inside(v.path, std::to_string(k)), v.doc});
}

}  // namespace cairn
