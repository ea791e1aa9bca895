// Keys that several laws, or several shapes of walls, declare: each is one key of the scenario file.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "cairn/scenario/key_doc.hpp"

namespace cairn {

// A law or a shape and its keys, as it alone has them.
struct KeyOwner {
  std::string_view name;
  std::vector<KeyDoc> keys;
};

// All keys of all owners in an order that follows each owner's own. Each says which owners have it, unless all do, and
// how their units and meanings differ; `word` stands before the names of owners there: "law".
std::vector<KeyDoc> shared_keys(std::span<const KeyOwner> owners, std::string_view word);

// A text that a KeyDoc may point to: it is kept until the program ends.
std::string_view kept(const std::string& text);

}  // namespace cairn
