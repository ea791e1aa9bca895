// What a shell may offer behind the words of a command line.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cairn {

struct Candidate {
  std::string word, description;
};

// Those that begin as the last of `words` (those behind `cairn`, perhaps empty): commands, options, and values of
// options by the names of their types, SCHEME or KEY=VALUE say. None where the shell may offer files.
std::vector<Candidate> candidates(const CLI::App& app, std::span<const std::string> words);

// The name that --help gives to the value of an option, "SCHEME"; empty for a flag.
std::string value_type(const CLI::Option& option);

}  // namespace cairn
