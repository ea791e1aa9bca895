// Bounds on the largest eigenvalues of a contact network, M^-1 K [1/s^2] and M^-1 C [1/s], translations and rotations
// included, contacts sticking and dashpots not cut (docs/decisions/0017).
#pragma once
#include <span>

#include "cairn/world/world.hpp"

namespace cairn {

struct NetworkRates {
  Real stiffness = 0, damping = 0;  // [1/s^2] [1/s]
  int grain = -1;                   // row of that where it is decided; -1: there are no contacts
};

// Never below the eigenvalues: by rows, a row a grain, the least of three weights each.
NetworkRates upper_bounds(const Particles& grains, std::span<const LiveContact> contacts);

// Never above them: Rayleigh quotients, both of one motion of the grains, which power iterations drive to the largest
// stiffness / stiffness_unit + damping / damping_unit.
NetworkRates rayleigh_quotients(const Particles& grains, std::span<const LiveContact> contacts, Real stiffness_unit,
                                Real damping_unit);

}  // namespace cairn
