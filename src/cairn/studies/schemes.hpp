// The schemes a study is of.
#pragma once
#include <string>
#include <vector>

#include "cairn/run/registry.hpp"

namespace cairn::studies {

using Selection = std::vector<const SchemeEntry*>;

// "rk4,newmark(0.25,0.5)", in the order of the catalogue, one scheme with several numbers in the order given; empty:
// all of it. Error(bad_input) for a name it has not.
Selection select_schemes(const std::string& names);

// [force calls] About what a step costs where there are few grains: series grow with the square of their terms, and
// Newton's method asks for derivatives.
Real guess_of_step(const SchemeEntry& scheme);

// The selection by families, in the order of their first, none longer than `most`: what one figure can show.
struct Family {
  std::string name;  // "splitting", or "splitting, 2 of 3"
  std::string slug;  // "splitting_2", of files
  Selection schemes;
};
std::vector<Family> by_family(const Selection& selection, std::size_t most = 8);

}  // namespace cairn::studies
