// Scenario files: TOML, pure data in SI units, every key in one table that validates, words the errors and documents
// itself.
// Whatever is not understood is Error(Exit::bad_input, "file:line:column: key: what was found; what was expected"),
// with "--set key=value" as the place where an override is at fault. Keys are written as --set takes them:
// "grains.0.file" is the file of the first [[grains]].
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cairn/run/scenario.hpp"
#include "cairn/scenario/key_doc.hpp"

namespace cairn {

// Each override is "key=value", as apply_override (formats/document.hpp) takes it.
Scenario read_scenario(const std::string& path, std::span<const std::string> overrides = {});
std::string read_scenario_text(const std::string& path);

// `name` stands for the file in errors, and files the scenario names are relative to its folder.
Scenario parse_scenario(std::string_view text, const std::string& name, std::span<const std::string> overrides = {});

}  // namespace cairn
