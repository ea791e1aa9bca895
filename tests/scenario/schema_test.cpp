// The table of keys as others read it.
#include "cairn/scenario/schema.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "cairn/formats/embedded.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/scenario/key_doc.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {
namespace {

using Json = nlohmann::json;

// What the schema says about a section: "wall.motion" stands in the items of "wall".
Json section_of(const Json& schema, const std::string& section) {
  Json at = schema;
  for (std::size_t begin = 0; begin < section.size();) {
    const std::size_t end = std::min(section.find('.', begin), section.size());
    at = at.at("properties").at(section.substr(begin, end - begin));
    if (at.at("type") == "array") at = at.at("items");
    begin = end + 1;
  }
  return at;
}

TEST_CASE("schema: docs/scenario.md is what the program knows") {
  CHECK_MESSAGE(read_file(CAIRN_SOURCE_DIR "/docs/scenario.md") == scenario_reference(),
                "make it anew: cairn schema --markdown > docs/scenario.md");
}

TEST_CASE("schema: every key, with its range and its unit, and no other") {
  const Json schema = Json::parse(scenario_json_schema());
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  for (const KeyDoc& doc : scenario_keys()) {
    CAPTURE(doc.section);
    CAPTURE(doc.key);
    const Json section = section_of(schema, std::string(doc.section));
    CHECK(section.at("additionalProperties") == false);
    const Json& key = section.at("properties").at(std::string(doc.key));
    CHECK(key.at("description").get<std::string>().starts_with(doc.doc));
    if (!doc.unit.empty()) CHECK(key.at("x-unit") == doc.unit);
    CHECK(key.contains("x-may-change") == doc.may_change);
    CHECK(key.contains("x-default") != doc.required());
    if (doc.type == KeyDoc::Type::choice) CHECK(key.at("enum").size() == doc.choices.size());
  }
  const Json scheme = section_of(schema, "run").at("properties").at("scheme").at("anyOf");
  const Json schemes = scheme.at(0).at("enum");
  CHECK(std::any_of(scheme.begin() + 1, scheme.end(), [](const Json& kind) {
    return std::regex_match("newmark(0.3,0.6)", std::regex(kind.at("pattern").get<std::string>()));
  }));
  for (const char* name : {"velocity_verlet", "leapfrog"}) CHECK(std::count(schemes.begin(), schemes.end(), name) == 1);
  const Json step = section_of(schema, "run").at("properties").at("step");
  CHECK(step.at("anyOf").at(0).at("exclusiveMinimum") == 0);
  CHECK(section_of(schema, "run").at("required") == Json{"step", "end"});
  CHECK(section_of(schema, "run").at("properties").at("threads").at("maximum") == 4096);
}

TEST_CASE("schema: the ready cases are inside the program, and read without fault") {
  CHECK(ready_cases().size() >= 6);
  for (const EmbeddedFile& file : ready_cases()) {
    CAPTURE(file.name);
    CHECK(file.text == read_file(CAIRN_SOURCE_DIR "/scenarios/" + std::string(file.name)));
    CHECK_NOTHROW(parse_scenario(file.text, std::string(file.name)));
  }
}

}  // namespace
}  // namespace cairn
