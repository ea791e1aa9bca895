// The splitting engine: a scheme is a table of stages, kick then drift. The force is found wherever a kick follows a
// drift; the engine, not the scheme, decides when.
#pragma once
#include <span>

#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/system.hpp"

namespace cairn {

struct Stage {
  Real kick = 0, drift = 0;  // [steps]
  Real predict = 0;          // [steps] the force after the drift is asked for at v + predict h a_old
};

// A staggered scheme keeps its velocities half a step behind its positions: v_{-1/2} = v_0 - (h/2) a_0.
template <System S>
void splitting_step(S& s, std::span<const Stage> stages, bool staggered, Along along, Real h) {
  s.along(along);
  if (staggered && s.steps() == 0) s.kick(-0.5 * h);
  std::size_t last_drift = 0;
  for (std::size_t k = 0; k < stages.size(); ++k)
    if (stages[k].drift != 0) last_drift = k;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    s.kick_drift(stages[k].kick * h, stages[k].drift * h);
    const bool kick_follows = stages[(k + 1) % stages.size()].kick != 0;
    if (stages[k].drift != 0 && kick_follows) s.force(stages[k].predict * h, k == last_drift ? At::end : At::stage);
  }
  s.commit(h);
}

}  // namespace cairn
