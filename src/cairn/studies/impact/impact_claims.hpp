// What the impact study's document claims, beside what was found.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/impact/impact.hpp"

namespace cairn::studies {

struct Claim {
  int figure;                              // of the document, that shows it
  std::string claimed, measured, verdict;  // words
};

inline constexpr const char* not_measured = "not measured";  // the verdict where the run cannot judge

// The document's schemes in its words and Cairn's, and what those of Khakimov are.
std::string document_scheme_names();

std::vector<Claim> claims_of(const ImpactResult& r);
// Claims that nothing the document prints leads to; without verdict.
std::vector<Claim> not_reproducible(const ImpactResult& r);

}  // namespace cairn::studies
