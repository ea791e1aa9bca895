#include "cairn/scenario/schema.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/core/text.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/scenario/key_doc.hpp"

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;
using Type = KeyDoc::Type;

std::string text(std::string_view a) {
  return std::string(a);
}

Json number(const KeyDoc& doc, const char* type) {
  Json j = {{"type", type}};
  if (std::isfinite(doc.range.low)) j[doc.range.low_allowed ? "minimum" : "exclusiveMinimum"] = doc.range.low;
  if (std::isfinite(doc.range.high)) j[doc.range.high_allowed ? "maximum" : "exclusiveMaximum"] = doc.range.high;
  return j;
}

Json quantity_or_number(const KeyDoc& doc) {
  return {{"anyOf", {number(doc, "number"), {{"type", "string"}, {"pattern", "^\\s*[-+]?[0-9.].*[A-Za-z%]"}}}}};
}

Json list(const Json& items, int least, int most) {
  Json j = {{"type", "array"}, {"items", items}, {"minItems", least}};
  if (most > 0) j["maxItems"] = most;
  return j;
}

Json section_schema(std::string_view section);

Json changes_schema(std::string_view section);

Json key_schema(const KeyDoc& doc) {
  switch (doc.type) {
    case Type::number:
      if (Json j = quantity_or_number(doc); doc.word.empty()) {
        return j;
      } else {
        j["anyOf"].push_back({{"const", text(doc.word)}});
        return j;
      }
    case Type::whole_number:
      return number(doc, "integer");
    case Type::flag:
      return {{"type", "boolean"}};
    case Type::text:
      return {{"type", "string"}};
    case Type::choice:
    case Type::some: {
      Json words = Json::array();
      for (const std::string_view word : doc.choices) words.push_back(text(word));
      const Json one = {{"enum", words}};
      return doc.type == Type::choice ? one : Json{{"type", "array"}, {"items", one}, {"uniqueItems", true}};
    }
    case Type::scheme: {
      Json names = Json::array({text(chosen_by_case)});
      Json kinds = Json::array({{{"enum", Json::array()}}});
      for (const std::span<const SchemeEntry> list : {scheme_catalogue(), hard_scheme_catalogue()})
        for (const SchemeEntry& e : list)
          for (const std::string_view name : e.names()) {
            names.push_back(text(name));
            if (e.claims.parameter_count() > 0) kinds.push_back({{"pattern", "^" + text(name) + "\\(.*\\)$"}});
          }
      if (kinds.size() == 1) return {{"enum", names}};
      kinds[0]["enum"] = names;
      return {{"type", "string"}, {"anyOf", kinds}};
    }
    case Type::names:
      return list({{"type", "string"}}, 2, 2);
    case Type::name_list:
      return list({{"type", "string"}}, 1, 0);
    case Type::vector:
    case Type::spin:
      return {{"anyOf", {list(quantity_or_number(doc), 1, 3), quantity_or_number(doc)}}};
    case Type::interval:
      return list(quantity_or_number(doc), 2, 2);
    case Type::numbers:
      return list(quantity_or_number(doc), 1, 0);
    case Type::changes:
      return changes_schema(doc.key);
    case Type::table:
    case Type::tables: {
      const std::string name = doc.section.empty() ? text(doc.key) : text(doc.section) + "." + text(doc.key);
      const Json inner = section_schema(name);
      return doc.type == Type::table ? inner : Json{{"type", "array"}, {"items", inner}};
    }
  }
  return {};
}

// Which tables have the key, where not all do: "box cylinder; from 2D".
std::string where(const KeyDoc& doc) {
  std::string words = text(doc.only);
  for (std::size_t at = 0; (at = words.find(' ', at)) != std::string::npos; at += 2) words.replace(at, 1, ", ");
  if (doc.from_dimension > 1)
    words += (words.empty() ? "" : "; ") + std::string("from ") + std::to_string(doc.from_dimension) + "D";
  return words;
}

Json section_schema(std::string_view section) {
  Json properties = Json::object(), required = Json::array();
  for (const KeyDoc& doc : scenario_keys()) {
    if (doc.section != section) continue;
    Json j = key_schema(doc);
    std::string description = text(doc.doc);
    if (!doc.unit.empty()) description += " [" + text(doc.unit) + "]";
    if (const std::string only = where(doc); !only.empty()) description += " (" + only + ")";
    if (!doc.required()) description += "; default: " + text(doc.fallback);
    j["description"] = description;
    if (!doc.unit.empty()) j["x-unit"] = text(doc.unit);
    // For forms: the words of `description` one by one.
    j["x-doc"] = text(doc.doc);
    if (!doc.required()) j["x-default"] = text(doc.fallback);
    if (!doc.only.empty()) j["x-only"] = text(doc.only);
    if (doc.from_dimension > 1) j["x-from-dimension"] = doc.from_dimension;
    if (doc.may_change) j["x-may-change"] = true;
    properties[text(doc.key)] = j;
    if (doc.required() && doc.only.empty()) required.push_back(text(doc.key));
  }
  Json j = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) j["required"] = required;
  return j;
}

// The keys of a section that may change; by name where there may be many such sections.
Json changes_schema(std::string_view section) {
  Json properties = Json::object();
  bool many = false;
  for (const KeyDoc& doc : scenario_keys()) {
    if (doc.section.empty() && doc.key == section) many = doc.type == Type::tables;
    if (doc.section != section) continue;
    if (doc.may_change) properties[text(doc.key)] = key_schema(doc);
    if (doc.type == Type::table) properties[text(doc.key)] = changes_schema(text(section) + "." + text(doc.key));
  }
  const Json one = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  return many ? Json{{"type", "object"}, {"additionalProperties", one}} : one;
}

std::string kind_of_value(const KeyDoc& doc) {
  const auto bounds = [&](std::string words) {
    if (std::isfinite(doc.range.low)) words += (doc.range.low_allowed ? " >= " : " > ") + to_text(doc.range.low);
    if (std::isfinite(doc.range.high))
      words += (std::isfinite(doc.range.low) ? " and" : "") + std::string(doc.range.high_allowed ? " <= " : " < ") +
               to_text(doc.range.high);
    return words;
  };
  switch (doc.type) {
    case Type::number:
      return bounds("number") + (doc.word.empty() ? "" : ", or `\"" + text(doc.word) + "\"`");
    case Type::whole_number:
      return bounds("whole number");
    case Type::flag:
      return "true, false";
    case Type::text:
      return "text";
    case Type::choice:
    case Type::some: {
      std::vector<std::string> words;
      for (const std::string_view word : doc.choices) words.push_back("`\"" + text(word) + "\"`");
      return (doc.type == Type::some ? "list of " : "") + joined(words, ", ", ", ");
    }
    case Type::scheme:
      return "name of a [scheme](schemes.md), `\"auto\"`";
    case Type::names:
      return "two names";
    case Type::name_list:
      return "names";
    case Type::vector:
      return "vector";
    case Type::spin:
      return "vector, in 2D a number";
    case Type::interval:
      return "[low, high]";
    case Type::numbers:
      return bounds("numbers");
    case Type::table:
    case Type::tables:
    case Type::changes:
      return "section";
  }
  return "";
}

}  // namespace

std::string scenario_json_schema() {
  Json j = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Cairn scenario"}};
  j.update(section_schema(""));
  return j.dump(2) + "\n";
}

std::string scenario_reference() {
  std::string page =
      "# Scenario keys\n\n"
      "This page lists every key of a scenario file. `cairn schema --markdown` writes it from the keys that the "
      "program reads;\n"
      "`cairn schema` prints the same keys as JSON Schema for editors. A number may carry a unit in quotes, `\"5 "
      "mm\"`; a number\n"
      "without a unit is in the unit given here. Vectors are `[x, y, z]`, in 2D `[x, z]`, in 1D the height `z`. On the "
      "command\n"
      "line `--set section.key=value` sets any key. If a section stands several times, name the one you mean, or give "
      "its\n"
      "number: `--set wall.drum.radius=...` or `--set wall.0.radius=...` for the first. A number always counts from 0; "
      "a "
      "name\n"
      "has letters, digits, `_` and `-` here. A section that stands once needs neither. Keys marked *may change* may\n"
      "[change](changes.md) while a run goes on.\n";
  std::string_view section = "none yet";
  for (const KeyDoc& doc : scenario_keys()) {
    if (doc.section != section) {
      section = doc.section;
      page += "\n## " + (section.empty() ? "top of the file" : "`" + section_title(section) + "`") + "\n\n";
      page +=
          "| key | value | unit | default | meaning |\n"
          "|---|---|---|---|---|\n";
    }
    const std::string only = where(doc);
    page += "| `" + text(doc.key) + "` | " + kind_of_value(doc) + " | " + text(doc.unit) + " | " +
            (doc.required() ? "**required**" : text(doc.fallback)) + " | " + text(doc.doc) +
            (doc.may_change ? " *may change*" : "") + (only.empty() ? "" : " *(" + only + ")*") + " |\n";
  }
  return page;
}

}  // namespace cairn
