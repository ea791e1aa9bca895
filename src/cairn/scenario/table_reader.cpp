#include "cairn/scenario/table_reader.hpp"

#include <algorithm>

#include "cairn/core/suggest.hpp"
#include "cairn/formats/words.hpp"

namespace cairn {

void fail(const TomlTable& t, string_view key, const std::string& message) {
  const Node* node = t.find(key);
  fail(node == nullptr ? t.blame : *node, inside(t.path, key), message);
}

void missing(const TomlTable& t, string_view key, const std::string& expected) {
  fail(t, key, "missing; expected " + expected + ", here or by --set " + inside(t.path, key) + "=...");
}

void fail(const TomlTable& t, const ParameterFault& fault) {
  string_view name = fault.names.front();
  for (const string_view one : fault.names)
    if (t.has(one)) {
      name = one;
      break;
    }
  if (fault.found.empty()) missing(t, name, fault.expected);
  fail(t, name, fault.text());
}

void TableReader::stop() const {
  constexpr std::size_t most = 20;
  std::vector<std::string> told(faults_.begin(), faults_.begin() + static_cast<int>(std::min(most, faults_.size())));
  if (faults_.size() > most) told.push_back("and " + std::to_string(faults_.size() - most) + " more");
  throw Error(Exit::bad_input, joined(told, "\n", "\n"));
}

void TableReader::refuse_unknown(const TomlTable& t, const std::vector<const KeyDoc*>& docs) {
  std::vector<string_view> names;
  for (const KeyDoc* doc : docs) names.push_back(doc->key);
  for (const Entry& entry : *t.node.table()) {
    const string_view name = entry.key;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    // A section is not taken for a key of the same name elsewhere.
    const Node::Array* array = entry.node.array();
    const bool section = entry.node.table() || (array && !array->empty() && array->front().table());
    std::vector<std::string> elsewhere;
    for (const KeyDoc& doc : scenario_keys())
      if (doc.key == name && !doc.section.empty() && section == (doc.type == Type::table || doc.type == Type::tables))
        elsewhere.push_back(section_title(doc.section));
    // An override may have meant the name of the only entry of a list.
    std::vector<string_view> meant = names;
    if (!name_of(t.node).empty() && entry.node.table() && entry.mark.source != t.node.mark.source)
      meant.push_back(name_of(t.node));
    const std::string printable = quoted_bytes(name);
    faults_.push_back(
        entry.mark.text() + ": " + inside(t.path, printable.substr(1, printable.size() - 2)) +
        ": no such key; expected one of " + joined(names, ", ", ", ") +
        (meant.size() > names.size() ? ", or the name of the entry, " + quoted_bytes(meant.back()) : "") +
        (elsewhere.empty() ? suggestion(name, meant) : "; it is a key of " + joined(elsewhere, ", ", " and ")));
  }
}

void TableReader::refuse_stranger(const TomlTable& t, const KeyDoc& stranger, const Kind& kind,
                                  const std::vector<const KeyDoc*>& docs) const {
  std::vector<string_view> names;
  for (const KeyDoc* doc : docs)
    if (doc->belongs_to(kind.word) && doc->from_dimension <= scenario_.dimension) names.push_back(doc->key);
  fail(t, stranger.key,
       "does not belong to " + std::string(kind.key) + " '" + std::string(kind.word) + "'; expected only " +
           joined(names, ", ", ", "));
}

}  // namespace cairn
