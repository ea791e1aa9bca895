#include "cairn/formats/document.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cairn/core/error.hpp"
#include "cairn/core/suggest.hpp"
#include "cairn/formats/printable.hpp"
#include "cairn/formats/words.hpp"

// Malformed input must end in an error, in release builds too.
namespace {
[[noreturn]] void assertion_failed(const char* expression) {
  throw std::logic_error(expression);
}
}  // namespace
#undef NDEBUG
#define TOML_ASSERT(expression) ((expression) ? void() : assertion_failed(#expression))
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace cairn {

using std::string_view;

const Node* Node::find(std::string_view key) const {
  const Table* entries = table();
  if (entries == nullptr) return nullptr;
  const auto at = std::find_if(entries->begin(), entries->end(), [&](const Entry& e) { return e.key == key; });
  return at == entries->end() ? nullptr : &at->node;
}

string_view name_of(const Node& table) {
  const Node* name = table.find("name");
  const std::string* text = name == nullptr ? nullptr : name->as<std::string>();
  return text == nullptr ? string_view() : string_view(*text);
}

std::string inside(const std::string& path, string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

namespace {

constexpr string_view override_mark = "--set ";

}  // namespace

// An override is one line: its own text says more than a line and a column.
std::string Mark::text() const {
  if (source->starts_with(override_mark)) return *source;
  return *source + ":" + std::to_string(line) + ":" + std::to_string(column);
}

namespace {

using Source = std::shared_ptr<const std::string>;

[[noreturn]] void refuse(const std::string& place, const std::string& message) {
  throw Error(Exit::bad_input, place + ": " + message);
}

// Refuses what toml++ 3.3 cannot digest: dotted keys without end (it descends into them by recursion), and other than
// ASCII characters where it may take them for a part of a key or a number (undefined behaviour in its test for blanks).
// Rejected: replacing such characters, which would spoil titles and paths of files.
void check_digestible(string_view text, const Source& source) {
  constexpr int most_dots = 8;
  const auto one_of = [](string_view set, char c) { return set.find(c) != string_view::npos; };
  enum class In { plain, comment, basic_string, literal_string } in = In::plain;
  char before = '\n';   // outside comments and strings, the last that is not blank
  bool number = false;  // in what begins like one
  int dots = 0;         // in this key or value
  std::size_t line = 1, column = 1, size = 0;
  for (; !text.empty(); text.remove_prefix(size), ++column) {
    const auto stop = [&](const std::string& message) { refuse(Mark{source, line, column}.text(), message); };
    const char c = text[0];
    size = character_size(text);
    if (size == 0) stop("found a byte that is not UTF-8; expected a text file in UTF-8");
    if (c == '\n') {
      in = In::plain, before = c, number = false, column = 0, ++line;
    } else if (in == In::basic_string) {
      if (c == '\\' && text.size() > 1 && one_of("\"\\", text[1])) size = 2, ++column;
      if (c == '"') in = In::plain;
    } else if (in == In::literal_string) {
      if (c == '\'') in = In::plain;
    } else if (in == In::plain && one_of(" \t", c)) {
      number = false;
    } else if (in == In::plain) {
      const bool begins = one_of("\n=,[{", before);
      if (size > 1)
        stop("found '" + std::string(text.substr(0, size)) + "'; expected only ASCII outside quotes and comments");
      if (one_of("\"'", c)) {
        if (!begins || number)
          stop(std::string("found ") + c + " inside a key or a value; expected quotes around the whole key or value");
        if (text.size() > 2 && text[1] == c && text[2] == c)
          stop("found text of several lines; expected one line in single quotes");
        in = c == '"' ? In::basic_string : In::literal_string;
      }
      if (c == '#') in = In::comment;
      if (c == '=' && number) stop("found = after a number; expected a key that begins with a letter");
      if (begins) dots = 0;
      if (c == '.' && ++dots > most_dots) stop("found a key of too many parts; expected at most 3 parts");
      number = one_of("+-0123456789", c) ? number || begins : number && !one_of(",]}", c);
      before = c;
    }
  }
}

// Dotted keys and sections written twice in one parent arrive merged; toml++ sorts keys, so the order is made by marks.
Node node_of(const toml::node& from, const Source& source) {
  const auto mark = [&](const toml::source_region& at) { return Mark{source, at.begin.line, at.begin.column}; };
  Node to;
  to.mark = mark(from.source());
  if (const toml::table* table = from.as_table()) {
    Node::Table entries;
    for (auto&& [key, node] : *table)
      entries.push_back({std::string(key.str()), mark(key.source()), node_of(node, source)});
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.mark.line, a.mark.column) < std::pair(b.mark.line, b.mark.column);
    });
    to.in_braces = table->is_inline();
    to.value = std::move(entries);
  } else if (const toml::array* array = from.as_array()) {
    Node::Array nodes;
    for (const toml::node& node : *array) nodes.push_back(node_of(node, source));
    to.value = std::move(nodes);
  } else if (const auto* text = from.as_string()) {
    to.value = text->get();
  } else if (const auto* integer = from.as_integer()) {
    to.value = integer->get();
  } else if (const auto* real = from.as_floating_point()) {
    to.value = real->get();
  } else if (const auto* flag = from.as_boolean()) {
    to.value = flag->get();
  } else {
    to.value = Node::Moment{};
  }
  return to;
}

Node parse(string_view text, const Source& source) {
  check_digestible(text, source);
  try {
    return node_of(toml::parse(text, *source), source);
  } catch (const toml::parse_error& e) {
    const toml::source_position at = e.source().begin;
    refuse(Mark{source, at.line, at.column}.text(),
           "found text that is not valid TOML: " + std::string(e.description()) +
               "; expected key = value, each key once, text and numbers with units in quotes");
  } catch (const std::logic_error& e) {
    refuse(Mark{source, 1, 1}.text(),
           "found text that cannot be read: " + std::string(e.what()) + "; expected valid TOML");
  }
}

//----------------------------------------------------------------------------------------------------------- overrides

void merge(Node& to, Entry& change, const std::string& path);

// A dotted key as TOML makes it: a table of one entry, not in braces.
bool dotted(const Node& node) {
  return node.table() != nullptr && !node.in_braces && !node.table()->empty();
}

std::string found_entries(const Node::Array& array) {
  return ": found " + std::to_string(array.size()) + (array.size() == 1 ? " entry" : " entries");
}

// The place of the entry of an array that a word names: by its number, or by its `name`. A number is a number, whatever
// the names. None where the word is no number and no name.
std::optional<std::size_t> place_of(const Node::Array& array, const Entry& word, const std::string& path) {
  if (word.key.find_first_not_of("0123456789") == std::string::npos) {
    std::size_t index = array.size();
    std::from_chars(word.key.data(), word.key.data() + word.key.size(), index);
    if (index < array.size()) return index;
    refuse(word.mark.text(),
           inside(path, word.key) + found_entries(array) + "; expected a smaller number; entries are counted from 0");
  }
  for (std::size_t k = 0; k < array.size(); ++k)
    if (name_of(array[k]) == word.key) return k;
  return {};
}

[[noreturn]] void refuse_entry(const Node::Array& array, const Entry& word, const std::string& path) {
  std::vector<string_view> names;
  for (const Node& entry : array)
    if (!name_of(entry).empty()) names.push_back(name_of(entry));
  const std::string head = inside(path, word.key) + found_entries(array);
  if (names.empty())
    refuse(word.mark.text(), head + "; expected the number of one entry, as in " + inside(path, "0." + word.key));
  refuse(word.mark.text(), head + ", named " + joined(names, ", ", ", ") +
                               "; expected the number or the name of one entry, as in " + inside(path, "0") + " or " +
                               inside(path, names[0]) + suggestion(word.key, names));
}

// Part of one override, `change` is about an entry of an array.
void merge_entry(Node::Array& to, Entry& change, const std::string& path) {
  const bool number = change.key.find_first_not_of("0123456789") == std::string::npos;
  if (const auto index = number || dotted(change.node) ? place_of(to, change, path) : std::nullopt) {
    if (dotted(change.node) && to[*index].table() != nullptr)
      return merge(to[*index], change.node.table()->front(), inside(path, change.key));
    to[*index] = std::move(change.node);
    return;
  }
  if (to.size() == 1 && to[0].table() != nullptr) return merge(to[0], change, inside(path, "0"));
  refuse_entry(to, change, path);
}

// A value replaces what was there; a dotted key only what it names.
void merge(Node& to, Entry& change, const std::string& path) {
  Node* old = to.find(change.key);
  if (old == nullptr)
    to.table()->push_back(std::move(change));
  else if (dotted(change.node) && old->table() != nullptr)
    merge(*old, change.node.table()->front(), inside(path, change.key));
  else if (dotted(change.node) && old->array() != nullptr)
    merge_entry(*old->array(), change.node.table()->front(), inside(path, change.key));
  else
    *old = std::move(change.node);
}

// Within an entry a table in braces replaces, as in an override.
void merge_tables_at(Node& to, const Node& changes, const std::string& path, bool in_entry) {
  for (const Entry& change : *changes.table()) {
    Node* const old = to.find(change.key);
    const std::string inner = inside(path, change.key);
    if (old == nullptr)
      to.table()->push_back(change);
    else if (old->table() && change.node.table() && !(in_entry && change.node.in_braces))
      merge_tables_at(*old, change.node, inner, in_entry);
    else if (old->array() && change.node.table())
      for (const Entry& entry : *change.node.table()) {
        const auto place = place_of(*old->array(), entry, inner);
        if (!place) refuse_entry(*old->array(), entry, inner);
        Node& at = (*old->array())[*place];
        if (at.table() && entry.node.table())
          merge_tables_at(at, entry.node, inside(inner, entry.key), true);
        else
          at = entry.node;
      }
    else
      *old = change.node;
  }
}

std::string in_quotes(string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

void merge_tables(Node& document, const Node& changes) {
  merge_tables_at(document, changes, "", false);
}

Node parse_document(string_view text, const std::string& name) {
  constexpr string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return parse(text, std::make_shared<const std::string>(name));
}

void apply_override(Node& document, const std::string& change) {
  std::string shown = std::string(override_mark) + change;
  for (char& c : shown)
    if (0 <= c && c < ' ') c = '?';
  const auto source = std::make_shared<const std::string>(shown);
  const std::size_t equals = change.find('=');
  const string_view key = string_view(change).substr(0, equals);
  constexpr string_view of_keys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";
  if (equals == std::string::npos || key.find_first_not_of(of_keys) != string_view::npos ||
      change.find_first_of("\r\n") != std::string::npos)
    refuse(shown, "found no key=value; expected key=value, as in contact.friction=0.3");
  const string_view value = string_view(change).substr(equals + 1);
  const std::size_t begin = value.find_first_not_of(" \t");
  if (begin == string_view::npos) refuse(shown, "found no value; expected a value after the '='");
  Node parsed;
  try {
    parsed = parse(change, source);
  } catch (const Error&) {
    if (string_view("\"'[{").find(value[begin]) != string_view::npos) throw;
    parsed = parse(std::string(key) + "=" + in_quotes(value.substr(begin)), source);
  }
  merge(document, parsed.table()->front(), "");
}

}  // namespace cairn
