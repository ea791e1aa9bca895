// What the keys of [run] ask of each other.
#pragma once
#include "cairn/scenario/table_reader.hpp"

namespace cairn {

// Refuses keys that contradict each other.
void check_run(const TomlTable& run, const Scenario& scenario);

// Refuses an accuracy that nothing uses: neither the run nor one of its changes chooses the step.
void check_accuracy(const TomlTable& run, const Scenario& scenario);

}  // namespace cairn
