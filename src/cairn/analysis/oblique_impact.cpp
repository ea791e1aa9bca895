// In units of vy0 and t_f, with z = 1 - u the time left, L = -ln e_n and W = (omega_y t_f)^2, S(z) = sin(sqrt(W) z) /
// sqrt(W) and C = S' (hyperbolic where W < 0), the solution is
//   overlap    y  = e^(-L u) S(u)                  force      P = k f(z), f = e^(L z) S(z), k = (W + L^2) e^-L
//   velocity   y' = -e^-L + k J(z), J = int_0^z f  limit of the spring  q = mu P / (kappa pi^2)
//   stick      xi'' = -Omega^2 xi                  slide      xi = sigma q, slip rate s'' = -Omega^2 xi
// with Omega^2 = r kappa pi^2, r = 1 + m R^2 / I.
//
// No switch is missed, as the sign of the release rate D = q'' + Omega^2 q is known everywhere: D is e^(L z) (a S + b
// C), which has at most one zero within a contact, and D >= 0 at its end.
// - Slide ends where G = sigma s' - q' falls below 0, and G' = -D.
// - Stick ends where H = q - sigma xi falls below 0. In a cell of less than half a period around c, where
//   cos Omega (u - c) > 0, H / cos rises and falls with N = H' cos + Omega H sin, and N' = D cos: N is monotone on
//   either side of the zero of D, so H / cos between the zeros of N. Rejected: sampling H, which misses two roots
//   between two samples.
#include "cairn/analysis/oblique_impact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"

namespace cairn {
namespace {

constexpr Real r = 3.5;   // 1 + m R^2 / I of a solid sphere
constexpr Real weak = 1;  // L below which pi - omega_y t_f is kept besides omega_y t_f

// Where f changes its sign in [low, high], to the last bit: the first number on the other side.
template <class F>
Real root(const F& f, Real low, Real high) {
  const bool negative = f(low) < 0;
  for (;;) {
    const Real middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) return high;
    ((f(middle) < 0) == negative ? low : high) = middle;
  }
}

// sin x / x and cos x of x^2, and their continuation to x^2 < 0.
Real sine_ratio(Real x_squared) {
  const Real x = std::sqrt(std::fabs(x_squared));
  if (x == 0) return 1;
  return (x_squared > 0 ? std::sin(x) : std::sinh(x)) / x;
}
Real cosine_of(Real x_squared) {
  const Real x = std::sqrt(std::fabs(x_squared));
  return x_squared > 0 ? std::cos(x) : std::cosh(x);
}

// L = chi_2 ln(1 + v / v00), so that e_n -> 1 keeps its digits.
Real loss_at(const ImpactMaterial& m, Real v) {
  const Real log_ratio = std::log(v) - std::log(m.chi_1) / m.chi_2;  // of v to v00
  if (m.chi_2 > 0 && log_ratio < 0) return m.chi_2 * std::log1p(std::exp(log_ratio));
  const Real rest = m.chi_2 > 0 ? m.chi_2 * (std::log(v) + std::log1p(std::exp(-log_ratio))) : 0;
  return rest - std::log(m.chi_1);
}

void require(bool holds, const std::string& what, Real found) {
  if (!holds) throw Error(Exit::bad_input, "oblique impact: " + what + ", found " + brief(found));
}

ImpactVelocity components(Real speed, Real alpha) {
  require(alpha > 0 && alpha < pi / 2, "the angle must be between 0 and pi/2", alpha);
  return {speed * std::sin(alpha), speed * std::cos(alpha)};
}

}  // namespace

ExactImpact::ExactImpact(const ImpactMaterial& material, Real speed, Real alpha)
    : ExactImpact(material, components(speed, alpha)) {}

ExactImpact::ExactImpact(const ImpactMaterial& m, ImpactVelocity velocity) : radius_(m.radius), velocity_(velocity) {
  const auto positive = [](const char* what, Real value) {
    require(value > 0 && std::isfinite(value), std::string(what) + " must be above 0", value);
  };
  positive("the tangential velocity", velocity.vx), positive("the normal velocity", velocity.vy);
  positive("the mass", m.mass), positive("the radius", m.radius), positive("the stiffness ratio", m.stiffness_ratio);
  positive("chi_1", m.chi_1), positive("chi_3", m.chi_3);
  constexpr Real stiffest = 1e9;  // a stick is searched in cells, as many as it has quarter periods
  require(m.stiffness_ratio < stiffest, "the stiffness ratio must be below 1e9", m.stiffness_ratio);
  require(m.friction >= 0 && std::isfinite(m.friction), "the friction must not be negative", m.friction);
  require(m.chi_2 >= 0 && std::isfinite(m.chi_2), "chi_2 must not be negative", m.chi_2);
  loss_ = loss_at(m, velocity.vy);
  outcome_.e_n = std::exp(-loss_);
  constexpr Real least = 1e-100;  // below, sinh would overflow before long
  require(loss_ >= 0 && outcome_.e_n > least, "the restitution must be between 0 and 1", outcome_.e_n);
  contact_.duration = m.chi_3 * std::pow(velocity.vy, -m.chi_4);
  positive("the duration", contact_.duration);
  tan_alpha_ = velocity.vx / velocity.vy;
  solve_damping();

  const Real per_time = m.mass / contact_.duration;
  contact_.stiffness = stiffness_ * per_time / contact_.duration;
  contact_.damping = 2 * loss_ * per_time;
  const Real shear = m.stiffness_ratio * pi * pi;
  contact_.tangential_stiffness = shear * per_time / contact_.duration;
  limit_scale_ = m.friction * stiffness_ * outcome_.e_n / shear;
  tangential_phase_ = std::sqrt(r * shear);
  solve_modes();

  const Real gain = tangential(modes_.back(), 1).gain;
  outcome_.e_t = 1 + gain / (r * tan_alpha_);
  outcome_.beta = std::atan2(tan_alpha_ + gain / r, outcome_.e_n);
  outcome_.omega_f = (r - 1) / (r * radius_) * gain * velocity.vy;
}

// The contact ends where P = 0: with psi = omega_y t_f / 2, psi cot psi = L / 2, imaginary psi for L > 2.
void ExactImpact::solve_damping() {
  if (loss_ < weak) {  // by pi/2 - psi, whose digits are those of the force at the beginning
    const Real angle = loss_ == 0 ? 0 : root([&](Real a) { return (pi / 2 - a) * std::tan(a) - 0.5 * loss_; }, 0, 0.5);
    lag_ = 2 * angle;
    half_phase_sq_ = (pi / 2 - angle) * (pi / 2 - angle);
  } else {
    const auto excess = [&](Real x) { return cosine_of(x) / sine_ratio(x) - 0.5 * loss_; };
    half_phase_sq_ = root(excess, -0.26 * loss_ * loss_, 1.5);  // -(L/2)^2 is too close to tell its sign
  }
  const Real half = sine(0.5);
  stiffness_ = 1 / (half * half);  // W + L^2 without its cancellation
}

Real ExactImpact::sine(Real u) const {
  return u * sine_ratio(4 * half_phase_sq_ * u * u);
}
Real ExactImpact::cosine(Real u) const {
  return cosine_of(4 * half_phase_sq_ * u * u);
}
// S(1 - u). Where u is small and the contact nearly elastic, it is small too.
Real ExactImpact::sine_before_end(Real u) const {
  if (loss_ >= weak || u > 0.5) return sine(1 - u);
  const Real phase = 2 * std::sqrt(half_phase_sq_);
  return std::sin(lag_ + phase * u) / phase;
}
// e^(L z)
Real ExactImpact::decay(Real u) const {
  return std::exp(loss_ * (1 - u));
}

// J(z) = (1 - e^(L z) (C - L S)) / (W + L^2), by its Taylor series: no cancellation for short z, nor where L is large.
Real ExactImpact::impulse_left(Real u) const {
  const Real z = 1 - u;
  Real before = 0, term = 0.5 * z * z, sum = term;  // terms n, n + 1
  for (int n = 2; std::fabs(term) + std::fabs(before) > 1e-18 * sum; ++n) {
    const Real next = (2 * loss_ * z * term - stiffness_ * z * z / n * before) / (n + 1);
    before = term, term = next;
    sum += next;
  }
  return sum;
}

Real ExactImpact::limit(Real u) const {
  return limit_scale_ * decay(u) * sine_before_end(u);
}
Real ExactImpact::limit_rate(Real u) const {
  return -limit_scale_ * decay(u) * (cosine(1 - u) + loss_ * sine_before_end(u));
}
// D by a positive factor.
Real ExactImpact::release_rate(Real u) const {
  const Real s = sine_before_end(u);
  return 2 * loss_ * (cosine(1 - u) + loss_ * s) + (tangential_phase_ * tangential_phase_ - stiffness_) * s;
}

ExactImpact::Tangential ExactImpact::tangential(const Mode& mode, Real u) const {
  const Real omega = tangential_phase_;
  const auto& [xi, gain] = mode.start;
  if (mode.sign == 0) {
    const Real angle = omega * (u - mode.begin), rate = tan_alpha_ + gain, half = std::sin(0.5 * angle);
    return {xi * std::cos(angle) + rate / omega * std::sin(angle),
            gain - omega * xi * std::sin(angle) - 2 * rate * half * half};
  }
  const Real impulse = impulse_left(mode.begin) - impulse_left(u);
  return {mode.sign * limit(u), gain - mode.sign * omega * omega * limit_scale_ * impulse};
}

// From `from` on; `released`: the side on which a slide has just ended there, or 0. On that side H = N = 0 < D, so that
// all of the first cell is free. {1, 0} if the stick lasts.
ExactImpact::Switch ExactImpact::end_of_stick(const Mode& mode, Real from, int released) const {
  const Real omega = tangential_phase_;
  constexpr Real widest = pi / 2;  // phase of a cell
  const auto cells = static_cast<std::int64_t>((1 - from) * omega / widest) + 1;
  const auto edge = [&](std::int64_t k) {
    return k == cells ? 1 : from + (1 - from) * static_cast<Real>(k) / static_cast<Real>(cells);
  };
  for (std::int64_t k = 0; k < cells; ++k) {
    const Real begin = edge(k), end = edge(k + 1), centre = 0.5 * (begin + end);
    const Real turn = std::clamp(turn_, begin, end);
    const Real slip_at_centre = tan_alpha_ + tangential(mode, centre).gain;
    Switch first{1, 0};
    for (const int sign : {1, -1}) {
      if (k == 0 && sign == released) continue;
      const auto slope = [&](Real u) {  // N; the spring's part is constant
        const Real angle = omega * (u - centre);
        return limit_rate(u) * std::cos(angle) + omega * limit(u) * std::sin(angle) - sign * slip_at_centre;
      };
      const auto room = [&](Real u) { return limit(u) - sign * tangential(mode, u).xi; };
      Real marks[5], *last = marks;
      *last++ = begin;
      for (const auto& [low, high] : {std::pair{begin, turn}, std::pair{turn, end}}) {
        if ((slope(low) < 0) != (slope(high) < 0)) *last++ = root(slope, low, high);
        *last++ = high;
      }
      for (const Real* mark = marks; mark + 1 < last; ++mark)
        if (room(mark[0]) >= 0 && room(mark[1]) < 0) {
          const Real instant = root(room, mark[0], mark[1]);
          if (first.sign == 0 || instant < first.instant) first = {instant, sign};
          break;
        }
    }
    if (first.sign != 0) return first;
  }
  return {1, 0};
}

Real ExactImpact::end_of_slide(const Mode& mode) const {
  const auto excess = [&](Real u) {  // G
    return mode.sign * (tan_alpha_ + tangential(mode, u).gain) - limit_rate(u);
  };
  const Real low = std::max(mode.begin, turn_);
  if (low >= 1 || excess(1) >= 0) return 1;
  return excess(low) > 0 ? root(excess, low, 1) : low;
}

void ExactImpact::solve_modes() {
  turn_ = release_rate(0) < 0 ? root([&](Real u) { return release_rate(u); }, 0, 1) : 0;
  // Elastic: D is proportional to q.
  if (loss_ == 0 && tangential_phase_ * tangential_phase_ < stiffness_) turn_ = 1;

  // The force begins at 0 if nothing damps it; then the contact may slide at once.
  const Real excess = tan_alpha_ - limit_rate(0);
  const bool slides = limit(0) == 0 && (excess > 0 || (excess == 0 && turn_ > 0));
  modes_ = {{0, slides ? 1 : 0, {0, 0}}};
  Real from = 0;
  int released = 0;
  while (from < 1) {
    const Mode& mode = modes_.back();
    Switch next{1, 0};
    if (mode.sign == 0)
      next = end_of_stick(mode, from, released);
    else
      next.instant = end_of_slide(mode);
    if (next.instant >= 1) break;
    const Tangential now = tangential(mode, next.instant);
    released = mode.sign;
    from = next.instant;
    const bool momentary = next.instant == mode.begin;
    if (momentary) modes_.pop_back();
    // A slide that ends as it begins has only touched: the stick goes on.
    if (momentary && next.sign == 0 && !modes_.empty()) continue;
    const Real xi = next.sign == 0 ? now.xi : next.sign * limit(from);
    modes_.push_back({from, next.sign, {xi, now.gain}});
  }
}

std::vector<std::string> ExactImpact::modes() const {
  std::vector<std::string> names;
  for (const Mode& mode : modes_) names.emplace_back(mode.sign == 0 ? "stick" : mode.sign > 0 ? "slide+" : "slide-");
  return names;
}

std::vector<Real> ExactImpact::instants() const {
  std::vector<Real> all;
  for (const Mode& mode : modes_) all.push_back(mode.begin * contact_.duration);
  return all;
}

ImpactMotion ExactImpact::at(Real time) const {
  const Real u = time / contact_.duration, v = velocity_.vy;
  auto mode = modes_.end() - 1;
  while (mode != modes_.begin() && mode->begin > u) --mode;
  const Tangential now = tangential(*mode, u);
  const Real gain = now.gain * v;
  return {.y = v * contact_.duration * std::exp(-loss_ * u) * sine(u),
          .vy = v * outcome_.e_n * (stiffness_ * impulse_left(u) - 1),
          .vx = velocity_.vx + gain / r,
          .spin = (r - 1) / (r * radius_) * gain,
          .xi = v * contact_.duration * now.xi};
}

}  // namespace cairn
