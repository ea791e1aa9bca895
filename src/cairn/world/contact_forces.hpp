// The forces of all contacts, and with them the accelerations of the grains: one sweep over the contact list.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/slab.hpp"
#include "cairn/world/bodies.hpp"
#include "cairn/world/contact_list.hpp"
#include "cairn/world/contact_scene.hpp"
#include "cairn/world/event_contact.hpp"
#include "cairn/world/states.hpp"

namespace cairn {

struct ForcePass {
  ContactPass contacts;
  State* rate = nullptr;    // where accelerations go; null: not wanted
  State* kicked = nullptr;  // state that is kicked by `kick` [s] of them, block by block on the way; null: none
  Real kick = 0;
  bool observed = false;      // whether contacts that would change their phase are recorded: at the present state only
  bool active_known = false;  // which slots are active is known, and they are to stay where they are
  bool has_begun = false;     // contacts of this rank have begun in this step
};

class ContactForces {
 public:
  // Sums of blocks are added in order, those of walls last. A row that goes up the list is read while it is in the
  // cache (sweep.hpp).
  // Of contacts between ranks the lower rank counts what it finds; sums are those of all ranks.
  void pass(const ForcePass& what, const WorldSettings& settings, Bodies& bodies, ContactList& list, States& states,
            Domain& domain);
  const ContactSums& sums() const { return sums_; }  // of the last pass
  void add_power(const LedgerChannels& power) {      // [W] of forces that are no contacts
    for (int c = 0; c < Channel::count; ++c) sums_.power[c] += power[c];
    sums_.slip_cut += power[Channel::slip], sums_.rolling_cut += power[Channel::rolling];
  }
  // [N] of all grains on each loaded wall, as the last pass found it.
  std::span<const Vector> on_loaded_walls() const { return on_loaded_walls_; }

  // Appends to `events` the contacts that the last observed pass would give another phase; where onsets are corrected
  // without those that were open, and with rows, which last until the next pass. Taken once.
  void take_changed_phase(std::vector<EventContact>& events);
  // On any rank, those that have begun included (ForcePass).
  bool any_changed_phase() const { return any_changed_phase_; }
  // The springs of contacts that pressed before the last observed pass and press no more, as the drift left them. Slots
  // ascend. A pass that does not close a step finds none. Taken once.
  std::vector<TrialSpring> take_trial_springs();
  void list_renewed() {
    changed_.clear(), changed_rows_.clear(), trials_.clear();
    any_changed_phase_ = false;
  }

  static ContactTables tables(const WorldSettings& settings, const Bodies& bodies, const ContactList& list, Real* rows);

  std::int64_t passes() const { return passes_; }  // over all contacts, series included
  void count_pass() { ++passes_; }
  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("force_passes", passes_);
  }

 private:
  void find_sums(const ForcePass& what, const Domain& domain);  // of all ranks

  AlignedReals rows_;  // of contacts, in the order of the sweep
  bool any_changed_phase_ = false;
  std::vector<Vector> on_loaded_walls_;
  ContactSums sums_;
  std::vector<PartialSums> partial_sums_;           // per thread
  std::vector<PartialSums> others_sums_;            // of contacts that another rank counts: to be thrown away
  std::vector<std::vector<int>> changed_slots_;     // per thread, of a block of contacts
  std::vector<std::vector<EventContact>> changed_;  // per block of contacts
  std::vector<std::vector<Real>> changed_rows_;     // their rows
  std::vector<std::vector<TrialSpring>> trials_;    // per block of contacts, too
  std::int64_t passes_ = 0;
};

}  // namespace cairn
