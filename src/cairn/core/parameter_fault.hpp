// A fault of the parameters that a user gives to a contact law or to the shape of a wall.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

// `names` are the parameters at fault; a message points to the first of them that the user wrote.
struct ParameterFault {
  std::vector<std::string_view> names;
  std::string found;  // empty: the parameter is missing
  std::string expected;

  std::string text() const { return (found.empty() ? "missing" : "found " + found) + "; expected " + expected; }
};

// `name` means nothing without `needs`.
inline ParameterFault missing_partner(std::string_view name, std::string_view needs) {
  return {{name}, "without " + std::string(needs), std::string(name) + " and " + std::string(needs)};
}

}  // namespace cairn
