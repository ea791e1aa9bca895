// Reads tables of a scenario file against rows of keys. Faults are gathered, so that one look at the messages mends a
// file; what depends on something faulty is not looked at.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/error.hpp"
#include "cairn/core/parameter_fault.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/scenario/key_rows.hpp"

namespace cairn {

using namespace keys;

struct TomlTable {
  const Node& node;   // a table
  const Node& blame;  // where to point when a key is missing: the table, or what ought to hold it
  std::string path;   // "wall.0"

  const Node* find(string_view key) const { return node.find(key); }
  bool has(string_view key) const { return find(key) != nullptr; }
};

// The kind of wall, grains or contact law that a table describes: the key that names it, and its word.
struct Kind {
  string_view key{}, word{};
};

template <class T>
struct KeyRows {
  std::span<const Key<T>> keys;
  T& to;
};
template <class T, std::size_t n>
KeyRows(const Key<T> (&)[n], T&) -> KeyRows<T>;
template <class T>
KeyRows(const std::vector<Key<T>>&, T&) -> KeyRows<T>;
template <class T, std::size_t n>
KeyRows(const std::array<Key<T>, n>&, T&) -> KeyRows<T>;

// About a key of a table, at its value if it is there.
[[noreturn]] void fail(const TomlTable& t, string_view key, const std::string& message);
[[noreturn]] void missing(const TomlTable& t, string_view key, const std::string& expected);
// At the first of the parameters at fault that the table has.
[[noreturn]] void fail(const TomlTable& t, const ParameterFault& fault);

class TableReader {
 protected:
  // Whether f went through without faults; those are noted.
  template <class F>
  bool attempt(F&& f);
  [[noreturn]] void stop() const;

  // Reads all keys of a table, from one or more lists of rows; kind() may depend on the rows read so far.
  template <class KindOf, class... T>
  void read_keys_of(const TomlTable& t, KindOf&& kind, KeyRows<T>... rows);
  template <class... T>
  void read_keys(const TomlTable& t, KeyRows<T>... rows) {
    read_keys_of(
        t, [] { return Kind{}; }, rows...);
  }

  Scenario scenario_;  // as far as it has been read
  Values values_;
  std::vector<std::string> faults_;

 private:
  template <class KindOf, class T>
  void read_rows(const TomlTable& t, KindOf&& kind, const std::vector<const KeyDoc*>& docs, const KeyRows<T>& rows,
                 bool spelled);
  void refuse_unknown(const TomlTable& t, const std::vector<const KeyDoc*>& docs);
  [[noreturn]] void refuse_stranger(const TomlTable& t, const KeyDoc& stranger, const Kind& kind,
                                    const std::vector<const KeyDoc*>& docs) const;
};

template <class F>
bool TableReader::attempt(F&& f) {
  const std::size_t before = faults_.size();
  try {
    f();
  } catch (const Fault& fault) {
    if (!fault.message.empty()) faults_.push_back(fault.message);
  }
  return faults_.size() == before;
}

template <class KindOf, class... T>
void TableReader::read_keys_of(const TomlTable& t, KindOf&& kind, KeyRows<T>... rows) {
  std::vector<const KeyDoc*> docs;
  const auto collect = [&](const auto& keys) {
    for (const auto& key : keys) docs.push_back(&key.doc);
  };
  (collect(rows.keys), ...);
  const bool well = attempt([&] {
    const bool spelled = attempt([&] { refuse_unknown(t, docs); });  // else what seems missing may be misspelt
    (read_rows(t, kind, docs, rows, spelled), ...);
  });
  if (!well) throw Fault{};  // what the table says as a whole makes no sense yet
}

template <class KindOf, class T>
void TableReader::read_rows(const TomlTable& t, KindOf&& kind, const std::vector<const KeyDoc*>& docs,
                            const KeyRows<T>& rows, bool spelled) {
  for (const Key<T>& key : rows.keys) {
    const Kind now = kind();
    const bool well = attempt([&] {
      const Node* node = t.find(key.doc.key);
      const bool belongs = key.doc.belongs_to(now.word);
      if (node == nullptr) {
        if (spelled && belongs && key.doc.required())
          missing(t, key.doc.key, values_.expected(key.doc) + " (" + std::string(key.doc.doc) + ")");
        return;
      }
      if (!belongs) refuse_stranger(t, key.doc, now, docs);
      if (scenario_.dimension < key.doc.from_dimension)
        fail(t, key.doc.key,
             "does not exist here; expected only where space.dimension >= " + std::to_string(key.doc.from_dimension));
      values_.dimension = scenario_.dimension;
      key.read(values_, {*node, inside(t.path, key.doc.key), key.doc}, rows.to);
    });
    if (!well && key.doc.key == now.key) throw Fault{};  // which keys belong here is unknown
  }
}

}  // namespace cairn
