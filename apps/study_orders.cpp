// cairn study orders: measured orders of schemes on smooth motions.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/orders.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_orders_study(CLI::App& studies) {
  CLI::App* command =
      studies.add_subcommand("orders", "Measured order of each scheme on smooth motions, beside the order it claims");
  const auto options = std::make_shared<StudyOptions>();
  options->add_to(*command);
  command->callback([options] {
    studies::OrdersSettings settings = options->quick ? studies::OrdersSettings::quick() : studies::OrdersSettings{};
    settings.schemes = studies::select_schemes(options->schemes);
    run_study("orders", *options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_orders(settings, on_progress));
    });
  });
}

}  // namespace cairn
