// The tables and figures of the impact study, which its report puts together.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/impact/impact_claims.hpp"
#include "cairn/studies/impact/impact_found.hpp"

namespace cairn::studies::impact_view {

using Result = ImpactResult;

ResultTable accuracy_table(const Result& r);
ResultTable grid_table(const Result& r, Onset onset);
ResultTable cost_table(const Result& r);
ResultTable cheapest_table(const Result& r);

struct Panel {
  std::string slug, words;
  Selection schemes;
  bool of_document;
};

// The paper's schemes, then the others by families.
std::vector<Panel> panels_of(const Selection& schemes);
// `m`: index in impact_measures.
Figure accuracy_figure(const Result& r, const Panel& panel, std::size_t m);
Figure grid_figure(const Result& r, const Panel& panel, std::size_t m, Onset onset);
Figure phase_figure(const Result& r, std::size_t m, Onset onset);
Figure cost_figure(const Result& r, const Panel& panel);
Figure efficiency_figure(const Result& r, const Panel& panel, std::size_t m, Costing costing);

}  // namespace cairn::studies::impact_view
