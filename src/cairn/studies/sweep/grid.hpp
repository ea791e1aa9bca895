// The grid of a sweep: keys of a scenario with several values each, and the runs that all combinations make.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn::studies {

struct SweepKey {
  std::string key;  // "contact.friction"
  std::vector<std::string> values;
  bool swept() const { return values.size() > 1; }
};

struct SweepPoint {
  std::string name;                    // of its folder: "contact.friction=0.3,run.scheme=rk4"
  std::vector<std::string> values;     // of each key
  std::vector<std::string> overrides;  // "contact.friction=0.3", as --set takes them
};

struct SweepGrid {
  std::vector<SweepKey> keys;
  std::vector<SweepPoint> points;  // the last key changes fastest
};

// Of "KEY=A,B,..." each. Commas within quotes and brackets belong to a value. Folders are named after the keys that
// have several values. Error(bad_input) where a value is empty or stands twice.
SweepGrid sweep_grid(std::span<const std::string> settings);

// The values of a key as numbers in the unit of the key, whatever units they are written in.
struct SweepNumbers {
  std::vector<Real> values;  // none: they are words
  std::string unit = "1";
};
SweepNumbers numbers_of(const SweepKey& key);

}  // namespace cairn::studies
