// How exceptions become codes with texts at the C interface, and how texts leave it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/facade/cairn.h"
#include "cairn/output/run_archive.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn::facade {

// A progress callback asked for a stop.
struct Stopped {};
// An argument that no caller should pass.
struct Misuse {
  std::string text;
};

// Keeps the text of the exception that is being handled for cairn_error(), and returns its code.
int code_of_exception();

template <class Action>
int guarded(Action&& action) {
  try {
    action();
    return CAIRN_OK;
  } catch (...) {
    return code_of_exception();
  }
}

void give(cairn_buffer* to, std::string_view text);
void require(bool right, const char* expected);

ScenarioSource source_of(const cairn_scenario* scenario);
std::vector<std::string> texts_of(const char* const* texts, std::size_t count);
// "rk4,gear4"; none where `names` is null or empty.
std::vector<const SchemeEntry*> schemes_of(const char* names);
// With the data files that it names.
Scenario whole_scenario(const cairn_scenario* scenario);

}  // namespace cairn::facade
