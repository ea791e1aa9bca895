// cairn stability FILE: the limits of the step of a case.
#pragma once
#include <string>
#include <vector>

namespace cairn {

struct SchemeEntry;

struct CaseStabilityOptions {
  std::string file, at;  // a scenario; the folder of a run whose newest checkpoint is looked at
  std::vector<std::string> overrides;
  std::vector<const SchemeEntry*> schemes;  // empty: all, with `map` the explicit ones of one force evaluation
  std::string csv;
  bool map = false, json = false;
};
void stability_of_case(const CaseStabilityOptions& options);

}  // namespace cairn
