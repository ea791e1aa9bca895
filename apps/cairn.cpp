// The program: reads the command line and says what went wrong. What it can do stands in the commands.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/words.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace {

using namespace cairn;

int failed(Exit code, const std::string& message) {
  print_error("error: " + message + "\n");
  return static_cast<int>(code);
}

int bad_command_line(const std::string& message, const std::string& command) {
  return failed(Exit::bad_input, message + "; see " + command + " --help");
}

// What there is instead of an unknown word.
std::string instead(const std::string& word, const std::string& what, const std::vector<std::string>& known) {
  return suggestion(word, known) + "; " + what + ": " + joined(known, ", ", ", ");
}

// What CLI11 says, but for words it does not know: those are answered with the words there are.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  if (app.get_subcommands().empty()) {
    const std::vector<std::string> unknown = app.remaining();
    if (unknown.empty())
      return bad_command_line("no command given; expected " + joined(commands, ", ", " or "), "cairn");
    return bad_command_line("there is no command '" + unknown[0] + "'" + instead(unknown[0], "commands", commands),
                            "cairn");
  }
  const CLI::App* innermost = &app;
  std::string name = "cairn";
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands()[0];
    name += " " + innermost->get_name();
  }
  const CLI::App& command = *innermost;
  std::vector<std::string> inner;
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; }))
    inner.push_back(one->get_name());
  for (const std::string& word : command.remaining()) {
    if (!word.starts_with('-')) {
      if (inner.empty()) continue;
      return bad_command_line("no " + command.get_name() + " '" + word + "'" + instead(word, "there are", inner), name);
    }
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options())
      for (const std::string& long_name : option->get_lnames()) options.push_back("--" + long_name);
    return bad_command_line(name + ": no option '" + word + "'" + instead(word, "options", options), name);
  }
  return bad_command_line(name + ": " + error.what(), name);
}

// The next file that is opened takes the descriptor of a closed standard stream, and printed words would land in it.
bool open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY) != stream) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!open_standard_streams()) return static_cast<int>(Exit::io);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error to report, not an end
  // Large arrays go back to the system when they are freed, or those of reading and of rebuilding would stay as holes;
  // small ones stay at hand.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
  const char* const out_of_memory = "out of memory: use fewer grains or a computer with more memory";
  CLI::App app{
      "Cairn simulates grains with the discrete element method and measures the error of its time integration.",
      "cairn"};
  app.set_version_flag("--version", std::string("cairn ") + CAIRN_VERSION);
  app.require_subcommand(1);
  for (const auto add : all_commands) add(app);
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0) return failed(Exit::io, "cannot write to the standard output");
    return 0;
  } catch (const CLI::RuntimeError& e) {
    return e.get_exit_code();
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? app.exit(e) : explain(app, e);
  } catch (const Error& e) {
    return failed(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return failed(Exit::no_memory, out_of_memory);
  } catch (const std::length_error&) {  // more than any memory
    return failed(Exit::no_memory, out_of_memory);
  } catch (const std::exception& e) {
    return failed(Exit::io, e.what());
  }
}
