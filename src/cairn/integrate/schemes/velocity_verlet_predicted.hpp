// Velocity Verlet with the force at the predicted velocity v + (h/2) a_old: second order with dashpots at one call.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct VelocityVerletPredicted {
  static constexpr Claims claims{
      .name = "velocity_verlet_predicted",
      .family = "splitting",
      .reference = "Cairn, docs/schemes.md",
      .guidance =
          "The default: second order with dashpots, springs and sliding, with one force evaluation per step. Only very "
          "strong damping at very large steps requires velocity_verlet_implicit.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .symplectic = true,
      .reversible = true};
  static constexpr Stage stages[] = {{.kick = 0.5, .drift = 1, .predict = 0.5}, {.kick = 0.5}};
};

}  // namespace cairn::schemes
