// Linear spring-dashpot: F_n = k delta + gamma delta' (Cundall & Strack, Geotechnique 29 (1979) 47), clipped or not,
// with the Coulomb-limited tangential spring of coulomb.hpp.
#pragma once
#include "cairn/contact/coulomb.hpp"
#include "cairn/contact/restitution.hpp"
#include "cairn/core/error.hpp"

namespace cairn {

struct LinearSpringDashpot {
  static constexpr const char* name = "linear";
  static constexpr const char* summary =
      "linear spring-dashpot, F = k delta + gamma delta'; parameters: stiffness and damping, stiffness and "
      "restitution, or restitution and duration";
  static constexpr const char* reference = "Cundall & Strack, Geotechnique 29 (1979) 47";
  static constexpr LawWords words{
      .normal =
          "F_n = k delta + gamma delta'\n"
          "k = stiffness, or m_eff (phi / t_c)^2 from restitution e and duration t_c\n"
          "gamma = damping, or damping_per_mass m_eff, or 2 zeta sqrt(k m_eff) from restitution e",
      .tangential =
          "k_t = tangential_ratio k\n"
          "gamma_t = tangential_damping, or tangential_damping_per_mass m_eff",
      .inverse =
          "Clipped: zeta solves e = exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)); beyond zeta = 1 with acosh(zeta) and "
          "sqrt(zeta^2 - 1). Bisection finds it to the last bit; phi = 2 acos(zeta) / sqrt(1 - zeta^2).\n"
          "Attraction allowed: zeta = -ln e / sqrt(ln^2 e + pi^2); phi = pi / sqrt(1 - zeta^2). damping_map = "
          "\"tsuji\" uses this zeta for clipped contacts too; they then realise a higher e.\n"
          "e = 0 is critical damping, zeta = 1, if attraction is allowed; it needs a stiffness, because the contact "
          "does not end. A clipped contact has e > 0 at every finite zeta (0.01 at zeta = 5), so e = 0 is refused.",
      .guidance =
          "Use it for dense flows and piles, and if collisions need only a restitution and a duration: both are the "
          "same at every speed, so the step is known beforehand.",
      .limits =
          "Restitution and duration do not depend on the impact speed; those of real grains do.\n"
          "k is not a property of a material: choose it so that overlaps stay below a hundredth of a radius.\n"
          "If all pairs have the same stiffness and damping, lighter pairs rebound less: zeta = gamma / (2 sqrt(k "
          "m_eff)). A restitution is the same for all masses.\n"
          "When a contact begins, the force jumps to gamma delta'; a scheme detects this only at the end of its step, "
          "unless contact onsets are corrected (docs/onset.md)."};

  // k = stiffness + stiffness_per_mass m_eff; gamma likewise, plus a part that grows as sqrt(m_eff).
  Real stiffness = 0, stiffness_per_mass = 0;                         // [N/m] [1/s^2]
  Real damping = 0, damping_per_mass = 0, damping_per_root_mass = 0;  // [N s/m] [1/s] [N s/(m kg^(1/2))]
  Real tangential_ratio = 2.0 / 7;                                    // [-] k_t / k
  Real tangential_damping = 0, tangential_damping_per_mass = 0;       // [N s/m] [1/s]
  Real friction = 0;                                                  // [-]
  Attraction attraction = Attraction::clipped;

  static constexpr ContactParameter stiffness_parameter{.name = "stiffness",
                                                        .unit = "N/m",
                                                        .range = positive,
                                                        .alternatives = "stiffness",
                                                        .description = "normal stiffness k"};
  static constexpr ContactParameter duration_parameter{
      .name = "duration",
      .unit = "s",
      .range = positive,
      .alternatives = "stiffness",
      .description = "duration of a collision; together with restitution it replaces stiffness"};
  static constexpr ContactParameter parameters[] = {
      stiffness_parameter,
      {.name = "damping",
       .unit = "N s/m",
       .range = at_least_0,
       .alternatives = "damping",
       .description = "normal damping gamma"},
      {.name = "damping_per_mass",
       .unit = "1/s",
       .range = at_least_0,
       .alternatives = "damping",
       .description = "normal damping gamma divided by the effective mass"},
      parameter::restitution,
      duration_parameter,
      parameter::friction,
      parameter::tangential_ratio,
      parameter::tangential_damping,
      {.name = "tangential_damping_per_mass",
       .unit = "1/s",
       .range = at_least_0,
       .fallback = 0,
       .alternatives = "tangential damping",
       .description = "tangential damping coefficient divided by the effective mass"},
      parameter::attraction,
      parameter::damping_map};

  static std::optional<ParameterFault> fault(const ContactSettings& c) {
    if (const auto fault = no_rebound_fault(c, smallest_of_clipped)) return fault;
    const bool clipped = c.choice<Attraction>(parameter::attraction) == Attraction::clipped;
    if (c["restitution"] == 0.0 && !clipped && c.has("duration"))
      return ParameterFault{{"restitution", "attraction", "damping_map", "duration"},
                            "restitution = 0 and a duration, but grains that do not rebound stay in contact for ever",
                            "stiffness in place of duration"};
    if (c.has("duration") && !c.has("restitution"))
      return ParameterFault{
          {"duration"}, "without restitution", "duration and restitution, or stiffness in place of duration"};
    if (!c.has("duration") && !c.has("stiffness"))
      return ParameterFault{{"stiffness"}, "", "a number > 0 in N/m, or restitution with duration"};
    return {};
  }

  static LinearSpringDashpot from(const ContactSettings& c, const Material&, const Material&) {
    LinearSpringDashpot law;
    law.attraction = c.choice<Attraction>(parameter::attraction);
    law.friction = c.number(parameter::friction);
    law.tangential_ratio = c.number(parameter::tangential_ratio);
    law.tangential_damping = c.number(parameter::tangential_damping);
    law.tangential_damping_per_mass = c["tangential_damping_per_mass"].value_or(0);
    law.damping = c["damping"].value_or(0);
    law.damping_per_mass = c["damping_per_mass"].value_or(0);
    const Setting restitution = c["restitution"];
    const auto map = c.choice<DampingMap>(parameter::damping_map);
    const Real zeta = restitution ? damping_ratio_of(*restitution, law.attraction, map) : 0;
    if (!c.has("stiffness") && restitution) {
      const Real omega = contact_phase(zeta, law.attraction) / c.number(duration_parameter);
      law.stiffness_per_mass = omega * omega;
      law.damping_per_mass = 2 * zeta * omega;
    } else {
      law.stiffness = c.number(stiffness_parameter);
      law.damping_per_root_mass = 2 * zeta * std::sqrt(law.stiffness);
    }
    return law;
  }

  template <class T>
  T k(const T& m_eff) const {
    return stiffness_per_mass == 0 ? T(stiffness) : stiffness + stiffness_per_mass * m_eff;
  }
  template <class T>
  T gamma(const T& m_eff) const {
    const T g = damping + damping_per_mass * m_eff;
    return damping_per_root_mass == 0 ? g : g + damping_per_root_mass * sqrt(m_eff);
  }

  template <class T>
  Normal<T> normal(const ContactKinematics<T>& c) const {
    return normal_force(c, T(k(c.m_eff) * c.overlap), T(gamma(c.m_eff) * c.approach), attraction);
  }
  template <class T>
  Tangential<T> tangential(const T& m_eff) const {
    const T kt = tangential_ratio * k(m_eff);
    const Real alike = 1 / (tangential_ratio * stiffness);  // of all masses; not under the condition: once for a loop
    return {.kt = kt,
            .inverse_kt = stiffness_per_mass == 0 ? T(alike) : T(1.0) / kt,
            .gt = tangential_damping + tangential_damping_per_mass * m_eff,
            .damped = tangential_damping != 0 || tangential_damping_per_mass != 0};
  }
  template <class T>
  ContactForce<T> force(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    return coulomb(c, xi, normal(c), tangential(c.m_eff), friction);
  }
  template <class T>
  LawParts<T> parts(const ContactKinematics<T>& c) const {
    return {normal(c), tangential(c.m_eff), force_acts(c)};
  }
  static bool spring_follows_whole_steps() { return true; }
  bool uses_slip_velocity() const { return tangential_damping != 0 || tangential_damping_per_mass != 0; }

  // The stiffness does not depend on masses, and the damping needs no root.
  bool plain() const { return stiffness_per_mass == 0 && damping_per_root_mass == 0; }
  LinearSpringDashpot as_plain() const {
    LinearSpringDashpot law = *this;
    law.stiffness_per_mass = 0, law.damping_per_root_mass = 0;
    return law;
  }
  static bool has_onset_jump() { return true; }
  static bool stores_shear() { return true; }
  static constexpr bool stiffens = false;
  static constexpr bool onset_by_default = true;
  static constexpr bool sees_radius = false;
  static constexpr bool sees_onset_speed = false;

  // [J] stored in both springs.
  template <class T>
  T elastic_energy(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const T kn = k(c.m_eff);
    const Vec3<T> spring = xi - dot(xi, c.n) * c.n;
    return select(force_acts(c), 0.5 * kn * c.overlap * c.overlap + 0.5 * tangential_ratio * kn * dot(spring, spring),
                  T(0.0));
  }

  // Of a head-on collision [kg] [m] [m/s], in closed form.
  HeadOn closed_form(Real m_eff, Real, Real speed) const {
    const Real omega = std::sqrt(k(m_eff) / m_eff), zeta = gamma(m_eff) / (2 * m_eff * omega);
    return {restitution_of(zeta, attraction), contact_phase(zeta, attraction) / omega,
            deepest_phase(zeta) * speed / omega};
  }

  // [1/s^2] square of the highest frequency of two bodies in this contact: normal, or tangential with the spheres'
  // rotation (7/2 k_t).
  template <class T>
  T frequency_squared(const ContactKinematics<T>& c) const {
    return k(c.m_eff) * std::max(1.0, slip_response * tangential_ratio) / c.m_eff;
  }
};

}  // namespace cairn
