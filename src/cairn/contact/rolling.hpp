// Rolling and twisting resistance: springs of the same kind as the tangential one, beside any contact law (Iwashita &
// Oda, J. Eng. Mech. 124 (1998) 285; Luding, Granular Matter 10 (2008) 235, sections 3.5 and 3.6).
//
// Two bodies in contact turn against each other at w = w_i - w_j, which is zero where they turn as one. Times the lever
// L = r_i r_j / (r_i + r_j), a grain's radius at a wall, that is the velocity of rolling, across n, and of twisting,
// along it. Both stretch the spring chi [m], which turns with the contact:
//   chi' = L w + turn x chi,   q = -(k chi + gamma L w) within mu |F_n|, across n and along n each by itself,
// and L q is the torque on i, -L q that on j: no force, no net torque, and the power q . L w. Luding's rolling velocity
// -L n x w is the part across n turned by a quarter about n, and so is his force; as written here spring and torque
// change sign with the order of the bodies, as the tangential ones do. His lever has the overlap taken off; left on, it
// is the same in velocity and torque all the same.
#pragma once
#include <algorithm>
#include <vector>

#include "cairn/contact/coulomb.hpp"
#include "cairn/core/error.hpp"

namespace cairn {

// What of the law's answer rolling depends on.
template <class T>
struct NormalLoad {
  T fn;              // [N]
  T stiffness;       // [N/m] tangential
  T stiffness_rate;  // [N/(m s)]
};

template <class T>
NormalLoad<T> normal_load_of(const ContactForce<T>& p) {
  return {p.fn, p.stiffness, p.stiffness_rate};
}

template <class T>
struct RollingResponse {
  Vec3<T> torque;    // [N] q: times the lever that on i
  Vec3<T> rate;      // [m/s] d chi/dt
  Vec3<T> returned;  // [m] the spring within its limits,
  Truth<T> beyond;   // where it was not
  T released;        // [J] by that
  T power, cut;      // [W] what leaves the mechanical energy; once the spring has returned
};

struct RollingResistance {
  Real rolling_friction = 0, twisting_friction = 0;                // [-] mu of either; 0: none
  Real rolling_stiffness_ratio = 1, twisting_stiffness_ratio = 1;  // [-] stiffness over that of the tangential spring
  Real rolling_damping = 0, twisting_damping = 0;                  // [N s/m]
  bool stores = true;  // as Tangential::stores; false beside a law whose tangential stiffness depends on the overlap

  static constexpr ContactParameter parameters[] = {
      {.name = "rolling_friction",
       .range = at_least_0,
       .fallback = 0,
       .description = "coefficient mu_r of rolling resistance: its largest torque is mu_r times lever times normal "
                      "force; works with every law of soft contacts"},
      {.name = "rolling_stiffness_ratio",
       .range = positive,
       .fallback = 1,
       .description = "rolling stiffness divided by the tangential stiffness"},
      {.name = "rolling_damping",
       .unit = "N s/m",
       .range = at_least_0,
       .fallback = 0,
       .description = "rolling damping coefficient; it acts below the limit of rolling resistance"},
      {.name = "twisting_friction",
       .range = at_least_0,
       .fallback = 0,
       .description = "coefficient mu_o of twisting resistance, against spin about the normal: its largest torque is "
                      "mu_o times lever times normal force"},
      {.name = "twisting_stiffness_ratio",
       .range = positive,
       .fallback = 1,
       .description = "twisting stiffness divided by the tangential stiffness"},
      {.name = "twisting_damping",
       .unit = "N s/m",
       .range = at_least_0,
       .fallback = 0,
       .description = "twisting damping coefficient; it acts below the limit of twisting resistance"}};

  bool none() const { return rolling_friction == 0 && twisting_friction == 0; }

  static std::optional<ParameterFault> fault(const ContactSettings& c) {
    if (!from(c).acts() || c.number(parameter::friction) > 0) return {};
    return ParameterFault{{"rolling_friction", "twisting_friction"},
                          "without friction",
                          "friction > 0 beside it, because its stiffness is a multiple of the tangential stiffness"};
  }

  static RollingResistance from(const ContactSettings& c) {
    return {.rolling_friction = c.number(parameters[0]),
            .twisting_friction = c.number(parameters[3]),
            .rolling_stiffness_ratio = c.number(parameters[1]),
            .twisting_stiffness_ratio = c.number(parameters[4]),
            .rolling_damping = c.number(parameters[2]),
            .twisting_damping = c.number(parameters[5])};
  }

  // [-] stiffness over that of the tangential spring, where there is any.
  Real rolling_ratio() const { return rolling_friction > 0 ? rolling_stiffness_ratio : 0; }
  Real twisting_ratio() const { return twisting_friction > 0 ? twisting_stiffness_ratio : 0; }
  bool acts() const { return rolling_friction > 0 || twisting_friction > 0; }

  // `velocity` [m/s]: L w.
  template <class T>
  RollingResponse<T> response(const ContactKinematics<T>& c, const Vec3<T>& velocity, const Vec3<T>& chi,
                              const NormalLoad<T>& normal_load) const {
    const T zero = 0.0, one = 1.0;
    const auto stiff = normal_load.stiffness > zero;
    const auto closed = force_acts(c) && stiff;
    const T k = select(stiff, normal_load.stiffness, one);
    const Vec3<T> spins = dot(velocity, c.n) * c.n, twisted = dot(chi, c.n) * c.n, rolled = chi - twisted;
    ContactKinematics<T> rolls = c;
    rolls.overlap = select(closed, one, zero), rolls.sustained = Truth<T>{};
    rolls.vt = velocity - spins;
    ContactKinematics<T> twists = rolls;
    twists.n = {}, twists.vt = spins;  // nothing is taken out of a spring along n
    const auto limited = [&](const ContactKinematics<T>& kinematics, const Vec3<T>& spring, Real ratio, Real damping,
                             Real mu) {
      const T stiffness = ratio * k;
      ContactForce<T> p = coulomb(kinematics, spring, {normal_load.fn, zero, zero},
                                  {.kt = stiffness,
                                   .inverse_kt = one / stiffness,
                                   .kt_rate = ratio * normal_load.stiffness_rate,
                                   .gt = damping,
                                   .stiffens = true,
                                   .damped = damping != 0,
                                   .stores = stores},
                                  mu);
      // What the other of the two leaves here by round-off goes with the contact.
      if (mu == 0) p.kept = select(closed || !(dot(spring, spring) > zero), one, zero);
      return p;
    };
    const ContactForce<T> roll = limited(rolls, rolled, rolling_stiffness_ratio, rolling_damping, rolling_friction);
    const ContactForce<T> twist =
        limited(twists, twisted, twisting_stiffness_ratio, twisting_damping, twisting_friction);
    const auto freed = [&](const ContactForce<T>& p, const Vec3<T>& spring) {
      return select(p.kept < one && stiff, released(p, spring), zero);
    };
    const T dashpots = roll.power.dashpot + twist.power.dashpot;
    return {roll.ft + twist.ft,
            roll.xi_rate + twist.xi_rate,
            roll.kept * rolled + twist.kept * twisted,
            roll.kept < one || twist.kept < one,
            stores ? freed(roll, rolled) + freed(twist, twisted) : zero,
            dashpots + (roll.power.slip + twist.power.slip),
            dashpots + (roll.slip_cut + twist.slip_cut)};
  }

  // [J] stored at this tangential stiffness.
  template <class T>
  T elastic_energy(const Vec3<T>& n, const Vec3<T>& chi, const T& stiffness) const {
    const Vec3<T> twisted = dot(chi, n) * n, rolled = chi - twisted;
    return 0.5 * stiffness * (rolling_ratio() * dot(rolled, rolled) + twisting_ratio() * dot(twisted, twisted));
  }

  // [1/s^2] bound on the square of the highest frequency of two spheres that shear, roll and twist: 7/2 k_t of the
  // contact point, 5/2 k of the rotation.
  Real frequency_squared(Real stiffness, Real m_eff) const {
    return std::max(slip_response + 2.5 * rolling_ratio(), 2.5 * twisting_ratio()) * stiffness / m_eff;
  }
};

// One of each pair of materials as laws are, settings(i, j) of a pair; empty if none acts.
template <class Settings>
std::vector<RollingResistance> rolling_table(std::size_t materials, Settings&& settings) {
  std::vector<RollingResistance> table;
  for (std::size_t i = 0; i < materials; ++i)
    for (std::size_t j = 0; j < materials; ++j) table.push_back(RollingResistance::from(settings(i, j)));
  if (std::none_of(table.begin(), table.end(), [](const RollingResistance& r) { return r.acts(); })) table.clear();
  return table;
}

}  // namespace cairn
