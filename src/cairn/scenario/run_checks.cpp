#include "cairn/scenario/run_checks.hpp"

#include <algorithm>
#include <string>

#include "cairn/run/registry.hpp"
#include "cairn/run/scheme_choice.hpp"

namespace cairn {

void check_run(const TomlTable& run, const Scenario& scenario) {
  const bool adaptive = presumed_scheme(scenario.scheme).claims.adaptive;
  if (scenario.chooses_step && adaptive)
    fail(run, "step",
         "found \"auto\" with the adaptive scheme " + scenario.scheme +
             ", which chooses its steps itself; expected its first step in s");
  if (scenario.step > scenario.end) fail(run, "step", "found a step longer than run.end; expected a shorter step");
  for (const char* key : {"smallest_step", "largest_step"})
    if (run.has(key) && !adaptive)
      fail(
          run, key,
          "found with " + scenario.scheme + ", a scheme of fixed step; expected this key only with an adaptive scheme");
  if (scenario.smallest_step > scenario.step)
    fail(run, "smallest_step", "found more than run.step, the first step; expected at most run.step");
  if (scenario.largest_step && *scenario.largest_step < scenario.step)
    fail(run, "largest_step", "found less than run.step, the first step; expected at least run.step");
}

void check_accuracy(const TomlTable& run, const Scenario& scenario) {
  const auto chooses = [](const ChangeSpec& change) { return change.after->chooses_step; };
  if (run.has("accuracy") && !scenario.chooses_step && std::ranges::none_of(scenario.changes, chooses))
    fail(run, "accuracy", "found with a fixed step; expected this key only with step = \"auto\"");
}

}  // namespace cairn
