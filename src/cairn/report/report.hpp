// report.html of a run, with its figures as files in figures/: made from what stands in the run's folder alone
// (summary.json, series.csv, pictures/), so that it can be made again at any time.
#pragma once
#include <string>
#include <vector>

namespace cairn {

inline constexpr const char* no_gnuplot = "note: gnuplot is not installed, so the figures have no SVG files";

struct ReportFiles {
  std::vector<std::string> names;  // in the run's folder
  bool drawn;                      // false: gnuplot is missing, and the figures have no SVG
};

// Throws Error(io) if the folder holds no finished run.
ReportFiles write_report(const std::string& folder);

}  // namespace cairn
