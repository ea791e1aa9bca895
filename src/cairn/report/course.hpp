// The parts of a report that tell what changed during the run.
#pragma once
#include "cairn/render/page.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

// The changes of the scenario that happened, if any.
void show_changes(Page& page, const RunSummary& summary);
// The steps that the program chose, if it did; the last of many.
void show_chosen_steps(Page& page, const RunSummary& summary);

}  // namespace cairn
