// cairn advise: which scheme and step a scenario should take, and what they cost here.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/formats/earlier_results.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/report/report.hpp"
#include "cairn/run/scheme_choice.hpp"
#include "cairn/run/step_choice.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/advice/advice.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "stop.hpp"
#include "study_options.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

struct AdviseOptions {
  std::string file, accuracy = "1%", out, schemes;
  std::vector<std::string> overrides;
  Real window = 0;
  bool json = false, measure = false, force = false, quiet = false;
};

// [-] "1%", "1 %", "0.01"
Real share_of(const std::string& text) {
  std::string number = text;
  Real unit = 1;
  if (const auto sign = number.find('%'); sign != std::string::npos && sign + 1 == number.size())
    number.pop_back(), unit = 0.01;
  while (!number.empty() && number.back() == ' ') number.pop_back();
  Real value = 0;
  if (!CLI::detail::lexical_cast(number, value) || !accuracies.contains(value * unit))
    throw Error(Exit::bad_input,
                "--accuracy: found '" + text + "', expected a share from 0.0001 % to 50 %, such as 1%");
  return value * unit;
}

void advise(const AdviseOptions& o) {
  studies::AdviceSettings settings;
  settings.accuracy = share_of(o.accuracy);
  settings.measures = o.measure, settings.window = o.window;
  if (!o.schemes.empty()) settings.schemes = studies::select_schemes(o.schemes);
  end_on_signals("stopped before the advice was found; nothing was written\n");
  Scenario scenario = read_scenario(o.file, o.overrides);
  require_soft_law(scenario.law, "cairn advise");
  load_data(scenario);
  const studies::StudyReport report = [&] {
    ProgressLine line(o.quiet);
    return studies::show(studies::advise(scenario, settings, [&](Real done, const std::string& doing) {
      const auto now = ProgressLine::Clock::now();
      if (!line.wants(now)) return;
      const auto [share, rest] = line.share_and_rest(now, done, 0);
      const std::string parts[] = {share, rest, doing};
      line.show(now, parts);
    }));
  }();
  if (!o.out.empty()) {
    const FolderLock lock = FolderLock::make(o.out);
    const std::string kept = o.force ? "" : keep_beside(lock.folder(), studies::files_of(report));
    if (!kept.empty() && !o.quiet) print_error(kept_note(lock.folder(), kept) + "\n");
    if (!studies::write_study(lock.folder(), report) && !o.quiet) print_error(std::string(no_gnuplot) + "\n");
  }
  if (o.json) return print(studies::json_of(report));
  print_table(studies::text_of(report.head, report.rows) + "\n");
  print(fmt::format("{}\n\n", report.legend));
  for (const std::string& finding : report.findings) print(fmt::format("{}\n", finding));
  if (!o.out.empty()) print(fmt::format("report: {}/report.html\n", o.out));
}

}  // namespace

void add_advise(CLI::App& app) {
  const auto o = std::make_shared<AdviseOptions>();
  CLI::App* command = app.add_subcommand(
      "advise", "Advise a scheme and a step for a scenario: stability, accuracy of collisions, price on this machine");
  command->add_option("file", o->file, "scenario in TOML")->required()->type_name("FILE");
  command->add_option("--accuracy", o->accuracy, "of restitution and tangential response of each collision")
      ->type_name("SHARE")
      ->capture_default_str();
  command->add_option("--scheme", o->schemes, "A,B,...: only these schemes; default: ten")->type_name("SCHEMES");
  command->add_option("--set", o->overrides, "KEY=VALUE: set a key of the scenario")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::Option* measure = command->add_flag(
      "--measure", o->measure, "run the advised and the own setting against a reference, and report measured errors");
  command->add_option("--window", o->window, "SECONDS: simulated time of these runs; default: a tenth of the run")
      ->check(positive_number)
      ->needs(measure);
  command->add_option("--out", o->out, "FOLDER: write a report with a figure; default: write nothing");
  command->add_flag("--force", o->force, "replace an earlier report there");
  command->add_flag("--quiet", o->quiet, "no progress");
  command->add_flag("--json", o->json, "print only the results, as JSON");
  command->callback([o] { advise(*o); });
}

}  // namespace cairn
