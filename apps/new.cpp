#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/run/work.hpp"
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

// The title = "..." of a ready case.
std::string_view title_of(const EmbeddedFile& file) {
  constexpr std::string_view key = "\ntitle = \"";
  const std::size_t begin = file.text.find(key) + key.size();
  return file.text.substr(begin, file.text.find('"', begin) - begin);
}

std::string about(Real seconds) {
  if (seconds < 1) return "1 s";
  if (seconds < 55) return fmt::format("{:.0f} s", seconds < 10 ? seconds : 10 * std::round(seconds / 10));
  return fmt::format("{:.0f} min", seconds < 3600 ? std::ceil(seconds / 60) : 10 * std::ceil(seconds / 600));
}

// [s] the step at the start, for as long as it is not followed.
Real first_step(const Scenario& scenario) {
  if (!scenario.chooses_step) return scenario.step;
  Simulation simulation(scenario);
  simulation.start();
  return simulation.scenario().step;
}

// One line: the title of the case, its size, and a rough time on one core. `cairn check` measures the time.
std::vector<std::string> row_of(const EmbeddedFile& file) {
  constexpr Real speed = 3e6;  // [1/s] steps of a grain
  const Scenario scenario = parse_scenario(file.text, std::string(file.name));
  const Emitters emitters(scenario);
  auto grains = std::ssize(initial_grains(scenario, world_settings(scenario)));
  const Real step = first_step(scenario), work = grain_time(emitters, grains, 0, scenario.end) / step;
  for (std::size_t k = 0; k < emitters.size(); ++k) grains += emitters.waiting(k, scenario.end);
  return {std::string(kind_of(file)), std::string(title_of(file)), fmt::format("{}", grains),
          fmt::format("{:.0f}", scenario.end / step), about(work / speed)};
}

void list_kinds() {
  std::vector<std::vector<std::string>> rows;
  for (const EmbeddedFile& file : ready_cases()) rows.push_back(row_of(file));
  print_table(studies::text_of({"case", "shows", "grains", "steps", "takes about"}, rows));
  print("\nWrite one:  cairn new pour\n");
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
