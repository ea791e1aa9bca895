#include "cairn/io/scenario_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/contact/laws.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/io/files.hpp"

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
namespace {

using std::string_view;

//---------------------------------------------------------------------------------------------------- text and errors

constexpr string_view override_mark = "--set ";

// An override is one line: its own text says more than a line and a column.
std::string place(const std::string& source, std::size_t line, std::size_t column) {
  if (source.starts_with(override_mark)) return source;
  return source + ":" + std::to_string(line) + ":" + std::to_string(column);
}

[[noreturn]] void refuse(const std::string& place, const std::string& message) {
  throw Error(Exit::bad_input, place + ": " + message);
}

template <class Words>
std::string joined(const Words& words, const std::string& between, const std::string& last) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 == words.size() ? last : between;
    text += words[k];
  }
  return text;
}

// Single insertions, deletions, replacements and swaps of neighbours (Damerau, CACM 7 (1964) 171).
std::size_t edit_distance(string_view a, string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, now);
  }
  return last[b.size()];
}

// "; did you mean 'nearest'?", or nothing where even the nearest shares less than half of its letters.
template <class Words>
std::string suggestion(string_view word, const Words& words) {
  const string_view nearest = *std::min_element(words.begin(), words.end(), [&](string_view a, string_view b) {
    return edit_distance(word, a) < edit_distance(word, b);
  });
  if (2 * edit_distance(word, nearest) > std::max(word.size(), nearest.size())) return "";
  return "; did you mean '" + std::string(nearest) + "'?";
}

bool has_word(string_view words, string_view word) {
  return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

// Bytes of the UTF-8 character the text begins with; 0 if it is none.
std::size_t character_size(string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned a = byte(0), b = byte(1);
  if (a < 0x80) return 1;
  if (a < 0xc2 || a > 0xf4) return 0;
  // Too long for what they encode, surrogates, beyond U+10FFFF.
  if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) || (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
    return 0;
  const std::size_t size = a < 0xe0 ? 2 : a < 0xf0 ? 3 : 4;
  for (std::size_t k = 1; k < size; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  return size;
}

// Refuses what toml++ 3.3 cannot digest: dotted keys without end (it descends into them by recursion), and other than
// ASCII characters where it may take them for a part of a key or a number (undefined behaviour in its test for blanks).
// Rejected: replacing such characters, which would spoil titles and paths of files.
void check_digestible(string_view text, const std::string& source) {
  constexpr int most_dots = 8;
  const auto one_of = [](string_view set, char c) { return set.find(c) != string_view::npos; };
  enum class In { plain, comment, basic_string, literal_string } in = In::plain;
  char before = '\n';   // outside comments and strings, the last that is not blank
  bool number = false;  // in what begins like one
  int dots = 0;         // in this key or value
  std::size_t line = 1, column = 1, size = 0;
  for (; !text.empty(); text.remove_prefix(size), ++column) {
    const auto stop = [&](const std::string& message) { refuse(place(source, line, column), message); };
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
        if (!begins || number) stop(std::string("found ") + c + " amid a key or a value; expected it around the whole");
        if (text.size() > 2 && text[1] == c && text[2] == c)
          stop("found a text of several lines; expected one line in single quotes");
        in = c == '"' ? In::basic_string : In::literal_string;
      }
      if (c == '#') in = In::comment;
      if (c == '=' && number) stop("found = behind a number; expected a key that begins with a letter");
      if (begins) dots = 0;
      if (c == '.' && ++dots > most_dots) stop("found a key of too many parts; expected at most 3");
      number = one_of("+-0123456789", c) ? number || begins : number && !one_of(",]}", c);
      before = c;
    }
  }
}

toml::table parse_toml(string_view text, const std::string& source) {
  check_digestible(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& e) {
    const toml::source_position at = e.source().begin;
    refuse(place(source, at.line, at.column), "found what is not TOML: " + std::string(e.description()) +
                                                  "; expected key = value, each key once, text in quotes");
  } catch (const std::logic_error& e) {
    refuse(place(source, 1, 1), "found what cannot be read: " + std::string(e.what()) + "; expected TOML");
  }
}

//----------------------------------------------------------------------------------------------------------- overrides

void merge(toml::table& to, toml::table& changes, const std::string& path);

std::string inside(const std::string& path, string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string place(const toml::source_region& at) {
  return place(*at.path, at.begin.line, at.begin.column);
}

// Part of one override, `changes` hold one key.
void merge_entry(toml::array& to, toml::table& changes, const std::string& path) {
  const auto first = changes.begin();  // owns the pair it shows
  const toml::key& key = first->first;
  toml::node& change = first->second;
  const std::string word(key.str());
  const auto stop = [&](const std::string& expected) {
    refuse(place(key.source()), inside(path, word) + ": found " + std::to_string(to.size()) +
                                    (to.size() == 1 ? " entry" : " entries") + "; expected " + expected);
  };
  if (word.find_first_not_of("0123456789") != std::string::npos) {
    if (to.size() != 1 || !to[0].is_table()) stop("which one, as in " + inside(path, "0." + word));
    return merge(*to[0].as_table(), changes, inside(path, "0"));
  }
  std::size_t index = to.size();
  std::from_chars(word.data(), word.data() + word.size(), index);
  if (index >= to.size()) stop("a smaller number; they are counted from 0");
  toml::table* inner = change.as_table();
  if (inner != nullptr && !inner->is_inline() && to[index].is_table())
    return merge(*to[index].as_table(), *inner, inside(path, word));
  const auto at = to.begin() + static_cast<std::ptrdiff_t>(index);
  change.visit([&](auto& value) { to.insert(to.erase(at), std::move(value)); });
}

// A value replaces what was there; a dotted key only what it names.
void merge(toml::table& to, toml::table& changes, const std::string& path) {
  const auto first = changes.begin();
  const toml::key& key = first->first;
  toml::node& change = first->second;
  toml::node* old = to.get(key.str());
  toml::table* inner = change.as_table();
  const bool dotted = inner != nullptr && !inner->is_inline();
  if (dotted && old != nullptr && old->is_table())
    merge(*old->as_table(), *inner, inside(path, key.str()));
  else if (dotted && old != nullptr && old->is_array())
    merge_entry(*old->as_array(), *inner, inside(path, key.str()));
  else
    change.visit([&](auto& value) { to.insert_or_assign(key, std::move(value)); });
}

std::string in_quotes(string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

void apply(toml::table& to, const std::string& change) {
  std::string source = std::string(override_mark) + change;
  for (char& c : source)
    if (0 <= c && c < ' ') c = '?';
  const std::size_t equals = change.find('=');
  const string_view key = string_view(change).substr(0, equals);
  constexpr string_view of_keys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";
  if (equals == std::string::npos || key.find_first_not_of(of_keys) != string_view::npos ||
      change.find_first_of("\r\n") != std::string::npos)
    refuse(source, "found no key=value; expected one, as in contact.friction=0.3");
  const string_view value = string_view(change).substr(equals + 1);
  const std::size_t begin = value.find_first_not_of(" \t");
  if (begin == string_view::npos) refuse(source, "found no value; expected one behind the '='");
  toml::table parsed;
  try {
    parsed = parse_toml(change, source);
  } catch (const Error&) {
    if (string_view("\"'[{").find(value[begin]) != string_view::npos) throw;
    parsed = parse_toml(std::string(key) + "=" + in_quotes(value.substr(begin)), source);
  }
  merge(to, parsed, "");
}

//-------------------------------------------------------------------------------------------------------------- reader

using Type = KeyDoc::Type;

struct Table {
  const toml::table& keys;
  const toml::node& blame;  // where to point when a key is missing: the table, or what ought to hold it
  std::string path;         // "wall.0"
};

struct Value {
  const toml::node& node;
  std::string path;
  const KeyDoc& doc;
};

// What sort of wall, grains or contact law a table describes: the key that says so, and its word.
struct Kind {
  string_view key{}, word{};
};

template <class T>
struct Key;

template <class T>
struct Rows {
  std::span<const Key<T>> keys;
  T& to;
};
template <class T, std::size_t n>
Rows(const Key<T> (&)[n], T&) -> Rows<T>;

std::string section_title(string_view section);

// For errors: what stands there, and what ought to.
std::string found(const toml::node& node) {
  if (const auto* a = node.as_integer()) return std::to_string(a->get());
  if (const auto* a = node.as_floating_point()) return to_text(a->get());
  if (const auto* a = node.as_boolean()) return a->get() ? "true" : "false";
  if (const auto* a = node.as_string()) return "the text " + cairn::quoted(a->get());
  if (const auto* a = node.as_array())
    return "an array of " + std::to_string(a->size()) + (a->size() == 1 ? " value" : " values");
  return node.is_table() ? "a table" : "a date or time";
}

std::string range_text(const KeyDoc::Range& range) {
  std::vector<std::string> bounds;
  if (std::isfinite(range.low)) bounds.push_back((range.low_allowed ? ">= " : "> ") + to_text(range.low));
  if (std::isfinite(range.high)) bounds.push_back((range.high_allowed ? "<= " : "< ") + to_text(range.high));
  return bounds.empty() ? "" : " " + joined(bounds, "", " and ");
}

std::string quoted_list(std::span<const string_view> words) {
  std::vector<std::string> all;
  for (const string_view word : words) all.push_back("'" + std::string(word) + "'");
  return joined(all, ", ", " or ");
}

std::string expected(const KeyDoc& doc, int dimension) {
  const std::string unit = doc.unit.empty() ? "" : " in " + std::string(doc.unit);
  switch (doc.type) {
    case Type::number:
      return "a number" + range_text(doc.range) + unit;
    case Type::whole_number:
      return "a whole number" + range_text(doc.range);
    case Type::flag:
      return "true or false";
    case Type::text:
      return "text in quotes";
    case Type::choice:
      return quoted_list(doc.choices);
    case Type::names:
      return "the names of two materials, [\"first\", \"second\"]";
    case Type::vector:
      return (dimension == 1   ? "one number, the height z,"
              : dimension == 2 ? "2 numbers [x, z]"
                               : "3 numbers [x, y, z]") +
             unit;
    case Type::spin:
      return (dimension == 3 ? "3 numbers [x, y, z]" : "one number, about +y,") + unit;
    case Type::interval:
      return "2 numbers [low, high]" + unit;
    case Type::table: {
      const std::string title = section_title(doc.key);
      return title.empty() ? "a table { key = value, ... }" : "one section " + title;
    }
    case Type::tables:
      return "sections " + section_title(doc.key);
  }
  return "";
}

class Reader {
 public:
  Reader(const toml::table& root, const std::string& name) : root_{root, root, ""}, name_(name) {}
  Scenario read();

  // Values by type. Everything the file says passes here, and is what its row of the schema asks for.
  Real number(const Value& v) const {
    Real a = 0;
    if (const auto* integer = v.node.as_integer())
      a = static_cast<Real>(integer->get());
    else if (const auto* real = v.node.as_floating_point())
      a = real->get();
    else
      wrong(v);
    if (!std::isfinite(a) || !v.doc.range.contains(a)) wrong(v);
    return a;
  }

  std::int64_t whole_number(const Value& v) const {
    if (const auto* integer = v.node.as_integer()) {
      number(v);  // the range
      return integer->get();
    }
    constexpr Real exact = 0x1p53;  // above it a floating-point number does not say which integer was meant
    const Real a = number(v);       // 1e6 is whole
    if (a != std::floor(a) || std::fabs(a) > exact) wrong(v);
    return static_cast<std::int64_t>(a);
  }

  bool flag(const Value& v) const {
    const auto* a = v.node.as_boolean();
    if (a == nullptr) wrong(v);
    return a->get();
  }

  std::string text(const Value& v) const {
    const auto* a = v.node.as_string();
    if (a == nullptr) wrong(v);
    return a->get();
  }

  std::size_t choice(const Value& v) const {
    const auto* word = v.node.as_string();
    if (word == nullptr) wrong(v);
    const auto at = std::find(v.doc.choices.begin(), v.doc.choices.end(), word->get());
    if (at == v.doc.choices.end()) wrong(v, suggestion(word->get(), v.doc.choices));
    return static_cast<std::size_t>(at - v.doc.choices.begin());
  }
  std::string word(const Value& v) const { return std::string(v.doc.choices[choice(v)]); }

  Vector vector(const Value& v) const {
    const std::array<Real, 3> a = numbers(v, scenario_.dimension);
    if (scenario_.dimension == 1) return {0, 0, a[0]};
    if (scenario_.dimension == 2) return {a[0], 0, a[1]};
    return {a[0], a[1], a[2]};
  }

  Vector direction(const Value& v) const {
    const Vector a = vector(v);
    if (a == Vector{}) fail(v, "found a direction of length zero; expected any other");
    return a;
  }

  Vector spin(const Value& v) const { return scenario_.dimension == 3 ? vector(v) : Vector{0, numbers(v, 1)[0], 0}; }

  std::array<Real, 2> interval(const Value& v) const {
    const std::array<Real, 3> a = numbers(v, 2);
    if (!(a[0] < a[1])) fail(v, "found low >= high; expected low < high");
    return {a[0], a[1]};
  }

  std::string material(const Value& v) const { return known_material(v.node, v.path, v); }

  std::array<std::string, 2> two_materials(const Value& v) const {
    const toml::array* a = v.node.as_array();
    if (a == nullptr || a->size() != 2) wrong(v);
    return {known_material((*a)[0], inside(v.path, "0"), v), known_material((*a)[1], inside(v.path, "1"), v)};
  }

  void table(const Value& v) const {
    if (!v.node.is_table()) wrong(v);
  }

  void tables(const Value& v) const {
    const toml::array* array = v.node.as_array();
    if (array == nullptr) wrong(v);
    for (std::size_t k = 0; k < array->size(); ++k)
      if (!(*array)[k].is_table()) wrong({(*array)[k], inside(v.path, std::to_string(k)), v.doc});
  }

  void motion(const Value& v, WallMotion& to);

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& path, const std::string& message) const {
    refuse(place(node.source()), path.empty() ? message : path + ": " + message);
  }
  [[noreturn]] void fail(const Value& v, const std::string& message) const { fail(v.node, v.path, message); }
  [[noreturn]] void wrong(const Value& v, const std::string& suggestion = "") const {
    fail(v, "found " + found(v.node) + "; expected " + expected(v.doc, scenario_.dimension) + suggestion);
  }
  // About a key of a table, at its value if it is there.
  [[noreturn]] void fail(const Table& t, string_view key, const std::string& message) const {
    const toml::node* node = t.keys.get(key);
    fail(node == nullptr ? t.blame : *node, inside(t.path, key), message);
  }
  [[noreturn]] void missing(const Table& t, string_view key, const std::string& expected) const {
    const std::string path = inside(t.path, key);
    fail(t, key, "missing; expected " + expected + ", here or by --set " + path + "=...");
  }
  [[noreturn]] void missing(const Table& t, const KeyDoc& doc) const {
    missing(t, doc.key, expected(doc, scenario_.dimension) + " (" + std::string(doc.doc) + ")");
  }

  // A single number needs no brackets.
  std::array<Real, 3> numbers(const Value& v, int count) const {
    std::array<Real, 3> a{};
    const toml::array* array = v.node.as_array();
    if (array == nullptr && count == 1) {
      a[0] = number(v);
      return a;
    }
    if (array == nullptr || array->size() != static_cast<std::size_t>(count)) wrong(v);
    for (std::size_t k = 0; k < array->size(); ++k)
      a[k] = number({(*array)[k], inside(v.path, std::to_string(k)), v.doc});
    return a;
  }

  std::string known_material(const toml::node& node, const std::string& path, const Value& v) const {
    const auto* name = node.as_string();
    if (name == nullptr) wrong({node, path, v.doc});
    std::vector<string_view> names;
    for (const Material& m : scenario_.materials) names.push_back(m.name);
    if (std::find(names.begin(), names.end(), name->get()) == names.end())
      fail(node, path,
           "found no material " + cairn::quoted(name->get()) + "; expected " + quoted_list(names) +
               suggestion(name->get(), names));
    return name->get();
  }

  // Reads all keys of a table, from one or more lists of rows; kind() may depend on the rows read so far.
  template <class KindOf, class... T>
  void read_keys_of(const Table& t, KindOf&& kind, Rows<T>... rows) {
    std::vector<const KeyDoc*> docs;
    const auto collect = [&](const auto& keys) {
      for (const auto& key : keys) docs.push_back(&key.doc);
    };
    (collect(rows.keys), ...);
    refuse_unknown(t, docs);
    (read_rows(t, kind, docs, rows), ...);
  }
  template <class... T>
  void read_keys(const Table& t, Rows<T>... rows) {
    read_keys_of(
        t, [] { return Kind{}; }, rows...);
  }

  template <class KindOf, class T>
  void read_rows(const Table& t, KindOf&& kind, const std::vector<const KeyDoc*>& docs, const Rows<T>& rows) {
    for (const Key<T>& key : rows.keys) {
      const toml::node* node = t.keys.get(key.doc.key);
      const Kind now = kind();
      const bool belongs = key.doc.only.empty() || has_word(key.doc.only, now.word);
      if (node == nullptr) {
        if (belongs && key.doc.required()) missing(t, key.doc);
        continue;
      }
      if (!belongs) refuse_stranger(t, key.doc, now, docs);
      if (scenario_.dimension < key.doc.from_dimension)
        fail(t, key.doc.key,
             "does not exist here; expected only where space.dimension >= " + std::to_string(key.doc.from_dimension));
      key.read(*this, {*node, inside(t.path, key.doc.key), key.doc}, rows.to);
    }
  }

  void refuse_unknown(const Table& t, const std::vector<const KeyDoc*>& docs) const;
  void refuse_stranger(const Table& t, const KeyDoc& stranger, const Kind& kind,
                       const std::vector<const KeyDoc*>& docs) const;

  // A section, empty if the file does not have it; the entries of a list of sections.
  Table section(string_view name) const;
  std::vector<Table> entries(string_view name) const;

  void space();
  void materials();
  void contact();
  void pairs();
  template <class T>
  void contact_table(const Table& t, ContactSettings& to, Rows<T> others);
  void walls();
  void grain();
  void grains();
  void region(const Table& t, GrainsSpec& to) const;
  void emitters();
  void ordered(const Table& t, const Vector& low, const Vector& high) const;

  // Gives a name to what has none, and refuses one that is taken.
  template <class T>
  void name_apart(const Table& t, const std::vector<T>& others, T& one, const std::string& fallback) const {
    if (!t.keys.contains("name")) one.name = fallback;
    if (one.name.empty()) fail(t, "name", "found an empty text; expected a name");
    for (const T& other : others)
      if (other.name == one.name)
        fail(t, "name",
             "found " + cairn::quoted(one.name) + (t.keys.contains("name") ? "" : " (given by default)") +
                 ", which is taken; expected a name of its own");
  }

  Table root_;
  std::string name_;
  Scenario scenario_;
};

//-------------------------------------------------------------------------------------------------------------- schema

template <class T>
struct Key {
  KeyDoc doc;
  void (*read)(Reader&, const Value&, T& to);
  std::string (*fallback)(const KeyDoc&, const T&) = nullptr;  // the default, from a T just made
};

// A default as the documentation shows it.
template <class V>
std::string shown(const KeyDoc& doc, const V& a) {
  if constexpr (std::is_same_v<V, std::string>)
    return in_quotes(a);
  else if constexpr (std::is_same_v<V, Vector>)
    return "[" + to_text(a.x) + ", " + to_text(a.y) + ", " + to_text(a.z) + "]";
  else if constexpr (std::is_same_v<V, std::optional<Real>>)
    return a ? to_text(*a) : "none";
  else if constexpr (std::is_same_v<V, std::optional<Vector>>)
    return "none";
  else if (!doc.choices.empty())
    return in_quotes(doc.choices[static_cast<std::size_t>(a)]);
  else if constexpr (std::is_same_v<V, bool>)
    return a ? "true" : "false";
  else
    return to_text(static_cast<Real>(a));
}

template <class T, class Member>
T owner_of(Member T::*);

// A row whose value goes to a member; the choices of an enumeration stand in its order.
template <Type type, auto read, auto member>
constexpr auto row(KeyDoc doc) {
  using T = decltype(owner_of(member));
  doc.type = type;
  return Key<T>{doc,
                [](Reader& reader, const Value& v, T& to) {
                  auto& place = to.*member;
                  place = static_cast<std::remove_reference_t<decltype(place)>>((reader.*read)(v));
                },
                [](const KeyDoc& d, const T& from) { return shown(d, from.*member); }};
}
template <auto member>
constexpr auto number(const KeyDoc& doc) {
  return row<Type::number, &Reader::number, member>(doc);
}
template <auto member>
constexpr auto whole_number(const KeyDoc& doc) {
  return row<Type::whole_number, &Reader::whole_number, member>(doc);
}
template <auto member>
constexpr auto flag(const KeyDoc& doc) {
  return row<Type::flag, &Reader::flag, member>(doc);
}
template <auto member>
constexpr auto text(const KeyDoc& doc) {
  return row<Type::text, &Reader::text, member>(doc);
}
template <auto member>
constexpr auto choice(const KeyDoc& doc) {
  return row<Type::choice, &Reader::choice, member>(doc);
}
template <auto member>
constexpr auto word(const KeyDoc& doc) {
  return row<Type::choice, &Reader::word, member>(doc);
}
template <auto member>
constexpr auto vector(const KeyDoc& doc) {
  return row<Type::vector, &Reader::vector, member>(doc);
}
template <auto member>
constexpr auto direction(const KeyDoc& doc) {
  return row<Type::vector, &Reader::direction, member>(doc);
}
template <auto member>
constexpr auto spin(const KeyDoc& doc) {
  return row<Type::spin, &Reader::spin, member>(doc);
}

template <auto member>
constexpr auto material() {
  return row<Type::text, &Reader::material, member>(
      {.key = "material", .fallback = "the first material", .doc = "name of its material"});
}

template <auto coordinate>
constexpr Key<Scenario> periodic(KeyDoc doc) {
  doc.type = Type::interval, doc.unit = "m", doc.fallback = "not periodic";
  doc.doc = "from where to where the space repeats itself in this direction";
  return {doc, [](Reader& reader, const Value& v, Scenario& to) {
            const std::array<Real, 2> ends = reader.interval(v);
            to.periodic_low.*coordinate = ends[0], to.periodic_high.*coordinate = ends[1];
          }};
}

constexpr string_view guard_actions[] = {"refuse", "warn", "off"};

constexpr Key<Scenario> guard(KeyDoc doc) {
  doc.type = Type::choice, doc.choices = guard_actions, doc.fallback = "\"refuse\"";
  return {doc, [](Reader& reader, const Value& v, Scenario& to) {
            to.guards[std::string(v.doc.key)] = static_cast<GuardAction>(reader.choice(v));
          }};
}

// Sections are only checked to be such here; Reader::read reads them, in the order in which they need each other.
constexpr Key<Scenario> section(string_view key, string_view doc) {
  return {{.key = key, .type = Type::table, .fallback = "empty", .doc = doc},
          [](Reader& reader, const Value& v, Scenario&) { reader.table(v); }};
}
constexpr Key<Scenario> sections(string_view key, string_view doc) {
  return {{.key = key, .type = Type::tables, .fallback = "none", .doc = doc},
          [](Reader& reader, const Value& v, Scenario&) { reader.tables(v); }};
}

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr KeyDoc::Range positive{0, infinity, false, true};
constexpr KeyDoc::Range at_least_0{0, infinity, true, true};
constexpr KeyDoc::Range at_least_1{1, infinity, true, true};

constexpr string_view attractions[] = {"clipped", "allowed"};
constexpr string_view damping_maps[] = {"realised", "tsuji"};
constexpr string_view shapes[] = {"plane", "box", "cylinder"};
constexpr string_view sides[] = {"inside", "outside"};
constexpr string_view kinds_of_grains[] = {"lattice", "random", "data"};
constexpr string_view places[] = {"top"};
constexpr string_view refuse_or_allow[] = {"refuse", "allow"};
constexpr auto laws = std::apply([](auto... law) { return std::array{string_view(decltype(law)::name)...}; }, Laws{});

constexpr string_view required = "required";

constexpr Key<Scenario> top_keys[] = {
    text<&Scenario::title>({.key = "title", .doc = "what this scenario is"}),
    section("run", "how time is stepped"),
    section("space", "dimension, gravity, periods"),
    sections("material", "what grains and walls are made of"),
    section("contact", "the contact law"),
    sections("pair", "another contact between two materials"),
    sections("wall", "planes, boxes and cylinders, at rest or moving"),
    sections("grain", "one grain"),
    sections("grains", "many grains at once"),
    sections("emitter", "grains that come one by one"),
    section("output", "what is written, and how often"),
    section("search", "the list of neighbours"),
    section("initial", "the first state"),
    section("guards", "what happens when a guard finds something wrong"),
};

constexpr Key<Scenario> run_keys[] = {
    text<&Scenario::scheme>({.key = "scheme", .doc = "the time-stepping scheme"}),
    number<&Scenario::step>({.key = "step",
                             .unit = "s",
                             .range = positive,
                             .fallback = required,
                             .doc = "time step; adaptive schemes: the first and the largest"}),
    number<&Scenario::end>(
        {.key = "end", .unit = "s", .range = positive, .fallback = required, .doc = "time at which the run ends"}),
    whole_number<&Scenario::threads>(
        {.key = "threads", .range = {1, 4096}, .doc = "how many; no result depends on it"}),
    number<&Scenario::tolerance>({.key = "tolerance",
                                  .range = {0, 1, false, false},
                                  .doc = "adaptive schemes: relative error allowed in a step"}),
    whole_number<&Scenario::seed>({.key = "seed", .range = at_least_0, .doc = "of all random numbers"}),
};

constexpr Key<Scenario> space_keys[] = {
    whole_number<&Scenario::dimension>(
        {.key = "dimension", .range = {1, 3}, .doc = "1: height z alone; 2: x and z; 3: x, y and z"}),
    vector<&Scenario::gravity>({.key = "gravity", .unit = "m/s^2", .doc = "acceleration of free fall"}),
    flag<&Scenario::rotation>({.key = "rotation", .fallback = "true, in 1D false", .doc = "whether grains spin"}),
    periodic<&Vector::x>({.key = "periodic_x", .from_dimension = 2}),
    periodic<&Vector::y>({.key = "periodic_y", .from_dimension = 3}),
    periodic<&Vector::z>({.key = "periodic_z"}),
};

constexpr Key<Material> material_keys[] = {
    text<&Material::name>({.key = "name", .doc = "by which grains, walls and pairs refer to it"}),
    number<&Material::density>({.key = "density", .unit = "kg/m^3", .range = positive, .doc = "mass per volume"}),
    number<&Material::young>({.key = "young",
                              .unit = "Pa",
                              .range = positive,
                              .fallback = "required by hertz_mindlin",
                              .doc = "Young's modulus E"}),
    number<&Material::poisson>({.key = "poisson", .range = {-1, 0.5, false, true}, .doc = "Poisson's ratio nu"}),
};

constexpr Key<Scenario> law_keys[] = {
    word<&Scenario::law>({.key = "law", .choices = laws, .doc = "the contact law"}),
};

constexpr Key<ContactSettings> contact_keys[] = {
    number<&ContactSettings::stiffness>(
        {.key = "stiffness", .unit = "N/m", .range = positive, .only = "linear", .doc = "normal stiffness k"}),
    number<&ContactSettings::damping>(
        {.key = "damping", .unit = "N s/m", .range = at_least_0, .only = "linear", .doc = "normal damping gamma"}),
    number<&ContactSettings::damping_per_mass>({.key = "damping_per_mass",
                                                .unit = "1/s",
                                                .range = at_least_0,
                                                .only = "linear",
                                                .doc = "gamma divided by the effective mass"}),
    number<&ContactSettings::restitution>({.key = "restitution",
                                           .range = {0, 1, false, true},
                                           .doc = "ratio of normal speeds after and before an impact"}),
    number<&ContactSettings::duration>({.key = "duration",
                                        .unit = "s",
                                        .range = positive,
                                        .only = "linear",
                                        .doc = "of an impact; with restitution, in place of a stiffness"}),
    number<&ContactSettings::friction>({.key = "friction", .range = at_least_0, .doc = "Coulomb's coefficient mu"}),
    number<&ContactSettings::tangential_ratio>({.key = "tangential_ratio",
                                                .range = positive,
                                                .only = "linear",
                                                .fallback = "2/7",
                                                .doc = "tangential stiffness divided by stiffness"}),
    number<&ContactSettings::tangential_damping>({.key = "tangential_damping",
                                                  .unit = "N s/m",
                                                  .range = at_least_0,
                                                  .only = "linear",
                                                  .fallback = "0",
                                                  .doc = "tangential damping"}),
    number<&ContactSettings::tangential_damping_per_mass>({.key = "tangential_damping_per_mass",
                                                           .unit = "1/s",
                                                           .range = at_least_0,
                                                           .only = "linear",
                                                           .fallback = "0",
                                                           .doc = "tangential damping divided by the effective mass"}),
    choice<&ContactSettings::attraction>(
        {.key = "attraction", .choices = attractions, .doc = "whether a dashpot may pull"}),
    choice<&ContactSettings::damping_map>({.key = "damping_map",
                                           .choices = damping_maps,
                                           .doc = "from restitution to damping: with the clip, or the usual formula"}),
};

constexpr Key<PairSettings> pair_keys[] = {
    {{.key = "materials", .type = Type::names, .fallback = required, .doc = "the two materials that meet"},
     [](Reader& reader, const Value& v, PairSettings& to) {
       auto [first, second] = reader.two_materials(v);
       to.first = std::move(first), to.second = std::move(second);
     }},
};

constexpr Key<WallSpec> wall_keys[] = {
    choice<&WallSpec::shape>({.key = "type", .choices = shapes, .doc = "shape of the wall"}),
    text<&WallSpec::name>({.key = "name", .fallback = "wall1, wall2, ...", .doc = "by which output refers to it"}),
    choice<&WallSpec::side>({.key = "side", .choices = sides, .only = "box cylinder", .doc = "where the grains are"}),
    material<&WallSpec::material>(),
    vector<&WallSpec::point>({.key = "point",
                              .unit = "m",
                              .only = "plane cylinder",
                              .doc = "plane: any point of it; cylinder: middle of its axis"}),
    direction<&WallSpec::normal>(
        {.key = "normal", .only = "plane", .doc = "towards the grains; the far side is solid"}),
    vector<&WallSpec::low>({.key = "low", .unit = "m", .only = "box", .fallback = required, .doc = "lowest corner"}),
    vector<&WallSpec::high>({.key = "high", .unit = "m", .only = "box", .fallback = required, .doc = "highest corner"}),
    direction<&WallSpec::axis>(
        {.key = "axis", .only = "cylinder", .from_dimension = 3, .doc = "direction of its axis"}),
    number<&WallSpec::radius>({.key = "radius",
                               .unit = "m",
                               .range = positive,
                               .only = "cylinder",
                               .fallback = required,
                               .doc = "its radius"}),
    number<&WallSpec::length>({.key = "length",
                               .unit = "m",
                               .range = positive,
                               .only = "cylinder",
                               .from_dimension = 3,
                               .fallback = "endless",
                               .doc = "along its axis"}),
    flag<&WallSpec::caps>(
        {.key = "caps", .only = "cylinder", .from_dimension = 3, .doc = "whether both ends are closed; with length"}),
    {{.key = "motion", .type = Type::table, .fallback = "at rest", .doc = "how it moves"},
     [](Reader& reader, const Value& v, WallSpec& to) { reader.motion(v, to.motion); }},
};

constexpr Key<WallMotion> motion_keys[] = {
    vector<&WallMotion::velocity>({.key = "velocity", .unit = "m/s", .doc = "steady translation"}),
    direction<&WallMotion::axis>({.key = "axis",
                                  .from_dimension = 3,
                                  .fallback = "required by rate",
                                  .doc = "direction of the axis of rotation; in 2D it is +y"}),
    vector<&WallMotion::center>(
        {.key = "center", .unit = "m", .from_dimension = 2, .doc = "a point of the axis of rotation at t = 0"}),
    number<&WallMotion::rotation_rate>({.key = "rate",
                                        .unit = "rad/s",
                                        .from_dimension = 2,
                                        .doc = "of rotation, right-handed about the axis; in 2D about +y: z to x"}),
    vector<&WallMotion::oscillation_amplitude>(
        {.key = "amplitude", .unit = "m", .doc = "displacement is amplitude sin(2 pi (frequency t + phase))"}),
    number<&WallMotion::oscillation_frequency>(
        {.key = "frequency", .unit = "Hz", .range = at_least_0, .doc = "of the oscillation"}),
    number<&WallMotion::oscillation_phase>({.key = "phase", .unit = "turns", .doc = "of the oscillation at t = 0"}),
};

constexpr Key<GrainSpec> position_keys[] = {
    vector<&GrainSpec::position>({.key = "position", .unit = "m", .fallback = required, .doc = "of its centre"}),
};

constexpr Key<GrainSpec> body_keys[] = {
    vector<&GrainSpec::velocity>({.key = "velocity", .unit = "m/s", .doc = "at first"}),
    spin<&GrainSpec::spin>(
        {.key = "spin", .unit = "rad/s", .from_dimension = 2, .doc = "at first; in 2D right-handed about +y: z to x"}),
    number<&GrainSpec::radius>(
        {.key = "radius", .unit = "m", .range = positive, .fallback = required, .doc = "its radius"}),
    number<&GrainSpec::mass>(
        {.key = "mass", .unit = "kg", .range = positive, .fallback = "from the material's density", .doc = "its mass"}),
    material<&GrainSpec::material>(),
};

constexpr Key<GrainsSpec> grains_keys[] = {
    choice<&GrainsSpec::kind>({.key = "kind", .choices = kinds_of_grains, .doc = "where they come from"}),
    material<&GrainsSpec::material>(),
    text<&GrainsSpec::file>(
        {.key = "file",
         .only = "data",
         .fallback = required,
         .doc = "path of a LAMMPS data file, relative to the scenario, else to the working folder"}),
    number<&GrainsSpec::radius>({.key = "radius",
                                 .unit = "m",
                                 .range = positive,
                                 .only = "lattice random",
                                 .fallback = required,
                                 .doc = "nominal radius"}),
    number<&GrainsSpec::radius_spread>({.key = "radius_spread",
                                        .range = {0, 1, true, false},
                                        .only = "lattice random",
                                        .doc = "radii are uniform in radius (1 +- spread)"}),
    whole_number<&GrainsSpec::count>({.key = "count",
                                      .range = at_least_1,
                                      .only = "lattice random",
                                      .fallback = "required by random; lattice: as many as fit",
                                      .doc = "how many"}),
    vector<&GrainsSpec::velocity>({.key = "velocity", .unit = "m/s", .only = "lattice random", .doc = "at first"}),
    whole_number<&GrainsSpec::seed>({.key = "seed",
                                     .range = at_least_0,
                                     .only = "lattice random",
                                     .doc = "of their random numbers, beside run.seed"}),
    number<&GrainsSpec::spacing>({.key = "spacing",
                                  .unit = "m",
                                  .range = positive,
                                  .only = "lattice",
                                  .fallback = "so that no two touch",
                                  .doc = "between centres"}),
    number<&GrainsSpec::jitter>({.key = "jitter",
                                 .unit = "m",
                                 .range = at_least_0,
                                 .only = "lattice",
                                 .doc = "largest random displacement in each coordinate"}),
    vector<&GrainsSpec::low>({.key = "low",
                              .unit = "m",
                              .only = "lattice random",
                              .fallback = "required by a box",
                              .doc = "lowest corner of the region"}),
    vector<&GrainsSpec::high>({.key = "high",
                               .unit = "m",
                               .only = "lattice random",
                               .fallback = "required by a box",
                               .doc = "highest corner of the region"}),
    number<&GrainsSpec::region_radius>({.key = "region_radius",
                                        .unit = "m",
                                        .range = positive,
                                        .only = "lattice random",
                                        .from_dimension = 2,
                                        .fallback = "none",
                                        .doc = "the region is a cylinder of this radius, in 2D a circle"}),
    vector<&GrainsSpec::center>(
        {.key = "center", .unit = "m", .only = "lattice random", .from_dimension = 2, .doc = "middle of the cylinder"}),
    direction<&GrainsSpec::axis>({.key = "axis",
                                  .only = "lattice random",
                                  .from_dimension = 3,
                                  .fallback = "[0, 0, 1]",
                                  .doc = "direction of the cylinder's axis"}),
    number<&GrainsSpec::region_length>({.key = "region_length",
                                        .unit = "m",
                                        .range = positive,
                                        .only = "lattice random",
                                        .from_dimension = 3,
                                        .fallback = "required by a cylinder",
                                        .doc = "length of the cylinder"}),
};

constexpr Key<GrainSpec> emitter_position_keys[] = {
    vector<&GrainSpec::position>(
        {.key = "position", .unit = "m", .fallback = "required, or place", .doc = "where each grain appears"}),
};

constexpr Key<EmitterSpec> emitter_keys[] = {
    text<&EmitterSpec::name>(
        {.key = "name", .fallback = "emitter1, emitter2, ...", .doc = "by which output refers to it"}),
    {{.key = "place",
      .type = Type::choice,
      .choices = places,
      .fallback = "required, or position",
      .doc = "top: on the highest grain, touching it, with its velocity"},
     [](Reader& reader, const Value& v, EmitterSpec& to) {
       reader.choice(v);
       to.on_top = true;
     }},
    number<&EmitterSpec::first>({.key = "first", .unit = "s", .range = at_least_0, .doc = "when the first one comes"}),
    number<&EmitterSpec::every>({.key = "every",
                                 .unit = "s",
                                 .range = positive,
                                 .fallback = "required if count > 1",
                                 .doc = "time from one grain to the next"}),
    whole_number<&EmitterSpec::count>({.key = "count", .range = at_least_1, .doc = "how many grains come"}),
};

constexpr Key<Scenario> output_keys[] = {
    number<&Scenario::series_every>({.key = "series",
                                     .unit = "s",
                                     .range = at_least_0,
                                     .fallback = "a hundredth of the run",
                                     .doc = "interval of the time series"}),
    number<&Scenario::frames_every>({.key = "frames",
                                     .unit = "s",
                                     .range = at_least_0,
                                     .fallback = "never",
                                     .doc = "interval of pictures of all grains"}),
    number<&Scenario::checkpoint_every>({.key = "checkpoint",
                                         .unit = "s",
                                         .range = at_least_0,
                                         .fallback = "never",
                                         .doc = "interval of checkpoints, in simulated time"}),
};

constexpr Key<Scenario> search_keys[] = {
    number<&Scenario::skin>({.key = "skin",
                             .unit = "m",
                             .range = at_least_0,
                             .fallback = "chosen from the smallest radius",
                             .doc = "how far apart neighbours may be that are already listed"}),
};

constexpr Key<Scenario> initial_keys[] = {
    choice<&Scenario::overlap_allowed_at_start>(
        {.key = "overlap", .choices = refuse_or_allow, .doc = "more than 1 % of the radius at the start"}),
};

constexpr Key<Scenario> guards_keys[] = {
    guard({.key = "overlap", .doc = "overlaps that are large against the radius"}),
    guard({.key = "step", .doc = "time steps too long for the stiffest contact"}),
    guard({.key = "residual", .doc = "energy the ledger cannot account for"}),
    guard({.key = "finite", .doc = "numbers that are not finite"}),
};

std::vector<KeyDoc> all_keys() {
  static std::deque<std::string> texts;  // of defaults; a deque never moves them
  std::vector<KeyDoc> docs;
  const auto add = [&]<class T, std::size_t n>(string_view section, const Key<T>(&keys)[n], string_view fallback = "") {
    for (const Key<T>& key : keys) {
      KeyDoc& doc = docs.emplace_back(key.doc);
      doc.section = section;
      if (!fallback.empty()) doc.fallback = fallback;
      if (doc.fallback.empty()) doc.fallback = texts.emplace_back(key.fallback(doc, T{}));
    }
  };
  add("", top_keys);
  add("run", run_keys);
  add("space", space_keys);
  add("material", material_keys);
  add("contact", law_keys);
  add("contact", contact_keys);
  add("pair", pair_keys);
  add("pair", contact_keys, "as in [contact]");
  add("wall", wall_keys);
  add("wall.motion", motion_keys);
  add("grain", position_keys);
  add("grain", body_keys);
  add("grains", grains_keys);
  add("emitter", emitter_keys);
  add("emitter", emitter_position_keys);
  add("emitter", body_keys);
  add("output", output_keys);
  add("search", search_keys);
  add("initial", initial_keys);
  add("guards", guards_keys);
  return docs;
}

// "run" as [run], "wall" as [[wall]], "wall.motion" as [[wall]] motion; "" if there is no such section.
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

//------------------------------------------------------------------------------------------------------------ sections

void Reader::refuse_unknown(const Table& t, const std::vector<const KeyDoc*>& docs) const {
  std::vector<string_view> names;
  for (const KeyDoc* doc : docs) names.push_back(doc->key);
  for (auto&& [key, node] : t.keys) {
    const string_view name = key.str();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::vector<std::string> elsewhere;
    for (const KeyDoc& doc : scenario_keys())
      if (doc.key == name && !doc.section.empty()) elsewhere.push_back(section_title(doc.section));
    const std::string printable = cairn::quoted(name);
    refuse(place(key.source()),
           inside(t.path, printable.substr(1, printable.size() - 2)) + ": no such key; expected one of " +
               joined(names, ", ", ", ") +
               (elsewhere.empty() ? suggestion(name, names) : "; it is a key of " + joined(elsewhere, ", ", " and ")));
  }
}

void Reader::refuse_stranger(const Table& t, const KeyDoc& stranger, const Kind& kind,
                             const std::vector<const KeyDoc*>& docs) const {
  std::vector<string_view> names;
  for (const KeyDoc* doc : docs)
    if ((doc->only.empty() || has_word(doc->only, kind.word)) && doc->from_dimension <= scenario_.dimension)
      names.push_back(doc->key);
  fail(t, stranger.key,
       "does not belong to " + std::string(kind.key) + " '" + std::string(kind.word) + "'; expected only " +
           joined(names, ", ", ", "));
}

Table Reader::section(string_view name) const {
  static const toml::table none;
  const toml::node* node = root_.keys.get(name);
  if (node == nullptr) return {none, root_.blame, std::string(name)};
  return {*node->as_table(), *node, std::string(name)};
}

std::vector<Table> Reader::entries(string_view name) const {
  std::vector<Table> all;
  if (const toml::node* node = root_.keys.get(name))
    for (const toml::node& entry : *node->as_array())
      all.push_back({*entry.as_table(), entry, inside(std::string(name), std::to_string(all.size()))});
  return all;
}

Scenario Reader::read() {
  scenario_.file = name_;
  read_keys(root_, Rows{top_keys, scenario_});
  read_keys(section("run"), Rows{run_keys, scenario_});
  if (scenario_.step > scenario_.end) fail(section("run"), "step", "found more than run.end; expected a shorter step");
  space();
  materials();
  contact();
  pairs();
  walls();
  grain();
  grains();
  emitters();
  read_keys(section("output"), Rows{output_keys, scenario_});
  read_keys(section("search"), Rows{search_keys, scenario_});
  read_keys(section("initial"), Rows{initial_keys, scenario_});
  read_keys(section("guards"), Rows{guards_keys, scenario_});
  return std::move(scenario_);
}

void Reader::space() {
  const Table t = section("space");
  read_keys(t, Rows{space_keys, scenario_});
  if (scenario_.dimension > 1) return;
  if (t.keys.contains("rotation") && scenario_.rotation)
    fail(t, "rotation", "found true; expected false where space.dimension = 1, which has nothing to spin in");
  scenario_.rotation = false;
}

void Reader::materials() {
  for (const Table& t : entries("material")) {
    Material material;
    read_keys(t, Rows{material_keys, material});
    name_apart(t, scenario_.materials, material, material.name);
    scenario_.materials.push_back(material);
  }
  if (scenario_.materials.empty()) scenario_.materials.emplace_back();
}

// Of the settings in a group at most one is given; one in a [[pair]] takes the place of those of [contact].
struct Alternative {
  string_view key;
  std::optional<Real> ContactSettings::*member;
};
constexpr Alternative for_damping[] = {{"damping", &ContactSettings::damping},
                                       {"damping_per_mass", &ContactSettings::damping_per_mass},
                                       {"restitution", &ContactSettings::restitution}};
constexpr Alternative for_stiffness[] = {{"stiffness", &ContactSettings::stiffness},
                                         {"duration", &ContactSettings::duration}};
constexpr Alternative for_tangential_damping[] = {
    {"tangential_damping", &ContactSettings::tangential_damping},
    {"tangential_damping_per_mass", &ContactSettings::tangential_damping_per_mass}};
constexpr std::span<const Alternative> alternatives[] = {for_damping, for_stiffness, for_tangential_damping};

// Reads [contact], or a [[pair]] on top of what it inherits.
template <class T>
void Reader::contact_table(const Table& t, ContactSettings& to, Rows<T> others) {
  for (const std::span<const Alternative> group : alternatives) {
    string_view given;
    for (const Alternative& one : group) {
      if (!t.keys.contains(one.key)) continue;
      if (!given.empty()) fail(t, one.key, "found beside " + std::string(given) + "; expected only one of the two");
      given = one.key;
    }
    if (!given.empty())
      for (const Alternative& one : group) (to.*one.member).reset();
  }
  const auto law = [&] { return Kind{"law", scenario_.law}; };
  read_keys_of(t, law, others, Rows{contact_keys, to});
  if (scenario_.law != "linear") return;
  if (to.duration && !to.restitution)
    fail(t, "duration", "found without restitution; expected both, or stiffness in place of duration");
  if (!to.duration && !to.stiffness) missing(t, "stiffness", "a number > 0 in N/m, or restitution with duration");
}

void Reader::contact() {
  contact_table(section("contact"), scenario_.contact, Rows{law_keys, scenario_});
  if (scenario_.law != "hertz_mindlin") return;
  const std::vector<Table> tables = entries("material");
  if (tables.empty())
    fail(section("contact"), "law", "found 'hertz_mindlin' without [[material]]; expected one, with young");
  for (const Table& t : tables)
    if (!t.keys.contains("young")) missing(t, "young", "a number > 0 in Pa, which law 'hertz_mindlin' needs");
}

void Reader::pairs() {
  for (const Table& t : entries("pair")) {
    PairSettings pair;
    pair.contact = scenario_.contact;
    contact_table(t, pair.contact, Rows{pair_keys, pair});
    for (const PairSettings& other : scenario_.pairs)
      if ((other.first == pair.first && other.second == pair.second) ||
          (other.first == pair.second && other.second == pair.first))
        fail(t, "materials", "found a second [[pair]] of the same materials; expected one");
    scenario_.pairs.push_back(pair);
  }
}

void Reader::ordered(const Table& t, const Vector& low, const Vector& high) const {
  const int dimension = scenario_.dimension;
  if ((dimension > 1 && low.x >= high.x) || (dimension > 2 && low.y >= high.y) || low.z >= high.z)
    fail(t, "high", "found no room between low and high; expected high > low in every direction");
}

void Reader::motion(const Value& v, WallMotion& to) {
  table(v);
  const Table t{*v.node.as_table(), v.node, v.path};
  read_keys(t, Rows{motion_keys, to});
  if (to.rotation_rate == 0) return;
  if (scenario_.dimension == 2) to.axis = {0, 1, 0};
  if (to.axis == Vector{}) missing(t, "axis", "the direction of the axis of rotation, [x, y, z]");
}

void Reader::walls() {
  for (const Table& t : entries("wall")) {
    WallSpec wall;
    read_keys_of(
        t,
        [&] {
          return Kind{"type", shapes[static_cast<int>(wall.shape)]};
        },
        Rows{wall_keys, wall});
    name_apart(t, scenario_.walls, wall, "wall" + std::to_string(scenario_.walls.size() + 1));
    if (wall.shape == WallSpec::Shape::box) ordered(t, wall.low, wall.high);
    if (wall.shape == WallSpec::Shape::cylinder) {
      if (scenario_.dimension == 1) fail(t, "type", "found 'cylinder'; expected it only where space.dimension >= 2");
      if (scenario_.dimension == 2) wall.axis = {0, 1, 0};
      if (t.keys.contains("caps") && wall.length == 0)
        fail(t, "caps", "found without length, on an endless cylinder; expected both");
    }
    scenario_.walls.push_back(wall);
  }
}

void Reader::grain() {
  for (const Table& t : entries("grain")) {
    GrainSpec grain;
    read_keys(t, Rows{position_keys, grain}, Rows{body_keys, grain});
    scenario_.grain.push_back(grain);
  }
}

// A box from low to high, or a cylinder.
void Reader::region(const Table& t, GrainsSpec& to) const {
  const auto refuse_beside = [&](std::initializer_list<const char*> keys, const std::string& message) {
    for (const char* key : keys)
      if (t.keys.contains(key)) fail(t, key, message);
  };
  if (to.region_radius > 0) {
    refuse_beside({"low", "high"}, "found beside region_radius; expected a box or a cylinder, not both");
    if (!to.axis) to.axis = scenario_.dimension == 2 ? Vector{0, 1, 0} : Vector{0, 0, 1};
    if (scenario_.dimension == 3 && to.region_length == 0) missing(t, "region_length", "a number > 0 in m");
    return;
  }
  refuse_beside({"axis", "center", "region_length"}, "found without region_radius; expected both");
  for (const char* corner : {"low", "high"})
    if (!t.keys.contains(corner)) missing(t, corner, "a corner of the region in m, or region_radius for a cylinder");
  ordered(t, to.low, to.high);
}

void Reader::grains() {
  for (const Table& t : entries("grains")) {
    GrainsSpec grains;
    const auto kind = [&] { return Kind{"kind", kinds_of_grains[static_cast<int>(grains.kind)]}; };
    read_keys_of(t, kind, Rows{grains_keys, grains});
    if (grains.kind == GrainsSpec::Kind::data) {
      if (grains.file.empty()) fail(t, "file", "found an empty text; expected a path");
      // Beside the scenario; else where the user stands, for that is what a shell completes behind --set.
      const auto beside = std::filesystem::path(name_).parent_path() / grains.file;
      std::error_code ignored;
      if (std::filesystem::exists(beside, ignored) || !std::filesystem::exists(grains.file, ignored))
        grains.file = beside.string();
    } else {
      region(t, grains);
    }
    if (grains.kind == GrainsSpec::Kind::random && grains.count < 0) missing(t, "count", "a whole number >= 1");
    scenario_.grains.push_back(grains);
  }
}

void Reader::emitters() {
  for (const Table& t : entries("emitter")) {
    EmitterSpec emitter;
    read_keys(t, Rows{emitter_keys, emitter}, Rows{emitter_position_keys, emitter.grain},
              Rows{body_keys, emitter.grain});
    name_apart(t, scenario_.emitters, emitter, "emitter" + std::to_string(scenario_.emitters.size() + 1));
    if (!emitter.on_top && !t.keys.contains("position")) missing(t, "position", "a position in m, or place = \"top\"");
    for (const char* key : {"position", "velocity"})
      if (emitter.on_top && t.keys.contains(key)) fail(t, key, "found beside place; expected only one of the two");
    if (emitter.count > 1 && emitter.every == 0) missing(t, "every", "a number > 0 in s, as count is more than 1");
    scenario_.emitters.push_back(emitter);
  }
}

}  // namespace

std::span<const KeyDoc> scenario_keys() {
  static const std::vector<KeyDoc> keys = all_keys();
  return keys;
}

Scenario parse_scenario(string_view text, const std::string& name, std::span<const std::string> overrides) {
  constexpr string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  toml::table root = parse_toml(text, name);
  for (const std::string& change : overrides) apply(root, change);
  return Reader(root, name).read();
}

Scenario read_scenario(const std::string& path, std::span<const std::string> overrides) {
  return parse_scenario(read_file(path), path, overrides);
}

}  // namespace cairn
