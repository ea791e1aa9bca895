// The oblique impact of a sphere on a wall, in closed form: the benchmark of Kruggel-Emden, Sturm, Wirtz & Scherer,
// Comput. Chem. Eng. 32 (2008) 2263, after the experiment of Gorham & Kharaz, Powder Technology 112 (2000) 193.
//
// A linear dashpot's normal motion is a damped oscillation; the tangential one is a harmonic oscillation while the
// contact sticks and follows the normal velocity while it slides. Only the instants between them need a root. The
// contact ends where the normal force, which may not pull, falls to zero.
#pragma once
#include <string>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn {

// What hits; the defaults are the experiment's. Restitution and duration depend on the normal velocity v of the impact:
// e_n = chi_1 (v + v00)^-chi_2 with v00 = chi_1^(1/chi_2), t_f = chi_3 v^-chi_4.
struct ImpactMaterial {
  Real mass = 0.26e-3, radius = 2.5e-3;                                   // [kg] [m] of a solid sphere, I = 2/5 m R^2
  Real friction = 0.18;                                                   // [-] mu
  Real stiffness_ratio = 0.8035;                                          // [-] kappa: K_x = kappa m pi^2 / t_f^2
  Real chi_1 = 0.8377, chi_2 = 0.2121, chi_3 = 0.000017, chi_4 = 0.1907;  // SI
};

// The contact of one impact.
struct ImpactContact {
  Real stiffness = 0, damping = 0;  // [N/m] [N s/m] K_y, gamma_y
  Real tangential_stiffness = 0;    // [N/m] K_x
  Real duration = 0;                // [s] t_f
};

// Angles are measured from the normal. The sphere comes with the velocity (vx0, vy0) = speed (sin, cos) alpha, y into
// the wall, without spin.
struct ImpactOutcome {
  Real e_n = 0;      // [-] -vy(t_f) / vy0
  Real e_t = 0;      // [-] vx(t_f) / vx0
  Real beta = 0;     // [rad] rebound angle, atan(vx / |vy|)
  Real omega_f = 0;  // [rad/s] spin afterwards
};

// At one instant of the contact.
struct ImpactMotion {
  Real y = 0, vy = 0;  // [m] overlap, [m/s] approach rate
  Real vx = 0;         // [m/s]
  Real spin = 0;       // [rad/s] theta'; the contact point slips at vx + R theta'
  Real xi = 0;         // [m] tangential spring
};

class ExactImpact {
 public:
  // Error(bad_input) unless 0 < alpha < pi/2 and speed > 0.
  ExactImpact(const ImpactMaterial& material, Real speed, Real alpha);

  const ImpactContact& contact() const;
  const ImpactOutcome& outcome() const;
  // Of the contact, in order: "stick", "slide+", "slide-"; the sign is the spring's.
  std::vector<std::string> modes() const;
  // [s] when each mode begins; the first at 0.
  std::vector<Real> instants() const;
  ImpactMotion at(Real time) const;  // 0 <= time <= t_f
};

}  // namespace cairn
