// cairn study NAME: runs that belong together, and what they say.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cairn/io/files.hpp"
#include "cairn/io/report.hpp"
#include "cairn/studies/orders.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "stop.hpp"

namespace cairn {
namespace {

// What every study takes.
struct StudyOptions {
  std::string out, csv, schemes;
  bool quick = false, quiet = false, json = false;

  void add_to(CLI::App& command) {
    command.add_flag("--quick", quick, "shorter runs, to look at: under a minute");
    command.add_option("--scheme", schemes, "A,B,...: of these schemes; default: all there are");
    command.add_option("--out", out, "folder for the results; default: results/study-" + command.get_name());
    command.add_option("--csv", csv, "FILE: the study's table here too");
    command.add_flag("--quiet", quiet, "print nothing but errors");
    command.add_flag("--json", json, "print the results as JSON, and nothing else, to the standard output");
  }
};

// Runs a study, writes what it leaves and says so. `study(tell)` returns what is to be shown.
template <class Study>
void carry_out(const std::string& name, const StudyOptions& options, Study&& study) {
  end_on_signals("stopped before the end of the study; nothing was written\n");
  const FolderLock lock = FolderLock::make(options.out.empty() ? "results/study-" + name : options.out);
  const studies::Shown shown = [&] {
    ProgressLine line(options.quiet);
    return study([&](Real done, const std::string& doing) {
      const auto now = ProgressLine::Clock::now();
      if (!line.wants(now)) return;
      const auto [share, rest] = line.share_and_rest(now, done, 0);
      const std::string parts[] = {share, rest, doing};
      line.show(now, parts);
    });
  }();
  const bool drawn = studies::write_study(lock.folder(), shown);
  if (!options.csv.empty()) studies::write_csv(options.csv, shown.tables[0]);
  if (!options.quiet && !drawn) std::fputs((std::string(no_gnuplot) + "\n").c_str(), stderr);
  if (options.json) {
    fmt::print("{}", studies::json_of(shown));
  } else if (!options.quiet) {
    fmt::print("{}\n", studies::text_of(shown.head, shown.rows));
    for (const std::string& finding : shown.findings) fmt::print("{}\n", finding);
    std::string files;
    for (const studies::ResultTable& table : shown.tables) files += table.name + ".csv, ";
    fmt::print("results: {}/{}figures{}\n", lock.folder(), files, options.csv.empty() ? "" : "; " + options.csv);
    fmt::print("report: {}/report.html\n", lock.folder());
  }
}

CLI::App* add_orders(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "orders", "Error against step for each scheme on smooth motions, and the slope beside the order claimed");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->callback([options] {
    studies::OrdersSettings settings = options->quick ? studies::OrdersSettings::quick() : studies::OrdersSettings{};
    settings.schemes = studies::select_schemes(options->schemes);
    carry_out("orders", *options,
              [&](const studies::Tell& tell) { return studies::show(studies::study_orders(settings, tell)); });
  });
  return command;
}

}  // namespace

void add_study(CLI::App& app) {
  CLI::App* command = app.add_subcommand("study", "Compare schemes: runs that belong together, with a report");
  command->require_subcommand(0, 1);
  const std::vector<CLI::App*> all{add_orders(*command)};
  command->callback([command, all] {
    if (!command->get_subcommands().empty()) return;
    for (const CLI::App* one : all) fmt::print("{:<16}{}\n", one->get_name(), one->get_description());
    fmt::print("\nRun one:  cairn study orders --quick\n");
  });
}

}  // namespace cairn
