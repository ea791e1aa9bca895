// One impact of a sphere in the engine, for the tests of Chung and Ooi, Granular Matter 13 (2011) 643.
#pragma once
#include <functional>

#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {

// Two spheres, or a sphere and a plane at y = 0 below it, in the plane of x and y, as round_collision() has them.
struct SphereImpact {
  RoundBody first, second;  // mass 0: the plane
  Solid solid, partner;     // of the first sphere; of the other or the plane
  Real restitution = 1, friction = 0;

  bool plane() const { return second.mass == 0; }
  Real approach() const;  // [m/s]
  Real m_eff() const;     // [kg]
  Real r_eff() const;     // [m]
  HertzImpact hertz() const;
  // The reference by the second method, in `steps` steps.
  RoundOutcome integrated(int steps) const;
};

// A sphere that touches the plane, 1,000 times as stiff, or another sphere along x.
RoundBody sphere_on_plane(Real radius, Real density, Real vx, Real vy, Real spin);
Solid stiff_plane(const Solid& sphere);

struct ImpactSeen {
  RoundBody first, second;                    // after the contact
  Real force = 0, overlap = 0, duration = 0;  // [N] [m] the largest; [s]
  std::vector<Real> forces, overlaps;         // [N] [m] after each step
};

inline constexpr int impact_steps = 1000;  // per elastic duration

ImpactSeen run_impact(const SphereImpact& impact, const ValidationSettings& settings);

// Bounds [-] of one impact at impact_steps. Without dashpots the force begins as overlap^(3/2), and a scheme of second
// order keeps its order: a few units of (pi / n)^2 / 8. With them it begins as overlap^(1/4), which leaves n^(-5/4)
// whatever the scheme, over the velocity that is left.
Real elastic_bound();
Real damped_bound(Real restitution);

}  // namespace cairn::studies
