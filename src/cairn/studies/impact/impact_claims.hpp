// The claims of the paper that the impact study repeats, beside the measured values.
#pragma once
#include <string>
#include <vector>

#include "cairn/studies/impact/impact.hpp"

namespace cairn::studies {

struct Claim {
  int figure;                              // of the paper, which shows it
  std::string claimed, measured, verdict;  // words
};

inline constexpr const char* not_measured = "not measured";  // the verdict where the run cannot judge

// The names of the schemes in the paper and in Cairn, and how Khakimov's schemes differ.
std::string document_scheme_names();

std::vector<Claim> claims_of(const ImpactResult& r);
// Claims that cannot be derived from the equations the paper prints; without verdict.
std::vector<Claim> not_reproducible(const ImpactResult& r);

}  // namespace cairn::studies
