// Limits of stability as JSON: of schemes alone, and on the contacts of a case.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cairn/run/case_stability.hpp"
#include "cairn/run/registry.hpp"

namespace cairn {

// A row for each scheme and damping ratio [-]: its limit of h omega [-], null where there is none, 0 where the scheme
// is weakly unstable. A single row stands alone.
std::string stability_limits_json(const std::vector<const SchemeEntry*>& schemes, std::span<const Real> zetas);

// `mapped`: the limits by the schemes' own maps, too. Numbers that are not finite become null.
std::string to_json(const CaseStability& of, bool mapped);

// The schemes of a case where none are named: the whole catalogue; `mapped`: the explicit ones of one force evaluation.
std::vector<const SchemeEntry*> schemes_for_case(bool mapped);

}  // namespace cairn
