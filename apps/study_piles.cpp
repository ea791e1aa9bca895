// cairn study piles: piles by springs, impulses and contact dynamics.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/piles/piles.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_piles_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "piles", "Piles by springs, impulses and contact dynamics: which stand, which explode, and why");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->remove_option(command->get_option("--scheme"));
  command->callback([options] {
    const studies::PilesSettings settings = options->quick ? studies::PilesSettings::quick() : studies::PilesSettings{};
    run_study("piles", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_piles(settings, on_progress));
    });
  });
}

}  // namespace cairn
