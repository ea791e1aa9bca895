// The results of a sweep: what the folder of each point holds, and all of them in one table.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/formats/table.hpp"
#include "cairn/run/summary.hpp"
#include "cairn/studies/shown.hpp"
#include "cairn/studies/sweep/grid.hpp"

namespace cairn::studies {

struct PointResult {
  enum class State {
    waiting,  // nothing is there
    stopped,  // there is a checkpoint to go on from
    failed,   // a guard refused, or whatever the message says
    finished
  };
  State state = State::waiting;
  std::string message;                  // why it failed
  std::optional<RunSummary> summary{};  // of a finished run
  Columns series{};                     // its last row
};
std::string words_for(PointResult::State state);

// What `folder` holds of the run of a scenario text with these overrides. Error(bad_input) where it holds another run.
PointResult look_at_point(const std::string& folder, const std::string& text, const SweepPoint& point);

// Error(bad_input) where `folder` is itself that of a run, or has results of another scenario within it.
void refuse_other_scenario(const std::string& folder, const std::string& text);

// The columns of numbers that the table has of a run of this scenario.
std::vector<std::string> sweep_columns(const Scenario& scenario);

// The table of all points, sweep.csv, and a page with the scenario's title; `columns` of that table are on the
// terminal, and are plotted over the swept numbers. Error(bad_input) names the columns there are if one of these is
// none of them.
StudyReport show_sweep(const std::string& folder, const std::string& title, const SweepGrid& grid,
                       const std::vector<PointResult>& results, const std::vector<std::string>& columns);

}  // namespace cairn::studies
