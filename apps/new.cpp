#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/files.hpp"
#include "cairn/formats/words.hpp"
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

void list_kinds() {
  for (const EmbeddedFile& file : ready_cases()) print(fmt::format("{:<12}{}\n", kind_of(file), title_of(file)));
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
  command->add_option("kind", options->kind, "kind of scenario; --list shows all")->capture_default_str();
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
