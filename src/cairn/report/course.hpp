// The parts of a report that tell what changed during the run.
#pragma once
#include <string>

#include "cairn/render/page.hpp"
#include "cairn/run/summary.hpp"

namespace cairn {

// The changes of the scenario that happened, if any.
void show_changes(Page& page, const RunSummary& summary);
// Whether a resume has written a change into the scenario: one that only waits counts, a comment does not.
bool changed_by_resume(const std::string& scenario_text);
// The steps that the program chose, if it did; the last of many.
void show_chosen_steps(Page& page, const RunSummary& summary);

}  // namespace cairn
