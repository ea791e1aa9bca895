// The two formulas all laws share: the clip of an attraction and the Coulomb limit of the tangential spring, both
// evaluated at every state a scheme asks for. There is no stick or slip flag: at the limit both branches agree, and a
// trial spring longer than the limit turns as a spring of the limit's length would. Rejected: flags frozen over a step,
// which cost every scheme its order (docs/decisions/0002).
#pragma once
#include "cairn/contact/kinematics.hpp"
#include "cairn/contact/settings.hpp"

namespace cairn {

template <class T>
struct Normal {
  T force, power_dashpot, power_clip;
};

// Normal force of an elastic and a viscous part, zero while open unless sustained.
template <class T>
[[gnu::always_inline]] inline Normal<T> normal_force(const ContactKinematics<T>& c, const T& elastic, const T& viscous,
                                                     Attraction attraction) {
  const T zero = 0.0;
  const T whole = elastic + viscous;
  const auto closed = force_acts(c);
  const T force = select(closed, whole, zero);
  if (attraction == Attraction::allowed) return {force, select(closed, viscous * c.approach, zero), zero};
  const auto pulls = force < zero && !c.sustained;
  // While clipped the stored energy leaves at the rate -F_el d(overlap)/dt and no dashpot works.
  return {select(pulls, zero, force), select(pulls, zero, select(closed, viscous * c.approach, zero)),
          select(pulls, -elastic * c.approach, zero)};
}

// The tangential spring and the dashpot beside it.
template <class T>
struct Tangential {
  T kt, inverse_kt;       // [N/m] [m/N]
  T kt_rate{}, gt{};      // [N/(m s)] [N s/m]
  T kt_slope{};           // [N/m^2] d kt / d overlap
  bool stiffens = false;  // kt depends on the overlap: without, and without a dashpot, half of the work falls away
  bool damped = false;
  bool stores = true;                           // the ledger counts its energy as elastic
  TangentialForm form = TangentialForm::total;  // of a spring that stiffens
};

// A law without its spring, as the kernel for whole steps needs it (spring_drift.hpp): the normal force, the stiffness
// and the damping of the tangential force, and where they act.
template <class T>
struct LawParts {
  Normal<T> normal;
  Tangential<T> tangential;
  Truth<T> acts;
};

// [m] Length of a spring at the Coulomb limit, `bound` [N], where the force acts; the conservative form of a spring
// that stiffens has its own.
template <class T>
T coulomb_limit(const Truth<T>& acts, const T& bound, const Tangential<T>& t) {
  return select(acts, bound * t.inverse_kt, T(0.0));
}

// The share of a trial force of spring and dashpot that friction bears up to `bound` [N].
template <class T>
T borne_share(const Vec3<T>& trial, const T& bound) {
  const T one = 1.0, trial2 = dot(trial, trial);
  const auto slips = exceeds(trial2, bound * bound);
  return any(slips) ? select(slips, bound / sqrt(trial2), one) : one;
}

// Its force under friction mu. Roots and divisions that only sliding contacts need are skipped where none slides.
//
// A spring that `stores` has U = kt xi^2/2 in the ledger, and slip is what its forces take beyond dU/dt. For others the
// ledger books the whole work of the spring's forces as slip, and observers take off what springs hold at present
// (World::energies): for the total and the incremental form of a spring that stiffens, whose force depends on the path,
// and for all forms of one that may still press where its stiffness ends. Rejected: a power kt_rate xi^2/2 for what the
// form itself makes or loses. Where a contact ends kt_rate is infinite, a sum of that power depends on where stages
// happen to stand, and with attraction allowed the incremental form ends with energy that no channel sees
// (docs/decisions/0004).
template <class T>
ContactForce<T> coulomb(const ContactKinematics<T>& c, const Vec3<T>& xi, const Normal<T>& normal,
                        const Tangential<T>& t, Real mu) {
  const T zero = 0.0, one = 1.0;
  const Vec3<T> none{zero, zero, zero};
  if (mu == 0)  // no limit to speak of: at 0 = 0 a derivative would see the wrong branch
    return {normal.force, none, none, zero, zero, zero, {normal.power_dashpot, zero, normal.power_clip}, zero};
  const auto closed = force_acts(c);
  const T xi_n = dot(xi, c.n);
  const Vec3<T> spring = xi - xi_n * c.n;
  const T bound = mu * abs(normal.force);
  const bool conserves = t.stiffens && t.form == TangentialForm::conservative;
  const bool increments = t.stiffens && t.form == TangentialForm::incremental;
  T limit;
  if (conserves) {
    // The s of kt s = mu |F + kt_slope s^2/2|. Where there is none, for stretching presses faster than it pulls, the
    // root is taken as zero, and such a spring bears less than friction would.
    const T room = t.kt * t.kt - (2 * mu * mu) * t.kt_slope * normal.force;
    const auto has_root = room > zero;
    const T root = select(has_root, sqrt(select(has_root, room, one)), zero);
    limit = select(closed, 2.0 * bound / (t.kt + root), zero);
  } else {
    limit = coulomb_limit(closed, bound, t);
  }
  const T length2 = dot(spring, spring), limit2 = limit * limit;
  const auto beyond = length2 > limit2, exceeding = exceeds(length2, limit2);
  T length = one, kept = one;  // of the spring, and of its length where it is cut to the limit
  if (any(beyond || exceeding)) {
    length = sqrt(length2);
    kept = select(exceeding, limit / length, one);
  }
  T force = normal.force, most = bound;  // [N] the second: of the tangential one
  if (conserves) {
    force = force + (0.5 * t.kt_slope) * (kept * kept * length2);
    most = mu * abs(force);
  }
  T share = one;  // of the trial force that friction bears
  Vec3<T> trial;
  const T along = dot(spring, c.vt);
  T power_dashpot = normal.power_dashpot, power_slip = zero, power_slip_cut = zero;
  if (t.damped) {
    // Beside a dashpot the spring's share is capped, or the force would turn when the spring returns to its limit.
    trial = (t.kt * kept) * spring + t.gt * c.vt;
    share = borne_share(trial, most);
    power_dashpot = power_dashpot + select(closed, share * t.gt * dot(c.vt, c.vt), zero);
    power_slip = t.kt * ((t.stores ? share * kept - one : share * kept) * along);
    power_slip_cut = t.stores ? t.kt * ((share * kept - kept) * along) : power_slip;
  } else {
    trial = t.kt * spring;
    share = kept;
    power_slip = t.kt * ((t.stores ? kept - one : kept) * along);
    if (!t.stores) power_slip_cut = power_slip;
  }
  Vec3<T> rate = c.vt + cross(c.contact_spin, xi);
  if (conserves) {
    const T borne = kept * kept * length2, by_normal = 0.5 * t.kt_slope * c.approach * borne;  // its gain's power
    power_slip = power_slip + (t.stores ? by_normal - 0.5 * t.kt_rate * length2 : by_normal);
    power_slip_cut = power_slip_cut + (t.stores ? by_normal - 0.5 * t.kt_rate * borne : by_normal);
  } else if (increments) {
    rate = rate - (t.kt_rate * t.inverse_kt * kept) * spring;
  }
  if (any(beyond)) {
    // By what it is beyond, over the limit. Bounded by 1: farther out the spring is mostly this step's slip and points
    // the right way already, and an explicit step would overshoot the direction.
    const auto aligns = beyond && limit > zero;
    const T excess = length - limit;
    const T alignment =
        select(aligns, select(excess > limit, limit, excess), zero) / select(aligns, limit * length2, one);
    rate = rate + (alignment * length2) * c.vt - (alignment * along) * spring;
  }
  return {force,
          select(closed, (zero - share) * trial, none),
          select(closed, rate, none),
          limit,
          kept,
          t.kt,
          {power_dashpot, select(closed, power_slip, zero), normal.power_clip},
          select(closed, power_slip_cut, zero),
          t.kt_rate};
}

// [J] that a spring which stores loses when it is cut to its limit.
template <class T>
T released(const ContactForce<T>& p, const Vec3<T>& spring) {
  return 0.5 * p.stiffness * (dot(spring, spring) - p.limit * p.limit);
}

}  // namespace cairn
