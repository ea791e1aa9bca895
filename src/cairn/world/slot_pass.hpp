// Which contacts may exert a force. Compiled once per instruction set.
#pragma once
#include <vector>

#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

// The time that has passed since skip_until was last set to nothing for all slots.
struct SkipClock {
  Real now = 0;           // [s] sum of the lengths of the drifts
  Real drift = 0;         // [s] length of the longest
  bool reverses = false;  // some drifts go back: then grains that fly apart may meet, too
};

// A slot must be active in a pass at the positions of y if its contact was closed when the step began, if its grains
// touch there or touched on the drift to them, or if the pass relaxes its stretched spring. Where contacts keep their
// phases within a step an open one has neither force nor spring: its slot need not be active, wherever its grains are.
struct SlotLook {
  const State* y;
  const Particles* grains;
  bool constants;  // the radii stand in y (BodyRow)
  PeriodicCell cell;
  const Pair* pairs;
  const Phase* phases;  // when the step began
  bool sustains;        // contacts keep their phases
  Real drift;           // [s] that brought the grains here at their velocities in y, and that springs still owe
  bool relaxes;         // this pass relaxes stretched springs of open contacts
  bool rolls;           // there are springs of rolling, too
  // The pass looks at an inactive slot if `now` has reached its skip_until, and then finds skip_until anew: until then
  // the two cannot touch, by their gap and their velocities at y and the bounds below. If skip_until is null, the pass
  // looks at every inactive slot, and every active slot stays active.
  float* skip_until;  // [s] of each slot
  const float*
      accelerations;  // [m/s^2] bounds for each grain: the change of its velocity before a drift, over the drift
  SkipClock clock;
};

// Slots, the first two in ascending order.
struct SlotMoves {
  std::vector<int> retire;    // active, and need not be
  std::vector<int> activate;  // inactive, and must become active
  // Where contacts keep their phases, and skip_until is given: of open contacts whose grains touch.
  std::vector<int> touching;
};

// Slots [first, middle) are active, slots [middle, last) are inactive. Appends to `moves`.
CAIRN_KERNEL(look_at_slots, const SlotLook& how, int first, int middle, int last, SlotMoves& moves)

}  // namespace cairn
