// Parts that the pages and tables of the statics study share.
#pragma once
#include "cairn/studies/statics/statics.hpp"

namespace cairn::studies {

// Each figure of the lecture notes, or one that is expected: what it is, what Cairn finds, and a verdict.
std::vector<Page::Row> statics_verdicts(const StaticsResult& r);
// How many of them differ.
int disagreements(const std::vector<Page::Row>& verdicts);

std::string method_name(statics::Method method);
std::string column_name(bool hertz);

}  // namespace cairn::studies
