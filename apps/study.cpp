// cairn study NAME: a set of runs that answers one question, with a report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "studies.hpp"
#include "terminal.hpp"

namespace cairn {

void add_study(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "study", "Compare schemes, or compare Cairn with references: each study is a set of runs with a report");
  command->require_subcommand(0, 1);
  for (const auto add : all_studies) add(*command);
  command->callback([command] {
    if (!command->get_subcommands().empty()) return;
    for (const CLI::App* one : command->get_subcommands({}))
      print(fmt::format("{:<16}{}\n", one->get_name(), one->get_description()));
    print("\nRun one:  cairn study orders --quick\n");
  });
}

}  // namespace cairn
