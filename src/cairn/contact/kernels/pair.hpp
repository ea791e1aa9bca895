// The ONE pair kernel: from the motion of the bodies to the force of every candidate contact. Rates, forces with the
// spring advanced along a drift, the settling of a step and Taylor series all pass through `contact_geometry` and the
// law.
//
// Contacts go in packs, one a lane (core/lanes.hpp). Per contact that reads 22 numbers, 12 more with prediction, and
// the spring, and writes the spring and a row of 8; about 250 flop.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cairn/contact/kernels/contact_sums.hpp"
#include "cairn/contact/kinematics.hpp"
#include "cairn/contact/laws/all.hpp"
#include "cairn/contact/rolling.hpp"
#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/shapes/surface.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/spring_stages.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

template <class T>
struct BodyMotion {
  Vec3<T> x, v, w;
};

// A contact as seen at one instant.
template <class T>
struct ContactGeometry {
  ContactKinematics<T> kinematics;
  T reduction;            // [m] distance from centre to contact point = radius - reduction
  Vec3<T> wall_velocity;  // [m/s] of the wall at the contact point by its prescribed motion; zero between grains
  Vec3<T> spin{};         // [rad/s] of the first body against the second; ContactScene::each alone finds it
};

// Two grains as each sees the other: all that their contact depends on.
template <class T>
struct PairKinematics {
  Vec3<T> d;        // [m] x_j - x_i, nearest image
  Vec3<T> v;        // [m/s] v_i - v_j
  Vec3<T> rolling;  // [m/s] r_i w_i + r_j w_j
  Vec3<T> w;        // [rad/s] w_i + w_j
  T ri, rj;         // [m]
  T r_eff, m_eff;   // [m] [kg] as ContactKinematics has them
};

template <class T>
PairKinematics<T> pair_kinematics(const BodyMotion<T>& i, const BodyMotion<T>& j, const Vec3<T>& d, const T& ri,
                                  const T& rj, const T& r_eff, const T& m_eff) {
  return {d, i.v - j.v, ri * i.w + rj * j.w, i.w + j.w, ri, rj, r_eff, m_eff};
}

template <class T>
ContactGeometry<T> contact_geometry(const PairKinematics<T>& e) {
  const auto [n, inverse, overlap] = centre_line(e.d, e.ri, e.rj);
  const T approach = dot(e.v, n);
  const T reduction = T(0.5) * overlap;
  const Vec3<T> vt = e.v - approach * n + cross(e.rolling - reduction * e.w, n);
  const Vec3<T> contact_spin = inverse * cross(e.v, n) + (T(0.5) * dot(e.w, n)) * n;
  return {{n, vt, contact_spin, overlap, approach, e.r_eff, e.m_eff}, reduction, {}};
}

// A grain and a surface of a wall.
template <class T>
ContactGeometry<T> contact_geometry(const BodyMotion<T>& i, const Surface& surface, const Pose<T>& pose,
                                    const PeriodicCell& cell, const T& ri, const T& mi) {
  const Nearest<T> at = nearest(surface, pose, cell, i.x, i.v);
  const Vec3<T> v = i.v - at.velocity;
  const T approach = dot(v, at.n);
  const T overlap = ri - at.distance;
  const Vec3<T> vt = v - approach * at.n + cross((ri - overlap) * i.w, at.n);
  const Vec3<T> contact_spin = cross(at.n, at.n_rate) + (T(0.5) * (dot(i.w, at.n) + dot(pose.spin, at.n))) * at.n;
  return {{at.n, vt, contact_spin, overlap, approach, ri, mi}, overlap, at.velocity};
}

// A vector, or one of that length in its direction if it is longer.
template <class T>
Vec3<T> at_most(Real length, const Vec3<T>& a) {
  const T most = length, length2 = dot(a, a);
  const auto longer = length2 > most * most;
  return any(longer) ? select(longer, (most / sqrt(select(longer, length2, most * most))) * a, a) : a;
}

// A contact with a wall as a spring follows it over a drift [s]. Near the axis of a pipe hardly wider than the grain
// the normal may turn by many radians within one drift. No step can follow that, and the stages would stretch the
// spring by the square of the angle; half a radian changes its length by less than a hundredth.
template <class T>
ContactKinematics<T> as_followed(ContactKinematics<T> c, Real drift) {
  c.contact_spin = at_most(0.5 / std::fabs(drift), c.contact_spin);
  return c;
}

inline constexpr int row_length = 8;
// With rolling a second row of zeros and, from the fifth number on, the torque [N m] on the first body, that on the
// second being the opposite.
inline constexpr int row_length_of(bool rolls) {
  return rolls ? 2 * row_length : row_length;
}

inline constexpr int contact_block = 512;   // contacts that a thread takes at once
inline constexpr int pass_contacts = 1024;  // most contacts of a call of a pass, which costs as much as some of them

// One pass over contacts.
struct ContactPass {
  const State* y = nullptr;             // where the bodies are; with springs to read
  State* springs = nullptr;             // where advanced and projected springs go; null: they are not changed
  State* rate = nullptr;                // where the springs' rates go; null: not wanted
  const State* current_rate = nullptr;  // accelerations for `predict`
  Real predict = 0;                     // [s] forces are asked for at v + predict a
  Real drift = 0;  // [s] length of the drift that brought the bodies here and the springs still owe
  SpringQuadrature quadrature = SpringQuadrature::midpoint;  // how they follow it
  bool close = false;  // last of a step: springs beyond the Coulomb limit return to it
  // The drift is the only one of the step, and this its only force; the constants of grains and their predicted
  // velocities stand in the free places of y and current_rate (BodyRow).
  bool whole_step = false;
};

// Advances the springs xi[p] of some contacts along a drift [s] that ends now. kinematics_at(k, p) is contact p at the
// method's k-th lag; rate_of(s, p, kinematics, xi) is the rate of its spring in stage s. All contacts take a stage
// together, so that a processor overlaps their roots and divisions; `kinematics`, `rate` and `end` are work space for
// as many contacts. Stages are a loop: with one after the other each law's formula stands in the code for each of them.
template <class T, class KinematicsAt, class RateOf>
inline void springs_along_drift(SpringQuadrature quadrature, Real drift, int count, Vec3<T>* xi,
                                KinematicsAt&& kinematics_at, RateOf&& rate_of, ContactKinematics<T>* kinematics,
                                Vec3<T>* rate, Vec3<T>* end) {
  const auto stages = spring_method(quadrature).stages;
  for (int p = 0; p < count; ++p) end[p] = xi[p];
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const SpringStage& of = stages[s];
    if (s == 0 || of.at != stages[s - 1].at)
      for (int p = 0; p < count; ++p) kinematics[p] = kinematics_at(of.at, p);
    for (int p = 0; p < count; ++p) {
      Vec3<T> at = xi[p];
      if (of.coefficient != 0) at = at + T(of.coefficient * drift) * rate[p];
      rate[p] = rate_of(static_cast<int>(s), p, kinematics[p], at);
      if (of.weight != 0) end[p] = end[p] + T(of.weight * drift) * rate[p];
    }
  }
  for (int p = 0; p < count; ++p) xi[p] = end[p];
}

// What a contact adds to the ledger.
template <class T>
struct LedgerTerms {
  Powers<T> power;
  T slip_cut;  // [W] slip once the spring has returned to the Coulomb limit
  T released;  // [J] by the spring as it returned
};

// The levers of the tangential force on two bodies: of the first (1 + excess) mean, of the second (1 - excess) mean.
template <class T>
struct Levers {
  T mean;    // [m]
  T excess;  // [-] the difference of the radii over the distance of the centres; zero at walls

  // Between grains each lever is shorter than the radius by half of the overlap.
  static Levers between(const T& mean_radius, const T& difference, const T& overlap, const T& inverse_distance) {
    return {between_equal(mean_radius, overlap).mean, difference * inverse_distance};
  }
  static Levers between_equal(const T& radius, const T& overlap) { return {radius - T(0.5) * overlap, T(0.0)}; }
};

// The row of a contact: the force on its first body [N], Levers::excess, and the torque of the mean lever [N m], which
// has the same direction on both bodies.
template <class T>
inline void write_row(T* row, const Vec3<T>& n, const T& fn, const Vec3<T>& ft, const Levers<T>& levers) {
  const Vec3<T> force = ft - fn * n, torque = levers.mean * cross(n, ft);
  row[0] = force.x, row[1] = force.y, row[2] = force.z, row[3] = levers.excess;
  row[4] = torque.x, row[5] = torque.y, row[6] = torque.z, row[7] = T(0.0);
}

// What a contact answers to a pass.
template <class T>
struct ContactResult {
  T row[row_length];
  Vec3<T> xi;
  Vec3<T> xi_rate;
  LedgerTerms<T> ledger;
  Truth<T> presses;  // as Phase has it
  NormalLoad<T> normal_load;
};

// Whether a contact presses: after opening never, and where attraction is clipped not while it would pull.
template <class T, class Law>
inline Truth<T> presses(const Law& law, const ContactKinematics<T>& c, const T& fn) {
  const T zero = 0.0;
  const auto closed = in_contact(c.overlap);
  return law.attraction == Attraction::allowed ? closed : closed && fn > zero;
}

// Only where contacts keep their phases does it matter whether one is clipped.
inline Phase phase_of(bool closed, bool presses, bool sustains) {
  return !closed ? Phase::open : presses || !sustains ? Phase::pressing : Phase::clipped;
}

// Evaluates the contact `c`, whose spring `xi` has followed the drift, and writes all that the pass needs of it.
template <class T, class Law>
inline void evaluate(const Law& law, const ContactPass& pass, const Vec3<T>& xi, const ContactKinematics<T>& c,
                     const Levers<T>& levers, ContactResult<T>& out) {
  const ContactForce<T> p = law.force(c, xi);
  write_row(out.row, c.n, p.fn, p.ft, levers);
  out.presses = presses(law, c, p.fn);
  out.normal_load = normal_load_of(p);
  out.xi = xi, out.ledger = {p.power, p.power.slip, T(0.0)};
  out.xi_rate = p.xi_rate;
  if (!pass.close) return;
  const auto beyond = p.kept < T(1.0);
  if (any(beyond)) {
    const Vec3<T> spring = xi - dot(xi, c.n) * c.n;
    out.xi = select(beyond, p.kept * spring, xi);
    if (law.stores_shear()) out.ledger.released = select(beyond, released(p, spring), T(0.0));
    out.ledger.slip_cut = p.slip_cut;
    if (pass.rate) out.xi_rate = law.force(c, out.xi).xi_rate;
  }
}

// The spring of a contact whose force has run on past its end, as the drift left it: before it returned to the limit.
struct TrialSpring {
  int slot;
  Vector xi;  // [m]
};

// Where the pair kernel puts and finds things.
struct ContactTables {
  const Particles* grains;
  PeriodicCell cell;
  int materials;
  std::span<const Pair> pairs;
  std::span<const WallPair> walls;
  std::span<const Surface> surfaces;
  std::span<const Real> inverse_masses;  // [1/kg] of surfaces against grains; empty: all move as prescribed
  Real one_radius;                       // [m] of all grains; 0: they differ
  Real shallow;                          // [m] overlaps up to this interest no guard, whatever the radii
  Real* rows;                            // of contacts
  const int* row_starts;                 // where the row of each slot begins; null: passes ask for listed slots alone
  const Phase* phases;                   // of each slot
  bool sustains;                    // contacts keep their phase within a step: open ones have no force, others run on
  const Real* onset_speeds;         // [m/s] of each slot, as ContactKinematics has them, for laws that see them
  std::vector<int>* changed_phase;  // receives the slots whose phase would change now; null: not wanted
  std::vector<TrialSpring>* trials =
      nullptr;  // receives those of contacts that pressed and no longer do; null: likewise
  const RollingResistance* rolling = nullptr;  // of each pair of materials, as laws; null: none anywhere

  Real inverse_mass(const Surface& s) const {
    return inverse_masses.empty() ? 0 : inverse_masses[&s - surfaces.data()];
  }
  int stride() const { return row_length_of(rolling != nullptr); }  // from one row to the next
};

inline BodyMotion<Real> motions(const State& y, int i) {
  return {y.body.at(BodyRow::x, i), y.body.at(BodyRow::v, i), y.body.at(BodyRow::w, i)};
}

// Contacts between grains, at most pass_contacts of them: slots[begin, end), in any order, into rows from first_row on,
// or where `slots` is null the slots [begin, end) themselves, into their row_starts (pair_pass.cpp).
CAIRN_KERNEL(pair_pass, const ContactPass&, const ContactTables&, const LawTable&, const int* slots, int begin, int end,
             int first_row, PartialSums&)

// The same between grains and walls, whose slots follow those between grains (wall_pass.cpp).
CAIRN_KERNEL(wall_pass, const ContactPass&, const ContactTables&, const LawTable&, const int* slots, int begin, int end,
             int first_row, PartialSums&)

}  // namespace cairn
