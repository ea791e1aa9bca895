// cairn study NAME: runs that belong together, and their report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "studies.hpp"
#include "terminal.hpp"

namespace cairn {

void add_study(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("study", "Compare schemes, or Cairn with references: sets of runs, each with a report");
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
