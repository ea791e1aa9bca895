// cairn study NAME: runs that belong together, and what they say.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "cairn/core/error.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/report/report.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/impact/impact.hpp"
#include "cairn/studies/onset/onset.hpp"
#include "cairn/studies/orders.hpp"
#include "cairn/studies/validation/validation.hpp"
#include "cairn/studies/work_precision.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "stop.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

const CLI::Validator something(
    [](const std::string& word) { return word.empty() ? "found an empty text" : std::string(); }, "");

// What every study takes.
struct StudyOptions {
  std::string out, csv, schemes;
  bool quick = false, quiet = false, json = false;

  void add_to(CLI::App& command) {
    command.add_flag("--quick", quick, "shorter runs for a first look: under a minute");
    command.add_option("--scheme", schemes, "A,B,...: only these schemes; default: all")->check(something);
    command.add_option(
        "--out", out,
        "folder for the results; files of the same names are replaced; default: results/study-" + command.get_name());
    command.add_option("--csv", csv, "FILE: also write the study's table to this file");
    command.add_flag("--quiet", quiet, "print only errors");
    command.add_flag("--json", json, "print only the results, as JSON, to the standard output");
  }
};

// Runs a study, writes what it leaves and says so. `study(tell)` returns what is to be shown.
template <class Study>
void carry_out(const std::string& name, const StudyOptions& options, Study&& study) {
  end_on_signals("stopped before the end of the study; nothing was written\n");
  const FolderLock lock = FolderLock::make(options.out.empty() ? "results/study-" + name : options.out);
  if (!options.csv.empty()) studies::check_writable(options.csv);  // not only after minutes
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
  const bool drawn = studies::write_study(lock.folder(), report);
  if (!options.csv.empty()) studies::write_csv(options.csv, report.tables[0]);
  if (!options.quiet && !drawn) print_error(std::string(no_gnuplot) + "\n");
  if (options.json) {
    print(studies::json_of(report));
  } else if (!options.quiet) {
    print(fmt::format("{}\n", studies::text_of(report.head, report.rows)));
    if (!report.legend.empty()) print(fmt::format("{}\n\n", report.legend));
    for (const std::string& finding : report.findings) print(fmt::format("{}\n", finding));
    std::string files;
    for (const studies::ResultTable& table : report.tables) files += table.name + ".csv, ";
    print(
        fmt::format("results: {}/{}figures{}\n", lock.folder(), files, options.csv.empty() ? "" : "; " + options.csv));
    print(fmt::format("report: {}/report.html\n", lock.folder()));
  }
}

CLI::App* add_orders(CLI::App& studies) {
  CLI::App* command =
      studies.add_subcommand("orders", "Measured order of each scheme on smooth motions, beside the order it claims");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->callback([options] {
    studies::OrdersSettings settings = options->quick ? studies::OrdersSettings::quick() : studies::OrdersSettings{};
    settings.schemes = studies::select_schemes(options->schemes);
    carry_out("orders", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_orders(settings, on_progress));
    });
  });
  return command;
}

// A file, or the name of a ready case.
Scenario read_case(const std::string& name, const std::vector<std::string>& overrides) {
  if (std::filesystem::exists(name)) {
    Scenario scenario = read_scenario(name, overrides);
    load_data(scenario);
    return scenario;
  }
  const std::string extension = ".toml";
  std::vector<std::string> ready;
  for (const EmbeddedFile& file : ready_cases()) {
    if (file.name == name + extension) return parse_scenario(file.text, std::string(file.name), overrides);
    ready.emplace_back(file.name.substr(0, file.name.size() - extension.size()));
  }
  throw Error(Exit::bad_input, "--case: there is no file " + cairn::quoted(name) +
                                   ", and no ready case of this name; the ready cases are " +
                                   joined(ready, ", ", " and "));
}

// CLI::PositiveNumber tells its upper bound with all of its 309 digits.
const CLI::Validator positive(
    [](const std::string& word) {
      Real value = 0;
      const bool is = CLI::detail::lexical_cast(word, value) && value > 0 && std::isfinite(value);
      return is ? std::string() : "found " + cairn::quoted(word) + ", expected a number above 0";
    },
    "");

CLI::App* add_work_precision(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "work-precision", "Error of each scheme against its cost in one scenario, at a range of steps");
  struct Arguments {
    StudyOptions options;
    std::string scenario;
    Real end = 0;
    std::vector<Real> steps;
    std::vector<std::string> overrides;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->add_option("--case", a->scenario,
                      "scenario file, or name of a ready case (cairn new --list); default: pyramid, to 0.1 s");
  command->add_option("--end", a->end, "time to simulate [s]; default: the end of the scenario; without --case 0.1")
      ->check(positive);
  command
      ->add_option(
          "--steps", a->steps,
          "H1,H2,...: steps [s]; default: from 2 to 320 steps in the shortest contact, with --quick from 3 to 40")
      ->delimiter(',')
      ->check(positive);
  command->add_option("--set", a->overrides, "KEY=VALUE: set a key of the scenario")->allow_extra_args(false);
  command->callback([a] {
    constexpr Real pyramid_end = 0.1;  // [s] some collisions, before they forget where they came from
    studies::WorkPrecisionSettings settings;
    settings.schemes = studies::select_schemes(a->options.schemes);
    settings.scenario = read_case(a->scenario.empty() ? "pyramid" : a->scenario, a->overrides);
    if (a->end > 0)
      settings.scenario.end = a->end;
    else if (a->scenario.empty())
      settings.scenario.end = pyramid_end;
    settings.steps = a->steps;
    if (a->options.quick) settings.make_quick();
    carry_out("work-precision", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_work_precision(settings, on_progress));
    });
  });
  return command;
}

// "FROM:TO", or one number.
std::pair<int, int> read_range(const std::string& word) {
  constexpr int most = 10000;
  const std::size_t colon = word.find(':');
  int from = 0, to = 0;
  const bool read = CLI::detail::lexical_cast(word.substr(0, colon), from) &&
                    CLI::detail::lexical_cast(colon == word.npos ? word : word.substr(colon + 1), to);
  if (!read || from < 1 || to < from || to > most)
    throw Error(Exit::bad_input,
                "--steps: found " + cairn::quoted(word) +
                    ", expected FROM:TO, whole numbers with 1 <= FROM <= TO <= " + std::to_string(most));
  return {from, to};
}

CLI::App* add_impact(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "impact",
      "A grain hits a wall at many angles: error of each scheme in the rebound, and its cost (repeats the study of "
      "Kruggel-Emden, Sturm, Wirtz & Scherer, Comput. Chem. Eng. 32 (2008) 2263)");
  struct Arguments {
    StudyOptions options;
    bool exact = false, grid = false;
    std::string angles = "mid", steps, onset = "off";
    studies::ImpactSettings settings;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->get_option("--scheme")
      ->description(
          "A,B,...: only these schemes; default: all of fixed step, with --quick only those with cheap steps");
  command->add_flag("--exact", a->exact, "print only the exact solution in closed form, as a table");
  command->add_option("--angles", a->angles,
                      "FROM:TO:COUNT: angles of incidence from the normal [deg], equidistant, both ends included; "
                      "default: mid, the middles of 100 equal parts of 0 to 90");
  command->add_option("--speed", a->settings.speed, "impact speed [m/s]; default: 3.85")->check(positive);
  command
      ->add_option(
          "--steps", a->steps,
          "FROM:TO: every number of steps per impact in this range; default: 4:100, with --quick some of these")
      ->check(something);
  command->add_flag("--grid", a->grid, "--csv writes the time-grid error, at every number of --steps");
  command
      ->add_option(
          "--onset", a->onset,
          "on, off: contact-onset correction in the time-grid error of --csv; the report shows both; default: off")
      ->check(CLI::IsMember({"on", "off"}));
  command
      ->add_option("--share", a->settings.share,
                   "share of integration in a step of taylor2, for the cost of a whole simulation; default: 0.25")
      ->check(CLI::Range(0.01, 1.0));
  command->callback([a, command] {
    studies::ImpactSettings& settings = a->settings;
    settings.angles = studies::impact_angles(a->angles);
    if (a->exact) {
      for (const char* other : {"--quick", "--scheme", "--out", "--steps", "--grid", "--onset", "--share"})
        if (command->count(other) > 0)
          throw Error(Exit::bad_input, std::string(other) + " has no meaning with --exact, which runs no scheme");
      const studies::StudyReport report =
          studies::show_exact_impacts(settings.material, settings.speed, settings.angles);
      if (!a->options.csv.empty()) studies::write_csv(a->options.csv, report.tables[0]);
      if (a->options.json)
        print(studies::json_of(report));
      else if (!a->options.quiet && a->options.csv.empty())
        print(studies::text_of(report.head, report.rows));
      else if (!a->options.quiet)
        print(fmt::format("{} impacts in closed form: {}\n", report.rows.size(), a->options.csv));
      return;
    }
    if (command->count("--onset") > 0 && !a->grid)
      throw Error(Exit::bad_input, "--onset selects the time-grid error that --csv writes; it needs --grid");
    if (a->options.quick) settings.make_quick();
    if (!a->options.schemes.empty()) settings.schemes = studies::select_fixed_steps(a->options.schemes);
    if (a->grid) settings.table = a->onset == "on" ? Onset::corrected : Onset::sampled;
    if (!a->steps.empty()) {
      const auto [from, to] = read_range(a->steps);
      settings.steps = studies::impact_steps(from, to);
      settings.grid_steps = studies::impact_grid_steps(from, to);
      settings.simulated_steps = studies::impact_simulated_steps(from, to);
      if (a->grid) (a->onset == "on" ? settings.simulated_steps : settings.grid_steps) = settings.steps;
    }
    carry_out("impact", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_impact(settings, on_progress));
    });
  });
  return command;
}

CLI::App* add_onset(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "onset", "Error of detecting contacts only at the end of a step, and gain of the contact-onset correction");
  struct Arguments {
    StudyOptions options;
    std::vector<std::string> cases;
    std::vector<Real> steps;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->get_option("--scheme")->description("A,B,...: only these schemes of fixed step; default: eight schemes");
  command->add_option("--case", a->cases, "A,B,...: only these cases; default: all (docs/studies.md)")->delimiter(',');
  command->add_option("--steps", a->steps, "N1,N2,...: steps per contact; default: from 5 to 160, with --quick to 80")
      ->delimiter(',')
      ->check(positive);
  command->callback([a] {
    studies::OnsetSettings settings;
    if (a->options.quick) settings.make_quick();
    if (!a->options.schemes.empty()) settings.schemes = studies::select_schemes(a->options.schemes);
    settings.cases = a->cases;
    if (!a->steps.empty()) settings.per_contact = a->steps;
    settings.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    carry_out("onset", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_onset(settings, on_progress));
    });
  });
  return command;
}

CLI::App* add_validation(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "validation",
      "Cairn compared with closed forms, papers and independent methods; exit code 3 if a deviation is too large");
  struct Arguments {
    StudyOptions options;
    std::vector<std::string> cases;
    bool markdown = false;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->add_option("--case", a->cases, "A,B,...: only these cases; default: all (docs/validation.md)")
      ->delimiter(',');
  command->get_option("--scheme")
      ->description("one scheme of fixed step for the cases with few grains; default: velocity_verlet_predicted");
  command->add_flag("--markdown", a->markdown, "print only the table, in Markdown (docs/validation.md)")
      ->excludes("--json");
  command->callback([a] {
    studies::ValidationSettings settings;
    settings.quick = a->options.quick, settings.cases = a->cases;
    if (!a->options.schemes.empty()) settings.scheme = &scheme_named(a->options.schemes);
    StudyOptions options = a->options;
    options.quiet = options.quiet || a->markdown;
    studies::ValidationResult result;
    carry_out("validation", options, [&](const studies::ProgressCallback& on_progress) {
      result = studies::study_validation(settings, on_progress);
      return studies::show(result);
    });
    if (a->markdown) fmt::print("{}", studies::markdown_of(result));
    if (const auto failed = result.failed(); !failed.empty())
      throw Error(Exit::guard, fmt::format("{} of {} comparisons are outside their bounds; the first is {}, {}",
                                           failed.size(), result.rows.size(), failed[0]->test, failed[0]->quantity));
  });
  return command;
}

}  // namespace

void add_study(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("study", "Compare schemes, or Cairn with references: sets of runs, each with a report");
  command->require_subcommand(0, 1);
  const std::vector<CLI::App*> all{add_impact(*command), add_onset(*command), add_orders(*command),
                                   add_validation(*command), add_work_precision(*command)};
  command->callback([command, all] {
    if (!command->get_subcommands().empty()) return;
    for (const CLI::App* one : all) print(fmt::format("{:<16}{}\n", one->get_name(), one->get_description()));
    print("\nRun one:  cairn study orders --quick\n");
  });
}

}  // namespace cairn
