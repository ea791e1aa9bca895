// The table of keys for others to read: editors (JSON Schema) and people (Markdown).
#pragma once
#include <string>

namespace cairn {

// JSON Schema, draft 2020-12, of a scenario file.
std::string scenario_json_schema();

// The reference of all keys, one table a section; docs/scenario.md, by cairn schema --markdown.
std::string scenario_reference();

}  // namespace cairn
