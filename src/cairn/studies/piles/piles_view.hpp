// What the pages and tables of the study of piles share.
#pragma once
#include "cairn/studies/piles/piles.hpp"

namespace cairn::studies {

const HardColumn* column_of(const PilesResult& r, const std::string& name, Real step);  // null: none
std::string fate(const HardColumn& c);                                                  // "explodes at 13 grains"

// Each figure: what the document says of it, what Cairn finds, and a verdict.
std::vector<Page::Row> verdict_rows(const PilesResult& r);

}  // namespace cairn::studies
