// cairn study onset: contacts that begin within a step.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cairn/core/threads.hpp"
#include "cairn/studies/onset/onset.hpp"
#include "studies.hpp"
#include "study_options.hpp"

namespace cairn {

void add_onset_study(CLI::App& studies) {
  CLI::App* command = studies.add_subcommand(
      "onset", "Error of detecting contacts only at the end of a step, and gain of the contact-onset correction");
  struct Arguments {
    StudyOptions options;
    std::vector<std::string> cases;
    std::vector<Real> steps;
  };
  const auto a = std::make_shared<Arguments>();
  a->options.add_to(*command);
  command->get_option("--scheme")->description("A,B,...: only these schemes of fixed step; default: nine schemes");
  command->add_option("--case", a->cases, "A,B,...: only these cases; default: all (docs/studies.md)")->delimiter(',');
  command->add_option("--steps", a->steps, "N1,N2,...: steps per contact; default: from 5 to 160, with --quick to 80")
      ->delimiter(',')
      ->check(positive_number);
  command->callback([a] {
    studies::OnsetSettings settings;
    if (a->options.quick) settings.make_quick();
    if (!a->options.schemes.empty()) settings.schemes = studies::select_schemes(a->options.schemes);
    settings.cases = a->cases;
    if (!a->steps.empty()) settings.per_contact = a->steps;
    settings.threads = available_threads();
    run_study("onset", a->options, [&](const studies::ProgressCallback& on_progress) {
      return studies::show(studies::study_onset(settings, on_progress));
    });
  });
}

}  // namespace cairn
