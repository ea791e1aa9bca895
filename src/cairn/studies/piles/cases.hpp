// The ready cases that the study of piles runs, step by step.
#pragma once
#include <string>
#include <vector>

#include "cairn/run/simulation.hpp"
#include "cairn/studies/piles/piles.hpp"

namespace cairn::studies {

// A started run of a ready case, with changes as --set takes them and more text at its end.
Simulation ready_simulation(const std::string& file, const std::vector<std::string>& changes,
                            const std::string& more = "");

// look() after each step, until the end, or until it answers false.
template <class F>
void each_step(Simulation& s, F&& look) {
  while (!s.over()) {
    s.advance([] { return true; });
    const auto at_positions = s.synchronised();
    if constexpr (std::is_same_v<decltype(look()), bool>) {
      if (!look()) return;
    } else {
      look();
    }
  }
}

}  // namespace cairn::studies
