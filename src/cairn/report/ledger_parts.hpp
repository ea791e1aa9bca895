// Where energy went by pair of materials and by wall, in a report.
#pragma once
#include "cairn/formats/table.hpp"
#include "cairn/render/page.hpp"

namespace cairn {

// A table of what each part has taken at the end, if the series has columns of output.ledger_split.
void show_ledger_parts(Page& page, const Columns& series);

}  // namespace cairn
