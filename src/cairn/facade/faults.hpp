// The faults of a scenario as data.
#pragma once
#include <string>

#include "cairn/facade/guarded.hpp"

namespace cairn::facade {

// Of the text of an Error of parse_scenario, one fault a line (scenario/scenario_file.hpp); empty: none.
std::string faults_json(const std::string& text, const Source& source);

}  // namespace cairn::facade
