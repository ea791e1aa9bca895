// summary.json: the fields of a RunSummary by their names, both ways (run/summary.hpp).
#pragma once
#include <optional>
#include <string>

#include "cairn/run/summary.hpp"

namespace cairn {

// Numbers that are not finite become null; what is left out if empty is left out.
std::string to_json(const RunSummary& summary);
std::string to_json(const std::optional<ShortestCollision>& shortest);  // null: there is none
// Reads the file. A null is read as NaN. Error(io) where a field is missing or of another type.
RunSummary read_summary(const std::string& path);

}  // namespace cairn
