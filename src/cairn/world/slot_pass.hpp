// Which contacts may exert a force. Compiled once per instruction set.
#pragma once
#include <vector>

#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

// A slot must be active in a pass at the positions of y if its contact was closed when the step began, if its grains
// are closer than `margin`, or if its spring is stretched and has to relax.
struct SlotLook {
  const State* y;
  const Particles* grains;
  const Real* grain_rows;  // of each grain, as of GrainRow; null: there are none, and arrays are asked
  PeriodicCell cell;
  const Pair* pairs;
  const Phase* phases;  // when the step began
  Real margin;          // [m] not below zero
  bool relaxes, rolls;  // whether stretched springs count, and those of rolling with them
  // Inactive slots need no look while the drifts of the fastest grain, since the list's slots were chosen, add up to
  // less than this; found anew for those that are looked at. Null: nobody knows, all are looked at, and none is
  // retired.
  float* skip_until;  // [m] of each slot
  Real path_bound;    // [m] what they add up to now
};

// Slots, ascending, that are active and need not be, and that are not and must be.
struct SlotMoves {
  std::vector<int> retire, activate;
};

// Of slots [first, middle), which are active, and [middle, last), which are not; appends to `moves`.
CAIRN_KERNEL(look_at_slots, const SlotLook& how, int first, int middle, int last, SlotMoves& moves)

}  // namespace cairn
