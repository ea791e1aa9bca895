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
// e_n = chi_1 (v + v00)^-chi_2 with v00 = chi_1^(1/chi_2), t_f = chi_3 v^-chi_4. With chi_2 = 0 e_n is chi_1 at every
// v.
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
struct ImpactVelocity {
  Real vx = 0, vy = 0;  // [m/s]
};

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
  // Error(bad_input) unless 0 < alpha < pi/2 and speed > 0, and for a material that no contact realises.
  ExactImpact(const ImpactMaterial& material, Real speed, Real alpha);
  // The same by components, which know grazing impacts to the last digit; both > 0.
  ExactImpact(const ImpactMaterial& material, ImpactVelocity velocity);

  const ImpactContact& contact() const { return contact_; }
  const ImpactOutcome& outcome() const { return outcome_; }
  // Of the contact, in order: "stick", "slide+", "slide-"; the sign is the spring's.
  std::vector<std::string> modes() const;
  // [s] when each mode begins; the first at 0.
  std::vector<Real> instants() const;
  ImpactMotion at(Real time) const;  // 0 <= time <= t_f

 private:
  // All below without unit: time u in contact durations, velocities by vy0, lengths by vy0 t_f.
  struct Tangential {
    Real xi, gain;  // spring; slip rate less the initial one
  };
  struct Mode {
    Real begin;
    int sign;  // of the spring that slides; 0: sticks
    Tangential start;
  };
  struct Switch {
    Real instant;
    int sign;
  };

  void solve_damping();
  void solve_modes();
  Real sine(Real u) const;
  Real sine_before_end(Real u) const;
  Real cosine(Real u) const;
  Real decay(Real u) const;
  Real impulse_left(Real u) const;
  Real limit(Real u) const;
  Real limit_rate(Real u) const;
  Real release_rate(Real u) const;
  Tangential tangential(const Mode& mode, Real u) const;
  Switch end_of_stick(const Mode& mode, Real from, int released) const;
  Real end_of_slide(const Mode& mode) const;

  Real radius_;
  ImpactVelocity velocity_;
  ImpactContact contact_;
  ImpactOutcome outcome_;
  Real tan_alpha_;
  Real loss_;              // -ln e_n
  Real half_phase_sq_;     // (omega_y t_f / 2)^2; negative: overdamped
  Real lag_ = 0;           // pi - omega_y t_f of weak damping
  Real stiffness_;         // K_y t_f^2 / m
  Real limit_scale_;       // of mu P / K_x
  Real tangential_phase_;  // sqrt(r K_x / m) t_f
  Real turn_;              // when sliding springs begin to be released
  std::vector<Mode> modes_;
};

}  // namespace cairn
