// Which contacts may exist, and when to find them anew. Neighbours are listed once for many steps. The list is stale
// when grains or walls have moved so far that a contact could be missing from its slots. It is then renewed where it is
// needed, in the middle of a step too: all states, and all that is known of slots, follow. No step is redone, and no
// result depends on when this happens (docs/decisions/0001). Knows no law.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/core/parallel.hpp"
#include "cairn/domain/domain.hpp"
#include "cairn/search/neighbour_list.hpp"
#include "cairn/world/active_slots.hpp"
#include "cairn/world/bodies.hpp"
#include "cairn/world/settings.hpp"
#include "cairn/world/states.hpp"

namespace cairn {

// How fast the grains of a state are: bounds on how soon contacts may begin.
struct SpeedBounds {
  Vector common{};   // [m/s] velocity that grains share
  Real fastest = 0;  // [m/s] of a grain, relative to it
  Real closing = 0;  // [m/s] bound for two grains, or a grain and a surface
};

class ContactList {
 public:
  // Makes sure that at the positions of y no contact is missing from the slots; true if the list was renewed.
  // `displacement` [m]: a bound on that of y; `drift` [s]: one that springs have yet to follow; `step` [s]: the last;
  // `ahead` [m]: bodies that are no farther apart are listed too.
  struct Need {
    State& y;
    Real displacement = 0, drift = 0, step = 0, ahead = 0;
  };
  bool ensure(const Need& need, Bodies& bodies, States& states, const WorldSettings& settings, Domain& domain);
  // Finds neighbours anew at the present state, in any case. Grains of the ids `gone`, ascending, leave all arrays.
  void rebuild(Real step, Bodies& bodies, States& states, const WorldSettings& settings, Domain& domain,
               std::span<const std::int64_t> gone = {});
  // Lists the grains from `first_new` on, which stand behind those that are listed: beside their candidates, while
  // these last.
  void insert(int first_new, Real step, Bodies& bodies, States& states, const WorldSettings& settings, Domain& domain);
  // Chooses the slots anew among the neighbours.
  void refresh(Real step, Bodies& bodies, States& states, const WorldSettings& settings, const Domain& domain);
  // The slots that the last renewal made; empty once followed() was called.
  bool is_new(int slot) const { return old_slots_[slot] < 0; }
  void followed() { old_slots_ = std::vector<int>(); }

  const NeighbourList& neighbours() const { return neighbours_; }
  SlotFields& slots() { return slots_; }
  const SlotFields& slots() const { return slots_; }
  // Finds which contacts may exert a force in a pass; slots change their numbers. Returns sweep().
  const Sweep& find_active(const ActiveSlots::Need& need, const Bodies& bodies, States& states,
                           const WorldSettings& settings) {
    active_.update(need, {neighbours_, slots_, states}, bodies.grains(), settings);
    return sweep();
  }
  const Sweep& sweep() const { return active_.sweep(); }            // the order in which it goes through them
  std::vector<int> touching() const { return active_.touching(); }  // as ActiveSlots has them

  // [m] bound on how far the grains of the present state are from where the slots were chosen, common motion aside.
  Real present_displacement() const { return present_displacement_; }
  void add_displacement(Real by) { present_displacement_ += by; }
  // As ActiveSlots has them.
  AccelerationBounds expected(const BodyRows& rate, Real kicks, Real drift) {
    return active_.expected(rate, kicks, drift);
  }
  void drifted(Real drift, std::span<const GrainScan::Accelerated> accelerated) {
    active_.drifted(neighbours_, drift, accelerated);
  }
  bool foresees_jump(int grain, Real kick, Real shift) const { return active_.foresees_jump(grain, kick, shift); }
  bool foresees_replaced(int grain, Real acceleration) const { return active_.foresees_replaced(grain, acceleration); }
  void prefetch_expected(int grain) const { active_.prefetch_expected(grain); }
  void look_at_slots_of(int grain) { active_.look_at_slots_of(neighbours_, grain); }
  // [m] the same for any state, by a look at its positions. `before(begin, end)` is called first for each block of
  // grains, to find their positions.
  template <class Before>
  Real displacement(const State& y, const WorldSettings& settings, Before&& before);
  Real displacement(const State& y, const WorldSettings& settings) {
    return displacement(y, settings, [](std::ptrdiff_t, std::ptrdiff_t) {});
  }
  // The displacement that a combine has just found for y on its way, or else as above. It is used once.
  void cache_displacement(const State& y, Real displacement) { cached_ = {&y, displacement}; }
  void drop_cached_displacement(const State& y) {
    if (cached_.of == &y) cached_ = {};
  }
  Real cached_displacement(const State& y, const WorldSettings& settings);

  // Present positions or velocities have jumped: every slot needs a look.
  void skip_none() { active_.skip_none(neighbours_.slots()); }

  // Whether a contact whose bodies have parted is more than a candidate: within a step it may run on, or close again
  // and go on from its spring.
  bool lives(int slot, const States& states) const {
    return slots_.phase[slot] != Phase::open ||
           states.any_stretched(slot, static_cast<int>(slots_.phase.values.size()));
  }

  std::int64_t rebuilds() const { return rebuilds_; }
  std::int64_t refreshes() const { return refreshes_; }

  // Finds what a checkpoint does not save.
  void restored(const Bodies& bodies, int threads) {
    neighbours_.restored(bodies.grains(), threads);
    active_.forget();
    skip_none();
  }
  template <class Archive>
  void for_each_saved(Archive&& a) {
    neighbours_.for_each_saved(a);
    slots_.for_each_field([&](auto& field) {
      if (field.saved) a.vector(field.name, field.values);
    });
    a.value("travel", present_displacement_);
    a.value("extent", extent_);
    a.vector("walls_then", walls_then_);
    a.value("rebuilds", rebuilds_);
    a.value("refreshes", refreshes_);
  }

 private:
  struct Choice {  // how to choose neighbours and slots
    SpeedBounds speeds;
    Real skin, reach;  // [m]
  };
  void rebuild(State& y, const Choice& how, Bodies& bodies, States& states, const WorldSettings& settings,
               Domain& domain, std::span<const std::int64_t> gone);
  void rebuild_whole(State& y, const Choice& how, Bodies& bodies, States& states, const WorldSettings& settings,
                     std::span<const std::int64_t> gone);
  void rebuild_apart(State& y, const Choice& how, Bodies& bodies, States& states, const WorldSettings& settings,
                     Domain& domain);
  // `new_walls`: as of NeighbourList::refresh().
  void refresh(State& y, const Choice& how, Real displacement, const Bodies& bodies, States& states,
               const WorldSettings& settings, int new_walls = 0);
  // `follows(k, s)`: whether state k of States::for_each follows the slots.
  template <class Follows>
  void carry(const State& y, const Vector& common, States& states, const WorldSettings& settings, Follows&& follows);
  void forget_order(States& states);
  SpeedBounds speed_bounds(const State& y, const Particles& grains, const WorldSettings& settings,
                           const Domain& domain) const;
  Pose<Real> pose_when_built(const Surface& s) const;
  Real wall_displacement(const State& y, const WorldSettings& settings) const;

  NeighbourList neighbours_;
  SlotFields slots_;
  std::vector<int> old_slots_;  // of each slot during a renewal; -1: none
  ActiveSlots active_;
  Real present_displacement_ = 0;   // [m]
  std::vector<Vector> walls_then_;  // [m] displacements of loaded walls at the last rebuild
  Real extent_ = 0;                 // [m] farthest point of a grain from the origin at the last rebuild
  struct {
    const State* of = nullptr;
    Real displacement = 0;
  } cached_;
  std::vector<Real> block_displacement2_;  // [m^2]
  std::int64_t rebuilds_ = 0, refreshes_ = 0;
};

template <class Before>
Real ContactList::displacement(const State& y, const WorldSettings& settings, Before&& before) {
  const bool known = neighbours_.reference.size() == y.body.size();
  const Travel travel{&y.body, &neighbours_.reference, (y.time - neighbours_.reference_time) * neighbours_.common,
                      settings.cell};
  block_displacement2_.assign((y.body.size() + combine_block - 1) / combine_block, 0);
  for_blocks(
      settings.threads, y.body.size(), combine_block, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t b) {
        before(begin, end);
        if (known)
          farthest2(settings.simd, travel, static_cast<int>(begin), static_cast<int>(end), block_displacement2_[b]);
      });
  Real most = 0;
  for (const Real a : block_displacement2_) most = std::max(most, a);
  return known ? std::sqrt(most) : neighbours_.skin;
}

}  // namespace cairn
