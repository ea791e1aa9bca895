// Linear spring-dashpot whose stiffness and damping are those of each impact: fitted so that restitution and duration
// follow the speed v at which it began as they were measured (Kruggel-Emden et al., Powder Technology 171 (2007) 157),
//   e(v) = chi1 (v + v00)^-chi2, v00 = chi1^(1/chi2),   t_f(v) = chi3 v^-chi4.
// With L = -ln e: gamma = 2 m_eff L / t_f and k = m_eff Q(L) / t_f^2, Q the square of the contact's phase.
#pragma once
#include <array>

#include "cairn/contact/coulomb.hpp"
#include "cairn/contact/restitution.hpp"
#include "cairn/core/elementary.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/turn.hpp"

namespace cairn {

// The square of contact_phase() of clipped contacts as a function of L = -ln e, 0 <= L <= most, for every scalar: its
// Chebyshev series, which ends at round-off, for it is analytic.
class ClippedPhase {
 public:
  static constexpr Real most = 6;  // e = 0.0025

  static ClippedPhase found() {
    ClippedPhase r;
    std::array<Real, terms> at{};
    for (int k = 0; k < terms; ++k) {
      const Real l = 0.5 * most * (1 + cosine(2 * k + 1));
      const Real phase = contact_phase(damping_ratio_of(stable_exp(-l), Attraction::clipped), Attraction::clipped);
      at[k] = phase * phase;
    }
    for (int j = 0; j < terms; ++j) {
      for (int k = 0; k < terms; ++k) r.term_[j] += at[k] * cosine(j * (2 * k + 1));
      r.term_[j] *= (j == 0 ? 1.0 : 2.0) / terms;
    }
    return r;
  }

  template <class T>
  T squared(const T& l) const {
    const T twice = T(4 / most) * l - T(2.0);
    T next = 0.0, after = 0.0;
    for (int j = terms - 1; j > 0; --j) {
      const T now = twice * next - after + T(term_[j]);
      after = next, next = now;
    }
    return T(0.5) * twice * next - after + T(term_[0]);
  }

 private:
  static constexpr int terms = 20;
  static Real cosine(int quarters) { return sincos_turns(quarters / (4.0 * terms)).cos; }

  std::array<Real, terms> term_{};
};

struct ExtendedLinear {
  static constexpr const char* name = "extended_linear";
  static constexpr const char* summary =
      "linear spring-dashpot fitted to each impact; parameters: restitution and duration as functions of the impact "
      "speed";
  static constexpr const char* reference = "Kruggel-Emden et al., Powder Technology 171 (2007) 157";
  static constexpr LawWords words{
      .normal =
          "F_n = k delta + gamma delta', k = m_eff phi^2 / t_f^2, gamma = 2 m_eff L / t_f, L = -ln e\n"
          "e = restitution_factor (v + v00)^-restitution_exponent, with v00 such that e(0) = 1\n"
          "t_f = duration_factor v^-duration_exponent; v is the speed at which the contact began, at least "
          "slowest_impact",
      .tangential =
          "k_t = tangential_ratio k\n"
          "gamma_t = tangential_damping",
      .inverse =
          "Clipped: phi = 2 acos(zeta) / sqrt(1 - zeta^2) with the damping ratio zeta that realises e, as in the "
          "linear law; a Chebyshev series in L gives phi^2 to 1e-11.\n"
          "Attraction allowed: phi^2 = pi^2 + L^2.",
      .guidance =
          "Use it if restitution and duration were measured over the impact speed: the law realises both at every "
          "speed.",
      .limits =
          "A contact keeps its k and gamma until it ends: grains that came to rest slowly rest on softer springs.\n"
          "All impacts slower than slowest_impact have the same k and gamma. A restitution below 0.0025 is replaced by "
          "0.0025.\n"
          "Without the contact-onset correction (docs/onset.md) the speed v is that at the end of the step in which "
          "the contact began; within that step it is the present speed."};

  Real restitution_exponent = 0, log2_factor = 0, still = 0;  // [-] [-] of e; v00 [m/s]
  Real duration_exponent = 0, inverse_duration = 0;           // [-], [1/s] at 1 m/s
  Real slowest = 1e-3;                                        // [m/s]
  Real tangential_ratio = 2.0 / 7, tangential_damping = 0;    // [-] [N s/m]
  Real friction = 0;                                          // [-]
  Attraction attraction = Attraction::clipped;
  ClippedPhase phase;

  static constexpr ContactParameter fitted[] = {
      {.name = "restitution_factor",
       .range = positive,
       .required = true,
       .description = "chi1 in the restitution chi1 (v + v00)^-chi2 of a collision at impact speed v in m/s; v00 = "
                      "chi1^(1/chi2)"},
      {.name = "restitution_exponent",
       .range = positive,
       .required = true,
       .description = "exponent chi2 in this restitution"},
      {.name = "duration_factor",
       .unit = "s",
       .range = positive,
       .required = true,
       .description = "chi3 in the duration chi3 v^-chi4 of a collision at impact speed v in m/s"},
      {.name = "duration_exponent",
       .range = at_least_0,
       .required = true,
       .description = "exponent chi4 in this duration"}};
  static constexpr ContactParameter slowest_impact{
      .name = "slowest_impact",
      .unit = "m/s",
      .range = positive,
      .fallback = 1e-3,
      .description = "slower impacts get the stiffness and damping of this speed"};
  static constexpr ContactParameter parameters[] = {fitted[0],
                                                    fitted[1],
                                                    fitted[2],
                                                    fitted[3],
                                                    slowest_impact,
                                                    parameter::friction,
                                                    parameter::tangential_ratio,
                                                    parameter::tangential_damping,
                                                    parameter::attraction};

  static ExtendedLinear from(const ContactSettings& c, const Material&, const Material&) {
    const Real factor = c.number(fitted[0]);
    ExtendedLinear law;
    law.restitution_exponent = c.number(fitted[1]);
    law.log2_factor = binary_log(factor);
    law.still = power(factor, 1 / law.restitution_exponent);
    law.inverse_duration = 1 / c.number(fitted[2]);
    law.duration_exponent = c.number(fitted[3]);
    law.slowest = c.number(slowest_impact);
    law.tangential_ratio = c.number(parameter::tangential_ratio);
    law.tangential_damping = c.number(parameter::tangential_damping);
    law.friction = c.number(parameter::friction);
    law.attraction = c.choice<Attraction>(parameter::attraction);
    law.phase = ClippedPhase::found();
    return law;
  }

  // Of an impact at this speed.
  template <class T>
  struct Impact {
    T loss;        // [-] -ln e
    T phase2;      // [-] (omega0 t_f)^2
    T per_second;  // [1/s] 1 / t_f
    T k(const T& m_eff) const { return m_eff * phase2 * per_second * per_second; }
    T gamma(const T& m_eff) const { return 2.0 * m_eff * loss * per_second; }
  };
  template <class T>
  Impact<T> impact(const T& speed) const {
    constexpr Real ln2 = 0x1.62e42fefa39efp-1;
    const T v = select(speed < T(slowest), T(slowest), speed);
    const T unbounded = T(ln2 * restitution_exponent) * binary_log(v + T(still)) - T(ln2 * log2_factor);
    const T loss = select(unbounded > T(ClippedPhase::most), T(ClippedPhase::most), unbounded);
    const T phase2 = attraction == Attraction::allowed ? T(pi * pi) + loss * loss : phase.squared(loss);
    return {loss, phase2, T(inverse_duration) * power(v, duration_exponent)};
  }
  template <class T>
  Impact<T> impact_of(const ContactKinematics<T>& c) const {
    return impact(select(c.onset_speed > T(0.0), c.onset_speed, abs(c.approach)));
  }

  template <class T>
  ContactForce<T> force(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const Impact<T> of = impact_of(c);
    const T kn = of.k(c.m_eff), kt = tangential_ratio * kn;
    return coulomb(c, xi, normal_force(c, T(kn * c.overlap), T(of.gamma(c.m_eff) * c.approach), attraction),
                   {.kt = kt, .inverse_kt = T(1.0) / kt, .gt = T(tangential_damping), .damped = tangential_damping > 0},
                   friction);
  }

  static bool has_onset_jump() { return true; }
  static bool stores_shear() { return true; }
  static constexpr bool stiffens = false;
  static constexpr bool onset_by_default = true;
  static constexpr bool sees_radius = false;
  static constexpr bool sees_onset_speed = true;

  template <class T>
  T elastic_energy(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const T kn = impact_of(c).k(c.m_eff);
    const Vec3<T> spring = xi - dot(xi, c.n) * c.n;
    return select(force_acts(c), 0.5 * kn * (c.overlap * c.overlap + tangential_ratio * dot(spring, spring)), T(0.0));
  }

  HeadOn closed_form(Real, Real, Real speed) const {
    const Impact<Real> of = impact(speed);
    const Real phase = std::sqrt(of.phase2);
    return {stable_exp(-of.loss), 1 / of.per_second, deepest_phase(of.loss / phase) * speed / (phase * of.per_second)};
  }

  template <class T>
  T frequency_squared(const ContactKinematics<T>& c) const {
    return impact_of(c).k(T(1.0)) * std::max(1.0, slip_response * tangential_ratio);
  }
};

}  // namespace cairn
