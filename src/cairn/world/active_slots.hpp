// Active slots: those whose contacts may exert a force, which are all that a force pass computes. They stand first in
// their block of the sweep, so that packs of contacts are contiguous and full. Two slots change places when a contact
// may begin or has ended: some hundred in a step, among tens of thousands. Rejected: to choose the contacts of a block
// in every pass, which took a fifth of its instructions, and packs that gather their springs; a list of active
// contacts beside the slots, which gathers too. No result depends on the order: sums over contacts are reproducible,
// and each grain sums its forces by ascending id of its partners.
#pragma once
#include <vector>

#include "cairn/search/neighbour_list.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/world/settings.hpp"
#include "cairn/world/slot_pass.hpp"
#include "cairn/world/states.hpp"
#include "cairn/world/sweep.hpp"

namespace cairn {

class ActiveSlots {
 public:
  // All that is known of slots; it follows them.
  struct Slots {
    NeighbourList& list;
    SlotFields& fields;
    States& states;
  };
  struct Need {
    const State& y;  // where a pass is to be made
    bool constants;  // as SlotLook has it
    Real margin;     // [m] as ForcePass has it
    bool close;      // as ContactPass has it
  };
  // The sweep of a pass, with the slots that it must compute made active.
  const Sweep& update(const Need& need, Slots slots, const Particles& grains, const WorldSettings& settings);

  // The list is renewed: its slots are others.
  void forget() { sweep_ = Sweep(), sweep_threads_ = 0; }
  void skip_none(int slots) { skip_until_.assign(slots, -1), clock_.now = 0; }
  // The present state has drifted for so long [s]; no velocity has changed by more than `change` [m/s] since the drift
  // before, except by jumps.
  void drifted(Real drift, Real change);
  // A grain has been kicked by `kick` [m/s] and moved by `shift` [m]. If that is little, its slots need no look.
  void jumped(const NeighbourList& list, int grain, Real kick, Real shift);

 private:
  void arrange(Slots slots, const Particles& grains, int threads);
  void carry_out(SlotMoves& moves, Slots slots);
  void exchange(Slots slots, int a, int b);

  Sweep sweep_;
  int sweep_threads_ = 0;  // that it was arranged for; 0: it is not that of the present list
  std::vector<float> skip_until_;
  SkipClock clock_;
  Real largest_kick_ = 0, largest_shift_ = 0;  // [m/s] [m] of jumps since the last drift whose slots are not looked at
  std::vector<SlotMoves> moves_;               // of blocks that a thread looks at together
};

}  // namespace cairn
