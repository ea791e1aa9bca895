// Errors the program reports, each with the exit code a script relies on (docs/determinism.md). The library throws;
// only the program prints and exits.
#pragma once
#include <stdexcept>
#include <string>

namespace cairn {

enum class Exit {
  ok = 0,
  bad_input = 2,
  guard = 3,
  io = 4,
  no_space = 5,
  no_memory = 6,
  busy = 7,
  corrupt = 8,
  no_threads = 9
};

class Error : public std::runtime_error {
 public:
  Error(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

}  // namespace cairn
