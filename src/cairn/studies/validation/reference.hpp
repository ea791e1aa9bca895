// References for impacts of spheres, apart from the engine: Hertz's closed form, and the collision of two round bodies
// in a plane, integrated mode by mode. They share no code with the laws and schemes they are compared with.
#pragma once
#include "cairn/core/vec3.hpp"

namespace cairn::studies {

// An isotropic solid.
struct Solid {
  Real young = 0, poisson = 0;  // [Pa] [-]
  Real density = 0;             // [kg/m^3]
};

// Moduli E* and G* of a pair of solids (Johnson, Contact Mechanics, 1985).
struct PairModuli {
  Real young = 0, shear = 0;  // [Pa]
};
PairModuli moduli_of(const Solid& a, const Solid& b);

// An elastic head-on impact after Hertz (J. reine angew. Math. 92 (1881) 156).
struct HertzImpact {
  Real speed = 0;                             // [m/s]
  Real overlap = 0, force = 0, duration = 0;  // [m] [N] the largest; [s]
  // [s] between the largest overlap and this share of it.
  Real time_from_peak(Real share) const;
};
HertzImpact hertz_impact(Real young, Real m_eff, Real r_eff, Real speed);

// A sphere that moves in the plane of x and y and spins about z.
struct RoundBody {
  Real x = 0, y = 0;    // [m]
  Real vx = 0, vy = 0;  // [m/s]
  Real spin = 0;        // [rad/s]
  Real radius = 0;      // [m]
  Real mass = 0;        // [kg]
};

struct RoundCollision {
  RoundBody first;
  RoundBody second;   // mass 0: none; then the first hits a plane at y = 0 from above
  PairModuli moduli;  // [Pa]
  Real friction = 0;  // [-]
  Real damping = 0;   // [-] ratio beta of Tsuji's dashpots
};

struct RoundOutcome {
  RoundBody first, second;
  bool slid = false;  // from the first instant to the last
};

// Hertz's normal force, Mindlin's tangential stiffness, Tsuji's dashpots, Coulomb's limit. The spring is free, or
// follows the limit; each mode is integrated by Runge and Kutta's method in `steps` steps, and the instant at which a
// free spring reaches the limit is looked for. The bodies touch at the start.
RoundOutcome round_collision(const RoundCollision& collision, int steps);

// The damping ratio beta that realises a restitution e where attraction is clipped: the root of
// e = exp(-2 beta acos(beta) / sqrt(1 - beta^2)), for e above exp(-2).
Real clipped_damping_ratio(Real restitution);

}  // namespace cairn::studies
