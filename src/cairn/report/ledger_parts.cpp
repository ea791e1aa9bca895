#include "cairn/report/ledger_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace cairn {
namespace {

bool changes_energy(const std::string& setting) {
  constexpr std::string_view sections[] = {"space.", "contact.", "pair.", "wall."};
  return std::ranges::any_of(sections, [&](std::string_view section) { return setting.starts_with(section); });
}

}  // namespace

std::string joined(const std::vector<std::string>& parts) {
  std::string words;
  for (std::size_t k = 0; k < parts.size(); ++k)
    words += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
  return words;
}

std::string sources_outside(const RunSummary& summary) {
  std::vector<std::string> said;
  if (summary.moving_walls) said.push_back("moving walls");
  if (!summary.emitters.empty()) said.push_back("new grains");
  if (!summary.removals.empty()) said.push_back("the removal of grains");
  if (std::ranges::any_of(summary.changes,
                          [](const auto& c) { return std::ranges::any_of(c.second.settings, changes_energy); }))
    said.push_back("changes of the scenario");
  return said.empty() ? "sources outside the system" : joined(said);
}

void show_ledger_parts(Page& page, const Columns& series) {
  std::vector<Page::Row> rows;
  constexpr std::string_view first = "_dashpot";
  for (const Table::Column& head : series.heads) {
    if (!head.name.ends_with(first) || !(head.name.starts_with("pair_") || head.name.starts_with("wall_"))) continue;
    const std::string part = head.name.substr(0, head.name.size() - first.size());
    rows.push_back({part});
    for (const char* channel : {"_dashpot", "_slip", "_clip"}) {
      const auto* values = series.find(part + channel);
      rows.back().push_back(values && !values->empty() ? fmt::format("{:.4g}", values->back()) : "-");
    }
  }
  if (rows.empty()) return;
  page.paragraph("What contacts dissipated until the end, by pair of materials and by wall:");
  page.table({"contacts", "dashpots [J]", "slip [J]", "clip [J]"}, rows);
}

}  // namespace cairn
