// The energy that collisions should leave by the restitution of their law, to be seen beside the simulated energy
// (Hofmann, bachelor's thesis, TU Muenchen 2011, equation 13): each contact that begins with a speed of approach v
// takes m_eff v^2 (1 - e^2) / 2. This foresees spheres without friction that meet two at a time. Where contacts last,
// overlap in time or slide, the simulated energy is another one, whatever the scheme.
#pragma once
#include <span>

#include "cairn/run/contact_event_recorder.hpp"

namespace cairn {

class ExpectedLoss {
 public:
  // `begun`: the contacts that began in the step just done, of this rank. Every rank calls it.
  void add(const World& world, std::span<const BegunContact> begun);
  Real value() const { return value_; }  // [J] of all collisions so far; rank 0 has it

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.value("expected_loss", value_);
  }

 private:
  Real value_ = 0;
};

}  // namespace cairn
