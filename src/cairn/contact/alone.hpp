// One contact by itself over a part of a step, the other forces on its bodies constant (docs/onset.md, the equations).
// Nothing is known of the law but its formula.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/contact/touch.hpp"
#include "cairn/core/jet.hpp"

namespace cairn {

// Times are relative to the end of the step. The normal is that of the present.
template <ContactLaw Law>
class ContactAlone {
 public:
  // What the contact's force on the first body has done since the course began.
  struct Course {
    Real time = 0;                         // [s]
    Vector impulse{}, moment{}, spring{};  // [N s], its integral [N s^2], [m]
    Real work = 0;                         // [J] on the motion of the bodies
    Powers<Real> lost{};                   // [J]
  };

  // `motion` of the contact under the present forces; whether its own is among them, with this spring. `yielding`
  // [1/kg]: the tangential acceleration of the contact point that a force there causes, over the force.
  ContactAlone(const Law& law, const Touch<Jet<2>>& motion, Real yielding, bool acts, const Vector& spring)
      : law_(law), yielding_(yielding) {
    const auto vector = [](const Vec3<Jet<2>>& a, int order) {
      return Vector{a.x.c[order], a.y.c[order], a.z.c[order]};
    };
    overlap_ = motion.overlap.c;
    touch_.n = vector(motion.n, 0);
    touch_.turn = dot(vector(motion.turn, 0), touch_.n) * touch_.n;
    touch_.r_eff = motion.r_eff.c[0], touch_.m_eff = motion.m_eff.c[0];
    touch_.sustained = true;
    touch_.onset_speed = acts ? motion.onset_speed.c[0] : std::sqrt(std::max(onset_speed_squared(), 0.0));
    slip_ = vector(motion.vt, 0), slip_rate_ = vector(motion.vt, 1);
    slip_rate_ -= dot(slip_rate_, touch_.n) * touch_.n;
    const Touch<Real> present = touch({});
    per_second_ = std::sqrt(law_.frequency_squared(present)) +
                  law_.push(present, spring).power.dashpot / (present.m_eff * present.approach * present.approach);
    if (!acts) return;
    Course now;
    now.spring = spring;
    own_ = force(push(now));
    const Real along = dot(own_, touch_.n);
    overlap_[2] -= 0.5 * along / touch_.m_eff;
    slip_rate_ -= yielding_ * (own_ - along * touch_.n);
  }

  Push<Real> push(const Course& c) const { return law_.push(touch(c), c.spring); }
  Vector force(const Push<Real>& p) const { return p.ft - p.fn * touch_.n; }  // [N] on the first body
  // While a clipped contact opens: what would be stored again is lost.
  Powers<Real> abandoned(const Course& c) const {
    const Touch<Real> at = touch(c);
    const Push<Real> p = law_.push(at, {});
    return {0, 0, at.overlap > 0 ? p.power.dashpot - p.fn * at.approach : 0};
  }
  Vector own_force() const { return own_; }  // [N] that the motion given has in it
  Real energy(const Course& c, const Vector& spring) const { return law_.elastic_energy(touch(c), spring); }

  Touch<Real> touch(const Course& c) const {
    const Vector& n = touch_.n;
    const Real moment = dot(c.moment, n), impulse = dot(c.impulse, n);
    Touch<Real> at = touch_;
    at.overlap = overlap_[0] + c.time * (overlap_[1] + c.time * overlap_[2]) + moment / touch_.m_eff;
    at.approach = overlap_[1] + 2 * c.time * overlap_[2] + impulse / touch_.m_eff;
    at.vt = slip_ + c.time * slip_rate_ + yielding_ * (c.impulse - impulse * n);
    return at;
  }

  // [s] ago: when the free motion last passed zero overlap; between 0 and `most`.
  Real began(Real most) const {
    const Real ago = 2 * overlap_[0] / (overlap_[1] + std::sqrt(std::max(onset_speed_squared(), 0.0)));
    return ago > 0 && ago < most ? ago : most;
  }

  Real onset_speed() const { return touch_.onset_speed; }  // [m/s]

  bool holds(const Vector& spring) const {
    Course now;
    now.spring = spring;
    return hold(now) > 0;
  }

  // Positive while the contact lasts.
  Real hold(const Course& c) const {
    const Touch<Real> at = touch(c);
    return law_.attraction == Attraction::allowed ? at.overlap : law_.push(at, c.spring).fn;
  }

  // The course at its end, found going back from the present by the secant rule, at most `most` seconds.
  Course ended(const Course& now, Real most) const {
    constexpr int secants = 2;
    Course at = now;
    Real before = 0, hold_before = hold(now), time = -0.25 * most;
    for (int k = 0; k < secants; ++k) {
      at = now;
      advance(at, time);
      const Real held = hold(at), next = time - held * (time - before) / (held - hold_before);
      before = time, hold_before = held;
      time = next > -most ? std::min(next, 0.0) : -most;
    }
    at = now;
    advance(at, time);
    return at;
  }

  // Along the motion to another time, by classical Runge-Kutta steps.
  void advance(Course& c, Real to) const {
    const Real wanted = 2 * per_second_ * std::fabs(to - c.time);
    const int steps = 1 + (wanted < most_steps ? static_cast<int>(wanted) : most_steps);
    const Real h = (to - c.time) / steps;
    for (int k = 0; k < steps; ++k) {
      const Rates k1 = rates(c);
      const Course c2 = moved(c, k1, h / 2);
      const Rates k2 = rates(c2);
      const Course c3 = moved(c, k2, h / 2);
      const Rates k3 = rates(c3);
      const Course c4 = moved(c, k3, h);
      const Rates k4 = rates(c4);
      Rates all;
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]) / 6;
      c = moved(c, all, h);
    }
    c.time = to;
  }

 private:
  static constexpr int most_steps = 64;
  // Of the free motion where it passes zero overlap.
  Real onset_speed_squared() const { return overlap_[1] * overlap_[1] - 4 * overlap_[0] * overlap_[2]; }

  using Rates = std::array<Real, 13>;  // of impulse, moment, spring, work, lost

  Rates rates(const Course& c) const {
    const Touch<Real> at = touch(c);
    const Push<Real> p = law_.push(at, c.spring);
    const Vector f = force(p);
    return {f.x,
            f.y,
            f.z,
            c.impulse.x,
            c.impulse.y,
            c.impulse.z,
            p.xi_rate.x,
            p.xi_rate.y,
            p.xi_rate.z,
            dot(p.ft, at.vt) - p.fn * at.approach,
            p.power.dashpot,
            p.power.slip,
            p.power.clip};
  }
  static Course moved(Course c, const Rates& r, Real h) {
    c.time += h;
    c.impulse += h * Vector{r[0], r[1], r[2]};
    c.moment += h * Vector{r[3], r[4], r[5]};
    c.spring += h * Vector{r[6], r[7], r[8]};
    c.work += h * r[9];
    c.lost.dashpot += h * r[10], c.lost.slip += h * r[11], c.lost.clip += h * r[12];
    return c;
  }

  const Law& law_;
  Real yielding_, per_second_;
  std::array<Real, 3> overlap_;
  Touch<Real> touch_{};
  Vector slip_, slip_rate_, own_{};
};

}  // namespace cairn
