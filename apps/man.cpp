// cairn man: the manual page, made of what the commands tell about themselves.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "completion.hpp"
#include "terminal.hpp"

namespace cairn {
namespace {

// Those of docs/running.md.
constexpr std::pair<const char*, const char*> exit_codes[] = {
    {"0", "done, or stopped by --stop-after or --wall-time"},
    {"2", "the scenario or the command line is wrong"},
    {"3", "a guard refused; or a comparison of cairn study validation does not hold"},
    {"4", "a file or folder cannot be read or written"},
    {"5", "the disk, a quota or a limit on the size of files is full"},
    {"6", "out of memory"},
    {"7", "another run is writing into the folder"},
    {"8", "no checkpoint is undamaged; a file that a resume continues was changed; cairn verify found damage"},
    {"9", "the system does not provide as many threads as requested"},
    {"129, 130, 143, 152", "stopped by SIGHUP, SIGINT, SIGTERM, SIGXCPU"}};

// Text as roff shows it.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string options_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    std::string names;
    for (const std::string& name : option->get_snames())
      names += (names.empty() ? "" : ", ") + ("\\fB" + roff("-" + name)) + "\\fR";
    for (const std::string& name : option->get_lnames())
      names += (names.empty() ? "" : ", ") + ("\\fB" + roff("--" + name)) + "\\fR";
    const std::string type = value_type(*option);
    if (names.empty())
      names = "\\fI" + roff(option->get_name()) + "\\fR";
    else if (!type.empty())
      names += " \\fI" + roff(type) + "\\fR";
    text += ".TP\n" + names + "\n" + roff(option->get_description()) + "\n";
  }
  return text;
}

std::string synopsis_of(const CLI::App& command, const std::string& name) {
  std::string text = ".B " + roff(name) + "\n";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    const bool required = option->get_required();
    if (!option->get_positional() && !required) continue;
    std::string word = "\\fI" + roff(option->get_name()) + "\\fR";
    if (!option->get_positional())
      word = "\\fB" + roff("--" + option->get_lnames().at(0)) + "\\fR \\fI" + roff(value_type(*option)) + "\\fR";
    text += required ? word + "\n" : "[" + word + "]\n";
  }
  return text + "[\\fIoptions\\fR]\n";
}

void add_command(std::string& page, const CLI::App& command, const std::string& name) {
  page += ".SS " + roff(name) + "\n" + synopsis_of(command, name) + ".PP\n" + roff(command.get_description()) + ".\n";
  page += options_of(command);
  if (!command.get_footer().empty()) page += ".PP\n.nf\n" + roff(command.get_footer()) + "\n.fi\n";
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; }))
    add_command(page, *inner, name + " " + inner->get_name());
}

std::string manual_page(const CLI::App& app) {
  std::string page = fmt::format(".TH CAIRN 1 \"\" \"cairn {}\" \"User Commands\"\n", CAIRN_VERSION);
  page += ".SH NAME\ncairn \\- " + roff("simulate grains with the discrete element method") + "\n";
  page += ".SH SYNOPSIS\n.B cairn\n\\fIcommand\\fR [\\fIoptions\\fR]\n";
  page += ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n.PP\n";
  page += roff(
      "A scenario is a file in TOML; `cairn new` writes one to start from, and `cairn schema --markdown` lists "
      "its keys. A run writes into a folder of its own, and into nothing else.\n");
  page += ".SH OPTIONS\n" + options_of(app) + ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    add_command(page, *command, "cairn " + command->get_name());
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes) page += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
  page += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n" +
          roff("If it is set and not empty, the program prints without colours. It prints them on terminals only.") +
          "\n";
  return page;
}

}  // namespace

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page; read it with: cairn man | man -l -");
  command->callback([&app] { print(manual_page(app)); });
}

}  // namespace cairn
