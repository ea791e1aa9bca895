// Position projection: overlaps that impulses leave are taken away by moving the bodies apart, in the ratio of their
// inverse masses (Kocic 2012, (5.27) and (5.28) with the factor k_p). Velocities stay. It is no physics: the energy
// that it brings is an error, which the ledger's residual shows.
#pragma once
#include <span>

#include "cairn/core/vec3.hpp"

namespace cairn::hard {

// Where a body is, and how far it has been moved.
struct Place {
  Vector shift{};         // [m]
  Vector inverse_mass{};  // [1/kg] as Body has it
};

struct Overlap {
  int i = 0, j = 0;   // bodies
  Vector line{};      // [m] from the centre of i to that of j before the shifts; at a wall: the unit normal
  Real touching = 0;  // [m] distance of the centres at which the two touch; at a wall: the overlap before the shifts
  bool at_wall = false;
  Real factor = 0;   // [-] k_p
  Real allowed = 0;  // [m] overlap that stays
};

// All at once, each as if it were alone: both bodies move k_p times their share of the overlap.
void simultaneous_projection(std::span<Place> places, std::span<const Overlap> overlaps);

// One after the other, in the order of the overlaps and back, until none is deeper than `allowed` by `tolerance` [m],
// at most `most_sweeps` times. Returns the sweeps.
int sequential_projection(std::span<Place> places, std::span<const Overlap> overlaps, Real tolerance, int most_sweeps);

}  // namespace cairn::hard
