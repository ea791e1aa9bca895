#include "cairn/report/ledger_parts.hpp"

#include <fmt/format.h>

#include <string_view>

namespace cairn {

std::string joined(const std::vector<std::string>& parts) {
  std::string words;
  for (std::size_t k = 0; k < parts.size(); ++k)
    words += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
  return words;
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
