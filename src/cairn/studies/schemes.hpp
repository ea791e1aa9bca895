// The selection of schemes that a study runs.
#pragma once
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"

namespace cairn::studies {

using Selection = std::vector<const SchemeEntry*>;

// The schemes of a list such as "rk4,newmark(0.25,0.5)", in the order of the catalogue; one scheme with several numbers
// in the order given. Empty: the whole catalogue. Error(bad_input) for an unknown name.
Selection select_schemes(const std::string& names);

// [force calls] Approximate cost of a step with few grains. The cost of a series grows with the square of the number of
// its terms; Newton's method needs derivatives.
Real guess_of_step(const SchemeEntry& scheme);

// Groups the selection by family, in the order of first appearance. A family of more than `most` schemes is split,
// because a figure can show no more.
struct Family {
  std::string name;  // "splitting", or "splitting, 2 of 3"
  std::string slug;  // "splitting_2", of files
  Selection schemes;
};
std::vector<Family> by_family(const Selection& selection, std::size_t most = 8);

}  // namespace cairn::studies
