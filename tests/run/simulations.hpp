// Simulations of scenarios that stand in a test's own text.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn {

inline Simulation started(const Scenario& scenario) {
  Simulation simulation(scenario);
  simulation.start();
  return simulation;
}
inline Simulation started(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return started(parse_scenario(text, "test.toml", overrides));
}

inline void run_to(Simulation& s, std::int64_t steps) {
  while (!s.over() && s.steps() < steps) s.advance([&] { return s.steps() >= steps; });
}

inline void run_to_end(Simulation& s) {
  while (!s.over()) s.advance();
}

}  // namespace cairn
