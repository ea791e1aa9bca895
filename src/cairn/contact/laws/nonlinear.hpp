// Hertz's spring with a dashpot that grows as a power of the overlap: F_n = k delta^(3/2) + gamma delta' delta^theta.
// theta = 1/2 is the viscoelastic sphere of Kuwabara & Kono, 0 the dashpot of Lee & Herrmann, 1/4 Tsuji's, 3/2 that of
// Hunt & Crossley. Restitution depends on the speed of the impact, except with 1/4; so one that is given is that of a
// given speed.
#pragma once
#include <string>

#include "cairn/contact/head_on.hpp"
#include "cairn/contact/laws/round_contact.hpp"
#include "cairn/core/elementary.hpp"
#include "cairn/core/error.hpp"

namespace cairn {

constexpr ContactParameter round_damping(std::string_view unit) {
  return {.name = "damping",
          .unit = unit,
          .range = at_least_0,
          .alternatives = "damping",
          .description = "normal damping gamma"};
}

struct ExtendedNonlinear {
  static constexpr const char* name = "extended_nonlinear";
  static constexpr const char* summary =
      "F = k delta^1.5 + gamma delta' delta^theta; parameters: stiffness, damping_exponent, and damping or restitution";
  static constexpr const char* reference = "Kruggel-Emden et al., Powder Technology 171 (2007) 157";
  static constexpr LawWords words{
      .normal =
          "F_n = k delta^(3/2) + gamma delta' delta^theta\n"
          "k = stiffness [N/m^1.5], theta = damping_exponent, gamma = damping [N s/m^(1 + theta)]\n"
          "from a restitution: gamma = g v^(1 - 2 q) k^q m_eff^(1 - q), q = 2 (1 + theta) / 5, v = restitution_speed",
      .tangential =
          "k_t = tangential_ratio dF_el/d delta = 3/2 tangential_ratio k sqrt(delta)\n"
          "gamma_t = tangential_damping",
      .inverse =
          "In units in which k, m_eff and the impact speed are 1, theta and g alone determine a collision.\n"
          "g solves e(g) = restitution; integrating a collision gives each e(g). Every pair of masses then realises "
          "this restitution at the impact speed restitution_speed.\n"
          "e = 0 is refused: a clipped contact has e > 0 at every finite g, and with attraction allowed every g above "
          "some value gives e = 0.",
      .guidance =
          "Use it to fit measured restitutions over the impact speed: theta sets how fast restitution falls with the "
          "speed. theta = 0 is the dashpot of Lee and Herrmann, 1/4 that of Tsuji, 1/2 that of Kuwabara and Kono, 3/2 "
          "that of Hunt and Crossley.",
      .limits =
          "k does not depend on the radii: it is valid for grains of one size.\n"
          "With theta < 1/4 restitution rises with the speed, with theta > 1/4 it falls. In the second case it "
          "approaches 1 in slow impacts, and grains come to rest slowly.\n"
          "The force begins as delta^theta: no scheme keeps its order there."};

  Real stiffness = 0;                            // [N/m^1.5] k
  Real exponent = 0.5;                           // [-] theta
  Real damping = 0;                              // [N s/m^(1 + theta)] gamma, plus
  Real damping_per_mass = 0, mass_exponent = 1;  // gamma / m_eff^mass_exponent, of a restitution
  Real tangential_ratio = 2.0 / 7;               // [-] k_t over dF_el/d overlap
  Real tangential_damping = 0;                   // [N s/m]
  Real friction = 0;                             // [-]
  Attraction attraction = Attraction::clipped;
  TangentialForm tangential = TangentialForm::total;

  static constexpr ContactParameter stiffness_parameter{
      .name = "stiffness", .unit = "N/m^1.5", .range = positive, .required = true, .description = "normal stiffness k"};
  static constexpr ContactParameter damping_exponent{
      .name = "damping_exponent",
      .range = at_least_0,
      .fallback = 1,
      .description = "exponent theta of the damping force gamma d' d^theta"};
  static constexpr ContactParameter restitution_speed{
      .name = "restitution_speed",
      .unit = "m/s",
      .range = positive,
      .fallback = 1,
      .needs = "restitution",
      .description =
          "impact speed at which a collision has the given restitution; with this law restitution depends "
          "on the speed"};
  static constexpr ContactParameter parameters[] = {stiffness_parameter,
                                                    round_damping("N s/m^(1 + damping_exponent)"),
                                                    damping_exponent,
                                                    parameter::restitution,
                                                    restitution_speed,
                                                    parameter::friction,
                                                    parameter::tangential_ratio,
                                                    parameter::tangential_damping,
                                                    parameter::attraction,
                                                    parameter::tangential};

  static std::optional<ParameterFault> fault(const ContactSettings& c) { return no_rebound(c, name); }
  static std::optional<ParameterFault> no_rebound(const ContactSettings& c, const std::string& law) {
    const bool clipped = c.choice<Attraction>(parameter::attraction) == Attraction::clipped;
    if (c["restitution"] == 0.0 && !clipped)
      return ParameterFault{{"restitution", "attraction"},
                            "restitution = 0, which with law '" + law +
                                "' does not determine the damping: every damping above some value realises it",
                            "at least 0.01, or damping in place of restitution"};
    return no_rebound_fault(c, "at least 0.01");
  }

  static ExtendedNonlinear from(const ContactSettings& c, const Material&, const Material&) {
    return of(c, c.number(damping_exponent));
  }

  static ExtendedNonlinear of(const ContactSettings& c, Real exponent) {
    ExtendedNonlinear law;
    law.stiffness = c.number(stiffness_parameter);
    law.exponent = exponent;
    law.damping = c["damping"].value_or(0);
    law.tangential_ratio = c.number(parameter::tangential_ratio);
    law.tangential_damping = c.number(parameter::tangential_damping);
    law.friction = c.number(parameter::friction);
    law.attraction = c.choice<Attraction>(parameter::attraction);
    law.tangential = c.choice<TangentialForm>(parameter::tangential);
    if (const Setting e = c["restitution"]) {
      const Real q = 0.4 * (1 + exponent);
      law.mass_exponent = 1 - q;
      law.damping_per_mass = reduced_damping(*e, exponent, law.attraction) *
                             power(c.number(restitution_speed), 1 - 2 * q) * power(law.stiffness, q);
    }
    return law;
  }

  // The gamma that realises a restitution 0 < e <= 1 where k, m_eff and the speed of the impact are 1; by false
  // position, the side that stays being weighed down (Dowell & Jarratt, BIT 11 (1971) 168).
  static Real reduced_damping(Real e, Real exponent, Attraction attraction) {
    if (e >= 1) return 0;
    const auto excess = [&](Real gamma) {
      ExtendedNonlinear law;
      law.stiffness = 1, law.damping = gamma, law.exponent = exponent, law.attraction = attraction;
      return head_on(law, 1, 1, 1).restitution - e;
    };
    Real low = 0, high = 2 * damping_ratio_of(e, attraction), at_low = 1 - e, at_high = excess(high);
    while (at_high > 0) low = high, at_low = at_high, high *= 2, at_high = excess(high);
    constexpr int most_steps = 100;
    constexpr Real relative = 1e-14;
    int side = 0;
    for (int k = 0; k < most_steps && high - low > relative * high; ++k) {
      const Real between = (low * at_high - high * at_low) / (at_high - at_low);
      if (!(between > low && between < high)) break;
      const Real at = excess(between);
      if (at == 0) return between;
      if (at > 0) {
        low = between, at_low = at;
        if (side > 0) at_high *= 0.5;
        side = 1;
      } else {
        high = between, at_high = at;
        if (side < 0) at_low *= 0.5;
        side = -1;
      }
    }
    return 0.5 * (low + high);
  }

  template <class T>
  T gamma(const T& m_eff) const {
    return damping_per_mass == 0 ? T(damping) : T(damping_per_mass) * power(m_eff, mass_exponent);
  }

  // size^theta, size > 0.
  template <class T>
  T raised(const T& size, const T& root) const {
    if (exponent == 0.5) return root;
    if (exponent == 0) return T(1.0);
    if (exponent == 1) return size;
    if (exponent == 1.5) return size * root;
    return power(size, exponent);
  }

  template <class T>
  ContactForce<T> force(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const auto forces = [&](const T& overlap) {
      const T size = abs(overlap), root = sqrt(size);
      RoundForces<T> f;
      f.elastic = stiffness * root * overlap;
      f.kt = (1.5 * tangential_ratio * stiffness) * root;
      f.damped = tangential_damping > 0;
      f.gt = tangential_damping;
      if (damped()) f.viscous = gamma(c.m_eff) * raised(size, root) * c.approach;
      return f;
    };
    ContactKinematics<T> at = c;
    if (exponent == 0) {  // the force has jumped already where the overlap is zero
      constexpr Real least = 1e-30;
      at.overlap = select(c.sustained && !(abs(c.overlap) > T(0.0)), T(least), c.overlap);
    }
    return round_contact(at, xi, forces, attraction, friction, tangential);
  }

  bool damped() const { return damping > 0 || damping_per_mass > 0; }
  // Beyond 1 the dashpot begins as smoothly as the spring.
  bool has_onset_jump() const { return damped() && exponent <= 1; }
  bool stores_shear() const { return cairn::stores_shear(tangential, attraction); }
  static constexpr bool stiffens = true;
  // The force begins as a root: as with Hertz and Tsuji.
  static constexpr bool onset_by_default = false;
  static constexpr bool sees_radius = false;
  static constexpr bool sees_onset_speed = false;

  template <class T>
  T elastic_energy(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const T overlap = stored(c), slope = stiffness * sqrt(overlap);
    const Vec3<T> spring = xi - dot(xi, c.n) * c.n;
    return 0.4 * slope * overlap * overlap + 0.75 * tangential_ratio * slope * dot(spring, spring);
  }

  template <class T>
  T frequency_squared(const ContactKinematics<T>& c) const {
    const Real normal = 1.5 * stiffness;
    return sqrt(closed(c.overlap)) * stiffest(normal, tangential_ratio * normal, friction, tangential) / c.m_eff;
  }
};

struct KuwabaraKono : ExtendedNonlinear {
  using Formula = ExtendedNonlinear;

  static constexpr const char* name = "kuwabara_kono";
  static constexpr const char* summary =
      "viscoelastic grains, F = k delta^1.5 + gamma delta' delta^0.5; parameters: stiffness, and damping or "
      "restitution";
  static constexpr const char* reference = "Kuwabara & Kono, Jpn. J. Appl. Phys. 26 (1987) 1230";
  static constexpr LawWords words{
      .normal =
          "F_n = k delta^(3/2) + gamma delta' delta^(1/2)\n"
          "k = stiffness [N/m^1.5], gamma = damping [N s/m^1.5]\n"
          "from a restitution: gamma = g v^(-1/5) k^(3/5) m_eff^(2/5), v = restitution_speed",
      .tangential = ExtendedNonlinear::words.tangential,
      .inverse = ExtendedNonlinear::words.inverse,
      .guidance =
          "Use it for grains of a viscous material: 1 - e grows as the impact speed to the power 1/5, as measured on "
          "many materials.",
      .limits =
          "k does not depend on the radii: it is valid for grains of one size.\n"
          "In slow impacts restitution approaches 1, and grains come to rest slowly.\n"
          "The law has no plastic deformation, which makes fast impacts rebound less.\n"
          "The force begins as delta^(1/2): no scheme keeps its order there."};

  static constexpr ContactParameter parameters[] = {
      stiffness_parameter,  round_damping("N s/m^1.5"),  parameter::restitution,        restitution_speed,
      parameter::friction,  parameter::tangential_ratio, parameter::tangential_damping, parameter::attraction,
      parameter::tangential};

  static std::optional<ParameterFault> fault(const ContactSettings& c) { return no_rebound(c, name); }

  static KuwabaraKono from(const ContactSettings& c, const Material&, const Material&) {
    KuwabaraKono law;
    static_cast<Formula&>(law) = of(c, 0.5);
    return law;
  }
};

}  // namespace cairn
