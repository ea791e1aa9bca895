// A head-on collision by a law's own formula: the restitution it realises, how long it takes and how deep it goes, to
// a relative 1e-10. The midpoint rule extrapolated to order 14 (Bulirsch & Stoer, Numer. Math. 8 (1966) 1), its steps
// chosen by its error. A step may lead over the end of the contact, where the formula runs on smoothly; the end is then
// looked for within the step. Rejected: steps of fixed length and fixed order, which roots of the overlap in a force
// bring down to one or two.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/contact/kinematics.hpp"
#include "cairn/contact/restitution.hpp"

namespace cairn {

template <ContactLaw Law>
class HeadOnMotion {
 public:
  HeadOnMotion(const Law& law, Real m_eff, Real r_eff, Real speed)
      : law_(law), speed_(speed), now_{0, speed}, h_(1e-3 * r_eff / speed) {  // a guess, to be mended
    kinematics_.n = {1, 0, 0}, kinematics_.r_eff = r_eff, kinematics_.m_eff = m_eff, kinematics_.onset_speed = speed;
    kinematics_.sustained = true;
  }

  HeadOn run() {
    const bool clipped = law_.attraction == Attraction::clipped;
    const auto turned = [](const Motion& y) { return y.v <= 0; };
    const auto ended = [&](const Motion& y) { return y.x <= 0 || (clipped && force(y) <= 0); };
    if (!advance_until(turned)) return stuck();
    deepest_ = now_.x;
    if (!advance_until(ended)) return stuck();
    return {std::max(0.0, -now_.v / speed_), time_, deepest_};
  }

 private:
  struct Motion {
    Real x, v;  // [m] overlap, [m/s] approach
  };

  // Of bodies that stay together.
  HeadOn stuck() const { return {0, std::numeric_limits<Real>::infinity(), std::max(deepest_, now_.x)}; }

  Real force(const Motion& y) const {
    ContactKinematics<Real> c = kinematics_;
    c.overlap = y.x, c.approach = y.v;
    return law_.force(c, {}).fn;
  }

  struct Step {
    Motion to;
    Real error;  // [-] what the last extrapolation changed, over the size of the motion
  };
  Step moved(Real h) const {
    constexpr int rows = 7;
    std::array<Motion, rows> row;
    for (int k = 0; k < rows; ++k) {
      const Real part = h / (2 * (k + 1));
      const auto pushed = [&](const Motion& y, const Motion& at, Real by) {
        return Motion{y.x + by * at.v, y.v - by * force(at) / kinematics_.m_eff};
      };
      Motion before = now_, value = pushed(now_, now_, part);
      for (int i = 1; i < 2 * (k + 1); ++i) before = std::exchange(value, pushed(before, value, 2 * part));
      for (int j = 1; j <= k; ++j) {
        const Real ratio = static_cast<Real>(k + 1) / (k + 1 - j), divisor = ratio * ratio - 1;
        const Motion above = std::exchange(row[j - 1], value);
        value = {value.x + (value.x - above.x) / divisor, value.v + (value.v - above.v) / divisor};
      }
      row[k] = value;
    }
    const Motion &to = row[rows - 1], &lower = row[rows - 2];
    const Real x_size = std::fabs(now_.x) + h * std::fabs(now_.v);
    return {to, std::max(std::fabs(to.x - lower.x) / x_size, std::fabs(to.v - lower.v) / size())};
  }

  // [m/s] of the motion: what its energy would give as speed.
  Real size() const { return std::sqrt(now_.v * now_.v + std::fabs(now_.x * force(now_)) / kinematics_.m_eff); }

  // Goes on to where there() becomes true, between bits; false where that would take for ever.
  template <class There>
  bool advance_until(There&& there) {
    constexpr Real most_error = 1e-12, little = 1e-5, still = 1e-100;
    constexpr int most_steps = 20000, halvings = 50;  // of a step
    for (int k = 0; k < most_steps; ++k) {
      const Step step = moved(h_);
      if (!(step.error <= most_error)) {
        h_ *= 0.5;
        continue;
      }
      if (there(step.to)) {
        Real before = 0, after = h_;
        for (int i = 0; i < halvings; ++i) {
          const Real middle = 0.5 * (before + after);
          (there(moved(middle).to) ? after : before) = middle;
        }
        now_ = moved(after).to, time_ += after;
        return true;
      }
      now_ = step.to, time_ += h_;
      if (step.error < little * most_error) h_ *= 2;
      if (size() < still * speed_) return false;
    }
    return false;
  }

  const Law& law_;
  ContactKinematics<Real> kinematics_{};
  Real speed_;  // [m/s] of the impact
  Motion now_;
  Real h_;                       // [s] the next step
  Real time_ = 0, deepest_ = 0;  // [s] [m]
};

// Two spheres of effective mass m_eff [kg] and radius r_eff [m] that meet at `speed` [m/s] > 0.
template <ContactLaw Law>
HeadOn head_on(const Law& law, Real m_eff, Real r_eff, Real speed) {
  return HeadOnMotion<Law>(law, m_eff, r_eff, speed).run();
}

}  // namespace cairn
