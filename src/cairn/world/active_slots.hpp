// Active slots: those whose contacts may exert a force, which are all that a force pass computes. They stand first in
// their block of the sweep, so that packs of contacts are contiguous and full. Two slots change places when a contact
// may begin or has ended: some hundred in a step, among tens of thousands. Rejected: to choose the contacts of a block
// in every pass, which took a fifth of its instructions, and packs that gather their springs; a list of active
// contacts beside the slots, which gathers too. No result depends on the order: sums over contacts are reproducible,
// and each grain sums its forces by ascending id of its partners.
#pragma once
#include <span>
#include <vector>

#include "cairn/core/prefetch.hpp"
#include "cairn/search/neighbour_list.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/world/grain_pass.hpp"
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
    Real drift;      // [s] as ContactPass has it
    bool close;      // as ContactPass has it
  };
  // Makes the slots active that a pass must compute.
  void update(const Need& need, Slots slots, const Particles& grains, const WorldSettings& settings);
  const Sweep& sweep() const { return sweep_; }  // of that pass
  // Where contacts keep their phases within a step: the slots of open contacts whose grains touch there.
  std::vector<int> touching() const;

  // The list is renewed: its slots are others.
  void forget() { sweep_ = Sweep(), sweep_threads_ = 0; }
  void skip_none(int slots) { skip_until_.assign(slots, -1), accelerations_.clear(), clock_.now = 0; }
  // Before the present state drifts for so long [s]: what is expected of the accelerations in `rate`, which have kicked
  // grains for `kicks` [s] since the drift before. And after it, whose accelerations were not as expected.
  AccelerationBounds expected(const BodyRows& rate, Real kicks, Real drift);
  void drifted(const NeighbourList& list, Real drift, std::span<const GrainScan::Accelerated> accelerated);
  // Whether what is expected allows for a kick [m/s] and a shift [m] of a grain; and for kicks since the last drift by
  // another acceleration [m/s^2] than that in `rate`. Else its slots need a look.
  bool foresees_jump(int grain, Real kick, Real shift) const;
  bool foresees_replaced(int grain, Real acceleration) const;
  void prefetch_expected(int grain) const {
    if (!accelerations_.empty()) prefetch(&accelerations_[grain]);
  }
  void look_at_slots_of(const NeighbourList& list, int grain);

 private:
  void arrange(Slots slots, const Particles& grains, const WorldSettings& settings);
  struct Exchange {
    int slot, with, by;  // so many active slots its block gains; 0: `with` becomes active in place of `slot`
  };
  struct Moves : SlotMoves {  // of blocks that a thread looks at together
    std::vector<Exchange> exchanges;
    std::vector<Sweep::Change> changes;
  };
  void find_exchanges(Moves& moves, int first_block, int last_block) const;
  void carry_out(Moves& moves, Slots slots);
  void exchange(Slots slots, int a, int b);
  template <class F>
  void each_array(Slots slots, F&& f);  // f(values) for each array with a value for each slot
  void expect(const BodyRows& rate, int grains);

  Sweep sweep_;
  int sweep_threads_ = 0;  // that it was arranged for; 0: it is not that of the present list
  std::vector<float> skip_until_;
  std::vector<float> accelerations_;  // [m/s^2] bounds of grains, as SlotLook has them; empty: not chosen yet
  SkipClock clock_;
  Real shortest_ = 0, kicks_ = 0;  // [s] of the drifts; and how many times as long as a drift its kicks were, at most
  std::vector<Moves> moves_;
};

}  // namespace cairn
