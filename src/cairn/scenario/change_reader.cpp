#include "cairn/scenario/change_reader.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <utility>

#include "cairn/core/suggest.hpp"
#include "cairn/core/text.hpp"
#include "cairn/formats/words.hpp"
#include "cairn/run/record.hpp"
#include "cairn/scenario/quantity.hpp"
#include "cairn/scenario/run_keys.hpp"
#include "cairn/scenario/table_reader.hpp"

namespace cairn {
namespace {

const KeyDoc* find_key(string_view section, string_view key) {
  for (const KeyDoc& doc : scenario_keys())
    if (doc.section == section && doc.key == key) return &doc;
  return nullptr;
}

std::string in_words(const Node& node) {
  if (const auto* text = node.as<std::string>()) return "\"" + *text + "\"";
  if (const auto* flag = node.as<bool>()) return *flag ? "true" : "false";
  if (const auto* integer = node.as<std::int64_t>()) return std::to_string(*integer);
  if (const auto* number = node.as<Real>()) return to_text(*number);
  std::string words;
  if (node.table()) return "{}";
  if (const auto* array = node.array())
    for (const Node& one : *array) words += (words.empty() ? "" : ", ") + in_words(one);
  return "[" + words + "]";
}

class ChangeReader : TableReader {
 public:
  std::vector<ChangeSpec> read(const Node& root, const Scenario& scenario,
                               const std::function<Scenario(const Node&)>& read);

 private:
  ChangeSpec change(const TomlTable& t, std::size_t number);
  bool has_load(string_view wall) const;
  ChangeSpec::Condition condition(const TomlTable& t) const;
  void look_at(const Node& settings, const std::string& section, const std::string& path, bool by_name, ChangeSpec& to);

  std::set<std::string> names_;  // of changes
};

// By name or number; true where there is no such wall, which is told elsewhere.
bool ChangeReader::has_load(string_view wall) const {
  const std::vector<WallSpec>& walls = scenario_.walls;
  for (std::size_t k = 0; k < walls.size(); ++k)
    if (walls[k].name == wall || std::to_string(k) == wall) return walls[k].load.has_value();
  return true;
}

ChangeSpec::Condition ChangeReader::condition(const TomlTable& t) const {
  const std::string text = *t.find("when")->as<std::string>();
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string::npos)
    fail(t, "when", "found \"" + text + "\"; expected a column, < or >, and a value, as in \"kinetic < 1e-6 J\"");
  const auto trimmed = [](std::string_view a) {
    const std::size_t first = a.find_first_not_of(" \t"), last = a.find_last_not_of(" \t");
    return first == string_view::npos ? std::string() : std::string(a.substr(first, last - first + 1));
  };
  ChangeSpec::Condition condition{.column = trimmed(string_view(text).substr(0, at)), .below = text[at] == '<'};
  std::vector<std::string> names;
  for (const RecordColumn& column : record_columns(scenario_)) {
    names.push_back(column.name);
    if (column.name != condition.column) continue;
    const std::string value = trimmed(string_view(text).substr(at + 1));
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), condition.value);
    if (error == std::errc() && end == value.data() + value.size()) return condition;  // in SI units
    try {
      condition.value = quantity(value, column.unit == "1" ? string_view() : column.unit);
      return condition;
    } catch (const Error& e) {
      fail(t, "when", std::string(e.what()) + "; expected a value in " + column.unit);
    }
  }
  fail(t, "when",
       "found no column '" + condition.column + "' of series.csv; expected one of " + joined(names, ", ", ", ") +
           suggestion(condition.column, names));
}

// Keys that are unknown are left to the reader of the changed document.
void ChangeReader::look_at(const Node& settings, const std::string& section, const std::string& path, bool by_name,
                           ChangeSpec& to) {
  if (settings.table() == nullptr) return;
  for (const Entry& entry : *settings.table()) {
    const std::string inner = inside(path, entry.key);
    const KeyDoc* const doc = by_name ? nullptr : find_key(section, entry.key);
    if (by_name) {
      if (const Node* load = section == "wall" ? entry.node.find("load") : nullptr; load && !has_load(entry.key))
        faults_.push_back(load->mark.text() + ": " + inside(inner, "load") +
                          ": the wall has no load; expected a [[wall]] with load.mass");
      look_at(entry.node, section, inner, false, to);
    } else if (doc && doc->type == Type::table && entry.node.table() && !entry.node.table()->empty()) {
      look_at(entry.node, section + "." + entry.key, inner, false, to);
    } else if (doc && !doc->may_change && doc->type != Type::table) {
      std::vector<string_view> names;
      for (const KeyDoc& key : scenario_keys())
        if (key.section == section && key.may_change) names.push_back(key.key);
      faults_.push_back(entry.mark.text() + ": " + inner + ": cannot change while a run goes on; expected one of " +
                        joined(names, ", ", ", "));
    } else {
      to.settings.push_back(inner.substr(inner.find('.', inner.find('.') + 1) + 1) + " = " + in_words(entry.node));
    }
  }
}

ChangeSpec ChangeReader::change(const TomlTable& t, std::size_t number) {
  ChangeSpec change;
  read_keys(t, KeyRows{change_keys, change});
  if (!t.has("name")) change.name = "change" + std::to_string(number);
  if (!names_.insert(change.name).second)
    fail(t, "name", "found '" + change.name + "', a name already in use; expected a different name");
  if (t.has("at") && t.has("when")) fail(t, "when", "found beside at; expected only one of the two");
  if (t.has("when")) change.when = condition(t);
  return change;
}

std::vector<ChangeSpec> ChangeReader::read(const Node& root, const Scenario& scenario,
                                           const std::function<Scenario(const Node&)>& read_document) {
  scenario_ = scenario;
  std::vector<ChangeSpec> changes;
  const Node* const sections = root.find("change");
  if (sections == nullptr || sections->array() == nullptr) return changes;
  Node document = root;
  std::erase_if(*document.table(), [](const Entry& e) { return e.key == "change"; });
  for (std::size_t k = 0; const Node& section : *sections->array()) {
    const TomlTable t{section, section, inside("change", std::to_string(k++))};
    attempt([&] {
      ChangeSpec next = change(t, k);
      Node settings{Node::Table{}, section.mark, false};
      for (const Entry& entry : *section.table()) {
        if (find_key("change", entry.key)->type != Type::changes) continue;
        settings.table()->push_back(entry);
        look_at(entry.node, entry.key, inside(t.path, entry.key), find_key("", entry.key)->type == Type::tables, next);
      }
      if (!faults_.empty()) return;  // what a document with faulty changes says makes no sense yet
      if (next.settings.empty()) fail(section, t.path, "changes nothing; expected keys that change, as in run.step");
      try {
        merge_tables(document, settings);
        next.after = std::make_shared<const Scenario>(read_document(document));
      } catch (const Error& e) {
        throw Fault{e.what()};
      }
      changes.push_back(std::move(next));
    });
  }
  if (!faults_.empty()) stop();
  return changes;
}

}  // namespace

bool may_change(std::string_view key) {
  std::string section(key.substr(0, key.find('.')));
  const KeyDoc* const top = find_key("", section);
  if (top == nullptr) return false;
  std::size_t at = section.size();
  if (top->type == Type::tables) at = key.find('.', at + 1);
  while (at != string_view::npos && at < key.size()) {
    const std::size_t end = std::min(key.find('.', at + 1), key.size());
    const KeyDoc* const doc = find_key(section, key.substr(at + 1, end - at - 1));
    if (doc == nullptr) return false;
    if (end == key.size()) return doc->may_change;
    section += "." + std::string(doc->key), at = end;
  }
  return false;
}

bool resume_may_set(std::string_view key) {
  return key == "run.end" || key == "run.threads" || key.starts_with("output.") || key.starts_with("guards.");
}

std::string with_change(const std::string& text, std::size_t done, Real time, std::span<const std::string> overrides) {
  const Node document = parse_document(text, "");
  const Node* const sections = document.find("change");
  const Node::Array none, &changes = sections && sections->array() ? *sections->array() : none;
  while (done < changes.size() && name_of(changes[done]).starts_with(named_by_resume)) ++done;
  std::string change = "[[change]]\nname = \"" + std::string(named_by_resume) + std::to_string(changes.size() + 1) +
                       "\"\nat = " + to_text(time) + "\n";
  for (const std::string& one : overrides) {
    Node setting = parse_document("", "");
    apply_override(setting, one);
    const Node* value = &setting;
    std::string key;
    while (value->table() && value->table()->size() == 1 && !value->in_braces) {
      key = inside(key, value->table()->front().key);
      value = &value->table()->front().node;
    }
    change += key + " = " + in_words(*value) + "\n";
  }
  if (done >= changes.size()) return text + (text.ends_with("\n") ? "\n" : "\n\n") + change;
  std::size_t begin = 0;
  for (std::size_t line = 1; line < changes[done].mark.line; ++line) begin = text.find('\n', begin) + 1;
  if (text.compare(begin, 2, "[[") != 0)
    throw Error(Exit::bad_input,
                "a change cannot be added to this scenario; expected its changes as [[change]] sections");
  return text.substr(0, begin) + change + "\n" + text.substr(begin);
}

std::vector<ChangeSpec> read_changes(const Node& root, const Scenario& scenario,
                                     const std::function<Scenario(const Node&)>& read) {
  return ChangeReader().read(root, scenario, read);
}

}  // namespace cairn
