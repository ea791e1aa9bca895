// cairn laws: all of them, or one explained.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/catalogue/law_catalogue.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {

void add_laws(CLI::App& app) {
  struct Options {
    std::string name;
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("laws", "List the contact laws, or explain one");
  command->footer(
      "cairn laws hertz_mindlin     formula, parameters, damping for a given restitution, limits and source");
  CLI::Option* name = command->add_option("name", o->name, "name of the law to explain")->type_name("LAW");
  command->add_flag("--json", o->json, "print JSON");
  command->callback([o, name] {
    if (name->count() == 0) return print(o->json ? law_list_json() : law_list());
    print(o->json ? law_json(o->name) : law_card(o->name));
  });
}

}  // namespace cairn
