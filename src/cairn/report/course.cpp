#include "cairn/report/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cairn/formats/document.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

void show_changes(Page& page, const RunSummary& summary) {
  if (summary.changes.empty()) return;
  page.section("Changes");
  std::vector<Page::Row> rows;
  for (const auto& [name, change] : summary.changes)
    rows.push_back({fmt::format("{:.6g} s", change.time), name, change.when, joined(change.settings, "; ", "; ")});
  page.table({"Time", "Change", "Condition", "Sets"}, rows);
}

bool changed_by_resume(const std::string& scenario_text) {
  const Node scenario = parse_document(scenario_text, "");
  const Node* const changes = scenario.find("change");
  return changes && changes->array() && std::ranges::any_of(*changes->array(), [](const Node& change) {
           return name_of(change).starts_with(named_by_resume);
         });
}

void show_chosen_steps(Page& page, const RunSummary& summary) {
  const std::vector<StepSummary>& all = summary.chosen_steps;
  if (all.empty()) return;
  constexpr std::size_t most = 12;
  const std::size_t shown = std::min(most, all.size());
  page.paragraph("The program chose the step" +
                 (shown < all.size() ? fmt::format(" {} times; shown are the last {}.", all.size(), shown) : ":"));
  std::vector<Page::Row> rows;
  for (auto chosen = all.end() - static_cast<std::ptrdiff_t>(shown); chosen != all.end(); ++chosen)
    rows.push_back({fmt::format("{:.4g} s", chosen->time), fmt::format("{:.4g} s", chosen->length), chosen->reason});
  page.table({"From", "Step", "Why"}, rows);
}

}  // namespace cairn
