// cairn study bulk: how many steps per collision bulk measurements need.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/studies/bulk/bulk.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_bulk_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "bulk", "How many steps per collision bulk measurements need: chute, drum, hopper and a cooling gas");
  struct Arguments {
    StudyOptions options;
    std::vector<std::string> cases;
    int starts = 0;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->get_option("--scheme")->description("A,B,...: only these schemes of fixed step; default: two schemes");
  command->add_option("--case", a->cases, "A,B,...: only these of chute, drum, hopper, cooling; default: all")
      ->delimiter(',');
  command->add_option("--starts", a->starts, "realisations of each run; chance falls with their square root")
      ->check(CLI::Range(2, 100000));
  command->callback([a] {
    studies::BulkSettings settings = a->options.quick ? studies::BulkSettings::quick() : studies::BulkSettings{};
    if (!a->options.schemes.empty()) settings.schemes = studies::select_schemes(a->options.schemes);
    settings.cases = a->cases;
    if (a->starts > 0) settings.starts = a->starts;
    run_study("bulk", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_bulk(settings, on_progress));
    });
  });
}

}  // namespace cairn
