// The energy ledger of a World: its balance, and the powers at the end of a step. The channels themselves are part of
// the State, so that every scheme integrates them with its own quadrature.
#pragma once
#include "cairn/contact/kernels/pair.hpp"
#include "cairn/state/state.hpp"
#include "cairn/world/observe.hpp"

namespace cairn {

class Ledger {
 public:
  // The balance starts at these energies.
  void open(const Energies& now) {
    initial_energy_ = now.mechanical() - now.slip_held - now.rolling_held;
    gravitational_inflow_ = 0;
  }
  Real initial_energy() const { return initial_energy_; }              // [J] E_0
  Real gravitational_inflow() const { return gravitational_inflow_; }  // [J]
  void add_gravitational_inflow(Real energy) { gravitational_inflow_ += energy; }

  // [J] where energy went, without what springs hold now.
  static LedgerChannels channels(const State& y, const Energies& now) {
    LedgerChannels b = y.ledger;
    b[Channel::slip] -= now.slip_held, b[Channel::rolling] -= now.rolling_held;
    return b;
  }
  // [J] numerical energy error: E + what left - E_0 - what came.
  Real residual(const State& y, const Energies& now) const {
    const LedgerChannels b = channels(y, now);
    return now.mechanical() + b[Channel::dashpot] + b[Channel::slip] + b[Channel::rolling] + b[Channel::clip] +
           b[Channel::onset] - initial_energy_ - b[Channel::external];
  }

  // A step ends with powers at trial springs, and then springs beyond the Coulomb limit return to it. The closing kick
  // of the step sees the powers before this return, the opening kick of the next step those after it: half of each is
  // the second-order quadrature of the energy that the return releases (docs/decisions/0004).
  void record_powers(const ContactSums& sums) { returned_ = sums.after(); }
  void record_return(const ContactSums& sums) {
    for (int c = 0; c < Channel::count; ++c) beyond_[c] = sums.power[c] - sums.after()[c];
  }
  // [W] powers of the last force, springs returned to their limits.
  const LedgerChannels& returned() const { return returned_; }
  // Adds `time` [s] of the power that springs beyond their limits had more, before they returned.
  void add_beyond(Real time, LedgerChannels& to) const {
    for (int c = 0; c < Channel::count; ++c) to[c] += time * beyond_[c];
  }

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("initial_energy", initial_energy_);
    a.value("gravitational_inflow", gravitational_inflow_);
  }

 private:
  Real initial_energy_ = 0, gravitational_inflow_ = 0;
  LedgerChannels returned_{}, beyond_{};
};

}  // namespace cairn
