// Every key of a scenario file, section by section.
#include <deque>

#include "cairn/scenario/contact_keys.hpp"
#include "cairn/scenario/grain_keys.hpp"
#include "cairn/scenario/run_keys.hpp"
#include "cairn/scenario/wall_keys.hpp"

namespace cairn {
namespace {

using namespace keys;

std::vector<KeyDoc> all_keys() {
  static std::deque<std::string> texts;  // of defaults; a deque never moves them
  std::vector<KeyDoc> docs;
  const auto add_key = [&]<class T>(string_view section, const Key<T>& key, string_view fallback) {
    KeyDoc& doc = docs.emplace_back(key.doc);
    doc.section = section;
    if (!fallback.empty()) doc.fallback = fallback;
    if (doc.fallback.empty()) doc.fallback = texts.emplace_back(key.fallback(doc, T{}));
  };
  const auto add = [&](string_view section, const auto& keys, string_view fallback = "") {
    for (const auto& key : keys) add_key(section, key, fallback);
  };
  add("", top_keys);
  add("run", run_keys);
  add("space", space_keys);
  add("material", material_keys());
  add("contact", law_keys);
  add("contact", contact_keys());
  add("pair", pair_keys);
  add("pair", contact_keys(), "as in [contact]");
  add("wall", wall_keys());
  add("wall.motion", motion_keys);
  add("wall.load", load_keys);
  add("grain", position_keys);
  add("grain", body_keys);
  add("grains", grains_keys);
  add("grains", grains_region_keys);
  add("grains.sizes", size_keys);
  add("emitter", emitter_keys);
  add("emitter", emitter_position_keys);
  add("emitter", region_keys);
  add("emitter", emitter_body_keys);
  add("emitter.sizes", size_keys);
  add("removal", removal_keys);
  add("removal", region_keys);
  add("removal", half_space_keys);
  add("probe", probe_keys);
  add("probe", region_keys);
  add("probe", probe_plane_keys);
  add("change", change_keys);
  add("output", output_keys);
  add("search", search_keys);
  add("initial", initial_keys);
  add("guards", guards_keys);
  return docs;
}

}  // namespace

std::string section_title(string_view section) {
  const string_view name = section.substr(0, section.find('.'));
  for (const Key<Scenario>& key : top_keys) {
    if (key.doc.key != name || (key.doc.type != Type::table && key.doc.type != Type::tables)) continue;
    const bool many = key.doc.type == Type::tables;
    const std::string title = (many ? "[[" : "[") + std::string(name) + (many ? "]]" : "]");
    return name == section ? title : title + " " + std::string(section.substr(name.size() + 1));
  }
  return "";
}

std::span<const KeyDoc> scenario_keys() {
  static const std::vector<KeyDoc> keys = all_keys();
  return keys;
}

}  // namespace cairn
