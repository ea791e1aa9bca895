// Explicit Euler: everything moves by its rate at the start of the step.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/runge_kutta.hpp"

namespace cairn::schemes {

struct ForwardEuler {
  static constexpr Claims claims{.name = "forward_euler",
                                 .aliases = "FE",
                                 .family = "one-step",
                                 .reference = "Euler 1768; Kruggel-Emden et al. 2008 (5)",
                                 .guidance =
                                     "Use it only as a bad example: it adds energy to every contact, and without "
                                     "damping it is unstable at any step.",
                                 .order = 1,
                                 .order_damped = 1,
                                 .order_spring = 1,
                                 .order_sliding = 1,
                                 .force_evaluations = 1};
  static constexpr Tableau<1> tableau{.a = {}, .b = {1}};
};

}  // namespace cairn::schemes
