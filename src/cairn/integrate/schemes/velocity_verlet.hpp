// Velocity Verlet as DEM codes write it: the dashpot sees the velocity of half a step before.
#pragma once
#include "cairn/integrate/claims.hpp"
#include "cairn/integrate/splitting.hpp"

namespace cairn::schemes {

struct VelocityVerlet {
  static constexpr Claims claims{.name = "velocity_verlet",
                                 .aliases = "leapfrog VV VelVer",
                                 .family = "splitting",
                                 .reference = "Swope, Andersen, Berens & Wilson, J. Chem. Phys. 76 (1982) 637",
                                 .guidance =
                                     "The scheme of LAMMPS and most other codes. Good on elastic contacts; first order "
                                     "with dashpots. velocity_verlet_predicted costs the same and is of second order.",
                                 .order = 2,
                                 .order_damped = 1,
                                 .order_spring = 2,
                                 .order_sliding = 2,
                                 .symplectic = true,
                                 .reversible = true};
  static constexpr Stage stages[] = {{.kick = 0.5, .drift = 1}, {.kick = 0.5}};
};

}  // namespace cairn::schemes
