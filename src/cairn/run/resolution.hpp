// What a step makes of a collision: the error of its restitution, measured by running the scheme itself.
#pragma once
#include <span>
#include <vector>

#include "cairn/contact/laws/all.hpp"
#include "cairn/contact/restitution.hpp"
#include "cairn/run/registry.hpp"

namespace cairn {

// Two spheres that meet head-on. A law knows no more of them than what stands here, so a grain of this mass and radius
// against a wall is the same collision.
struct Collision {
  LawTable law;    // of one pair of materials
  Real m_eff = 0;  // [kg]
  Real r_eff = 0;  // [m]
  Real speed = 0;  // [m/s]
};

// The relative error of the restitution, realised over exact less one, as its root mean square over where within a
// step the contact begins and ends: in a run any place is as likely, and at a whole number of steps per collision,
// where those of both ends cancel, the error would look smaller than it is. NaN where the step does not resolve the
// collision: fewer than two steps, no rebound, or one faster than 1.5 times the approach.
struct RestitutionError {
  Real onset_off = 0, onset_on = 0;  // [-] without and with the contact-onset correction
  Real steps = 0;                    // [-] per collision, at which they were measured
};

// Where a collision takes more steps than this it is measured with a whole number of them in one, as few as possible:
// what costs no more and is a bound from above.
inline constexpr Real most_resolved = 100;  // [-] steps per collision

// At the step h [s]; not for adaptive schemes, which choose their own.
RestitutionError restitution_error(const Collision& collision, const SchemeEntry& scheme, Real h);

// The restitutions themselves, over the same places, at so many steps per collision; NaN where they are above.
struct RealisedRestitution {
  Real mean = 0, lowest = 0, highest = 0;  // [-]
};
RealisedRestitution realised_restitution(const Collision& collision, const SchemeEntry& scheme, Real steps, bool onset);

// An oblique collision, of which the tangential velocity is `oblique` times the approach speed: how much it changes
// that velocity, over the approach speed. By rk4 at 500 steps per collision; the grains do not spin before.
struct ObliqueReference {
  Real oblique = 0;      // [-]
  Real change = 0;       // [-]
  Real uncertainty = 0;  // [-] relative: by how much twice the step changes it
};
std::vector<ObliqueReference> oblique_references(const Collision& collision, std::span<const Real> oblique);

// Relative errors of a collision at so many steps, root mean squares as above: of the restitution head-on, and the
// largest of the change of the tangential velocity over these oblique collisions. NaN where it is not resolved.
struct ImpactError {
  Real restitution = 0, tangential = 0;  // [-]
};
ImpactError impact_error(const Collision& collision, const SchemeEntry& scheme, Real steps, bool onset,
                         std::span<const ObliqueReference> oblique);

HeadOn head_on(const Collision& collision);  // by the law's own formula

}  // namespace cairn
