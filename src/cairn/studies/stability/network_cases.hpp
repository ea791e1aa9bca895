// Contact networks on which the limits of steps are judged: a damped pair, a column at rest, and a settled packing of
// unequal grains with friction.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cairn/run/case_stability.hpp"
#include "cairn/studies/schemes.hpp"

namespace cairn::studies {

struct NetworkCase {
  std::string name;
  std::unique_ptr<Simulation> at_rest;
};

NetworkCase damped_pair();
NetworkCase closed_column();    // the 50 grains of the statics study, without dashpots
NetworkCase settled_packing();  // grains 1:5 in a box with friction and e = 0.3, after 0.3 s; takes seconds

// Those with one force evaluation per step and a limit without damping, for which the limit by the eigenvalues of the
// network is proven.
Selection schemes_with_proven_limit(const Selection& schemes);

}  // namespace cairn::studies
