// Runs of this program side by side, each a process of its own: whatever ends one of them leaves the others alone.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

class ChildRuns {
 public:
  struct Ended {
    std::size_t number;
    int code;             // as the shell shows it: 128 + signal if one killed it
    std::string message;  // its error; empty: it told none
  };

  ChildRuns() = default;
  ChildRuns(const ChildRuns&) = delete;
  ~ChildRuns();  // stops those that still run, and waits for them

  // Its arguments are those of the program; `number` comes back with its end.
  void start(std::size_t number, const std::vector<std::string>& arguments);
  // Those that have ended, at the latest after `patience` or a signal to this process.
  std::vector<Ended> wait(std::chrono::milliseconds patience);
  void signal(int signal) const;

  std::size_t running() const { return children_.size(); }
  Real done() const;  // sum of the shares of those that run, as they tell them themselves

 private:
  struct Child {
    std::size_t number;
    pid_t process;
    int errors;        // what it writes on the standard error
    std::string told;  // the end of it
    Real share;        // 0 to 1
  };

  static void read_errors(Child& child);

  std::vector<Child> children_;
};

}  // namespace cairn
