// cairn study validation: Cairn compared with closed forms, papers and independent methods.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/core/error.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/studies/validation/validation.hpp"
#include "studies.hpp"
#include "study_options.hpp"
#include "terminal.hpp"

namespace cairn {

void add_validation_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "validation",
      "Cairn compared with closed forms, papers and independent methods; exit code 3 if a deviation is too large");
  struct Arguments {
    StudyOptions options;
    std::vector<std::string> cases;
    bool markdown = false;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->add_option("--case", a->cases, "A,B,...: only these cases; default: all (docs/validation.md)")
      ->delimiter(',');
  command->get_option("--scheme")
      ->description("one scheme of fixed step for the cases with few grains; default: velocity_verlet_predicted");
  command->add_flag("--markdown", a->markdown, "print only the table, in Markdown (docs/validation.md)")
      ->excludes("--json");
  command->callback([a] {
    studies::ValidationSettings settings;
    settings.quick = a->options.quick, settings.cases = a->cases;
    if (!a->options.schemes.empty()) settings.scheme = &scheme_named(a->options.schemes);
    StudyOptions options = a->options;
    options.quiet = options.quiet || a->markdown;
    studies::ValidationResult result;
    run_study("validation", options, [&](const studies::ProgressCallback& on_progress) {
      result = studies::study_validation(settings, on_progress);
      return studies::show(result);
    });
    if (a->markdown) fmt::print("{}", studies::markdown_of(result));
    if (const auto failed = result.failed(); !failed.empty())
      throw Error(Exit::guard, fmt::format("{} of {} comparisons are outside their bounds; the first is {}, {}",
                                           failed.size(), result.rows.size(), failed[0]->test, failed[0]->quantity));
  });
}

}  // namespace cairn
