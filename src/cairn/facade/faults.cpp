#include "cairn/facade/faults.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cairn::facade {
namespace {

using Json = nlohmann::ordered_json;

// The number at the start of `rest`, which loses it and the colon behind; 0: there is none.
int number_before_colon(std::string_view& rest) {
  int number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const std::size_t length = static_cast<std::size_t>(end - rest.data());
  if (error != std::errc() || length >= rest.size() || rest[length] != ':') return 0;
  rest.remove_prefix(length + 1);
  return number;
}

Json fault_of(std::string_view line, const ScenarioSource& source) {
  Json fault{{"place", nullptr}, {"line", nullptr}, {"column", nullptr}, {"key", nullptr}, {"message", nullptr}};
  if (line.starts_with(source.name + ":")) {
    std::string_view rest = line.substr(source.name.size() + 1);
    const int row = number_before_colon(rest), column = number_before_colon(rest);
    if (row > 0 && column > 0 && rest.starts_with(" ")) {
      fault["place"] = source.name, fault["line"] = row, fault["column"] = column;
      line = rest.substr(1);
    }
  }
  for (const std::string& o : source.overrides)
    if (const std::string place = "--set " + o; line.starts_with(place + ": ")) {
      fault["place"] = place;
      line.remove_prefix(place.size() + 2);
      break;
    }
  if (const std::size_t colon = line.find(": "); colon < line.find(' ')) {
    fault["key"] = line.substr(0, colon);
    line.remove_prefix(colon + 2);
  }
  fault["message"] = line;
  return fault;
}

}  // namespace

std::string faults_json(const std::string& text, const ScenarioSource& source) {
  Json faults = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    faults.push_back(fault_of(std::string_view(text).substr(begin, end - begin), source));
    begin = end + 1;
  }
  return faults.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cairn::facade
