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
};

struct Material {
  std::string name = "default";
  Real density = 2500;  // [kg/m^3]
  Real young = 0;       // [Pa] E, Hertz-Mindlin only
  Real poisson = 0.3;   // [-] nu, Hertz-Mindlin only
};

}  // namespace cairn
