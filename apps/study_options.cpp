#include "study_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "cairn/formats/earlier_results.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/report/report.hpp"
#include "progress.hpp"
#include "stop.hpp"
#include "terminal.hpp"

namespace cairn {

const CLI::Validator not_empty(
    [](const std::string& word) { return word.empty() ? "found an empty text" : std::string(); }, "");

// CLI::PositiveNumber would print its upper bound with all 309 digits.
const CLI::Validator positive_number(
    [](const std::string& word) {
      Real value = 0;
      const bool is = CLI::detail::lexical_cast(word, value) && value > 0 && std::isfinite(value);
      return is ? std::string() : "found " + quoted_bytes(word) + ", expected a number above 0";
    },
    "");

void StudyOptions::add_to(CLI::App& command) {
  command.add_flag("--quick", quick, "shorter runs for a first look: under a minute");
  command.add_option("--scheme", schemes, "A,B,...: only these schemes; default: all")
      ->check(not_empty)
      ->type_name("SCHEMES");
  command.add_option("--out", out, "folder for the results; default: results/study-" + command.get_name());
  command.add_flag("--force", force,
                   "replace the results of an earlier study in this folder; by default they are kept as FOLDER.1, "
                   "FOLDER.2, ...");
  command.add_option("--csv", csv, "FILE: also write the study's table to this file");
  command.add_flag("--quiet", quiet, "print only errors");
  command.add_flag("--json", json, "print only the results, as JSON, to the standard output");
}

void run_study(const std::string& name, const StudyOptions& options,
               const std::function<studies::StudyReport(const studies::ProgressCallback& on_progress)>& study) {
  end_on_signals("stopped before the end of the study; nothing was written\n");
  const FolderLock lock = FolderLock::make(options.out.empty() ? "results/study-" + name : options.out);
  if (!options.csv.empty()) studies::check_writable(options.csv);  // at once, and not after minutes of runs
  const studies::StudyReport report = [&] {
    ProgressLine line(options.quiet);
    return study([&](Real done, const std::string& doing) {
      const auto now = ProgressLine::Clock::now();
      if (!line.wants(now)) return;
      const auto [share, rest] = line.share_and_rest(now, done, 0);
      const std::string parts[] = {share, rest, doing};
      line.show(now, parts);
    });
  }();
  const std::string kept = options.force ? "" : keep_beside(lock.folder(), studies::files_of(report));
  if (!kept.empty() && !options.quiet) print_error(kept_note(lock.folder(), kept) + "\n");
  const bool drawn = studies::write_study(lock.folder(), report);
  if (!options.csv.empty()) studies::write_csv(options.csv, report.tables[0]);
  if (!options.quiet && !drawn) print_error(std::string(no_gnuplot) + "\n");
  if (options.json) {
    print(studies::json_of(report));
  } else if (!options.quiet) {
    print_table(studies::text_of(report.head, report.rows) + "\n");
    if (!report.legend.empty()) print(fmt::format("{}\n\n", report.legend));
    for (const std::string& finding : report.findings) print(fmt::format("{}\n", finding));
    std::string files;
    for (const studies::ResultTable& table : report.tables) files += table.name + ".csv, ";
    print(
        fmt::format("results: {}/{}figures{}\n", lock.folder(), files, options.csv.empty() ? "" : "; " + options.csv));
    print(fmt::format("report: {}/report.html\n", lock.folder()));
  }
}

}  // namespace cairn
