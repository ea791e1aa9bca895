// One contact by itself over a part of a step, the other forces on its bodies constant (docs/onset.md, the equations).
// Nothing is known of the law but its formula. For files compiled once per instruction set.
#pragma once
#include <array>

#include "cairn/contact/kinematics.hpp"
#include "cairn/core/jet.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// The force of a contact on the first body, -normal n + tangential, in two parts: the normal one turns with the contact
// and has no lever. A force [N], an impulse [N s] or its moment [N s^2].
struct ForceParts {
  Lanes normal{};
  Vec3<Lanes> tangential{};

  friend ForceParts operator+(const ForceParts& a, const ForceParts& b) {
    return {a.normal + b.normal, a.tangential + b.tangential};
  }
  friend ForceParts operator-(const ForceParts& a, const ForceParts& b) {
    return {a.normal - b.normal, a.tangential - b.tangential};
  }
  friend ForceParts operator*(const Lanes& c, const ForceParts& a) { return {c * a.normal, c * a.tangential}; }
};

// Contacts abreast, one a lane. Times are relative to the end of the step. The normal is that of the present.
template <ContactLaw Law>
class ContactAlone {
  using T = Lanes;

 public:
  // What the contact's force on the first body has done since the course began.
  struct Course {
    T time{};                        // [s]
    ForceParts impulse{}, moment{};  // [N s], its integral [N s^2]
    Vec3<T> spring{};                // [m]
    Powers<T> lost{};                // [J]
  };
  // What the normal force alone has done. Friction does not change it.
  struct NormalCourse {
    T time{}, impulse{}, moment{};  // [s] [N s] [N s^2]
  };
  static NormalCourse normal_of(const Course& c) { return {c.time, c.impulse.normal, c.moment.normal}; }

  // `motion` of the contact under the present forces; whether its own is among them, with this spring.
  // `effective_inverse_mass` [1/kg]: the tangential acceleration of the contact point that a force there causes, over
  // the force. `approach_rate` [m/s^2]: of the approach, by the accelerations of both bodies, as if the normal did
  // not turn. `offset` [s^2]: StepEnd::position_offset. `lag` [s]: OnsetPass::lag.
  ContactAlone(const Law& law, const ContactKinematics<Jet<2, T>>& motion, const T& effective_inverse_mass, bool acts,
               const Vec3<T>& spring, const T& approach_rate, Real offset, Real lag)
      : law_(law), effective_inverse_mass_(effective_inverse_mass), approach_rate_(approach_rate), lag_(lag) {
    const auto vector = [](const Vec3<Jet<2, T>>& a, int order) {
      return Vec3<T>{a.x.c[order], a.y.c[order], a.z.c[order]};
    };
    overlap_ = motion.overlap.c;
    kinematics_.n = vector(motion.n, 0);
    kinematics_.contact_spin = dot(vector(motion.contact_spin, 0), kinematics_.n) * kinematics_.n;
    kinematics_.r_eff = motion.r_eff.c[0], kinematics_.m_eff = motion.m_eff.c[0];
    kinematics_.sustained = T(0.0) < T(1.0);
    exact_overlap_ = overlap_[0];
    kinematics_.onset_speed = acts ? motion.onset_speed.c[0] : free_onset_speed();
    slip_ = vector(motion.vt, 0), slip_rate_ = vector(motion.vt, 1);
    slip_rate_ -= dot(slip_rate_, kinematics_.n) * kinematics_.n;
    const ContactKinematics<T> present = kinematics(Course());
    frequency2_ = law_.frequency_squared(present);
    per_second_ = sqrt(frequency2_) +
                  evaluate(present, spring).power.dashpot / (present.m_eff * present.approach * present.approach);
    // No offset where velocity Verlet is unstable, omega h >= 2: it conserves nothing there, and h²/8 would only add to
    // its error. Nor where the stiffness vanishes with the overlap: the offset is not known (docs/onset.md).
    if (!Law::stiffens) offset_ = select(offset * frequency2_ < T(0.5), T(offset), T(0.0));
    if (acts) {
      Course now;
      now.spring = spring;
      own_ = lagging_force(now);
      overlap_[2] = overlap_[2] + 0.5 * own_.fn / kinematics_.m_eff;
      approach_rate_ = approach_rate_ + own_.fn / kinematics_.m_eff;
      slip_rate_ -= effective_inverse_mass_ * own_.ft;
    }
    exact_overlap_ = overlap_[0] + offset_ * approach_rate_;
    if (!acts) kinematics_.onset_speed = free_onset_speed();  // there
  }

  const T& own_normal() const { return own_.fn; }  // [N] that acts at present
  ContactForce<T> force(const Course& c) const { return evaluate(kinematics(c), c.spring); }
  ForceParts parts(const ContactForce<T>& p) const { return {p.fn, p.ft}; }  // [N]
  // While a clipped contact opens: what would be stored again is lost.
  Powers<T> abandoned(const Course& c) const {
    const ContactKinematics<T> at = kinematics(c);
    const ContactForce<T> p = evaluate(at, {});
    return {T(0.0), T(0.0), select(in_contact(at.overlap), p.power.dashpot - p.fn * at.approach, T(0.0))};
  }
  // [J] that the ledger counts as elastic, of a force that runs on past its end,
  T energy(const Course& c, const Vec3<T>& spring) const { return energy(kinematics(c), spring); }
  // and once the contact has ended, without a spring.
  T energy_left(const Course& c) const {
    ContactKinematics<T> at = kinematics(c);
    at.sustained = {};
    return energy(at, {});
  }

  // Without the slip velocity: the normal force does not depend on it.
  ContactKinematics<T> kinematics(const NormalCourse& c) const {
    ContactKinematics<T> at = kinematics_;
    at.overlap = overlap_[0] + c.time * (overlap_[1] + c.time * overlap_[2]) - c.moment / kinematics_.m_eff;
    at.approach = overlap_[1] + 2.0 * c.time * overlap_[2] - c.impulse / kinematics_.m_eff;
    return at;
  }
  ContactKinematics<T> kinematics(const Course& c) const {
    ContactKinematics<T> at = kinematics(normal_of(c));
    at.vt = slip_ + c.time * slip_rate_ + effective_inverse_mass_ * c.impulse.tangential;
    return at;
  }

  // [s] ago: when the free motion last passed zero overlap; between 0 and `most`. The scheme's positions tell whether a
  // contact has begun. Where they are not the exact ones it may be a little outside.
  T began(Real most) const {
    const T ago = 2.0 * exact_overlap_ / (overlap_[1] + free_onset_speed());
    return select(ago > -nearly(most) && ago < T(most) + nearly(most), ago, T(most));
  }

  bool clips() const { return law_.attraction == Attraction::clipped; }

  T onset_speed() const { return kinematics_.onset_speed; }  // [m/s]

  Truth<T> holds() const { return hold(NormalCourse()) > T(0.0); }

  // Positive while the contact lasts.
  T hold(const NormalCourse& c) const {
    const ContactKinematics<T> at = kinematics(c);
    return law_.attraction == Attraction::allowed ? at.overlap : law_.force(at, Vec3<T>{}).fn;
  }

  // The course at its end, found going back from the present by the secant rule, at most `most` seconds.
  Course ended(const Course& now, Real most) const {
    constexpr int secants = 2;
    const NormalCourse present = normal_of(now);
    T before{}, hold_before = hold(present), time = -0.25 * most;
    for (int k = 0; k < secants; ++k) {
      NormalCourse at = present;
      follow(at, time);
      const T held = hold(at), next = time - held * (time - before) / (held - hold_before);
      before = time, hold_before = held;
      time = select(next > T(-most), select(next > nearly(most), nearly(most), next), T(-most));
    }
    Course end = now;
    advance(end, time);
    return end;
  }

  // The scheme's positions are off the exact ones by `offset` times their acceleration, in the opposite direction
  // (docs/onset.md, the positions of velocity Verlet). Contacts are followed at exact positions. exact() moves a course
  // of the present from the scheme's positions there.
  Course exact(Course c) const {
    c.moment.normal = c.moment.normal - moment_of_others() + offset_ * own_.fn;
    return c;
  }
  // Moves it back. `fn` [N] is the normal force now, less that with which the contact began.
  Course of_scheme(Course c, const T& fn) const {
    c.moment.normal = c.moment.normal + moment_of_others() - offset_ * fn;
    return c;
  }
  // [J] by which a normal force of this contact makes the energy at the scheme's positions larger than at the exact
  // ones. The scheme loses it again by itself until the contact ends.
  T energy_of_offset(const T& fn) const { return offset_ * fn * (fn / kinematics_.m_eff - 2.0 * approach_rate_); }
  // [N s^2] The moment that would move the bodies as far as all forces but that of this contact do by the offset.
  T moment_of_others() const { return offset_ * kinematics_.m_eff * approach_rate_; }

  // Where velocities lag behind positions a kick is to come, by the force at these velocities. What it will do after
  // this course, the spring at its limit;
  Course kick_to_come(Course c) const {
    const ContactForce<T> first = lagging_force(c);
    c.impulse = c.impulse - kick_by(first).impulse, c.spring = first.kept * c.spring;
    return kick_by(lagging_force(c));
  }
  // and what it would do by the force that acts at present.
  Course kick_to_come() const { return kick_by(own_); }

  // [J] that a tangential impulse does on the bodies as they are now.
  T work(const Vec3<T>& impulse) const { return dot(impulse, slip_ + (0.5 * effective_inverse_mass_) * impulse); }

  // Friction of a contact that ended within a step of `h` [s] of one drift between two kicks, the second of `closing`
  // [s]: what it should have done, less what the kicks have done.
  struct Friction {
    Vec3<T> impulse{};  // [N s] on the first body
    Vec3<T> first{};    // [N] that the first kick applied
  };
  // Not where the stiffness of the spring vanishes with the overlap, and friction with it: there is little to gain.
  static constexpr bool follows_friction = !Law::stiffens;
  // `now` is the end of the step, `last` that of the contact; the drift stretched the spring to `trial` [m]. From the
  // beginning of the step to `last` friction is followed in kicks and drifts again, shorter ones.
  CAIRN_FLATTEN __attribute__((noinline)) Friction friction_again(const Course& now, const Course& last,
                                                                  const Vec3<T>& trial, Real h, Real closing) const {
    constexpr int pieces = 8;
    const Vec3<T>& spin = kinematics_.contact_spin;
    const auto followed = [&](const Vec3<T>& xi, const Vec3<T>& slip, const T& time) {  // over a drift
      return xi + time * (slip + cross(spin, xi + (0.5 * time) * slip));
    };
    const auto rate = [&](const Vec3<T>& force) { return slip_rate_ + effective_inverse_mass_ * force; };
    const Vec3<T> drifts_at = slip_ - T(closing) * rate(own_.ft);
    NormalCourse start = normal_of(now);
    follow(start, T(-h));
    ContactKinematics<T> at = kinematics(start);
    at.vt = drifts_at;
    const ContactKinematics<T> end = kinematics(normal_of(last));
    const T whole = last.time - start.time, d = whole / T(pieces);
    const T per_whole = T(1.0) / select(whole > T(0.0), whole, T(1.0));
    const T before[] = {at.overlap, at.approach}, after[] = {end.overlap, end.approach};
    Friction of;
    Vec3<T> xi = followed(trial, drifts_at, T(-h)), impulse, slip, middle, force;
    for (int k = 0; k <= pieces; ++k) {  // one loop for all forces: each law's formula is compiled here once
      if (k > 0) {
        middle = slip + (0.5 * d) * rate(force), xi = followed(xi, middle, d);
        const Real s = static_cast<Real>(k) / pieces;  // the overlap is a cubic through both ends
        const Real to = s * s * (3 - 2 * s);
        at.overlap =
            (1 - to) * before[0] + to * after[0] + (s * (1 - s) * whole) * ((1 - s) * before[1] - s * after[1]);
        at.approach = (6 * s * (1 - s)) * per_whole * (after[0] - before[0]) + (1 - s) * (1 - 3 * s) * before[1] +
                      s * (3 * s - 2) * after[1];
        at.vt = slip + d * rate(force);
      }
      const ContactForce<T> p = law_.force(at, xi);
      xi = p.kept * (xi - dot(xi, at.n) * at.n);
      if (k == 0) {
        const Vec3<T> kicks = T(h - closing) * p.ft + T(closing) * own_.ft;
        impulse = (-1.0) * kicks, slip = slip_ - T(h) * slip_rate_ - effective_inverse_mass_ * kicks;
        of.first = p.ft;
      } else {
        impulse += (0.5 * d) * (force + p.ft), slip = middle + (0.5 * d) * rate(p.ft);
      }
      force = p.ft;
    }
    of.impulse = impulse;
    return of;
  }

  // Along the motion to another time; a function of its own, asked at many places.
  CAIRN_FLATTEN __attribute__((noinline)) void advance(Course& c, const T& to) const { follow(c, to); }

 private:
  static constexpr Real most_steps = 64;
  // By classical Runge-Kutta steps.
  template <class AnyCourse>
  void follow(AnyCourse& c, const T& to) const {
    const T wanted = 2.0 * per_second_ * abs(to - c.time),
            bounded = select(wanted < T(most_steps), wanted, T(most_steps));
    const T nearest = nearest_integer(bounded);
    const T steps = T(1.0) + select(nearest > bounded, nearest - T(1.0), nearest);
    const T h = (to - c.time) / steps;
    constexpr Real stage[] = {0, 0.5, 0.5, 1};
    for (int k = 0; any(steps > T(k)); ++k) {
      decltype(rates(c)) of[4], all;
      // A loop, or each law's formula would stand here four times.
      for (int s = 0; s < 4; ++s) of[s] = rates(s == 0 ? c : moved(c, of[s - 1], stage[s] * h));
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = select(steps > T(k), (of[0][i] + 2.0 * (of[1][i] + of[2][i]) + of[3][i]) / T(6.0), T(0.0));
      c = moved(c, all, h);
    }
    c.time = to;
  }

  // At the velocities of the state.
  ContactForce<T> lagging_force(const Course& c) const {
    ContactKinematics<T> at = kinematics(c);
    at.approach = at.approach - T(2 * lag_) * overlap_[2], at.vt = at.vt - T(lag_) * slip_rate_;
    return evaluate(at, c.spring);
  }
  Course kick_by(const ContactForce<T>& p) const {
    Course c;
    c.impulse = T(lag_) * parts(p), c.lost = T(lag_) * p.power;
    return c;
  }
  // A function of its own where nothing waits for it.
  CAIRN_FLATTEN __attribute__((noinline)) ContactForce<T> evaluate(const ContactKinematics<T>& kinematics,
                                                                   const Vec3<T>& spring) const {
    return law_.force(kinematics, spring);
  }
  // [m/s] of the free motion where it passes zero overlap.
  T free_onset_speed() const {
    const T squared = overlap_[1] * overlap_[1] - 4.0 * exact_overlap_ * overlap_[2];
    return sqrt(select(squared > T(0.0), squared, T(0.0)));
  }

  T energy(const ContactKinematics<T>& kinematics, const Vec3<T>& spring) const {
    return law_.elastic_energy(kinematics, law_.stores_shear() ? spring : Vec3<T>{});
  }

  T nearly(Real most) const { return select(abs(offset_) > T(0.0), T(0.25 * most), T(0.0)); }

  using NormalRates = std::array<T, 2>;  // of impulse, moment
  using Rates = std::array<T, 14>;       // of impulse, moment, spring, lost

  NormalRates rates(const NormalCourse& c) const { return {law_.force(kinematics(c), Vec3<T>{}).fn, c.impulse}; }
  Rates rates(const Course& c) const {
    const ContactKinematics<T> at = kinematics(c);
    const ContactForce<T> p = law_.force(at, c.spring);
    const Vec3<T>& of = c.impulse.tangential;
    return {p.fn, p.ft.x,      p.ft.y,      p.ft.z,      c.impulse.normal, of.x,         of.y,
            of.z, p.xi_rate.x, p.xi_rate.y, p.xi_rate.z, p.power.dashpot,  p.power.slip, p.power.clip};
  }
  static NormalCourse moved(const NormalCourse& c, const NormalRates& r, const T& h) {
    return {c.time + h, c.impulse + h * r[0], c.moment + h * r[1]};
  }
  static Course moved(const Course& c, const Rates& r, const T& h) {
    return {c.time + h,
            c.impulse + h * ForceParts{r[0], {r[1], r[2], r[3]}},
            c.moment + h * ForceParts{r[4], {r[5], r[6], r[7]}},
            c.spring + h * Vec3<T>{r[8], r[9], r[10]},
            {c.lost.dashpot + h * r[11], c.lost.slip + h * r[12], c.lost.clip + h * r[13]}};
  }

  const Law& law_;
  T effective_inverse_mass_, per_second_;
  T frequency2_;     // [1/s^2]
  T offset_{};       // [s^2]
  T approach_rate_;  // [m/s^2] by all forces but that of this contact
  std::array<T, 3> overlap_;
  T exact_overlap_;  // [m] at the end of the step
  ContactKinematics<T> kinematics_{};
  Vec3<T> slip_, slip_rate_;
  Real lag_;
  ContactForce<T> own_{};
};

}  // namespace CAIRN_SIMD
}  // namespace cairn
