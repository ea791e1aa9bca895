// The tangential spring of a contact over a drift, in closed form, in steps of one drift and one force. It solves
//
//   d xi/dt = vt + spin x xi,  vt = u_t + W x n,  spin = u x n / d + (w_i + w_j).n n / 2,
//   W = r_i w_i + r_j w_j - overlap (w_i + w_j) / 2,  |xi| <= limit,
//
// between grains, and at a wall likewise, to second order while the grains move in straight lines; the general kernel
// integrates the same equations by stages (state/spring_stages.hpp). While the contact sticks nothing but the normal
// and the distance of the end is needed, no root and no division. Derivation and tests:
// docs/decisions/0023-spring-in-closed-form.md.
#pragma once
#include "cairn/contact/kinematics.hpp"

namespace cairn {

// Laws whose spring moves with the contact point alone while it sticks, and returns to the Coulomb limit when it is
// longer, whatever its stiffness: the spring of the linear law, and that of a stiffening law in the total form.
template <class Law>
concept WholeStepLaw = !Law::sees_onset_speed && requires(const Law law, const ContactKinematics<Real>& c) {
  law.parts(c);
  { law.spring_follows_whole_steps() } -> std::same_as<bool>;
  { law.uses_slip_velocity() } -> std::same_as<bool>;
};
template <class Law>
bool has_closed_form(const Law& law) {
  if constexpr (WholeStepLaw<Law>) return law.spring_follows_whole_steps();
  return false;
}

template <class T>
struct DriftedSpring {
  Vec3<T> old;    // [m] what the spring was before, in the plane of the contact as it is now
  T twist;        // [-] by which the contact turned about its normal
  Vec3<T> trial;  // [m] the spring with the slip of the drift, as if friction had no limit
};

// How a contact moves during a drift.
template <class T>
struct ContactDrift {
  Vec3<T> n, middle;   // [-] its normal at the end, and in the middle
  Vec3<T> across;      // [m/s] velocity of the centres across the normal, of mid-drift, in the plane of the end
  Vec3<T> lever_spin;  // [m/s] of mid-drift
  Vec3<T> w;           // [rad/s] sum of both spins
};

// `xi` [m] at the beginning of a drift of h [s]. `touches`: in the middle of the drift; else the spring is turned
// alone.
template <class T>
[[gnu::always_inline]] inline void spring_over_drift(Real h, const Vec3<T>& xi, const ContactDrift<T>& c,
                                                     const Truth<T>& touches, DriftedSpring<T>& to) {
  const T half = 0.5 * h;
  to.twist = half * dot(c.w, c.middle);
  to.old = xi - dot(xi, c.n) * c.middle;
  const Vec3<T> half_slip = select(touches, half * (c.across + cross(c.lever_spin, c.n)), Vec3<T>{});
  const T shift = select(touches, T(h) * dot(c.lever_spin, c.n), T(0.0));
  const Vec3<T> turned = to.twist * (to.old + half_slip) + shift * c.middle;
  to.trial = (T(1.0) - T(0.5) * (to.twist * to.twist)) * to.old + (half_slip + half_slip) + cross(c.n, turned);
}

// [m/s] What r_i w_i + r_j w_j is more than the mean radius times w_i + w_j; `difference` [rad/s] is w_i - w_j. Minus
// zero changes no number to which it is added: contacts of equal radii are the same beside others and where all are
// equal.
template <class T>
[[gnu::always_inline]] inline Vec3<T> uneven_spin(const T& ri, const T& rj, const Vec3<T>& difference) {
  return select(ri < rj || rj < ri, (T(0.5) * (ri - rj)) * difference, Vec3<T>{T(-0.0), T(-0.0), T(-0.0)});
}

// Two grains during a drift.
template <class T>
struct DriftedContact {
  CentreLine<T> line;               // at its end
  Vec3<T> u;                        // [m/s] velocity of the first relative to the second
  T radius;                         // [m] mean of both
  Vec3<T> w;                        // [rad/s] sum of both spins
  const Vec3<T>* uneven = nullptr;  // [m/s] uneven_spin(); null: radii are equal

  // [m/s] Of levers that are shorter than the radii by `reduction` [m].
  [[gnu::always_inline]] Vec3<T> lever_spin(const T& reduction) const {
    const Vec3<T> mean = (radius - reduction) * w;
    return uneven ? mean + *uneven : mean;
  }
};

template <class T>
[[gnu::always_inline]] inline void spring_over_drift(Real h, const Vec3<T>& xi, const DriftedContact<T>& c,
                                                     const Truth<T>& touches, DriftedSpring<T>& to) {
  const T half = 0.5 * h;
  const Vec3<T>& n = c.line.n;
  const T approach = dot(c.u, n), turn = half * c.line.inverse_distance;
  const Vec3<T> across = c.u - approach * n;
  const Vec3<T> lever_spin = c.lever_spin(T(0.5) * (c.line.overlap - half * approach));
  spring_over_drift(h, xi, ContactDrift<T>{n, n + turn * across, (T(1.0) - turn * approach) * across, lever_spin, c.w},
                    touches, to);
}

// A grain and a wall during a drift.
template <class T>
struct DriftedWallContact {
  Vec3<T> n, n_rate;  // [-] [1/s] at its end
  Vec3<T> u;          // [m/s] velocity of the grain relative to the wall's material at the contact, in the middle
  T lever;            // [m] from the centre to the contact point, at its end
  Vec3<T> w;          // [rad/s] of the grain
  Vector wall_spin;   // [rad/s]
};

template <class T>
[[gnu::always_inline]] inline void spring_over_drift(Real h, const Vec3<T>& xi, const DriftedWallContact<T>& c,
                                                     const Truth<T>& touches, DriftedSpring<T>& to) {
  const T half = 0.5 * h;
  const T approach = dot(c.u, c.n);
  const Vec3<T> across = c.u - approach * c.n + (half * approach) * c.n_rate;
  const Vec3<T> lever_spin = (c.lever + half * approach) * c.w;
  const Vec3<T> wall_spin{c.wall_spin.x, c.wall_spin.y, c.wall_spin.z};
  spring_over_drift(h, xi, ContactDrift<T>{c.n, c.n - half * c.n_rate, across, lever_spin, c.w + wall_spin}, touches,
                    to);
}

// A spring that is at most as long as its limit, and the heat [J] of its slip per stiffness [N/m]: none while it
// sticks.
template <class T>
struct SlidSpring {
  Vec3<T> xi;  // [m]
  T heat;      // [m^2] never negative
};

// The direction of a sliding spring follows that of the slip. The trapezoidal rule along the drift gives it to second
// order; the direction of the trial spring alone, which every other code takes, to first. Heat is the work of the
// forces at both ends of the drift less what the spring gained. Where a trapezoid is too coarse, because the limit fell
// to a fraction of the spring within the drift, the direction is that of the trial spring.
template <class T>
SlidSpring<T> slid_spring(const Vec3<T>& n, const DriftedSpring<T>& s, const T& limit) {
  const T zero = 0.0, one = 1.0;
  const T length2 = dot(s.trial, s.trial), limit2 = limit * limit;
  const auto slides = length2 > limit2;
  const Vec3<T> carried = s.old + s.twist * cross(n, s.old);  // turned as the contact has turned
  const Vec3<T> guess = (T(3.0) * limit2 + length2) * s.trial + (limit2 - length2) * carried;
  Vec3<T> along = guess;
  T along2 = dot(along, along);
  const auto turns = limit > zero && along2 > zero && dot(along, s.trial) > zero;
  if (any(slides && !turns)) {
    along = select(turns, guess, s.trial);
    along2 = select(turns, along2, select(length2 > zero, length2, one));
  }
  SlidSpring<T> to{(limit / sqrt(along2)) * along, zero};
  const Vec3<T> lost = s.trial - to.xi;
  to.heat = T(0.5) * dot(lost, carried + to.xi);
  const auto negative = slides && to.heat < zero;
  if (any(negative)) {
    const T cut = limit / sqrt(select(length2 > zero, length2, one));
    to.xi = select(negative, cut * s.trial, to.xi);
    const T heat = T(0.5) * dot(s.trial - to.xi, carried + to.xi), least = T(0.5) * (length2 - limit2);
    to.heat = select(negative, select(heat < zero, least, heat), to.heat);
  }
  return {select(slides, to.xi, s.trial), select(slides, to.heat, zero)};
}

}  // namespace cairn
