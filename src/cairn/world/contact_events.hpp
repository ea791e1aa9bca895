// Contacts that begin and end: their phases, their counts, and the contact-onset correction (docs/onset.md). With the
// correction every contact keeps, within a step, the phase in which it began: an open contact has no force, and the
// force of one that presses runs on smoothly past its end. Schemes therefore see no jump. The resulting error is the
// motion of a single contact over part of one step, from or to the event. It is corrected here, when the step is done.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/integrate/system.hpp"
#include "cairn/world/force_jumps.hpp"

namespace cairn {

// Contacts that began and ended during steps; those of insertion and removal, and those that do both within one step,
// are not counted. `shortest` [steps] is of those that ended, from the step that found them to the one that found them
// gone; 0: none has ended.
struct ContactCount {
  std::int64_t begun = 0, ended = 0, shortest = 0;
};

class SharedCorrections;

class ContactEvents {
 public:
  using Parts = EventParts;

  // Gives all slots, or the new ones alone, the phase of the present state. No contact counts as begun by it.
  void find_phases(const Parts& w, bool new_slots_only);
  // At the end of a step of h [s]: gives each contact its new phase, and corrects the motion of those that began or
  // ended.
  void finish_step(const Parts& w, Real h, const StepEnd& end);

  const ContactCount& count() const { return count_; }
  void reset_count() { count_ = {}; }
  // Rank 0 counts what all ranks have found.
  void gather_count(const Domain& domain);
  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("contact_count", count_);
  }

 private:
  void update_phases(const Parts& w, std::span<const int> slots);
  std::vector<std::vector<int>> waves_of(const ContactScene& scene, std::span<const int> slots);
  struct Booked;
  void correct(const Parts& w, std::span<const int> slots, SharedCorrections* shared, Real h, const StepEnd& end,
               Booked& all);
  void book(const Parts& w, Booked& all, Real velocity_lag);

  ContactCount count_;
  ForceJumps jumps_;
  std::vector<int> corrections_;  // of grains; 0 outside of waves_of()
};

}  // namespace cairn
