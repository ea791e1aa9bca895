// Values of a scenario file, each read as its row of the schema asks for. What is not as asked throws Fault, worded for
// the person who wrote it; the reader of the file gathers faults.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/document.hpp"
#include "cairn/scenario/key_doc.hpp"

namespace cairn {

struct Fault {
  std::string message;  // "file:line:column: key: found ...; expected ..."; empty: already told
};

struct Value {
  const Node& node;
  std::string path;  // "wall.0.radius"
  const KeyDoc& doc;
};

class Values {
 public:
  int dimension = 3;
  std::vector<std::string> materials;  // the names there are

  Real number(const Value& v) const;   // in the unit of its row; a text may carry a unit of its own
  bool is_word(const Value& v) const;  // that the row allows in place of a number
  std::int64_t whole_number(const Value& v) const;
  bool flag(const Value& v) const;
  std::string text(const Value& v) const;
  std::size_t choice(const Value& v) const;             // its place among the choices
  std::vector<std::size_t> some(const Value& v) const;  // their places
  std::string word(const Value& v) const { return std::string(v.doc.choices[choice(v)]); }
  std::string scheme(const Value& v) const;  // its full name, whichever of its names stands there
  Vector vector(const Value& v) const;
  Vector direction(const Value& v) const;  // not zero
  Vector spin(const Value& v) const;
  std::array<Real, 2> interval(const Value& v) const;  // low < high
  std::vector<Real> numbers(const Value& v) const;
  std::string material(const Value& v) const;
  std::array<std::string, 2> two_materials(const Value& v) const;
  std::vector<std::string> material_list(const Value& v) const;
  void table(const Value& v) const;
  void tables(const Value& v) const;

  std::string expected(const KeyDoc& doc) const;

 private:
  [[noreturn]] void wrong(const Value& v, const std::string& suggestion = "") const;
  std::array<Real, 3> components(const Value& v, int count) const;
  std::string known_material(const Node& node, const std::string& path, const Value& v) const;
};

[[noreturn]] void fail(const Node& node, const std::string& path, const std::string& message);
[[noreturn]] inline void fail(const Value& v, const std::string& message) {
  fail(v.node, v.path, message);
}

// 'a', 'b' or 'c'.
std::string quoted_list(std::span<const std::string_view> words);

}  // namespace cairn
