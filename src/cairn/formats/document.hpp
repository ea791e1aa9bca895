// A TOML text as a tree whose every node knows where it stands, and --set overrides on top of it. What cannot be read
// is Error(Exit::bad_input, "file:line:column: what was found; what was expected").
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// Where something stands: "file:line:column", or the text of the override it came from.
struct Mark {
  std::shared_ptr<const std::string> source;
  std::size_t line = 1, column = 1;
  std::string text() const;
};

struct Entry;

struct Node {
  using Array = std::vector<Node>;
  using Table = std::vector<Entry>;  // in the order of the text
  struct Moment {};                  // a date or a time; nothing here wants one
  std::variant<Table, Array, std::string, std::int64_t, Real, bool, Moment> value;
  Mark mark;
  bool in_braces = false;  // a table written { ... }: as an override it replaces, where dotted keys merge

  const Table* table() const { return std::get_if<Table>(&value); }
  Table* table() { return std::get_if<Table>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  Array* array() { return std::get_if<Array>(&value); }
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
  // Of a table: the node behind a key, or none.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }
};

struct Entry {
  std::string key;
  Mark mark;  // of the key
  Node node;
};

// `name` stands for the text in errors.
Node parse_document(std::string_view text, const std::string& name);

// `change` is "key=value": a dotted key, a TOML value; a bare word that is no TOML value is taken as text. An entry of
// an array has a number, from 0 on, "grains.0.file=bed.data", and perhaps a name, "wall.drum.radius=0.1"; an array of
// one table needs neither: "grains.file=bed.data".
void apply_override(Node& document, const std::string& change);

// Puts a table of changes into a document: tables merge, every other value replaces what was there, and so does a table
// in braces within an entry of an array. Such an entry goes by its number or by its `name`.
void merge_tables(Node& document, const Node& changes);

// The name = "..." that a table gives itself; empty if none.
std::string_view name_of(const Node& table);

// "a.b" of "a" and "b".
std::string inside(const std::string& path, std::string_view key);

}  // namespace cairn
