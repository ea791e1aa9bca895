#include "cairn/contact/laws.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"

namespace cairn {
namespace {

void list_laws(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for_each_law([&](auto law) {
    using L = decltype(law);
    if (json)
      list.push_back({{"name", L::name}, {"summary", L::summary}});
    else
      fmt::print("{:<16}{}\n", L::name, L::summary);
  });
  if (json) fmt::print("{}\n", list.dump(2));
}

}  // namespace

void add_laws(CLI::App& app) {
  CLI::App* command = app.add_subcommand("laws", "List the contact laws");
  CLI::Option* json = command->add_flag("--json")->description("machine-readable");
  command->callback([json] { list_laws(json->count() > 0); });
}

}  // namespace cairn
