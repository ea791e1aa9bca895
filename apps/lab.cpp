// cairn lab: writes the laboratory, a page with the engine inside, with a scenario as its profile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cairn/core/error.hpp"
#include "cairn/formats/base64.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "<title>Cairn laboratory</title>";

// Beside the program, as it is built, or where it is installed.
std::string laboratory() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& place : {program / "lab.html", program.parent_path() / "share/cairn/lab.html"})
    if (fs::exists(place, unknown)) return read_file(place.string());
  throw Error(
      Exit::bad_input,
      "this program was built without the laboratory: there is no lab.html beside it; build it by cmake --build "
      "build/release --target lab, which needs emscripten, nodejs and npm");
}

std::string enclosed(const std::string& file) {
  const std::string text = read_file(file);
  Scenario scenario = parse_scenario(text, file);
  load_data(scenario);  // what is wrong with them is told now
  std::set<std::string> paths;
  const auto add = [&](const std::optional<SizeSpec>& sizes) {
    if (sizes && !sizes->file.empty()) paths.insert(sizes->file);
  };
  for (const GrainsSpec& grains : scenario.grains) {
    if (!grains.file.empty()) paths.insert(grains.file);
    add(grains.sizes);
  }
  for (const EmitterSpec& emitter : scenario.emitters) add(emitter.sizes);
  const fs::path folder = fs::path(file).parent_path();
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const std::string& path : paths)
    files.push_back({{"name", fs::path(path).lexically_relative(folder.empty() ? "." : folder).string()},
                     {"base64", base64(read_file(path))}});
  nlohmann::ordered_json all{{"name", fs::path(file).filename().string()}, {"text", text}, {"files", files}};
  std::string json = all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = json.find('<', at)) != json.npos;) json.replace(at, 1, "\\u003c");
  return json;
}

void write_laboratory(const std::string& file, const std::string& path) {
  std::string page = laboratory();
  if (!file.empty()) {
    constexpr std::string_view begin = "id=\"enclosed\">", nothing = "null";
    const std::size_t at = page.find(std::string(begin) + std::string(nothing));
    if (at == page.npos) throw Error(Exit::io, "lab.html is not a laboratory that takes a scenario; build it again");
    page.replace(at + begin.size(), nothing.size(), enclosed(file));
  }
  constexpr std::size_t head = 4000;  // [bytes] that hold the title
  if (fs::exists(path) && read_file(path, head).find(mark) == std::string::npos)
    throw Error(Exit::bad_input, path + " exists already and is no laboratory; choose another file with --out");
  write_file_atomically(path, page);
  print(fmt::format("wrote {}\nopen it in a browser; it needs no network and no server\n", path));
}

}  // namespace

void add_lab(CLI::App& app) {
  struct Options {
    std::string file, out = "lab.html";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("lab", "Write the laboratory: the engine in a page for a browser");
  command->add_option("file", options->file, "scenario that the page begins with")->type_name("FILE");
  command->add_option("--out", options->out, "page to write")->type_name("FILE")->capture_default_str();
  command->callback([options] { write_laboratory(options->file, options->out); });
}

}  // namespace cairn
