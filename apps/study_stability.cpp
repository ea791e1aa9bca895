// cairn study stability: limits of stability on paper, from the schemes' maps, and in the engine.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/stability/stability_study.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_stability_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "stability",
      "Limits of stability: Hurwitz, the schemes' own maps, runs of the engine; regions in the complex plane");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->callback([options] {
    studies::StabilitySettings settings =
        options->quick ? studies::StabilitySettings::quick() : studies::StabilitySettings{};
    if (!options->schemes.empty()) settings.schemes = studies::select_schemes(options->schemes);
    run_study("stability", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_stability(settings, on_progress));
    });
  });
}

}  // namespace cairn
