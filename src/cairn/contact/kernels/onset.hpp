// The contact-onset correction of contacts that began or ended in the step just done (docs/onset.md). Contacts that
// share a grain are corrected one after the other, others in packs: some fifteen evaluations of the
// law for a whole pack.
#pragma once
#include <span>

#include "cairn/contact/kernels/pair.hpp"

namespace cairn {

struct OnsetPass {
  State* y = nullptr;                   // positions are those of the step's end: bodies and springs are moved,
  const State* current_rate = nullptr;  // accelerations there, or what they are expected to be
  Real h = 0;                           // [s] the step
  Real behind = 0;                      // [s] how far velocities are behind positions, a kick by current_rate to come,
  Real lag = 0;                         // [s] and how far they will be behind when the step is done
  bool keeps_positions = false;         // contacts that have ended change velocities alone
  Real closing_kick = 0, position_offset = 0;    // [s] [s^2] as StepEnd has them
  std::span<const TrialSpring> trial_springs{};  // of contacts that have ended, as far as they are known, by slots
  std::span<State* const> memories{};  // rates that schemes remember are given the past the contact would have had;
                                       // null: left alone
  std::span<const Real> ago{};         // [s] when each belongs
};

// What a correction leaves to be booked.
struct Corrected {
  bool made = false, outside = false;  // not where the pass looked at other velocities; a body has left the cell
  LedgerChannels recorded{};           // [J]
  Real gained = 0;                     // [J] beside kinetic energy, what is booked included
  Real onset_speed = 0;                // [m/s] of a contact that began
  Vector impulse{};                    // [N s] on the grain, of a contact with a wall
};

// What a correction adds to a rate of the past.
struct CorrectedPast {
  LedgerChannels power{};     // [W]
  Vector impulse{}, force{};  // [N s] [N] on the grain, of a contact with a wall
};

// Corrects slots[k] for each of the `count` numbers k in `which`: at most contact_block slots, no two of which share a
// grain. Writes corrected[k], and to past[m + memories k] what belongs to memory m beside the grains' motion
// (onset_pass.cpp).
CAIRN_KERNEL(onset_pass, const OnsetPass&, const ContactTables&, const LawTable&, const int* slots, const int* which,
             int count, Corrected* corrected, CorrectedPast* past)

}  // namespace cairn
