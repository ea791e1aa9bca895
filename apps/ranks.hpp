// A run on several ranks: how this program becomes one of them.
#pragma once
#include <memory>

#include "cairn/output/run_archive.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

// The ranks that mpirun has started, this process among them, for as long as this lives; or this process alone.
class SharedRun {
 public:
  SharedRun();
  ~SharedRun();
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  bool follows() const;  // another rank leads
  // Ranks that do not lead make steps as the leader says, until the run ends.
  void follow();
  // The leader tells the others what is run, and shares it with them.
  void lead(Simulation& simulation, const ScenarioSource& source);

 private:
  struct Session;
  std::unique_ptr<Session> session_;  // null: this process is alone
};

// Starts this program anew by mpirun, on so many ranks, with the same arguments except --ranks.
[[noreturn]] void start_on_ranks(int ranks);

}  // namespace cairn
