// Scenario files: TOML, pure data in SI units, every key in one table that validates, words the errors and documents
// itself.
// Whatever is not understood is Error(Exit::bad_input, "file:line:column: key: what was found; what was expected"),
// with "--set key=value" as the place where an override is at fault. Keys are written as --set takes them:
// "grains.0.file" is the file of the first [[grains]].
#pragma once
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "cairn/run/scenario.hpp"

namespace cairn {

// Each override is "key=value": a dotted key, a TOML value; a bare word that is no TOML value is taken as text.
// Numbers index arrays: "grains.0.file=bed.data"; an array of one table needs no index: "grains.file=bed.data".
Scenario read_scenario(const std::string& path, std::span<const std::string> overrides = {});

// `name` stands for the file in errors, and files the scenario names are relative to its folder.
Scenario parse_scenario(std::string_view text, const std::string& name, std::span<const std::string> overrides = {});

// What may be written behind a key.
struct KeyDoc {
  enum class Type {
    number,
    whole_number,
    flag,  // true or false
    text,
    choice,    // one of `choices`
    names,     // of two materials
    vector,    // 1D: [z] or z; 2D: [x, z]; 3D: [x, y, z]
    spin,      // 2D: a number, right-handed about +y (which turns z towards x); 3D: [x, y, z]
    interval,  // [low, high]
    table,     // [section], or { key = value }
    tables     // [[section]]
  };
  struct Range {  // of numbers; never NaN or infinite
    Real low = -std::numeric_limits<Real>::infinity(), high = std::numeric_limits<Real>::infinity();
    bool low_allowed = true, high_allowed = true;  // the bounds themselves

    bool contains(Real a) const { return (low_allowed ? low <= a : low < a) && (high_allowed ? a <= high : a < high); }
  };

  std::string_view section{};  // "run", "wall", "wall.motion"; "": top of the file
  std::string_view key{};
  Type type{};
  std::string_view unit{};  // "": none
  Range range{};
  std::span<const std::string_view> choices{};
  std::string_view only{};      // for these kinds of wall, grains or contact law, separated by blanks; "": for all
  int from_dimension = 1;       // does not exist in fewer
  std::string_view fallback{};  // what holds where the key is absent; or "required"
  std::string_view doc{};

  bool required() const { return fallback == "required"; }
};

// Every key there is, section by section.
std::span<const KeyDoc> scenario_keys();

}  // namespace cairn
