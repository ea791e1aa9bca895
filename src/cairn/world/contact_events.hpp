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

#include "cairn/integrate/system.hpp"
#include "cairn/world/corrections.hpp"
#include "cairn/world/event_groups.hpp"

namespace cairn {

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
  bool has_begun() const { return !begun_.empty(); }
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
  struct End {  // of a step
    const StepEnd& end;
    OnsetPass pass;
    std::span<const Corrections::Moved> copies;  // moved when contacts began
    std::span<const Vector> pushed;              // [m/s] loaded walls then
    bool early, keeps_forces;
    std::vector<int>& accelerated;  // grains of these contacts, where ranks share grains
  };
  std::vector<EventContact> events_of(const Parts& w, std::span<const int> slots, EventKind kind);
  // begin() corrects a group of contacts that have begun: begun_[first, last). finish() does all the work that a group
  // of events needs when the step is done.
  void begin(const Parts& w, int first, int last, const OnsetPass& pass);
  void finish(const Parts& w, std::span<const EventContact> events, const End& of);
  auto update(const Parts& w, std::span<const EventContact> events) {  // a loop that gives each of them its new phase
    return EachIndex{std::ssize(events), [this, &w, events](std::ptrdiff_t k) { update_phase(w, events[k].slot); }};
  }
  void update_phase(const Parts& w, int slot);
  void relax_ended(const Parts& w, int slot);
  void restore_spring(const Parts& w, const EventContact& begun);
  std::unique_ptr<SharedCorrections> share(const Parts& w, std::span<const EventContact> events);  // null in one rank
  // Lets the forces of these contacts leave or join the accelerations (ForceJump), with other loops at the same time.
  template <class... Loops>
  void jump(const Parts& w, std::span<const EventContact> contacts, Real times, Real lag, std::vector<int>& accelerated,
            const Loops&... beside);
  void finish_moved(const Parts& w, Corrections::Moved& of);
  void book_kinetic(const Parts& w, const Corrections::Moved& of, Real velocity_lag);
  void book_work(const Parts& w, const Corrections::Moved& of);
  void book_walls(const Parts& w, std::span<const Vector> pushed, Real velocity_lag);
  void take_findings(const Parts& w);
  void book_past(const Parts& w);
  void book(const Parts& w, Real velocity_lag);

  ContactCount count_;
  bool slots_are_fixed_ = false;
  // From begin_contacts() to finish_step(): the contacts that have begun in this step, and what their corrections have
  // changed: the contacts themselves, copies of other ranks' grains, and loaded walls.
  std::vector<EventContact> begun_;
  std::vector<Corrections::OfContact> begun_corrections_;
  std::vector<Corrections::Moved> moved_copies_;
  std::vector<Vector> pushed_walls_;  // [m/s]
  std::vector<Real> begun_springs_;   // [m] all rows of each
  EventSums booked_;                  // in this step
  Findings found_;                    // by loops
};

}  // namespace cairn
