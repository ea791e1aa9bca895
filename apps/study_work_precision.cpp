// cairn study work-precision: error against cost.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cairn/core/error.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/work_precision.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {
namespace {

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
  throw Error(Exit::bad_input, "--case: there is no file " + quoted_bytes(name) +
                                   ", and no ready case of this name; the ready cases are " +
                                   joined(ready, ", ", " and "));
}

}  // namespace

void add_work_precision_study(CLI::App& studies) {
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
      ->check(positive_number);
  command
      ->add_option(
          "--steps", a->steps,
          "H1,H2,...: steps [s]; default: from 2 to 320 steps in the shortest contact, with --quick from 3 to 40")
      ->delimiter(',')
      ->check(positive_number);
  command->add_option("--set", a->overrides, "KEY=VALUE: set a key of the scenario")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->callback([a] {
    constexpr Real pyramid_end = 0.1;  // [s] some collisions, before the motion becomes chaotic
    studies::WorkPrecisionSettings settings;
    settings.schemes = studies::select_schemes(a->options.schemes);
    settings.scenario = read_case(a->scenario.empty() ? "pyramid" : a->scenario, a->overrides);
    if (a->end > 0)
      settings.scenario.end = a->end;
    else if (a->scenario.empty())
      settings.scenario.end = pyramid_end;
    settings.steps = a->steps;
    if (a->options.quick) settings.make_quick();
    run_study("work-precision", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_work_precision(settings, on_progress));
    });
  });
}

}  // namespace cairn
