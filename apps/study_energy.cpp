// cairn study energy: which schemes keep the energy of a granular system, and where it goes.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/energy/energy.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_energy_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "energy", "Energy of thirteen falling spheres: Hofmann's comparison of schemes, and why his energies grew");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->get_option("--scheme")
      ->description("A,B,...: only these in the figure of the whole catalogue; default: all");
  command->callback([options] {
    studies::EnergySettings settings = options->quick ? studies::EnergySettings::quick() : studies::EnergySettings{};
    if (!options->schemes.empty()) settings.catalogue = studies::select_schemes(options->schemes);
    run_study("energy", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_energy(settings, on_progress));
    });
  });
}

}  // namespace cairn
