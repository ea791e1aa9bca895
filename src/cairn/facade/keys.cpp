// The keys of a scenario's text at the C interface.
#include <nlohmann/json.hpp>

#include "cairn/facade/guarded.hpp"
#include "cairn/formats/document.hpp"

using namespace cairn;
using namespace cairn::facade;

namespace {

using Json = nlohmann::ordered_json;

Json value_of(const Node& node) {
  if (const auto* text = node.as<std::string>()) return *text;
  if (const auto* whole = node.as<std::int64_t>()) return *whole;
  if (const auto* number = node.as<Real>()) return *number;
  if (const auto* flag = node.as<bool>()) return *flag;
  Json list = Json::array();
  if (const auto* array = node.array())
    for (const Node& one : *array) list.push_back(value_of(one));
  return list;
}

bool holds_tables(const Node& node) {
  return node.array() != nullptr && !node.array()->empty() && node.array()->front().table() != nullptr;
}

void list_keys(const Node& node, const std::string& key, Json& keys) {
  const auto add = [&](const char* name, const Json& value) {
    keys.push_back({{"key", key}, {name, value}, {"line", node.mark.line}, {"column", node.mark.column}});
  };
  if (const Node::Table* table = node.table()) {
    if (!key.empty()) {
      add("table", true);
      if (node.in_braces) keys.back()["braces"] = true;
    }
    for (const Entry& entry : *table) list_keys(entry.node, inside(key, entry.key), keys);
  } else if (holds_tables(node)) {
    for (std::size_t k = 0; k < node.array()->size(); ++k)
      list_keys((*node.array())[k], inside(key, std::to_string(k)), keys);
  } else {
    add("value", value_of(node));
  }
}

}  // namespace

extern "C" {

int cairn_keys(const cairn_scenario* scenario, cairn_buffer* json) {
  return guarded([&] {
    const ScenarioSource source = source_of(scenario);
    Json keys = Json::array();
    list_keys(parse_document(source.text, source.name), "", keys);
    give(json, keys.dump(-1, ' ', false, Json::error_handler_t::replace));
  });
}

}  // extern "C"
