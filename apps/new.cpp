#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/studies/shown.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

constexpr std::string_view extension = ".toml", plainest = "starter";

std::string_view kind_of(const EmbeddedFile& file) {
  return file.name.substr(0, file.name.size() - extension.size());
}

// What stands between two texts in a ready case.
std::string_view between(const EmbeddedFile& file, std::string_view before, std::string_view after) {
  const std::size_t begin = file.text.find(before) + before.size();
  return file.text.substr(begin, file.text.find(after, begin) - begin);
}

// [s] the step at the start, for as long as it is not followed.
Real first_step(const Scenario& scenario) {
  if (!scenario.chooses_step) return scenario.step;
  Simulation simulation(scenario);
  simulation.start();
  return simulation.scenario().step;
}

// One line: the title of the case, its size, and the time that the case itself says; scripts/gallery.py measures it.
// `cairn check` foretells that of any scenario on any machine, but rehearses it for a second.
std::vector<std::string> row_of(const EmbeddedFile& file) {
  const Scenario scenario = parse_scenario(file.text, std::string(file.name));
  const Emitters emitters(scenario);
  auto grains = std::ssize(initial_grains(scenario, world_settings(scenario)));
  for (std::size_t k = 0; k < emitters.size(); ++k) grains += emitters.waiting(k, scenario.end);
  return {std::string(kind_of(file)), std::string(between(file, "\ntitle = \"", "\"")), fmt::format("{}", grains),
          fmt::format("{:.0f}", scenario.end / first_step(scenario)),
          std::string(between(file, "\n# Takes about ", " on one core."))};
}

void list_kinds() {
  std::vector<std::vector<std::string>> rows;
  for (const EmbeddedFile& file : ready_cases()) rows.push_back(row_of(file));
  print_table(studies::text_of({"case", "shows", "grains", "steps", "takes about"}, rows));
  print("\nTimes are of one core; cairn check tells those of this machine.\nWrite one:  cairn new pour\n");
}

void write_starter(const std::string& kind, std::string path) {
  std::vector<std::string_view> kinds;
  for (const EmbeddedFile& file : ready_cases()) {
    kinds.push_back(kind_of(file));
    if (kind_of(file) != kind) continue;
    if (path.empty()) path = kind + std::string(extension);
    if (path == "-") return print(file.text);
    if (std::filesystem::exists(path))
      throw Error(Exit::bad_input, path + " exists already; choose another file with --out, or print with --out -");
    write_file_atomically(path, file.text);
    return print(fmt::format("wrote {0}\ncheck it:  cairn check {0}\nrun it:    cairn run {0}\n", path));
  }
  throw Error(Exit::bad_input, "there is no kind of scenario " + quoted_bytes(kind) + "; expected one of " +
                                   joined(kinds, ", ", ", ") + suggestion(kind, kinds));
}

}  // namespace

void add_new(CLI::App& app) {
  struct Options {
    std::string kind = std::string(plainest), out;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("new", "Write a commented scenario to start from");
  command->add_option("kind", options->kind, "kind of scenario; --list shows all")
      ->type_name("CASE")
      ->capture_default_str();
  command->add_option("--out", options->out, "file to write, or - to print; default: KIND.toml in the current folder");
  CLI::Option* list = command->add_flag("--list")->description("list all kinds");
  command->callback([options, list] {
    if (list->count() > 0)
      list_kinds();
    else
      write_starter(options->kind, options->out);
  });
}

}  // namespace cairn
