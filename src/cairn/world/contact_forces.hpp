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
#include "cairn/world/states.hpp"

namespace cairn {

struct ForcePass {
  ContactPass contacts;
  Real margin = 0;          // [m] surfaces of grains farther apart than this did not touch during the drift
  State* rate = nullptr;    // where accelerations go; null: not wanted
  State* kicked = nullptr;  // state that is kicked by `kick` [s] of them, block by block on the way; null: none
  Real kick = 0;
  bool observed = false;  // whether contacts that would change their phase are recorded: at the present state only
};

// Some grains, and the rows that a pass found for their contacts (contact/kernels/pair.hpp).
struct ContactRows {
  std::vector<int> grains, first;  // the k-th has entries [first[k], first[k + 1]) of
  std::vector<int> contacts;       // as NeighbourList::contacts, without open ones, which have no force
  std::vector<Real> rows;
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

  // Slots that the last observed pass would give another phase. Taken once.
  std::vector<int> take_changed_phase();
  bool any_changed_phase() const { return any_changed_phase_; }  // on any rank
  // Where onsets are corrected: this rank's own grains of such slots that are corrected, with what the pass gave to
  // their contacts; per block of the sweep.
  std::span<const ContactRows> rows_of_changed() const { return changed_rows_; }
  bool has_changed(int grain) const { return has_changed_[grain]; }  // whether it is one of those
  // The row of a contact of a copy, after an observed pass, up to the next pass.
  const Real* row_of_copy(int slot, const WorldSettings& settings) const;
  // The springs of contacts that pressed before the last observed pass and press no more, as the drift left them. Slots
  // ascend. A pass that does not close a step finds none. Taken once.
  std::vector<TrialSpring> take_trial_springs();
  void list_renewed() { changed_phase_.clear(), trials_.clear(), any_changed_phase_ = false, slot_rows_ = nullptr; }

  static ContactTables tables(const WorldSettings& settings, const Bodies& bodies, const ContactList& list, Real* rows);
  static int row_stride(const WorldSettings& settings) { return settings.rolls() ? row_length_rolling : row_length; }

  std::int64_t passes() const { return passes_; }  // over all contacts, series included
  void count_pass() { ++passes_; }
  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("force_passes", passes_);
  }

 private:
  void find_sums(bool observed, const Domain& domain);  // of all ranks

  AlignedReals rows_;               // of contacts, in the order of the sweep
  const int* slot_rows_ = nullptr;  // where they stand, after an observed pass
  bool any_changed_phase_ = false;
  std::vector<Vector> on_loaded_walls_;
  ContactSums sums_;
  std::vector<PartialSums> partial_sums_;         // per thread
  std::vector<PartialSums> others_sums_;          // of contacts that another rank counts: to be thrown away
  std::vector<std::vector<int>> changed_phase_;   // slots, per block of contacts
  std::vector<std::vector<TrialSpring>> trials_;  // per block of contacts, too
  std::vector<char> has_changed_;                 // grains of such slots
  std::vector<ContactRows> changed_rows_;         // per block of grains
  std::int64_t passes_ = 0;
};

}  // namespace cairn
