// From a scenario to the settings of a World: materials and laws, walls.
#pragma once
#include <string>

#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

WorldSettings world_settings(const Scenario& scenario);
// Why a run of the scenario with this scheme is refused: its friction is wrong while contacts slide. Empty where it is
// not, or where nothing rubs.
std::string friction_fault(const SchemeEntry& scheme, const Scenario& scenario);
// Of the material of this name, the first if it is empty.
int material_index(const Scenario& scenario, const std::string& name);
// [m] A point of the axis about which the wall rotates, at t = 0: its own point if the scenario gives none, or the
// origin where the shape has no point.
Vector rotation_centre(const WallSpec& wall);
// a / |a|; `what` is named if a is zero.
Vector unit(const Vector& a, const std::string& what);

}  // namespace cairn
