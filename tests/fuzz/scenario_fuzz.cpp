// Any bytes are a scenario or an Error, and so are any overrides: the first line, if it begins with "--set ".
#include <string>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/scenario/scenario_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  std::string_view text(data, size);
  std::vector<std::string> overrides;
  constexpr std::string_view mark = "--set ";
  if (text.starts_with(mark)) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    overrides.emplace_back(text.substr(mark.size(), end - mark.size()));
    text.remove_prefix(end);
  }
  try {
    cairn::parse_scenario(text, "f", overrides);
  } catch (const cairn::Error&) {
  }
  return 0;
}
