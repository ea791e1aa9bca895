// What a user says about a contact between two materials, before it is turned into the numbers of a law. SI units.
#pragma once
#include <optional>
#include <string>

#include "cairn/core/vec3.hpp"

namespace cairn {

enum class Attraction {
  clipped,  // the normal force is max(F, 0) at every instant while the overlap is positive
  allowed   // no clip: a dashpot may pull
};

enum class DampingMap {
  realised,  // the restitution asked for is the one the law realises, clip included
  tsuji      // -ln e / sqrt(ln^2 e + pi^2), exact for unclipped contacts only (Antypov & Elliott 2011)
};

// How the tangential force k_t(overlap) xi follows an overlap that changes. With constant k_t all are the same.
enum class TangentialForm {
  total,         // F_t = k_t xi, the literature's: its work over a closed cycle is not zero
  conservative,  // the same, and the normal force gains (d k_t / d overlap) xi^2/2
  incremental    // dF_t = k_t dxi (Mindlin & Deresiewicz, J. Appl. Mech. 20 (1953) 327): nor is its work zero
};

struct ContactSettings {
  Attraction attraction = Attraction::clipped;
  Real friction = 0;                  // [-] Coulomb coefficient mu
  std::optional<Real> restitution{};  // [-] e, in place of a damping
  DampingMap damping_map = DampingMap::realised;

  // Linear spring-dashpot.
  std::optional<Real> stiffness{};           // [N/m] k
  std::optional<Real> duration{};            // [s] collision time t_c, with a restitution, in place of a stiffness
  std::optional<Real> damping{};             // [N s/m] gamma
  std::optional<Real> damping_per_mass{};    // [1/s] gamma / m_eff, as LAMMPS's gamma_n
  std::optional<Real> tangential_ratio{};    // [-] k_t / k, default 2/7
  std::optional<Real> tangential_damping{};  // [N s/m] gamma_t, default 0
  std::optional<Real> tangential_damping_per_mass{};  // [1/s] gamma_t / m_eff, default 0

  // F_n = k d^1.5 + gamma d' d^theta: stiffness in N/m^1.5, damping in N s/m^(1 + theta).
  Real damping_exponent = 1;   // [-] theta, extended_nonlinear only
  Real restitution_speed = 1;  // [m/s] of the impact that has the restitution given

  // Fitted to impacts at v [m/s], extended_linear only: e = restitution_factor (v + v00)^-restitution_exponent with the
  // v00 that makes e(0) = 1, duration duration_factor v^-duration_exponent. Defaults: the spheres of Kruggel-Emden et
  // al. 2008.
  Real restitution_factor = 0.8377, restitution_exponent = 0.2121;
  Real duration_factor = 0.000017, duration_exponent = 0.1907;  // [s (m/s)^duration_exponent]
  Real slowest_impact = 1e-3;                                   // [m/s] slower ones are taken for this one

  TangentialForm tangential = TangentialForm::total;  // where k_t depends on the overlap

  // Rolling and twisting, beside any law (contact/rolling.hpp).
  Real rolling_friction = 0, twisting_friction = 0;                // [-] mu_r, mu_o; 0: none
  Real rolling_stiffness_ratio = 1, twisting_stiffness_ratio = 1;  // [-] k_r / k_t, k_o / k_t
  Real rolling_damping = 0, twisting_damping = 0;                  // [N s/m]
};

struct Material {
  std::string name = "default";
  Real density = 2500;  // [kg/m^3]
  Real young = 0;       // [Pa] E, Hertz-Mindlin only
  Real poisson = 0.3;   // [-] nu, Hertz-Mindlin only
};

}  // namespace cairn
