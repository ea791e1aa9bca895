// cairn completion: what a shell needs to complete the words of a command.
#include "completion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/formats/words.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cairn {

void add_completion(CLI::App& app) {
  struct Arguments {
    std::string shell;
    std::vector<std::string> words;
  };
  const auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print a script with which bash, zsh or fish complete commands, options and keys");
  command->footer(
      "source <(cairn completion bash)                                   in ~/.bashrc\n"
      "source <(cairn completion zsh)                                    in ~/.zshrc, below compinit\n"
      "cairn completion fish > ~/.config/fish/completions/cairn.fish\n"
      "The Debian package installs all three.");
  command->add_option("shell", a->shell, "bash, zsh or fish")->required()->type_name("SHELL");
  command->add_option("words", a->words, "with `words --` for the shell: the words so far; the last one is completed")
      ->group("");
  command->callback([a, &app] {
    if (a->shell == "words") {
      for (const Candidate& one : candidates(app, a->words))
        print(one.description.empty() ? one.word + "\n" : one.word + "\t" + one.description + "\n");
      return;
    }
    for (const EmbeddedFile& script : completions())
      if (script.name == "completion." + a->shell) return print(script.text);
    const std::vector<std::string> shells{"bash", "zsh", "fish"};
    throw Error(Exit::bad_input, "there is no completion for " + quoted_bytes(a->shell) + "; expected " +
                                     joined(shells, ", ", " or ") + suggestion(a->shell, shells));
  });
}

}  // namespace cairn
