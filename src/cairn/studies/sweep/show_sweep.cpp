#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "cairn/core/text.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/run/record.hpp"
#include "cairn/studies/sweep/results.hpp"

namespace cairn::studies {
namespace {

using State = PointResult::State;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();

struct SummaryColumn {
  const char *name, *unit;
  Real (*value)(const RunSummary&);
};

// A number of the summary that the table has is one row here; the last row of series.csv gives the other columns.
constexpr SummaryColumn of_summary[] = {
    {"time", "s", [](const RunSummary& s) { return s.time; }},
    {"steps", "1", [](const RunSummary& s) { return static_cast<Real>(s.steps); }},
    {"wall_seconds", "s", [](const RunSummary& s) { return s.wall_seconds; }},
    {"grains", "1", [](const RunSummary& s) { return static_cast<Real>(s.particles); }},
    {"contacts", "1", [](const RunSummary& s) { return static_cast<Real>(s.contacts); }},
    {"contacts_began", "1", [](const RunSummary& s) { return static_cast<Real>(s.contact_count.began); }},
    {"contacts_ended", "1", [](const RunSummary& s) { return static_cast<Real>(s.contact_count.ended); }},
    {"shortest_contact_steps", "1",
     [](const RunSummary& s) { return static_cast<Real>(s.contact_count.shortest_steps); }},
    {"largest_overlap", "1", [](const RunSummary& s) { return s.largest_overlap ? s.largest_overlap->fraction : 0; }},
    {"initial_energy", "J", [](const RunSummary& s) { return s.energy.initial; }},
    {"kinetic", "J", [](const RunSummary& s) { return s.energy.kinetic; }},
    {"rotational", "J", [](const RunSummary& s) { return s.energy.rotational; }},
    {"gravitational", "J", [](const RunSummary& s) { return s.energy.gravitational; }},
    {"elastic", "J", [](const RunSummary& s) { return s.energy.elastic; }},
    {"residual", "J", [](const RunSummary& s) { return s.energy.residual; }},
    {"residual_fraction", "1", [](const RunSummary& s) { return s.energy.residual_fraction; }}};

// A column of numbers, one for each point; NaN where a run has not finished.
struct NumberColumn {
  std::string name, unit;
  std::vector<Real> values;
};

// Of series.csv where it was written at the end too.
std::optional<Real> last_of_series(const PointResult& result, const std::string& name) {
  const std::vector<Real>*time = result.series.find("time"), *column = result.series.find(name);
  if (!result.summary || time == nullptr || time->empty() || column == nullptr) return {};
  if (time->front() != result.summary->time) return {};
  return column->front();
}

std::vector<NumberColumn> number_columns(const std::vector<PointResult>& results) {
  std::vector<NumberColumn> columns;
  for (const SummaryColumn& declared : of_summary) {
    NumberColumn& column = columns.emplace_back(NumberColumn{declared.name, declared.unit, {}});
    for (const PointResult& r : results) column.values.push_back(r.summary ? declared.value(*r.summary) : nan);
  }
  const auto known = [&](const std::string& name) {
    return name == "step" || std::any_of(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
  };
  for (const PointResult& one : results)
    for (const Table::Column& head : one.series.heads) {
      if (known(head.name)) continue;
      NumberColumn& column = columns.emplace_back(NumberColumn{head.name, head.unit, {}});
      for (const PointResult& r : results) column.values.push_back(last_of_series(r, head.name).value_or(nan));
    }
  return columns;
}

// The swept key of numbers with the most values is the x of plots; the others tell curves apart.
std::optional<std::size_t> key_of_x(const SweepGrid& grid) {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < grid.keys.size(); ++k) {
    const SweepKey& key = grid.keys[k];
    if (!key.swept() || numbers_of(key).values.empty()) continue;
    if (!best || key.values.size() > grid.keys[*best].values.size()) best = k;
  }
  return best;
}

// Values above zero that span more than a factor of 50 are told apart on a logarithmic axis only.
bool wants_logarithm(const std::vector<Real>& values) {
  Real least = std::numeric_limits<Real>::infinity(), most = 0;
  for (const Real value : values) {
    if (value <= 0) return false;
    if (value < least) least = value;  // false for NaN
    if (value > most) most = value;
  }
  return most > 50 * least;
}

Figure figure_of(const SweepGrid& grid, std::size_t x, const NumberColumn& column) {
  constexpr std::size_t most_curves = 12;
  const SweepNumbers numbers = numbers_of(grid.keys[x]);
  std::vector<std::size_t> order(numbers.values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return numbers.values[a] < numbers.values[b]; });
  Figure figure{column.name,
                column.name + " at the end",
                {grid.keys[x].key, numbers.unit, wants_logarithm(numbers.values)},
                {column.name, column.unit, wants_logarithm(column.values)},
                {},
                {},
                Figure::Style::points};
  for (const std::size_t k : order) figure.at.push_back(numbers.values[k]);
  for (std::size_t p = 0; p < grid.points.size(); ++p) {
    std::string name;
    for (std::size_t k = 0; k < grid.keys.size(); ++k)
      if (k != x && grid.keys[k].swept()) name += (name.empty() ? "" : ", ") + grid.points[p].overrides[k];
    name = Table::name_of(name.empty() ? column.name : name);
    auto curve =
        std::find_if(figure.curves.begin(), figure.curves.end(), [&](const Curve& c) { return c.name == name; });
    if (curve == figure.curves.end()) {
      if (figure.curves.size() == most_curves) continue;
      curve = figure.curves.insert(figure.curves.end(), Curve{name, std::vector<Real>(order.size(), nan)});
    }
    const std::string& value = grid.points[p].values[x];
    const auto& values = grid.keys[x].values;
    const auto place = static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
    curve->y[static_cast<std::size_t>(std::find(order.begin(), order.end(), place) - order.begin())] = column.values[p];
  }
  return figure;
}

ResultTable whole_table(const SweepGrid& grid, const std::vector<PointResult>& results,
                        const std::vector<NumberColumn>& columns) {
  ResultTable table{"sweep", {}, std::vector<std::vector<Table::Cell>>(results.size())};
  const auto add = [&](const std::string& name, const std::string& unit, const auto& cell) {
    table.columns.push_back({name, unit});
    for (std::size_t p = 0; p < results.size(); ++p) table.rows[p].push_back(cell(p));
  };
  using Cell = Table::Cell;
  for (std::size_t k = 0; k < grid.keys.size(); ++k) {
    const SweepKey& key = grid.keys[k];
    const SweepNumbers numbers = numbers_of(key);
    const auto place = [&](std::size_t p) {
      return static_cast<std::size_t>(std::find(key.values.begin(), key.values.end(), grid.points[p].values[k]) -
                                      key.values.begin());
    };
    if (numbers.values.empty())
      add(key.key, "1", [&](std::size_t p) { return Cell(grid.points[p].values[k]); });
    else
      add(key.key, numbers.unit, [&](std::size_t p) { return Cell(numbers.values[place(p)]); });
  }
  add("state", "1", [&](std::size_t p) { return Cell(words_for(results[p].state)); });
  for (const NumberColumn& column : columns)
    add(column.name, column.unit, [&](std::size_t p) { return Cell(column.values[p]); });
  add("state_hash", "1", [&](std::size_t p) { return Cell(results[p].summary ? results[p].summary->state_hash : ""); });
  add("folder", "1", [&](std::size_t p) { return Cell(grid.points[p].name); });
  add("message", "1", [&](std::size_t p) { return Cell(results[p].message); });
  return table;
}

}  // namespace

std::vector<std::string> sweep_columns(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const SummaryColumn& column : of_summary) names.emplace_back(column.name);
  for (const RecordColumn& column : record_columns(scenario))
    if (std::find(names.begin(), names.end(), column.name) == names.end()) names.push_back(column.name);
  return names;
}

StudyReport show_sweep(const std::string& folder, const std::string& title, const SweepGrid& grid,
                       const std::vector<PointResult>& results, const std::vector<std::string>& shown) {
  const std::vector<NumberColumn> columns = number_columns(results);
  const auto count = [&](State state) {
    return std::count_if(results.begin(), results.end(), [&](const PointResult& r) { return r.state == state; });
  };
  const auto has_results = count(State::finished) > 0;
  StudyReport report;
  report.name = "sweep";
  report.title = "Sweep";
  report.tables = {whole_table(grid, results, columns)};
  std::string same;  // what all runs share
  for (const SweepKey& key : grid.keys) {
    if (key.swept())
      report.head.push_back(key.key);
    else
      same += (same.empty() ? "" : ", ") + key.key + "=" + key.values[0];
  }
  report.subtitle = title + (same.empty() ? "" : "; every run with " + same);
  report.head.insert(report.head.end(), {"state", "wall time [s]"});
  std::vector<const NumberColumn*> chosen;
  for (const std::string& name : shown)
    for (const NumberColumn& column : columns)
      if (column.name == name) chosen.push_back(&column);
  for (const NumberColumn* column : chosen) report.head.push_back(axis_title({column->name, column->unit}));
  report.head.push_back("state hash");
  for (std::size_t p = 0; p < results.size(); ++p) {
    const PointResult& r = results[p];
    Page::Row row;
    for (std::size_t k = 0; k < grid.keys.size(); ++k)
      if (grid.keys[k].swept()) row.push_back(grid.points[p].values[k]);
    const auto number = [&](Real value) { row.push_back(r.summary ? brief(value) : "-"); };
    row.push_back(words_for(r.state));
    row.push_back(r.summary ? fmt::format("{:.3g}", r.summary->wall_seconds) : "-");
    for (const NumberColumn* column : chosen) number(column->values[p]);
    row.push_back(r.summary ? r.summary->state_hash : "-");
    report.rows.push_back(std::move(row));
  }
  std::string found = std::to_string(count(State::finished)) + " of " + std::to_string(results.size()) +
                      (results.size() == 1 ? " run" : " runs") + " finished";
  for (const State state : {State::failed, State::stopped, State::waiting})
    if (count(state) > 0) found += ", " + std::to_string(count(state)) + " " + words_for(state);
  report.findings = {found + "."};
  for (std::size_t p = 0; p < results.size(); ++p)
    if (results[p].state == State::failed) report.findings.push_back(grid.points[p].name + ": " + results[p].message);
  if (const auto x = key_of_x(grid); x && has_results)
    for (const NumberColumn* column : chosen) report.figures.push_back(figure_of(grid, *x, *column));
  std::vector<std::string> links;
  for (const SweepPoint& point : grid.points) {
    std::error_code ignored;
    const std::string page = point.name + "/" + names::report;
    links.push_back(std::filesystem::exists(folder + "/" + page, ignored) ? page : "");
  }
  report.body = [links](const StudyReport& of, Page& page, const StudyReport::Put& put) {
    page.paragraph(of.findings[0]);
    for (std::size_t k = 1; k < of.findings.size(); ++k) page.warning(of.findings[k]);
    for (const Figure& figure : of.figures) put(figure, "");
    page.section("Runs");
    page.table(of.head, of.rows, links);
  };
  return report;
}

}  // namespace cairn::studies
