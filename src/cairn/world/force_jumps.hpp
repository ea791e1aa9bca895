// The forces that come and go with contacts when a step is done: those of contacts that have ended leave the
// accelerations of their two bodies, those of contacts that have begun join them.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "cairn/world/event_contact.hpp"
#include "cairn/world/event_parts.hpp"

namespace cairn {

// The forces of some contacts, asked for again, some at a time. It counts the powers and energies of those that this
// rank counts.
class AskedForces {
 public:
  // Those of the present state, but at its velocities as they were so long ago [s] by the present accelerations.
  static AskedForces of_present(const EventParts& w, std::span<const EventContact> events, Real ago = 0);
  // Those of the present state; springs return to their limits, and the rates of springs are found where current_rate
  // is a whole rate.
  static AskedForces final_ones(const EventParts& w, std::span<const EventContact> events);

  // A loop in which f(k) finds each share of them, in any order.
  template <class F>
  auto each_share(const F& f) const {
    return EachIndex{std::ssize(shares_), f, [this](std::ptrdiff_t k) { fetch_share(k); }, contacts_at_once};
  }
  void find_share(std::ptrdiff_t k, PartialSums& counted);
  // Contacts [first, second) of contacts() are those of a share. Their rows are those that are found here.
  std::array<int, 2> share(std::ptrdiff_t k) const { return {shares_[k].begin, shares_[k].end}; }
  std::span<const EventContact> contacts() const { return contacts_; }

 private:
  enum Kind { between_grains, at_walls, counted_elsewhere, kinds };  // elsewhere: by another rank
  struct Share {
    Kind kind;
    int begin, end;
  };
  static constexpr int contacts_at_once = 16;
  AskedForces(const EventParts& w, std::span<const EventContact> events, const ContactPass& pass);
  void fetch_share(std::ptrdiff_t k) const;  // the grains of its contacts

  const EventParts& parts_;
  ContactPass pass_;
  std::vector<EventContact> contacts_;
  std::vector<int> slots_;  // of them
  std::vector<Real> rows_;
  std::vector<Share> shares_;
};

// Adds the forces of some contacts, `times` 1 or -1, to the accelerations of own grains and loaded walls, to those of a
// grain in the order of its contacts. Velocities are `lag` [s] behind positions: what they then gain is kinetic energy.
class ForceJump {
 public:
  // The rows may be found later. Where ranks share grains it appends to `changed` those of these contacts.
  ForceJump(const EventParts& w, std::span<const EventContact> contacts, Real times, Real lag,
            std::vector<int>& changed);
  // First of each contact k, in any order: to bodies that have no other event (EventContact::alone).
  void add_alone(std::ptrdiff_t k, EventFindings& found) const;
  // Then to the others.
  void add_others(EventFindings& found) const;

 private:
  struct Side {  // of a contact: its body
    int grain;
    std::int64_t place;  // among the contacts of the body
    int contact, side;
    auto operator<=>(const Side&) const = default;
  };
  void add(const Side& of, EventFindings& found) const;
  void accelerate_walls(EventFindings& found) const;

  const EventParts& parts_;
  std::span<const EventContact> contacts_;
  Real times_, lag_;
  std::vector<Side> others_;  // in the order in which they are added
};

}  // namespace cairn
