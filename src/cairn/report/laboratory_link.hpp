// The way from a report to the laboratory.
#pragma once
#include <string>

#include "cairn/render/page.hpp"

namespace cairn {

// Where lab.html lies in this folder or in the one around it, the page gets a link that opens the scenario there.
void link_laboratory(Page& page, const std::string& folder, const std::string& scenario_text);

}  // namespace cairn
