// cairn study ledger: how fast the residual of the energy ledger falls.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/ledger/ledger.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_ledger_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "ledger",
      "Order of the residual of the energy ledger: every scheme in contact, some in packings, forms of friction");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->callback([options] {
    studies::LedgerSettings settings = options->quick ? studies::LedgerSettings::quick() : studies::LedgerSettings{};
    if (!options->schemes.empty()) settings.take_only(studies::select_schemes(options->schemes));
    run_study("ledger", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_ledger(settings, on_progress));
    });
  });
}

}  // namespace cairn
