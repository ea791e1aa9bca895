// The ONE pair kernel: from the motion of the bodies to the force of every candidate contact. Rates, forces with the
// spring advanced along a drift, the settling of a step and Taylor series all pass through `touch_of` and the law.
//
// Contacts between grains go eight at a time (core/lanes.hpp): candidates of a block that may touch are listed first,
// then only those are computed. Per candidate that reads 8 numbers; per contact 22 numbers, 6 more with prediction, and
// the spring, and writes the spring and a row of 8; about 250 flop.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/contact/laws.hpp"
#include "cairn/contact/touch.hpp"
#include "cairn/core/simd.hpp"
#include "cairn/geometry/cell.hpp"
#include "cairn/geometry/wall.hpp"
#include "cairn/state/particles.hpp"
#include "cairn/state/slots.hpp"
#include "cairn/state/spring_stages.hpp"
#include "cairn/state/state.hpp"

namespace cairn {

template <class T>
struct Motions {
  Vec3<T> x, v, w;
};

// A contact as seen at one instant.
template <class T>
struct Meeting {
  Touch<T> touch;
  T reduction;            // [m] distance from centre to contact point = radius - reduction
  Vec3<T> wall_velocity;  // [m/s] of the wall at the contact point; zero between grains
};

// Two grains whose centres differ by d = x_j - x_i, nearest image.
template <class T>
Meeting<T> touch_of(const Motions<T>& i, const Motions<T>& j, const Vec3<T>& d, const T& ri, const T& rj,
                    const T& r_eff, const T& m_eff) {
  const T distance = sqrt(dot(d, d));
  const T inverse = T(1.0) / distance;
  const Vec3<T> n = inverse * d;
  const Vec3<T> v = i.v - j.v;
  const T approach = dot(v, n);
  const T overlap = ri + rj - distance;
  const T reduction = T(0.5) * overlap;
  const Vec3<T> across = v - approach * n;
  const Vec3<T> turning = (ri - reduction) * i.w + (rj - reduction) * j.w;
  return {{n, (T(0.0) - inverse) * across, across + cross(turning, n), T(0.5) * dot(i.w + j.w, n), overlap, approach,
           r_eff, m_eff},
          reduction,
          {}};
}

// A grain and a surface of a wall.
template <class T>
Meeting<T> touch_of(const Motions<T>& i, const Surface& surface, const Pose<T>& pose, Real ri, Real inverse_mi) {
  const Nearest<T> at = nearest(surface, pose, i.x, i.v);
  const Vec3<T> v = i.v - at.velocity;
  const T approach = dot(v, at.n);
  const T overlap = T(ri) - at.distance;
  const Vec3<T> vt = v - approach * at.n + cross((T(ri) - overlap) * i.w, at.n);
  return {
      {at.n, at.n_rate, vt, T(0.5) * (dot(i.w, at.n) + dot(pose.spin, at.n)), overlap, approach, ri, 1 / inverse_mi},
      overlap,
      at.velocity};
}

// What a contact hands to its two bodies, in `row_length` numbers: the force on i, the reduction of the lever and
// n x ft, so that the torque is (radius - reduction) n x ft on both.
inline constexpr int row_length = 8;

inline constexpr int contact_block = 512;  // contacts that a thread takes at once, and that are summed together

// Rows a block may fill: its own and a pack of padding for each pair of materials.
inline constexpr int block_rows(int materials) {
  return contact_block + 8 * materials * materials;
}

// One pass over contacts.
struct ContactPass {
  const State* y = nullptr;       // where the bodies are; with springs to read
  State* springs = nullptr;       // where advanced and projected springs go; null: they are not changed
  State* rate = nullptr;          // where the springs' rates go; null: not wanted
  const State* held = nullptr;    // accelerations for `predict`
  Real predict = 0;               // [s] forces are asked for at v + predict a
  Real drift = 0;                 // [s] length of the drift that brought the bodies here and the springs still owe
  Along along = Along::midpoint;  // how they follow it
  bool close = false;             // last of a step: springs beyond the Coulomb limit return to it
};

// Sums of a block of contacts.
struct ContactSums {
  Books power{};      // [W] at the state asked for
  Books after{};      // [W] once springs beyond the Coulomb limit have returned to it
  Real released = 0;  // [J] energy of those springs
  Real deepest = 0;   // [-] largest overlap over the smaller radius
  int deepest_contact = -1;

  void add(const ContactSums& b) {
    for (int c = 0; c < channels; ++c) power[c] += b.power[c], after[c] += b.after[c];
    released += b.released;
    if (b.deepest > deepest) deepest = b.deepest, deepest_contact = b.deepest_contact;
  }
};

// The spring after the drift whose end is now. touch_at(lag) is the contact `lag` seconds ago.
template <class T, class Law, class TouchAt>
inline Vec3<T> spring_along_drift(const Law& law, const ContactPass& pass, const Vec3<T>& xi, TouchAt&& touch_at) {
  Vec3<T> end = xi, rate{T(0.0), T(0.0), T(0.0)};
  Touch<T> touch;
  Real lag = -1;
  for (const SpringStage& stage : spring_stages(pass.along)) {
    if (stage.lag != lag) touch = touch_at(stage.lag * pass.drift);
    lag = stage.lag;
    rate = law.push(touch, xi + (stage.reach * pass.drift) * rate).xi_rate;
    if (stage.weight != 0) end = end + (stage.weight * pass.drift) * rate;
  }
  return end;
}

// What a contact answers to a pass.
template <class T>
struct Outcome {
  Vec3<T> xi, force, twist;  // force on the first body; twist = n x ft
  Vec3<T> xi_rate;           // if the pass wants rates
  T reduction;
  Powers<T> power, after;  // before and after the spring returns to the Coulomb limit
  T released;
  Truth<T> presses;  // as Phase has it
};

// Whether a contact presses: after opening never, and where attraction is clipped not while it would pull.
template <class T, class Law>
inline Truth<T> presses(const Law& law, const Touch<T>& c, const T& fn) {
  const T zero = 0.0;
  const auto closed = c.overlap > zero;
  return law.attraction == Attraction::allowed ? closed : closed && fn > zero;
}

// Only where contacts keep their phases does it matter whether one is clipped.
inline Phase phase_of(bool closed, bool presses, bool sustains) {
  return !closed ? Phase::open : presses || !sustains ? Phase::pressing : Phase::clipped;
}

// One contact of a pass: law and motion in, forces and spring out. meeting_at(lag) is the contact `lag` seconds ago as
// it moves without prediction; `now` is the contact the force is asked for. `wants_rate` is pass.rate != nullptr, known
// when compiling, for rates cost a third of the contact.
template <bool wants_rate, class T, class Law, class MeetingAt>
inline Outcome<T> visit(const Law& law, const ContactPass& pass, Vec3<T> xi, const Meeting<T>& now,
                        MeetingAt&& meeting_at) {
  if (pass.drift != 0) xi = spring_along_drift(law, pass, xi, [&](Real lag) { return meeting_at(lag).touch; });
  const Touch<T>& c = now.touch;
  const Push<T> p = law.push(c, xi);
  Outcome<T> out{xi,     p.ft - p.fn * c.n,    cross(c.n, p.ft), {}, now.reduction, p.power, p.power,
                 T(0.0), presses(law, c, p.fn)};
  if constexpr (wants_rate) out.xi_rate = p.xi_rate;
  if (!pass.close) return out;
  const Vec3<T> spring = xi - dot(xi, c.n) * c.n;
  const T length2 = dot(spring, spring), limit2 = p.limit * p.limit;
  const auto beyond = length2 > limit2;
  if (any(beyond)) {
    out.xi = select(beyond, (p.limit / sqrt(length2)) * spring, xi);
    out.released = select(beyond, 0.5 * p.stiffness * (length2 - limit2), T(0.0));
    const Push<T> after = law.push(c, out.xi);
    if constexpr (wants_rate) out.xi_rate = after.xi_rate;
    out.after = after.power;
  }
  return out;
}

inline void add(Books& books, const Powers<Real>& p) {
  books[dashpot] += p.dashpot, books[slip] += p.slip, books[clip] += p.clip;
}

// Where the pair kernel puts and finds things.
struct ContactTables {
  const Particles* grains;
  PeriodicCell cell;
  int materials;
  std::span<const Pair> pairs;
  std::span<const WallPair> walls;
  std::span<const Surface> surfaces;
  Real margin;               // [m] surfaces of grains farther apart than this did not touch during the drift
  Real* rows;                // row_length numbers per slot, packed to the front of each block
  int* row_of;               // the row of each slot; 0, a row of zeros, where it did not touch
  const Phase* phases;       // of each slot
  bool sustains;             // contacts keep their phase within a step: open ones have no force, others run on
  std::vector<int>* turned;  // slots that would now have another phase are added; null: nobody asks
};

// The motion of a grain `lag` seconds ago on the present drift.
inline Motions<Real> motions(const State& y, int i, Real lag) {
  const Vector v = y.body.at(row_v, i);
  return {y.body.at(row_x, i) + (-lag) * v, v, y.body.at(row_w, i)};
}

// Contacts between grains, slots [begin, end), at most contact_block, into rows from first_row on; there must be room
// for block_rows of them. Eight at a time (pair_pass.cpp).
void pair_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin, int end,
               int first_row, Simd simd, ContactSums& sums);

// The same for these slots alone, at most contact_block.
void pair_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, std::span<const int> slots,
               int first_row, Simd simd, ContactSums& sums);

// Contacts between grains and walls, entries [begin, end) of t.walls; their slots follow those of the grains, and each
// has one row from first_row on.
void wall_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin, int end,
               int first_row, ContactSums& sums);

}  // namespace cairn
