// report.html of a run, with its figures as files in figures/: made from what stands in the run's folder alone
// (summary.json, series.csv, pictures/), so that it can be made again at any time.
#pragma once
#include <string>

namespace cairn {

// The figures a report may have.
inline constexpr const char* report_figures[] = {"energy",       "residual", "motion", "external",    "contacts",
                                                 "coordination", "height",   "step",   "wall_forces", "removed"};

inline constexpr const char* no_gnuplot = "note: without gnuplot the figures have no SVG";

// Throws Error(io) if the folder holds no finished run. False if gnuplot is missing and the figures have no SVG.
bool write_report(const std::string& folder);

}  // namespace cairn
