// cairn sweep: a scenario with every combination of some settings, side by side, in one table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/core/text.hpp"
#include "cairn/core/threads.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/report/report.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/sweep/grid.hpp"
#include "cairn/studies/sweep/results.hpp"
#include "child_runs.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "stop.hpp"
#include "terminal.hpp"
#include "wall_time.hpp"

namespace cairn {
namespace {

using studies::PointResult;
using State = PointResult::State;

struct SweepOptions {
  std::string file, out, csv, wall_time;  // wall_time empty: without limit
  std::vector<std::string> settings, columns{"kinetic", "residual_fraction"};
  int jobs = 0, threads = 1;  // jobs 0: as many as there are cores for
  bool quiet = false, json = false;
};

// The faults that the scenario has at any point, each once: the same fault of another value adds nothing.
class Faults {
 public:
  void add(std::string_view message) {
    for (std::size_t begin = 0; begin < message.size();) {
      const std::size_t end = std::min(message.find('\n', begin), message.size());
      const std::string_view line = message.substr(begin, end - begin);
      const std::string_view place = line.starts_with("--set ") ? line.substr(0, line.find(": ")) : "";
      if (known_.emplace(line.substr(place.size())).second) lines_.emplace_back(line);
      begin = end + 1;
    }
  }
  void refuse() const {
    if (!lines_.empty()) throw Error(Exit::bad_input, joined(lines_, "\n", "\n"));
  }

 private:
  std::set<std::string> known_;
  std::vector<std::string> lines_;
};

// Reads the scenario of every point, so that a misspelt key ends a sweep at once and not after hours.
void check_points(const std::string& text, const SweepOptions& o, const studies::SweepGrid& grid) {
  Faults faults;
  std::vector<std::string> columns;
  for (const studies::SweepPoint& point : grid.points) {
    try {
      Scenario scenario = parse_scenario(text, o.file, point.overrides);
      scenario.threads = 1;
      if (columns.empty()) columns = studies::sweep_columns(scenario);
      Simulation{std::move(scenario)};
    } catch (const Error& e) {
      if (e.code() != Exit::bad_input) throw;
      faults.add(e.what());
    }
  }
  faults.refuse();
  for (const std::string& name : o.columns)
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
      throw Error(Exit::bad_input, "--column: there is no column " + quoted_bytes(name) + suggestion(name, columns) +
                                       "; columns: " + joined(columns, ", ", ", "));
}

// `seconds` of wall time are left for it.
std::vector<std::string> command_for(const SweepOptions& o, const studies::SweepPoint& point, const PointResult& before,
                                     Real seconds) {
  const std::string folder = o.out + "/" + point.name;
  std::vector<std::string> words{"resume", folder};
  if (before.state == State::waiting) {
    words = {"run", o.file, "--out", folder};
    for (const std::string& change : point.overrides) words.insert(words.end(), {"--set", change});
  }
  words.insert(words.end(), {"--threads", std::to_string(o.threads)});
  if (std::isfinite(seconds)) words.insert(words.end(), {"--wall-time", to_text(seconds)});
  return words;
}

class Sweep {
 public:
  Sweep(const SweepOptions& options, std::string text)
      : o_(options),
        text_(std::move(text)),
        grid_(studies::sweep_grid(o_.settings)),
        wall_time_(o_.wall_time.empty() ? std::numeric_limits<Real>::infinity() : wall_time_of(o_.wall_time)) {}

  void run() {
    check_points(text_, o_, grid_);
    const FolderLock lock = FolderLock::make(o_.out);
    studies::refuse_other_scenario(o_.out, text_);
    for (const studies::SweepPoint& point : grid_.points) results_.push_back(look(point));
    if (!o_.csv.empty()) studies::check_writable(o_.csv);
    stop_on_signals();
    drive();
    finish();
  }

 private:
  PointResult look(const studies::SweepPoint& point) const {
    return studies::look_at_point(o_.out + "/" + point.name, text_, point);
  }
  void drive();
  void note(const ChildRuns::Ended& ended);
  void show_progress(ProgressLine& line, const ChildRuns& children) const;
  void finish() const;
  std::size_t finished() const {
    return static_cast<std::size_t>(std::count_if(results_.begin(), results_.end(), [](const PointResult& r) {
      return r.state == State::finished || r.state == State::failed;
    }));
  }

  const SweepOptions& o_;
  std::string text_;
  studies::SweepGrid grid_;
  std::vector<PointResult> results_;
  WallTime wall_time_;
  std::size_t known_ = 0;  // points that were over before
  int code_ = 0;           // of the first run that failed
};

void Sweep::drive() {
  const int cores = available_threads();
  const auto jobs = static_cast<std::size_t>(o_.jobs > 0 ? o_.jobs : std::max(1, cores / o_.threads));
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < results_.size(); ++k)
    if (results_[k].state == State::waiting || results_[k].state == State::stopped) open.push_back(k);
  known_ = finished();
  ProgressLine line(o_.quiet);
  ChildRuns children;
  bool told = false;
  bool late = false;
  constexpr Real least = 3;  // [s] a run needs to begin and to end
  const auto goes_on = [&] { return stop_signal() == 0 && !late; };
  for (std::size_t next = 0; (next < open.size() && goes_on()) || children.running() > 0;) {
    for (; next < open.size() && children.running() < jobs && goes_on(); ++next) {
      const auto now = WallTime::Clock::now();
      late = wall_time_.left(now) < least;
      if (late) break;
      children.start(open[next], command_for(o_, grid_.points[open[next]], results_[open[next]], wall_time_.left(now)));
    }
    for (const ChildRuns::Ended& ended : children.wait(std::chrono::milliseconds(100))) note(ended);
    if (stop_signal() != 0 && !told) {
      children.signal(stop_signal());
      told = true;
    }
    show_progress(line, children);
  }
}

// The files a run leaves tell how it ended; where they do not, its error does.
void Sweep::note(const ChildRuns::Ended& ended) {
  const studies::SweepPoint& point = grid_.points[ended.number];
  PointResult& result = results_[ended.number];
  const bool stopped_with_us = ended.code == 0 || (stop_signal() != 0 && ended.code > 128);
  try {
    result = look(point);
  } catch (const Error& e) {
    result = {State::failed, e.what()};  // the scenario was edited meanwhile, say
    code_ = code_ == 0 ? static_cast<int>(e.code()) : code_;
    return;
  }
  if (result.state == State::finished || (result.state != State::failed && stopped_with_us)) return;
  result.state = State::failed;
  if (!ended.message.empty()) result.message = ended.message;
  if (result.message.empty()) result.message = "the run ended with code " + std::to_string(ended.code);
  code_ = code_ == 0 ? ended.code : code_;
}

void Sweep::show_progress(ProgressLine& line, const ChildRuns& children) const {
  const auto now = ProgressLine::Clock::now();
  if (!line.wants(now)) return;
  const auto all = static_cast<Real>(results_.size());
  const Real first = static_cast<Real>(known_) / all;
  const auto [share, rest] = line.share_and_rest(now, (static_cast<Real>(finished()) + children.done()) / all, first);
  const std::string parts[] = {
      share, rest, fmt::format("{} of {} runs done, {} running", finished(), results_.size(), children.running())};
  line.show(now, parts);
}

void Sweep::finish() const {
  const studies::StudyReport report = studies::show_sweep(o_.out, o_.file, grid_, results_, o_.columns);
  const bool drawn = studies::write_study(o_.out, report);
  if (!o_.csv.empty()) studies::write_csv(o_.csv, report.tables[0]);
  if (!o_.quiet && !drawn) print_error(std::string(no_gnuplot) + "\n");
  if (o_.json) {
    print(studies::json_of(report));
  } else if (!o_.quiet) {
    print_table(studies::text_of(report.head, report.rows));
    print("\n" + report.findings[0] + "\n");
    for (std::size_t k = 1; k < report.findings.size(); ++k) print("failed: " + report.findings[k] + "\n");
    print(
        fmt::format("table: {0}/sweep.csv{1}\nreport: {0}/report.html\n", o_.out, o_.csv.empty() ? "" : ", " + o_.csv));
  }
  const bool all_over = finished() == results_.size();
  if (!o_.quiet && !all_over && stop_signal() == 0)
    print_error("stopped by --wall-time; the same command goes on from here\n");
  if (const int signal = stop_signal(); signal != 0) {
    if (!o_.quiet) print_error("stopped by " + signal_name(signal) + "; the same command goes on from here\n");
    std::fflush(stdout);
    throw CLI::RuntimeError(128 + signal);
  }
  const bool failed =
      std::any_of(results_.begin(), results_.end(), [](const PointResult& r) { return r.state == State::failed; });
  if (failed) throw CLI::RuntimeError(code_ > 0 ? code_ : static_cast<int>(Exit::guard));
}

void sweep(SweepOptions o) {
  end_on_signals("stopped before the first run; nothing was written\n");
  std::error_code ignored;
  if (std::filesystem::exists(o.file, ignored) && !std::filesystem::is_regular_file(o.file, ignored))
    throw Error(Exit::bad_input, o.file + ": found no file; expected a file, because every run reads it");
  if (o.out.empty()) o.out = "results/sweep-" + std::filesystem::path(o.file).stem().string();
  Sweep(o, read_scenario_text(o.file)).run();
}

}  // namespace

void add_sweep(CLI::App& app) {
  const auto o = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Run a scenario with every combination of some settings, side by side, into one table");
  command->footer(
      "cairn sweep starter.toml --set contact.friction=0,0.2,0.4 --set run.scheme=velocity_verlet,rk4\n"
      "                                     six runs and results/sweep-starter/sweep.csv; the same command goes on\n"
      "                                     where it was stopped, and with more values runs only those that are new");
  command->add_option("file", o->file, "scenario in TOML")->required()->type_name("FILE");
  command
      ->add_option("--set", o->settings,
                   "KEY=A,B,...: values of a key of the scenario; commas within quotes and brackets belong to a value")
      ->required()
      ->type_name("KEY=A,B,...")
      ->allow_extra_args(false);
  command
      ->add_option("--out", o->out,
                   "folder for the table and for a folder of each run; default: results/sweep-NAME, with NAME from "
                   "the scenario file")
      ->type_name("FOLDER");
  command->add_option("--jobs", o->jobs, "runs at a time; default: as many as the cores allow")
      ->check(CLI::Range(1, 4096));
  command->add_option("--threads-per-run", o->threads, "threads of each run; the results do not depend on it")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--column", o->columns,
                   "A,B,...: columns of sweep.csv to print and to plot; default: kinetic,residual_fraction")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--csv", o->csv, "FILE: also write the table to this file")->type_name("FILE");
  command->add_option(
      "--wall-time", o->wall_time,
      "stop all runs in time to end within this wall-clock time after the start of the program; written "
      "as 3600 (seconds), \"2 h\" or 1:30:00");
  command->add_flag("--quiet", o->quiet, "print only errors");
  command->add_flag("--json", o->json, "print only the table, as JSON, to the standard output");
  command->callback([o] { sweep(*o); });
}

}  // namespace cairn
