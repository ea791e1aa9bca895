// Contacts that begin and end: their phases, their counts, and the contact-onset correction (docs/onset.md). With the
// correction every contact keeps, within a step, the phase in which it began: an open contact has no force, and the
// force of one that presses runs on smoothly past its end. Schemes therefore see no jump. The resulting error is the
// motion of a single contact over part of one step, from or to the event. It is corrected here. Where contacts have
// begun is known as soon as positions are those of the step's end, so the bodies are moved before the last force is
// asked for, and no force has to be asked for again. Where contacts have ended is known from that force. Schemes of
// several forces a step have both corrected at the end (docs/decisions/0034).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/contact/kernels/onset.hpp"
#include "cairn/integrate/system.hpp"
#include "cairn/state/ledger_sums.hpp"
#include "cairn/world/event_parts.hpp"
#include "cairn/world/shared_corrections.hpp"

namespace cairn {

// Contacts that began and ended during steps; those of insertion and removal, and those that do both within one step,
// are not counted. `shortest` [steps] is of those that ended, from the step that found them to the one that found them
// gone; 0: none has ended.
struct ContactCount {
  std::int64_t begun = 0, ended = 0, shortest = 0;
};

class ContactEvents {
 public:
  using Parts = EventParts;

  // Gives all slots, or the new ones alone, the phase of the present state. No contact counts as begun by it.
  void find_phases(const Parts& w, bool new_slots_only);
  // In a step of h [s], once positions are those of its end and before the last force, which is to be asked for where
  // they are: corrects the motion of contacts that have begun. They have no force in this step. Velocities are `behind`
  // [s] behind positions. Slots then keep their numbers up to finish_step().
  void begin_contacts(const Parts& w, Real h, Real behind, const StepEnd& end);
  bool slots_are_fixed() const { return slots_are_fixed_; }
  bool has_begun() const { return !begun_.slots.empty(); }
  // When the step is done: gives each contact its new phase, and corrects the motion of those that have ended, and of
  // those that have begun where begin_contacts() was not called. `keeps_forces`: the accelerations of this step are
  // used in the next one. Then bodies stay where they are, for these forces would no longer keep the angular momentum,
  // or the forces of all their contacts are asked for again.
  void finish_step(const Parts& w, Real h, const StepEnd& end, bool keeps_forces);

  const ContactCount& count() const { return count_; }
  void reset_count() { count_ = {}; }
  // Rank 0 counts what all ranks have found.
  void gather_count(const Domain& domain);
  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("contact_count", count_);
  }

 private:
  // Corrections, and how they have moved bodies.
  struct Motion {
    struct Moved {
      int grain;
      Vector x, v, w;  // [m] [m/s] [rad/s]
    };
    std::vector<int> slots;  // of contacts that are corrected
    std::vector<Moved> moved;
    std::vector<Vector> walls;  // [m/s] loaded ones
  };
  // What corrections and ended contacts add to the ledger. A rank sums its own contacts; the domain then adds up the
  // ranks.
  struct Booked {
    LedgerSums recorded;
    ReproducibleSum gained;     // [J] what is recorded included; what is not, the channel `onset` takes away
    ReproducibleSum left;       // [J] in rolling springs of contacts that have ended
    PartialSums before, after;  // of the forces that leave the accelerations, and of those that join them
    void add(const Booked& b) {
      recorded.add(b.recorded), gained.add(b.gained), left.add(b.left), before.add(b.before), after.add(b.after);
    }
  };

  void update_phases(const Parts& w, std::span<const int> slots);
  void relax_ended(const Parts& w, std::span<const int> slots);
  void restore_springs(const Parts& w, std::span<const int> begun);
  std::vector<std::vector<int>> waves_of(const ContactScene& scene, std::span<const int> slots);
  // Of shared corrections where ranks share grains; else null.
  Motion correct(const Parts& w, std::span<const int> slots, SharedCorrections* shared, OnsetPass pass);
  std::unique_ptr<SharedCorrections> share(const Parts& w, std::span<const int> slots);
  std::vector<int> grains_of(const Parts& w, std::span<const int> slots, const SharedCorrections* shared);
  void book_kinetic(const Parts& w, const Motion& of, Real velocity_lag);
  void book_work(const Parts& w, const Motion& of);
  void book(const Parts& w, Real velocity_lag);

  ContactCount count_;
  bool slots_are_fixed_ = false;
  Motion begun_;                     // in this step
  std::vector<Real> begun_springs_;  // [m] of its slots, all rows of each
  Booked booked_;                    // likewise
  std::vector<int> corrections_;     // of grains; 0 between calls
  std::vector<int> numbers_;         // of grains, for shared corrections
};

}  // namespace cairn
