// The two sides of every contact law: what it is told (ContactKinematics) and what it answers (ContactForce). Neither
// knows a time step. Signs: n points from body i to body j (grain to wall); the overlap grows at the approach rate; the
// force on i is -fn n + ft, on j the opposite (spec: docs/laws.md).
#pragma once
#include <concepts>
#include <span>
#include <string_view>

#include "cairn/contact/law_words.hpp"
#include "cairn/contact/settings.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/core/vec3.hpp"

namespace cairn {

// [-] 1 + m R^2 / I of a solid sphere. An impulse across the normal changes the slip of two spheres by this times what
// it changes their approach by along the normal, because spheres also turn. Where rotation is off it is a bound.
inline constexpr Real slip_response = 3.5;

template <class T>
struct ContactKinematics {
  Vec3<T> n;             // [-] unit normal
  Vec3<T> vt;            // [m/s] tangential velocity of i relative to j at the contact
  Vec3<T> contact_spin;  // [rad/s] how the contact turns: n x dn/dt, and about n as the two bodies do in the mean
  T overlap;             // [m] > 0 in contact
  T approach;            // [m/s] d overlap/dt
  T r_eff;               // [m] r_i r_j / (r_i + r_j)
  T m_eff;               // [kg] m_i m_j / (m_i + m_j)
  // Whether the force runs on smoothly past opening and clip, where the formula can: asked of contacts that pressed
  // when the step began, for what they did too much is taken back where they end (docs/onset.md).
  Truth<T> sustained{};
  T onset_speed{};  // [m/s] the approach rate when the contact began; 0 while that is not known
};

// The line from the centre of one grain to that of another.
template <class T>
struct CentreLine {
  Vec3<T> n;           // [-] its direction
  T inverse_distance;  // [1/m] of the centres
  T overlap;           // [m]
};
// `d` [m] from centre to centre, radii `ri` and `rj` [m].
template <class T>
CentreLine<T> centre_line(const Vec3<T>& d, const T& ri, const T& rj) {
  const T distance = sqrt(dot(d, d)), inverse = T(1.0) / distance;
  return {inverse * d, inverse, ri + rj - distance};
}

// [m] the effective radius of two radii, or [kg] the effective mass of two masses.
template <class T>
T effective_of(const T& a, const T& b) {
  return a * b / (a + b);
}
// [kg] the effective mass of two inverse masses [1/kg]; those of walls may be 0. It is rounded in another way.
template <class T>
T m_eff_of(const T& inverse_mi, const T& inverse_mj) {
  return T(1.0) / (inverse_mi + inverse_mj);
}

// Whether two bodies are in contact, from their overlap [m].
template <class T>
[[gnu::always_inline]] inline auto in_contact(const T& overlap) {
  return overlap > T(0.0);
}
// Whether the force acts: in contact, or where it runs on past opening.
template <class T>
[[gnu::always_inline]] inline auto force_acts(const ContactKinematics<T>& c) {
  return in_contact(c.overlap) || c.sustained;
}

// [W] what leaves the mechanical energy at one instant.
template <class T>
struct Powers {
  T dashpot;  // dissipated by dashpots
  T slip;     // dissipated by friction, as far as the trial spring shows it (commit books the rest); the whole work of
              // a spring that does not store
  T clip;     // stored energy abandoned while an attraction is clipped

  friend Powers operator+(const Powers& a, const Powers& b) {
    return {a.dashpot + b.dashpot, a.slip + b.slip, a.clip + b.clip};
  }
  friend Powers operator-(const Powers& a, const Powers& b) {
    return {a.dashpot - b.dashpot, a.slip - b.slip, a.clip - b.clip};
  }
  friend Powers operator*(const T& c, const Powers& a) { return {c * a.dashpot, c * a.slip, c * a.clip}; }
};

template <class T>
struct ContactForce {
  T fn;             // [N] normal force, positive apart
  Vec3<T> ft;       // [N] tangential force on i
  Vec3<T> xi_rate;  // [m/s] d xi/dt
  T limit;          // [m] length of the spring at the Coulomb limit
  T kept;           // [-] of the spring's length where it is cut to the limit; 1 within
  T stiffness;      // [N/m] tangential stiffness k_t at this overlap
  Powers<T> power;
  T slip_cut;          // [W] what of it is slip once the spring is cut to the limit; the rest stays
  T stiffness_rate{};  // [N/(m s)] d stiffness/dt
};

template <class L>
concept ContactLaw = requires(const L law, const ContactKinematics<Real>& c, const Vector& xi,
                              const ContactKinematics<Jet<1>>& moving, const Vec3<Jet<1>>& spring) {
  { law.force(c, xi) } -> std::same_as<ContactForce<Real>>;
  // Templates over the scalar without branches, as force: the correction of onsets asks them of a pack at once.
  { law.elastic_energy(c, xi) } -> std::same_as<Real>;
  { law.elastic_energy(moving, spring) } -> std::same_as<Jet<1>>;
  // Whether the ledger counts k_t xi^2/2 as elastic energy, or all work on the spring as slip (coulomb.hpp).
  { law.stores_shear() } -> std::same_as<bool>;
  { law.frequency_squared(c) } -> std::same_as<Real>;
  { law.frequency_squared(moving) } -> std::same_as<Jet<1>>;
  { law.attraction } -> std::convertible_to<Attraction>;
  { law.has_onset_jump() } -> std::same_as<bool>;        // with a jump or a kink of the force, which can be corrected
  { L::onset_by_default } -> std::convertible_to<bool>;  // whether that is worth it
  { L::stiffens } -> std::convertible_to<bool>;          // whether the tangential stiffness depends on the overlap
  { L::sees_radius } -> std::convertible_to<bool>;       // whether ContactKinematics::r_eff matters
  { L::sees_onset_speed } -> std::convertible_to<bool>;  // and ContactKinematics::onset_speed
  { L::name } -> std::convertible_to<std::string_view>;
  { L::summary } -> std::convertible_to<std::string_view>;    // a line
  { L::reference } -> std::convertible_to<std::string_view>;  // its source
  { L::words } -> std::convertible_to<LawWords>;
  requires L::words.complete();
  {std::span<const ContactParameter>(L::parameters)};
};

// [m] The gap up to which a law acts beyond touch: L::range(), else 0.
template <class L>
Real range_of(const L& law) {
  if constexpr (requires { law.range(); })
    return law.range();
  else
    return 0;
}

// Whether a contact must remember more than its tangential spring: L::has_memory, else false.
template <class L>
constexpr bool has_memory = false;
template <class L>
requires requires {
  L::has_memory;
}
constexpr bool has_memory<L> = L::has_memory;

}  // namespace cairn
