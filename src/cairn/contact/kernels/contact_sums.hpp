// Sums of a pass over contacts: powers and energies; and its deepest contact.
#pragma once
#include "cairn/state/ledger_sums.hpp"
#include "cairn/state/slots.hpp"

namespace cairn {

inline constexpr Real shallow_depth = 0.01;  // [-] overlaps over the smaller radius up to this interest no guard

struct ContactSums {
  LedgerChannels power{};  // [W] at the state asked for
  Real slip_cut = 0;       // [W] its slip after springs beyond the Coulomb limit have returned to the limit
  Real released = 0;       // [J] energy of those springs
  Real rolling_cut = 0, rolling_released = 0;  // of the springs of rolling
  Real deepest = 0;                            // [-] largest overlap over the smaller radius
  BodyIds deepest_ids = no_bodies;

  LedgerChannels after() const {  // [W] then
    LedgerChannels ledger = power;
    ledger[Channel::slip] = slip_cut, ledger[Channel::rolling] = rolling_cut;
    return ledger;
  }
  void record_released(LedgerChannels& ledger) const {
    ledger[Channel::slip] += released, ledger[Channel::rolling] += rolling_released;
  }
};

// The same of a part of the contacts: put together, parts have the sums of all, bit for bit, whatever the parts. Each
// thread has one, on cache lines of its own.
struct alignas(64) PartialSums {
  static constexpr int folds = 2;  // an error of at most 2^-52 of the largest power or energy of a contact

  LedgerSums power{folds};
  ReproducibleSum slip_cut{folds}, released{folds}, rolling_cut{folds}, rolling_released{folds};
  Real deepest = 0;
  BodyIds deepest_ids = no_bodies;

  void record_depth(Real depth, const BodyIds& ids);
  void add(const PartialSums& b);
  ContactSums total() const;
};

}  // namespace cairn
