// Where energy came from and went, in a report: in words, and by pair of materials and by wall.
#pragma once
#include <string>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/render/page.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

// "a, b and c"
std::string joined(const std::vector<std::string>& parts);

// Names what may have added or removed energy: "moving walls and new grains".
std::string sources_outside(const RunSummary& summary);

// A table of what each part has taken at the end, if the series has columns of output.ledger_split.
void show_ledger_parts(Page& page, const Columns& series);

}  // namespace cairn
