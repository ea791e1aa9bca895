// Reads the [[change]] sections of a scenario file.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/document.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

// Each change is put into the document, on top of those before it, and `read` makes a scenario of that: so values are
// checked as everywhere. Error(bad_input) tells all faults up to the first change that has some.
std::vector<ChangeSpec> read_changes(const Node& root, const Scenario& scenario,
                                     const std::function<Scenario(const Node&)>& read);

// Whether a dotted key, "wall.gate.present", may change while a run goes on.
bool may_change(std::string_view key);

// Whether a run that goes on from a checkpoint may set a dotted key for itself, because no motion depends on it.
bool resume_may_set(std::string_view key);
inline constexpr const char* keys_of_resume = "run.end, run.threads, output.* or guards.*";

// The text of a scenario with one more [[change]], at `time` [s], behind the first `done` ones and those that earlier
// resumes have put there for this time: it changes what `overrides`, key=value, say.
std::string with_change(const std::string& text, std::size_t done, Real time, std::span<const std::string> overrides);

}  // namespace cairn
