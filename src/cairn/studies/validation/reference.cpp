#include "cairn/studies/validation/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::studies {

PairModuli moduli_of(const Solid& a, const Solid& b) {
  const auto plane_strain = [](const Solid& s) { return (1 - s.poisson * s.poisson) / s.young; };
  const auto tangential = [](const Solid& s) { return 2 * (2 - s.poisson) * (1 + s.poisson) / s.young; };
  return {1 / (plane_strain(a) + plane_strain(b)), 1 / (tangential(a) + tangential(b))};
}

HertzImpact hertz_impact(Real young, Real m_eff, Real r_eff, Real speed) {
  const Real k = 4.0 / 3 * young * std::sqrt(r_eff);  // F = k overlap^(3/2), energy 2/5 k overlap^(5/2)
  const Real overlap = std::pow(1.25 * m_eff * speed * speed / k, 0.4);
  HertzImpact impact{speed, overlap, k * overlap * std::sqrt(overlap), 0};
  impact.duration = 2 * impact.time_from_peak(0);
  return impact;
}

// overlap / speed times the integral of (1 - x^(5/2))^(-1/2) from the share to 1; x = 1 - s^2 takes its end away.
Real HertzImpact::time_from_peak(Real share) const {
  if (share >= 1) return 0;
  constexpr int intervals = 2000;
  const Real interval = std::sqrt(1 - share) / intervals;
  Real integral = 0;
  for (int i = 0; i < intervals; ++i) {
    const Real s = (i + 0.5) * interval, x = 1 - s * s;
    integral += 2 * s / std::sqrt(1 - x * x * std::sqrt(x)) * interval;
  }
  return overlap / speed * integral;
}

Real clipped_damping_ratio(Real restitution) {
  const Real wanted = -std::log(restitution);
  if (wanted <= 0) return 0;
  Real low = 0, high = 1 - 1e-12;  // to e = exp(-2)
  for (int i = 0; i < 100; ++i) {
    const Real beta = 0.5 * (low + high);
    (2 * beta * std::acos(beta) / std::sqrt(1 - beta * beta) < wanted ? low : high) = beta;
  }
  return 0.5 * (low + high);
}

namespace {

// Both bodies and the spring: x, y, vx, vy, spin of each, then the spring [m].
using Numbers = std::array<Real, 11>;
enum class Mode { free, follows };

class Contact {
 public:
  explicit Contact(const RoundCollision& c)
      : c_(c),
        plane_(c.second.mass == 0),
        r_eff_(plane_ ? c.first.radius : harmonic(c.first.radius, c.second.radius)),
        m_eff_(plane_ ? c.first.mass : harmonic(c.first.mass, c.second.mass)) {}

  struct Now {
    Real nx, ny;  // from the first to the second
    Real overlap, approach, slip;
    Real arm_1, arm_2;                       // [m] from the centres to the contact
    Real normal, stiffness, dashpot, limit;  // [N] [N/m] [N s/m] [m]
  };

  Now look(const Numbers& y) const {
    Now n;
    if (plane_) {
      n.nx = 0, n.ny = -1;
      n.overlap = c_.first.radius - y[1];
      n.arm_1 = c_.first.radius - n.overlap, n.arm_2 = 0;
    } else {
      const Real dx = y[5] - y[0], dy = y[6] - y[1], distance = std::hypot(dx, dy);
      n.nx = dx / distance, n.ny = dy / distance;
      n.overlap = c_.first.radius + c_.second.radius - distance;
      n.arm_1 = c_.first.radius - 0.5 * n.overlap, n.arm_2 = c_.second.radius - 0.5 * n.overlap;
    }
    const Real vx = y[2] - y[7], vy = y[3] - y[8];
    n.approach = vx * n.nx + vy * n.ny;
    n.slip = -vx * n.ny + vy * n.nx + y[4] * n.arm_1 + y[9] * n.arm_2;
    n.normal = n.stiffness = n.dashpot = n.limit = 0;
    if (n.overlap <= 0) return n;
    const Real radius = std::sqrt(r_eff_ * n.overlap), tsuji = 2 * std::sqrt(5.0 / 6) * c_.damping;
    n.stiffness = 8 * c_.moduli.shear * radius;
    n.dashpot = tsuji * std::sqrt(n.stiffness * m_eff_);
    n.normal = std::max(0.0, 4.0 / 3 * c_.moduli.young * radius * n.overlap +
                                 tsuji * std::sqrt(2 * c_.moduli.young * radius * m_eff_) * n.approach);
    n.limit = c_.friction * n.normal / n.stiffness;
    return n;
  }

  // In `follows` the spring stands at the limit on the side of its sign.
  Numbers rate(const Numbers& y, Mode mode, Real side) const {
    const Now n = look(y);
    const Real spring = mode == Mode::follows ? side * n.limit : y[10], most = c_.friction * n.normal;
    const Real along = -std::clamp(n.stiffness * spring + n.dashpot * n.slip, -most, most);
    const Real fx = -n.normal * n.nx - along * n.ny, fy = -n.normal * n.ny + along * n.nx;
    Numbers k{y[2], y[3], fx / c_.first.mass, fy / c_.first.mass, along * n.arm_1 / inertia(c_.first)};
    if (!plane_) {
      k[5] = y[7], k[6] = y[8], k[7] = -fx / c_.second.mass, k[8] = -fy / c_.second.mass;
      k[9] = along * n.arm_2 / inertia(c_.second);
    }
    k[10] = mode == Mode::follows ? 0 : n.slip;
    return k;
  }

  Numbers moved(const Numbers& y, Real h, Mode mode, Real side) const {
    const auto from = [&](const Numbers& k, Real share) {
      Numbers z = y;
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += share * k[i];
      return z;
    };
    const Numbers a = rate(y, mode, side), b = rate(from(a, 0.5 * h), mode, side),
                  c = rate(from(b, 0.5 * h), mode, side), d = rate(from(c, h), mode, side);
    Numbers z = y;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    if (mode == Mode::follows) z[10] = side * look(z).limit;
    return z;
  }

  bool beyond(const Numbers& y) const { return std::fabs(y[10]) > look(y).limit; }
  // Whether the tangential force is below Coulomb's limit.
  bool sticks(const Now& n, Real spring) const {
    return n.normal > 0 && std::fabs(n.stiffness * spring + n.dashpot * n.slip) < c_.friction * n.normal;
  }
  Real m_eff() const { return m_eff_; }
  Real r_eff() const { return r_eff_; }

 private:
  static Real harmonic(Real a, Real b) { return a * b / (a + b); }
  static Real inertia(const RoundBody& b) { return 0.4 * b.mass * b.radius * b.radius; }

  const RoundCollision& c_;
  bool plane_;
  Real r_eff_, m_eff_;
};

}  // namespace

RoundOutcome round_collision(const RoundCollision& c, int steps) {
  const Contact contact(c);
  Numbers y{c.first.x,   c.first.y,   c.first.vx,    c.first.vy, c.first.spin, c.second.x, c.second.y,
            c.second.vx, c.second.vy, c.second.spin, 0};
  const Real h =
      hertz_impact(c.moduli.young, contact.m_eff(), contact.r_eff(), contact.look(y).approach).duration / steps;
  Mode mode = Mode::free;
  Real side = 0;
  int stuck = 0;  // steps
  RoundOutcome out;
  constexpr int longest = 20, halvings = 50;  // elastic durations; of a step
  for (int step = 0; step < longest * steps; ++step) {
    if (mode == Mode::free && contact.sticks(contact.look(y), y[10])) ++stuck;
    const Numbers trial = contact.moved(y, h, Mode::free, side);
    if (!contact.beyond(trial)) {
      mode = Mode::free;
      y = trial;
    } else if (mode == Mode::follows) {
      y = contact.moved(y, h, Mode::follows, side);
    } else {
      Real before = 0, after = h;
      for (int i = 0; i < halvings; ++i) {
        const Real middle = 0.5 * (before + after);
        (contact.beyond(contact.moved(y, middle, Mode::free, side)) ? after : before) = middle;
      }
      y = contact.moved(y, before, Mode::free, side);
      side = trial[10] > 0 ? 1 : -1, mode = Mode::follows;
      y = contact.moved(y, h - before, Mode::follows, side);
    }
    if (contact.look(y).overlap <= 0) break;
  }
  out.slid = stuck <= 1;  // the spring is not stretched at the start
  out.first = c.first, out.second = c.second;
  for (RoundBody* b : {&out.first, &out.second}) {
    const std::size_t at = b == &out.first ? 0 : 5;
    b->x = y[at], b->y = y[at + 1], b->vx = y[at + 2], b->vy = y[at + 3], b->spin = y[at + 4];
  }
  return out;
}

}  // namespace cairn::studies
