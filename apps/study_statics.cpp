// cairn study statics: equilibria by every method, and implicit steps beyond the explicit limit.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/statics/statics.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_statics_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "statics",
      "Static equilibrium of columns by every method, and energy of implicit steps beyond the explicit limit");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->get_option("--scheme")
      ->description(
          "A,B,...: only these implicit schemes; default: newmark, implicit_midpoint, backward_euler, hht_alpha");
  command->callback([options] {
    studies::StaticsSettings settings = options->quick ? studies::StaticsSettings::quick() : studies::StaticsSettings{};
    if (!options->schemes.empty()) settings.schemes = studies::select_schemes(options->schemes);
    run_study("statics", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_statics(settings, on_progress));
    });
  });
}

}  // namespace cairn
