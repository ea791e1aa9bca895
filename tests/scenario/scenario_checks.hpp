// How a test reads a scenario with overrides, and checks the message of one that is refused.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "scenario/scenario_texts.hpp"

namespace cairn {

inline Scenario with(const std::string& text, const std::vector<std::string>& overrides) {
  return parse_scenario(text, "f", overrides);
}

// `from` in the smallest scenario becomes `to`; where it is empty, `to` is appended. A ~ in a message stands for any
// words.
struct Refused {
  const char* from;
  std::string to;
  const char* message;
};

inline std::string replaced(const Refused& r) {
  const std::string from = r.from;
  if (from.empty()) return smallest + r.to;
  std::string text = smallest;
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), r.to);
}

inline bool like(const std::string& text, const std::string& pattern) {
  const std::size_t gap = pattern.find('~');
  if (gap == std::string::npos) return text == pattern || text.starts_with(pattern + "\n");  // more faults follow
  const std::string head = pattern.substr(0, gap), tail = pattern.substr(gap + 1);
  return text.size() >= head.size() + tail.size() && text.starts_with(head) && text.ends_with(tail);
}

template <class Call>
void check_refused(Call&& call, const std::string& message) {
  try {
    call();
    FAIL_CHECK("not refused; expected: ", message);
  } catch (const Error& e) {
    CHECK(e.code() == Exit::bad_input);
    if (!like(e.what(), message)) FAIL_CHECK(std::string(e.what()), "\n  expected: ", message);
  }
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace cairn
