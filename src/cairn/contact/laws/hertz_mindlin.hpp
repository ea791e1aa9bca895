// Hertz normal contact with Mindlin's tangential stiffness and Tsuji's damping:
// F_n = 4/3 E* sqrt(R* delta) delta, k_t = 8 G* sqrt(R* delta) (Tsuji, Tanaka & Ishida, Powder Technology 71 (1992)
// 239; Antypov & Elliott 2011).
#pragma once
#include <limits>

#include "cairn/contact/laws/round_contact.hpp"
#include "cairn/contact/restitution.hpp"
#include "cairn/core/error.hpp"

namespace cairn {

struct HertzMindlin {
  static constexpr const char* name = "hertz_mindlin";
  static constexpr const char* summary =
      "Hertz-Mindlin contact with Tsuji's damping; parameters: young and poisson of the materials, and restitution";
  static constexpr const char* reference = "Tsuji, Tanaka & Ishida, Powder Technology 71 (1992) 239";
  static constexpr LawWords words{
      .normal =
          "F_n = 4/3 E* sqrt(R* delta) delta + 2 sqrt(5/6) beta sqrt(S_n m_eff) delta', S_n = 2 E* sqrt(R* delta)\n"
          "1/E* = (1 - nu_i^2) / E_i + (1 - nu_j^2) / E_j; 1/R* = 1/r_i + 1/r_j; at a wall 1/r_j is 0",
      .tangential =
          "k_t = 8 G* sqrt(R* delta), 1/G* = (2 - nu_i) / G_i + (2 - nu_j) / G_j, G = E / (2 (1 + nu))\n"
          "gamma_t = 2 sqrt(5/6) beta sqrt(k_t m_eff)",
      .inverse =
          "With z = delta^(5/4) in place of the overlap, a collision is that of the linear law with zeta = beta, and "
          "the clip acts at the same point.\n"
          "Clipped: beta solves e = exp(-2 beta acos(beta) / sqrt(1 - beta^2)); beyond beta = 1 with acosh(beta) and "
          "sqrt(beta^2 - 1). Bisection finds it to the last bit.\n"
          "Attraction allowed: beta = -ln e / sqrt(ln^2 e + pi^2). damping_map = \"tsuji\" uses this beta for clipped "
          "contacts too; they then realise a higher e.\n"
          "e = 0 is critical damping, beta = 1, if attraction is allowed. A clipped contact has e > 0 at every finite "
          "beta, so e = 0 is refused.",
      .guidance =
          "Use it for elastic grains of known Young's modulus, or if the stiffness of contacts under load matters: "
          "sound in packings, compression, stress.",
      .limits =
          "Restitution does not depend on the impact speed: the damping is chosen so. The duration falls as "
          "speed^(-1/5): the fastest impact sets the step.\n"
          "Young's modulus of a real solid needs very short steps; for light loads it is often lowered to 1e7 Pa.\n"
          "The tangential spring has the total form of the literature unless the key tangential chooses another; the "
          "energy gained or lost when its stiffness changes is recorded as slip.\n"
          "The force begins as delta^(1/4): no scheme keeps its order there."};

  Real young_eff = 0;      // [Pa] E*
  Real shear_eff = 0;      // [Pa] G*
  Real damping_ratio = 0;  // [-] beta
  Real friction = 0;       // [-]
  Attraction attraction = Attraction::clipped;
  TangentialForm tangential = TangentialForm::total;

  static constexpr ContactParameter parameters[] = {parameter::restitution, parameter::friction, parameter::attraction,
                                                    parameter::tangential, parameter::damping_map};
  static constexpr MaterialParameter material_parameters[] = {
      {{.name = "young", .unit = "Pa", .range = positive, .required = true, .description = "Young's modulus E"},
       &Material::young},
      {{.name = "poisson", .range = {-1, 0.5, false, true}, .description = "Poisson's ratio nu"}, &Material::poisson}};

  static std::optional<ParameterFault> fault(const ContactSettings& c) {
    return no_rebound_fault(c, smallest_of_clipped);
  }

  static HertzMindlin from(const ContactSettings& c, const Material& a, const Material& b) {
    HertzMindlin law;
    law.friction = c.number(parameter::friction);
    law.attraction = c.choice<Attraction>(parameter::attraction);
    law.tangential = c.choice<TangentialForm>(parameter::tangential);
    const auto shear = [](const Material& m) { return m.young / (2 * (1 + m.poisson)); };
    law.young_eff = 1 / ((1 - a.poisson * a.poisson) / a.young + (1 - b.poisson * b.poisson) / b.young);
    law.shear_eff = 1 / ((2 - a.poisson) / shear(a) + (2 - b.poisson) / shear(b));
    if (const Setting e = c["restitution"])
      law.damping_ratio = damping_ratio_of(*e, law.attraction, c.choice<DampingMap>(parameter::damping_map));
    return law;
  }

  template <class T>
  ContactForce<T> force(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    return round_contact(c, xi, forces_of(c), attraction, friction, tangential);
  }
  template <class T>
  LawParts<T> parts(const ContactKinematics<T>& c) const {
    ContactKinematics<T> inside;
    return round_parts(c, forces_of(c), attraction, tangential, inside);
  }
  // In the total form the spring itself does not know that it stiffens.
  bool spring_follows_whole_steps() const { return tangential == TangentialForm::total; }
  static bool uses_slip_velocity() { return true; }

  bool has_onset_jump() const { return damping_ratio > 0; }
  bool stores_shear() const { return cairn::stores_shear(tangential, attraction); }
  static constexpr bool stiffens = true;
  // The force begins as overlap^(1/4): the correction halves the scatter of restitutions, but not their mean error.
  static constexpr bool onset_by_default = false;
  static constexpr bool sees_radius = true;
  static constexpr bool sees_onset_speed = false;

  template <class T>
  T elastic_energy(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const T overlap = stored(c), contact_radius = sqrt(c.r_eff * overlap);
    const Vec3<T> spring = xi - dot(xi, c.n) * c.n;
    return 8.0 / 15 * young_eff * contact_radius * overlap * overlap +
           4 * shear_eff * contact_radius * dot(spring, spring);
  }

  // Of a head-on collision [kg] [m] [m/s], in closed form; NaN for the duration of a damped one, which has none.
  HeadOn closed_form(Real m_eff, Real r_eff, Real speed) const {
    constexpr Real elastic_duration = 2.9432751843247047;                            // 4/5 B(2/5, 1/2), Hertz 1881
    const Real omega = std::sqrt(16.0 / 15 * young_eff * std::sqrt(r_eff) / m_eff);  // of z = delta^(5/4)
    const Real deepest = stable_exp(0.8 * stable_log(deepest_phase(damping_ratio) * speed / omega));
    return {restitution_of(damping_ratio, attraction),
            damping_ratio == 0 ? elastic_duration * deepest / speed : std::numeric_limits<Real>::quiet_NaN(), deepest};
  }

  template <class T>
  T frequency_squared(const ContactKinematics<T>& c) const {
    const T contact_radius = sqrt(c.r_eff * closed(c.overlap));
    return contact_radius * stiffest(2 * young_eff, 8 * shear_eff, friction, tangential) / c.m_eff;
  }

 private:
  template <class T>
  auto forces_of(const ContactKinematics<T>& c) const {
    constexpr Real root = 1.8257418583505537115;  // 2 sqrt(5/6)
    return [this, &c](const T& overlap) {
      const T contact_radius = sqrt(c.r_eff * abs(overlap));
      RoundForces<T> f;
      f.elastic = (4.0 / 3 * young_eff) * contact_radius * overlap;
      f.kt = (8 * shear_eff) * contact_radius;
      f.damped = damping_ratio > 0;
      if (f.damped) {
        f.viscous = (root * damping_ratio) * sqrt((2 * young_eff * c.m_eff) * contact_radius) * c.approach;
        f.gt = (root * damping_ratio) * sqrt(c.m_eff * f.kt);
      }
      return f;
    };
  }
};

}  // namespace cairn
