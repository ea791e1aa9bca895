// Contact dynamics: Signorini's and Coulomb's laws at the level of velocities (Moreau, in Nonsmooth Mechanics and
// Applications, Springer 1988; Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235), solved by projected
// Gauss-Seidel, its sweeps accelerated as a nonlinear conjugate gradient method (Silcowitz, Niebe & Erleben, Visual
// Comput. 26 (2010) 893).
#pragma once
#include "cairn/hard/contact.hpp"

namespace cairn::hard {

struct DynamicsSettings {
  Real until_next = 0;  // [s] drift from now to the next impulses
  Real tolerance = 0;   // [-] of the largest speed at a contact
  int most_sweeps = 0;
};

// Finds normal impulses p >= 0 and speeds of approach a with
//   a <= limit, p = 0 where a < limit,
// where limit is -e times the approach when the step began if that was an impact. Else it is the speed at which the gap
// closes just when the next impulses come, and bodies at rest sink in to their resting overlap, at most at the
// contact's `slowest`. So they remain in contact. Tangential impulses within mu p oppose the slip, or stop it.
// Coulomb's law is taken as it stands, with the normal impulse of the same solution: the problem is non-associated, so
// it is no minimisation, and neither existence nor uniqueness is certain. `normal` and `tangential` of the contacts are
// the first guess. The residual is the root mean square of the changes of relative velocities in the last sweep, which
// are the violations of both laws. An impact may drive together two bodies that did not approach before. Then the step
// is solved once more, from the velocities of now, so that each impact rebounds; after ten times what is left ends
// without a rebound.
Outcome contact_dynamics(std::span<Body> bodies, std::span<Contact> contacts, const DynamicsSettings& settings);

}  // namespace cairn::hard
