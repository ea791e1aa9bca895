#include "cairn/studies/sweep/results.hpp"

#include <algorithm>
#include <filesystem>

#include "cairn/core/error.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/output/checkpoint_files.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/report/summary_json.hpp"

namespace cairn::studies {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view by_guard = "guard: ";

// The order in which keys are set does not matter, as no two are the same.
bool same_settings(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

[[noreturn]] void refuse(const std::string& folder, const std::string& holds) {
  throw Error(Exit::bad_input,
              folder + ": found " + holds + "; expected a new folder: choose another --out, or remove this one");
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Columns last_row(const std::string& file) {
  Columns series = read_table(file);
  for (std::vector<Real>& column : series.values)
    if (!column.empty()) column = {column.back()};
  return series;
}

}  // namespace

std::string words_for(PointResult::State state) {
  switch (state) {
    case PointResult::State::waiting:
      return "waiting";
    case PointResult::State::stopped:
      return "stopped";
    case PointResult::State::failed:
      return "failed";
    case PointResult::State::finished:
      return "finished";
  }
  return "";
}

PointResult look_at_point(const std::string& folder, const std::string& text, const SweepPoint& point) {
  PointResult result;
  const auto require_same = [&](const std::string& other_text, const std::vector<std::string>& settings) {
    if (other_text != text) refuse(folder, "results of another scenario");
    if (!same_settings(settings, point.overrides)) refuse(folder, "results of a run with other settings");
  };
  const std::string saved = folder + "/" + names::checkpoint.folder;
  const bool checkpoints = is_there(saved) && !generations(saved).empty();
  if (const std::string file = folder + "/" + names::summary; is_there(file)) {
    RunSummary summary = read_summary(file);
    require_same(summary.scenario_text, summary.settings);
    if (summary.finished) {
      result.state = PointResult::State::finished;
      result.series = last_row(folder + "/" + names::series);
      result.summary = std::move(summary);
    } else if (summary.stopped_by.starts_with(by_guard)) {
      result.state = PointResult::State::failed;
      result.message = summary.stopped_by.substr(by_guard.size());
    } else if (checkpoints) {
      result.state = PointResult::State::stopped;
    }
  } else if (checkpoints) {
    std::string warning;
    const ScenarioSource source = RunFolder::read_source(folder, warning);
    require_same(source.text, source.overrides);
    result.state = PointResult::State::stopped;
  }
  return result;
}

void refuse_other_scenario(const std::string& folder, const std::string& text) {
  if (is_there(folder + "/" + names::summary) || is_there(folder + "/" + names::checkpoint.folder))
    refuse(folder, "the results of a run");
  std::error_code ignored;
  std::vector<std::string> inner;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored))
    inner.push_back(entry->path().string());
  std::sort(inner.begin(), inner.end());
  for (const std::string& one : inner)
    if (const std::string file = one + "/" + names::summary; is_there(file) && read_summary(file).scenario_text != text)
      refuse(one, "results of another scenario");
}

}  // namespace cairn::studies
