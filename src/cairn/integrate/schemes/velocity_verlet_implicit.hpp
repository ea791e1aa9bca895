// Velocity Verlet whose closing kick asks for the force at the velocity it leads to.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct VelocityVerletImplicit {
  static constexpr Claims claims{
      .name = "velocity_verlet_implicit",
      .family = "splitting",
      .reference = "Cairn, docs/schemes.md",
      .guidance =
          "Second order with dashpots, and the same step limit at any damping. Use it for strongly damped contacts at "
          "large steps. Each step solves for the velocities of all grains that dashpots connect.",
      .order = 2,
      .order_damped = 2,
      .order_spring = 2,
      .order_sliding = 2,
      .force_evaluations = 2,
      .symplectic = true,
      .reversible = true,
      .implicit = true};
  static constexpr Stage stages[] = {{.kick = 0.5, .drift = 1}, {.kick = 0.5, .implicit = true}};
};

}  // namespace cairn::schemes
