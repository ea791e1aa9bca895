// How large the residual of the ledger is beside the energy that a run has exchanged.
#pragma once
#include "cairn/world/world.hpp"

namespace cairn {

class EnergyBalance {
 public:
  void begin(const World& world) { first_gravitational_ = world.energies().gravitational; }
  void measure(const World& world);            // velocities at the time of the positions
  Real residual() const { return residual_; }  // [J] when it was measured last
  // [J] what the residual is measured against: the largest kinetic energy, beside walls that move, elastic and
  // gravitational energy exchanged so far, and what was dissipated or came from outside; the same wherever the origin
  // is.
  Real throughput(const World& world) const;

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("residual", residual_);
    a.value("exchanged", exchanged_);
    a.value("first_gravitational", first_gravitational_);
  }

 private:
  Real residual_ = 0, exchanged_ = 0, first_gravitational_ = 0;  // [J]
};

}  // namespace cairn
