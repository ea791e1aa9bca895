#include "cairn/scenario/schema.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {

void add_schema(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schema", "Print all keys of a scenario as JSON Schema for editors");
  CLI::Option* markdown = command->add_flag("--markdown")->description("print them as Markdown tables instead");
  command->callback([markdown] { print(markdown->count() > 0 ? scenario_reference() : scenario_json_schema()); });
}

}  // namespace cairn
