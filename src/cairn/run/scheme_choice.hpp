// The scheme of a scenario that names none.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

// In the order of preference: the error per cost of a resolved collision first, the limits with strong dashpots last.
inline constexpr std::array<std::string_view, 3> default_schemes{
    "velocity_verlet_extrapolated", "velocity_verlet_predicted", "velocity_verlet_implicit"};

// In place of a scheme's name: the program chooses at the start.
inline constexpr std::string_view chosen_by_case = "auto";
// Before it has chosen, the scheme it prefers.
const SchemeEntry& presumed_scheme(const std::string& name);
// A scenario with a hard law that names no scheme takes that of the law.
void choose_hard_scheme(Scenario& scenario);
// The first setting of a scenario that does not suit its hard law or its scheme of hard contacts.
struct SectionFault {
  std::string_view section;
  ParameterFault fault;
};
std::optional<SectionFault> hard_contact_fault(const Scenario& scenario);
// Error(bad_input) where a command needs the stiffness or the duration of contacts, which hard laws do not have.
void require_soft_law(const std::string& law, const std::string& command);

struct SchemeChoice {
  const SchemeEntry* scheme;
  std::string reason;  // why not the one before it in the order; empty for the first
};

// The first default scheme that run.step leaves stable on the first touch of each pair of materials and on the contacts
// of the world, the first of all also on the packings that are foretold; the last where none is. The world has its
// grains and has begun; `expected` are grains that come later.
SchemeChoice choose_scheme(const Scenario& scenario, const World& world, const std::vector<GrainData>& expected);

}  // namespace cairn
