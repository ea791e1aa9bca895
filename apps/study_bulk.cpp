// cairn study bulk: how many steps per collision bulk measurements need.
#include <CLI/CLI.hpp>
#include <algorithm>
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
    std::vector<int> steps;
    int starts = 0, finest = 0;
    bool corrected = false;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->get_option("--scheme")->description("A,B,...: only these schemes of fixed step; default: two schemes");
  command->add_option("--case", a->cases, "A,B,...: only these of chute, drum, hopper, cooling; default: all")
      ->delimiter(',');
  command->add_option("--starts", a->starts, "realisations of each run; chance falls with their square root")
      ->check(CLI::Range(2, 100000));
  command->add_option("--steps", a->steps, "N1,N2,...: steps per collision, ascending; default: 5, 10, 20, 50")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000));
  command->add_option("--finest", a->finest, "steps per collision of the reference; default: 100")
      ->check(CLI::Range(2, 1000));
  command->add_flag("--corrected", a->corrected, "no runs without the correction of onsets");
  command->callback([a] {
    studies::BulkSettings settings = a->options.quick ? studies::BulkSettings::quick() : studies::BulkSettings{};
    if (!a->options.schemes.empty()) settings.schemes = studies::select_schemes(a->options.schemes);
    settings.cases = a->cases;
    if (a->starts > 0) settings.starts = a->starts;
    if (!a->steps.empty()) settings.per_collision = a->steps;
    std::sort(settings.per_collision.begin(), settings.per_collision.end());
    if (a->finest > 0) settings.finest = a->finest;
    settings.plain = !a->corrected;
    run_study("bulk", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_bulk(settings, on_progress));
    });
  });
}

}  // namespace cairn
