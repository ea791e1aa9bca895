// Verlet's method on positions, in its velocity-difference form, which is the same but for round-off: x_{t+h} - x_t is
// kept over h. The velocity of the source belongs to the middle of the last two steps, one step before where it is
// used.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct Verlet {
  static constexpr Claims claims{
      .name = "verlet",
      .aliases = "VE",
      .family = "multistep",
      .reference = "Verlet, Phys. Rev. 159 (1967) 98; Kruggel-Emden et al. 2008 (14)",
      .guidance =
          "Use it to repeat studies made with it. The dashpot uses the velocity of a whole step earlier, so the "
          "stability limit falls from 2 to 1.3 at a damping ratio of 0.1.",
      .order = 2,
      .order_damped = 1,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 1,
      .symplectic = true,
      .reversible = true};
  static constexpr bool staggered = true;
  static constexpr Stage stages[] = {{.kick = 1, .drift = 1, .predict = -0.5}};
};

}  // namespace cairn::schemes
