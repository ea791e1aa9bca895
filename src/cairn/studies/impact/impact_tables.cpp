// The tables of the impact study, as it writes them to CSV files.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cairn/studies/impact/impact_view.hpp"

namespace cairn::studies::impact_view {

static std::vector<Table::Column> columns_of(const std::vector<std::string>& prefixes) {
  std::vector<Table::Column> columns{{"scheme", "1"}, {"n", "1"}};
  for (const std::string& prefix : prefixes)
    for (const ImpactMeasure& m : impact_measures) columns.push_back({prefix + m.name, "%"});
  return columns;
}

ResultTable accuracy_table(const Result& r) {
  ResultTable t{"accuracy", columns_of({"ard_"}), {}};
  for (const Result::Accuracy& a : r.accuracy) {
    std::vector<Table::Cell> row{a.scheme->name, static_cast<std::int64_t>(a.n)};
    row.insert(row.end(), a.ard.begin(), a.ard.end());
    t.rows.push_back(std::move(row));
  }
  return t;
}

ResultTable grid_table(const Result& r, Onset onset) {
  static constexpr const char* names[] = {"time_grid", "time_grid_simulated", "time_grid_corrected",
                                          "time_grid_remembered"};
  ResultTable t{names[static_cast<int>(onset)], columns_of({"dev_", "tot_"}), {}};
  for (const Result::Grid& g : r.grid) {
    if (g.onset != onset) continue;
    std::vector<Table::Cell> row{g.scheme->name, static_cast<std::int64_t>(g.n)};
    row.insert(row.end(), g.dev.begin(), g.dev.end());
    row.insert(row.end(), g.tot.begin(), g.tot.end());
    t.rows.push_back(std::move(row));
  }
  return t;
}

ResultTable cost_table(const Result& r) {
  ResultTable t{"costs",
                {{"scheme", "1"},
                 {"force_passes", "1"},
                 {"seconds", "s"},
                 {"cost", "1"},
                 {"cost_shared", "1"},
                 {"bed_seconds_per_grain", "s"},
                 {"cost_bed", "1"}},
                {}};
  for (const Result::Cost& c : r.costs)
    t.rows.push_back({c.scheme->name, c.passes, c.step, step_cost(r, c, Costing::integration),
                      step_cost(r, c, Costing::shared), c.bed_step, step_cost(r, c, Costing::bed)});
  return t;
}

ResultTable cheapest_table(const Result& r) {
  ResultTable t{
      "cheapest", {{"outcome", "1"}, {"error", "%"}, {"costs", "1"}, {"scheme", "1"}, {"n", "1"}, {"cost", "1"}}, {}};
  for (std::size_t m = 0; m < std::size(impact_measures); ++m)
    for (const Costing costing : costings)
      for (const Ranked& one : ranking(r, m, costing))
        t.rows.push_back({impact_measures[m].name, impact_measures[m].model / 2, words_of(r, costing), one.scheme->name,
                          static_cast<std::int64_t>(one.from.n), one.cost});
  return t;
}

}  // namespace cairn::studies::impact_view
