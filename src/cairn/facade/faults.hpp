// The faults of a scenario as data.
#pragma once
#include <string>

#include "cairn/facade/guarded.hpp"

namespace cairn::facade {

// `text` is that of an Error of parse_scenario (scenario/scenario_file.hpp): a fault a line, empty where there is none.
std::string faults_json(const std::string& text, const ScenarioSource& source);

}  // namespace cairn::facade
