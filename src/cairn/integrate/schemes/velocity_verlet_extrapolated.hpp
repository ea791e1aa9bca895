// Velocity Verlet with the force at the predicted velocity v + (h/2) (2 a_n - a_{n-1}).
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct VelocityVerletExtrapolated {
  static constexpr Claims claims{
      .name = "velocity_verlet_extrapolated",
      .family = "splitting",
      .reference = "Cairn, docs/schemes.md",
      .guidance =
          "The default where its limit allows the step: second order with dashpots, springs and sliding, with one "
          "force "
          "evaluation per step, and the restitution of 20 steps per contact as exact as that of 100 with "
          "velocity_verlet_predicted. Strong damping shortens its largest step; take velocity_verlet_predicted then.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .memory = 1,
      .symplectic = true,
      .reversible = true};
  static constexpr Stage stages[] = {{.kick = 0.5, .drift = 1, .predict = 0.5, .extrapolate = true}, {.kick = 0.5}};
};

}  // namespace cairn::schemes
