// The forces that corrections of contact onsets make jump: those of all contacts of the grains that they move. With
// them the accelerations jump, of these grains and of all that they touch. Each thread has a part of the grains, mostly
// those whose forces it found in the sweep, for these stand in its cache.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cairn/world/event_parts.hpp"

namespace cairn {

class ForceJumps {
 public:
  // Each rank sums its own. All are of one instant.
  struct Sums {
    PartialSums forces;       // of those contacts
    ReproducibleSum kinetic;  // [J] of the grains, and of loaded walls
    void add(const Sums& s) { forces.add(s.forces), kinetic.add(s.kinetic); }
  };

  // Before the corrections of these slots, in a step whose velocities are so far [s] behind the positions. `copies` are
  // those of grains that other ranks correct.
  Sums find(const EventParts& w, std::span<const int> corrected, std::span<const int> copies, Real velocity_lag);
  // After the corrections, once contacts have their new phases: asks for the forces again and renews accelerations.
  Sums make(const EventParts& w, Real velocity_lag);

 private:
  struct Jump {
    int slot;
    std::array<int, 2> bodies;
    const Real *from, *to;  // rows
  };
  struct Moved {
    int grain;
    Vector x, v;               // [m] [m/s] before its correction
    Real kick = 0, shift = 0;  // [m/s] [m] by it
  };
  // The jumps of a grain are a chain.
  struct Link {
    const Jump* jump;
    int side;  // of the grain
    int next;  // -1: the last
  };
  enum Kind { counted_elsewhere, between_grains, at_walls, kinds };  // elsewhere: by another rank
  struct Part {                                                      // of a thread
    int first_block, end_block;
    std::vector<Moved> moved;
    std::vector<Jump> jumps[kinds];
    std::vector<int> slots, changed;  // of closed contacts; grains whose accelerations jump
    std::vector<Link> links;
    AlignedReals rows;
    PartialSums forces, elsewhere;  // what is counted elsewhere is thrown away
    ReproducibleSum kinetic;        // [J]
    std::vector<Real> replaced;     // [m/s^2] accelerations that these grains had

    bool has(int grain) const { return grain >= first_block * Sweep::block && grain < end_block * Sweep::block; }
  };

  template <class F>
  void each_part(F&& f);
  void collect(const EventParts& w, std::span<const int> corrected, std::span<const int> copies, Part& part) const;
  static void ask(const EventParts& w, bool final, Part& part);
  void push_walls(const EventParts& w) const;
  void renew(const EventParts& w, Part& part);
  static void compare(const EventParts& w, Part& part);
  static void add_kinetic(const EventParts& w, Real velocity_lag, Part& part);
  Sums total(const EventParts& w, Real velocity_lag) const;

  std::vector<Part> parts_;
  std::vector<char> moves_;      // which grains corrections move, within find() where ranks share grains
  std::vector<int> first_link_;  // of each grain; -1 outside of renew()
};

}  // namespace cairn
