// What may be written behind a key of a scenario file: one row of the table that validates, words the errors, makes
// the JSON Schema and the documentation.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cairn/core/number_range.hpp"

namespace cairn {

struct KeyDoc {
  enum class Type {
    number,
    whole_number,
    flag,  // true or false
    text,
    choice,     // one of `choices`
    some,       // [any of `choices`, ...], each once
    scheme,     // by any of its names (run/registry.hpp)
    names,      // of two materials
    name_list,  // of materials
    vector,     // 1D: [z] or z; 2D: [x, z]; 3D: [x, y, z]
    spin,       // 2D: a number, right-handed about +y (which turns z towards x); 3D: [x, y, z]
    interval,   // [low, high]
    numbers,    // [a, b, ...]
    table,      // [section], or { key = value }
    tables,     // [[section]]
    changes     // of a section: { key = value } of keys that may change, or { name = { key = value } }
  };
  using Range = NumberRange;

  std::string_view section{};  // "run", "wall", "wall.motion"; "": top of the file
  std::string_view key{};
  Type type{};
  std::string_view unit{};  // "": none
  Range range{};
  std::span<const std::string_view> choices{};
  std::string_view word{};          // of numbers: allowed in their place
  std::string_view only{};          // for these kinds of wall, grains or contact law, separated by blanks; "": for all
  int from_dimension = 1;           // does not exist in fewer
  std::string_view alternatives{};  // of all keys with the same text here at most one is given
  std::string_view fallback{};      // what holds where the key is absent; or "required"
  std::string_view doc{};
  bool may_change = false;  // while a run goes on, by [[change]]

  bool required() const { return fallback == "required"; }
  bool belongs_to(std::string_view kind) const {
    return only.empty() || (" " + std::string(only) + " ").find(" " + std::string(kind) + " ") != std::string::npos;
  }
};

// "contact" as [contact], "wall" as [[wall]], "wall.motion" as [[wall]] motion; "" if there is no such section.
std::string section_title(std::string_view section);

// Every key there is, section by section.
std::span<const KeyDoc> scenario_keys();

}  // namespace cairn
