// cairn study impact: a grain hits a wall at many angles.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/core/error.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/studies/impact/impact.hpp"
#include "studies.hpp"
#include "study_options.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

// "FROM:TO", or one number.
std::pair<int, int> read_range(const std::string& word) {
  constexpr int most = 10000;
  const std::size_t colon = word.find(':');
  int from = 0, to = 0;
  const bool read = CLI::detail::lexical_cast(word.substr(0, colon), from) &&
                    CLI::detail::lexical_cast(colon == word.npos ? word : word.substr(colon + 1), to);
  if (!read || from < 1 || to < from || to > most)
    throw Error(Exit::bad_input,
                "--steps: found " + quoted_bytes(word) +
                    ", expected FROM:TO, whole numbers with 1 <= FROM <= TO <= " + std::to_string(most));
  return {from, to};
}

}  // namespace

void add_impact_study(CLI::App& studies) {
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
  command->add_option("--speed", a->settings.speed, "impact speed [m/s]; default: 3.85")->check(positive_number);
  command
      ->add_option(
          "--steps", a->steps,
          "FROM:TO: every number of steps per impact in this range; default: 4:100, with --quick some of these")
      ->check(not_empty);
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
        print(fmt::format("{} impacts in closed form, written to {}\n", report.rows.size(), a->options.csv));
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
    run_study("impact", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_impact(settings, on_progress));
    });
  });
}

}  // namespace cairn
