// What a scheme claims of itself. One table-driven test measures every claim of every scheme; a claim the test
// contradicts is not shipped.
#pragma once
#include <string_view>

#include "cairn/core/vec3.hpp"

namespace cairn {

struct Claims {
  std::string_view name{};
  std::string_view also{};  // other names it is known by, separated by spaces; accepted wherever a name is
  std::string_view family{};
  std::string_view reference{};
  std::string_view equations{};  // of a step, one per line; empty where the scheme's table says it
  std::string_view use{};        // when to use it, and when not
  int order = 1;                 // on a smooth conservative force
  int order_damped = 1;          // with a dashpot
  int order_spring = 1;          // with a tangential spring whose direction turns
  int order_sliding = 1;         // while it slides and the direction of slip turns; 1 for schemes that see the
                                 // spring only where it has returned to the limit, or that reach back before the step
  int calls = 1;                 // force evaluations per step; adaptive: per attempt
  int memory = 0;                // states kept from step to step
  bool symplectic = false;       // the energy of a smooth conservative motion stays bounded
  bool reversible = false;  // on a conservative force a step, the velocities turned round, and a step lead back, but
                            // for round-off
  bool adaptive = false;
  bool implicit = false;  // solves for what it asks the force with; calls are then those without a dashpot
  Real reach = 0;         // largest excursion of a stage outside the step, in steps
};

}  // namespace cairn
