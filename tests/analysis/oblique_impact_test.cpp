// The closed form of the oblique impact against an integration of the equations of motion that shares nothing with it.
#include "cairn/analysis/oblique_impact.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <initializer_list>

#include "cairn/contact/restitution.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"

namespace cairn {
namespace {

using Long = long double;
using Names = std::vector<std::string>;

// Restitution and duration the same at every velocity.
ImpactMaterial constant(Real e, Real friction, Real kappa) {
  return {.friction = friction, .stiffness_ratio = kappa, .chi_1 = e, .chi_2 = 0, .chi_4 = 0};
}

// Event-located Taylor series of order 20 for the equations with the forces in them, four hundred steps per contact.
class Integration {
 public:
  Integration(const ImpactMaterial& material, const ImpactContact& contact, Long vx, Long vy)
      : mass_(material.mass),
        radius_(material.radius),
        friction_(material.friction),
        k_(contact.stiffness),
        gamma_(contact.damping),
        kt_(contact.tangential_stiffness) {
    state_ = {0, vy, vx, 0, 0};
    const Long longest = contact.duration, step = longest / 400;
    const Long limit_rate = friction_ * (k_ * vy - gamma_ * gamma_ * vy / mass_) / kt_;
    if (friction_ * gamma_ * vy == 0 && vx > limit_rate) sign_ = 1;
    modes = {sign_ == 0 ? "stick" : "slide+"};
    while (duration < 2 * longest) {
      const Series all = series(step);
      // What must not fall below zero: the force, and what keeps the mode.
      Long first = 2;
      int next = 0, event = -1;
      const auto watch = [&](const Row& what, const Row& less, int number, int sign) {
        const Long at = fall(what, less);
        if (at < first) first = at, event = number, next = sign;
      };
      watch(all[force], Row{}, 0, 0);
      if (sign_ == 0) {
        for (const int sign : {1, -1}) watch(all[limit], times(sign, all[xi]), 1, sign);
      } else {
        Row slip{}, limit_rate{};
        for (int n = 0; n < order; ++n) {
          slip[n] = sign_ * (all[vx_][n] + radius_ * all[spin_][n]);
          limit_rate[n] = (n + 1) * all[limit][n + 1] / step;
        }
        watch(slip, limit_rate, 1, 0);
      }
      if (event < 0) {
        take(all, 1), duration += step;
        continue;
      }
      take(all, first), duration += first * step;
      if (event == 0) return;
      sign_ = next;
      modes.push_back(sign_ == 0 ? "stick" : sign_ > 0 ? "slide+" : "slide-");
      instants.push_back(duration);
    }
    FAIL("the contact does not end");
  }

  Long duration = 0;
  Names modes;
  std::vector<Long> instants{0};
  Long vx() const { return state_[2]; }
  Long vy() const { return state_[1]; }
  Long spin() const { return state_[3]; }

 private:
  static constexpr int order = 20;
  using Row = std::array<Long, order + 1>;  // coefficients of powers of the share of a step
  enum { y, vy_, vx_, spin_, xi, force, limit, rows };
  using Series = std::array<Row, rows>;

  Series series(Long h) const {
    Series s{};
    for (int i = 0; i < 5; ++i) s[i][0] = state_[i];
    for (int n = 0;; ++n) {
      s[force][n] = k_ * s[y][n] + gamma_ * s[vy_][n];
      s[limit][n] = friction_ * s[force][n] / kt_;
      if (sign_ != 0) s[xi][n] = sign_ * s[limit][n];
      if (n == order) return s;
      const Long step = h / (n + 1), tangential = -kt_ * s[xi][n];
      s[y][n + 1] = step * s[vy_][n];
      s[vy_][n + 1] = -step * s[force][n] / mass_;
      s[vx_][n + 1] = step * tangential / mass_;
      s[spin_][n + 1] = step * radius_ * tangential / (0.4L * mass_ * radius_ * radius_);
      s[xi][n + 1] = step * (s[vx_][n] + radius_ * s[spin_][n]);
    }
  }
  void take(const Series& s, Long share) {
    for (int i = 0; i < 5; ++i) state_[i] = value(s[i], share);
  }

  static Row times(Long c, Row row) {
    for (Long& one : row) one *= c;
    return row;
  }
  static Long value(const Row& row, Long x) {
    Long sum = 0;
    for (int n = order; n >= 0; --n) sum = sum * x + row[n];
    return sum;
  }
  static Long slope(const Row& row, Long x) {
    Long sum = 0;
    for (int n = order; n > 0; --n) sum = sum * x + n * row[n];
    return sum;
  }
  template <class F>
  static Long bisect(const F& f, Long low, Long high) {  // f(low) and f(high) differ in sign
    const bool negative = f(low) < 0;
    for (int k = 0; k < 80; ++k) {
      const Long middle = 0.5L * (low + high);
      ((f(middle) < 0) == negative ? low : high) = middle;
    }
    return high;
  }
  // Where a difference that is not negative at 0 falls below zero within the step, dips included; 2 if it does not.
  static Long fall(const Row& what, const Row& less) {
    Row row{};
    Long size = 0;
    for (int n = 0; n <= order; ++n) row[n] = what[n] - less[n], size = std::max(size, std::fabs(what[n]));
    const Long noise = 1e-17L * size;
    const auto f = [&](Long x) { return value(row, x); };
    const auto df = [&](Long x) { return slope(row, x); };
    Long end = 1;
    if (!(f(1) < -noise)) {
      if (!(df(0) < 0 && df(1) > 0)) return 2;
      end = bisect(df, 0, 1);
      if (!(f(end) < -noise)) return 2;
    }
    if (!(f(0) > noise)) {  // has just been left: over its top first
      if (!(df(0) > 0)) return 0;
      return bisect(f, bisect(df, 0, end), end);
    }
    return bisect(f, 0, end);
  }

  Long mass_, radius_, friction_, k_, gamma_, kt_;
  std::array<Long, 5> state_{};  // y, vy, vx, spin, xi
  int sign_ = 0;
};

ImpactMaterial with(Real friction, Real kappa) {
  return {.friction = friction, .stiffness_ratio = kappa};
}

const ImpactMaterial materials[] = {
    {},
    with(0.05, 5),
    with(0.9, 0.2),  // sliding springs stay long: kappa < 2/7
    with(0.3, 60),   // eight half periods of sticking
    with(0, 0.8),
    constant(1, 0.18, 0.8035),  // no force at the beginning: slides at once, or sticks
    constant(1, 0.4, 0.2),
    constant(1, 0.3, 40),
    constant(1 - 1e-9, 0.18, 0.8035),
    constant(0.3, 0.4, 0.8),
    constant(std::exp(-2.0), 0.18, 0.8035),  // critically damped
    constant(0.135, 0.18, 0.8035),
    constant(0.02, 0.3, 3),  // overdamped
    constant(1e-5, 0.18, 0.8035),
};
constexpr Real degree = pi / 180;
constexpr Real angles[] = {0.01, 0.7, 3.3, 8, 14.9, 15.3, 22.5, 31, 41.9, 42.7, 53, 61, 72, 80.3, 87, 89.95};

TEST_CASE("oblique impact: the closed form is what the equations of motion give") {
  for (const ImpactMaterial& material : materials)
    for (const Real speed : {1e-3, 3.85, 200.0})
      for (const Real angle : angles) {
        INFO("chi_1 = ", material.chi_1, ", friction ", material.friction, ", kappa = ", material.stiffness_ratio);
        INFO("speed ", speed, ", angle ", angle);
        const ExactImpact exact(material, speed, angle * degree);
        const Long vx = std::sin(static_cast<Long>(angle * degree)) * speed;
        const Long vy = std::cos(static_cast<Long>(angle * degree)) * speed;
        const Integration integration(material, exact.contact(), vx, vy);
        const auto near = [](Real a, Long b) { return std::fabs(a - b) <= 1e-10L * std::fabs(b); };
        const ImpactOutcome& o = exact.outcome();
        // The contact lasts and returns what its material says.
        const Long v00 = material.chi_2 == 0 ? 0 : std::pow(Long(material.chi_1), 1 / Long(material.chi_2));
        CHECK(near(o.e_n, material.chi_1 * std::pow(vy + v00, -Long(material.chi_2))));
        CHECK(near(exact.contact().duration, material.chi_3 * std::pow(vy, -Long(material.chi_4))));
        CHECK(near(exact.contact().duration, integration.duration));

        CHECK(near(o.e_n, -integration.vy() / vy));
        CHECK(near(o.e_t, integration.vx() / vx));
        CHECK(near(o.beta, std::atan2(integration.vx(), -integration.vy())));
        CHECK(near(o.omega_f, integration.spin()));
        CHECK(exact.modes() == integration.modes);
        const std::vector<Real> instants = exact.instants();
        REQUIRE(instants.size() == integration.instants.size());
        for (std::size_t k = 0; k < instants.size(); ++k)
          CHECK(std::fabs(instants[k] - integration.instants[k]) < 1e-10L * integration.duration);
      }
}

TEST_CASE("oblique impact: motion and forces are continuous, friction is within its limit, and energy only leaves") {
  for (const ImpactMaterial& material : materials)
    for (const Real angle : angles) {
      INFO("chi_1 = ", material.chi_1, ", friction ", material.friction, ", kappa = ", material.stiffness_ratio);
      INFO("angle ", angle);
      constexpr Real speed = 3.85;
      const ExactImpact exact(material, speed, angle * degree);
      const ImpactContact& c = exact.contact();
      const Real length = speed * c.duration;

      const std::vector<Real> instants = exact.instants();
      for (std::size_t k = 1; k < instants.size(); ++k) {
        CHECK(instants[k] > instants[k - 1]);
        const ImpactMotion before = exact.at(std::nextafter(instants[k], 0)), after = exact.at(instants[k]);
        CHECK(std::fabs(after.vx - before.vx) < 1e-12 * speed);
        CHECK(std::fabs(after.spin - before.spin) * material.radius < 1e-12 * speed);
        CHECK(std::fabs(after.xi - before.xi) < 1e-12 * length);
      }

      const ImpactMotion start = exact.at(0), end = exact.at(c.duration);
      CHECK(start.y == 0);
      CHECK(start.vy == doctest::Approx(speed * std::cos(angle * degree)).epsilon(1e-13));
      CHECK(start.vx == speed * std::sin(angle * degree));
      CHECK(start.spin == 0);
      CHECK(start.xi == 0);
      CHECK(end.vx == doctest::Approx(exact.outcome().e_t * start.vx).epsilon(1e-13));
      CHECK(end.spin == doctest::Approx(exact.outcome().omega_f).epsilon(1e-13));
      CHECK(end.vy == doctest::Approx(-exact.outcome().e_n * start.vy).epsilon(1e-13));

      const Real inertia = 0.4 * material.mass * material.radius * material.radius;
      const Real all = 0.5 * material.mass * speed * speed;
      Real energy_before = all;
      constexpr int samples = 1000;
      for (int k = 0; k <= samples; ++k) {
        const ImpactMotion now = exact.at(c.duration * k / samples);
        const Real force = c.stiffness * now.y + c.damping * now.vy;
        const Real most = std::max(c.stiffness * length, c.damping * speed);
        CHECK(force > -1e-13 * most);
        CHECK(c.tangential_stiffness * std::fabs(now.xi) <=
              material.friction * force + 1e-12 * std::max(most, c.tangential_stiffness * length));
        const Real energy = 0.5 * (material.mass * (now.vx * now.vx + now.vy * now.vy) + inertia * now.spin * now.spin +
                                   c.stiffness * now.y * now.y + c.tangential_stiffness * now.xi * now.xi);
        CHECK(energy <= energy_before + 1e-12 * all);
        energy_before = energy;
      }
    }
}

TEST_CASE("oblique impact: the restitution is that of the dashpot, and the damping's digits stay where it vanishes") {
  for (const Real speed : {1e-9, 1e-3, 3.85, 1e4}) {
    const ExactImpact exact({}, speed, 0.5);
    const ImpactContact& c = exact.contact();
    const Real delta = -0.5 * c.damping / 0.26e-3;
    CHECK(exact.outcome().e_n == doctest::Approx(std::exp(delta * c.duration)).epsilon(1e-14));
  }
  for (const Real e : {1 - 1e-12, 0.9, 0.37, 0.36, 0.14, 0.13, 1e-3, 1e-20, 1e-99}) {
    INFO("e = ", e);
    const ExactImpact exact(constant(e, 0.18, 0.8035), 3.85, 0.5);
    const ImpactContact& c = exact.contact();
    const Real frequency = std::sqrt(c.stiffness / 0.26e-3);
    const Real zeta = 0.5 * c.damping / (0.26e-3 * frequency);
    CHECK(std::log(restitution_of(zeta, Attraction::clipped)) / std::log(e) == doctest::Approx(1).epsilon(1e-13));
    CHECK(contact_phase(zeta, Attraction::clipped) / (frequency * c.duration) == doctest::Approx(1).epsilon(1e-13));
    CHECK(exact.outcome().e_t > 0.5);
    CHECK(exact.outcome().e_t < 1);
  }
  // ln(1 + v / v00) = v / v00 for the slowest.
  const Real v = 1e-12 * std::cos(0.5), v00 = std::pow(0.8377, 1 / 0.2121);
  const ExactImpact slow({}, 1e-12, 0.5);
  const Real ratio = slow.contact().damping * slow.contact().duration / (2 * 0.26e-3 * 0.2121 * v / v00);
  CHECK(ratio == doctest::Approx(1).epsilon(1e-11));
}

TEST_CASE("oblique impact: the modes of the experiment change at 15.2310 and 42.3345 degrees") {
  const auto modes_at = [](Real angle) { return ExactImpact({}, 3.85, angle * degree).modes(); };
  const Names near{"stick", "slide-"}, middle{"stick", "slide+", "stick", "slide-"}, far{"stick", "slide+"};
  const auto change = [&](Real low, Real high, const Names& before, const Names& after) {
    REQUIRE(modes_at(low) == before);
    REQUIRE(modes_at(high) == after);
    while (high - low > 1e-9) {
      const Real angle = 0.5 * (low + high);
      (modes_at(angle) == before ? low : high) = angle;
    }
    return low;
  };
  CHECK(std::fabs(change(0.01, 30, near, middle) - 15.2310) < 5e-5);
  CHECK(std::fabs(change(30, 89.99, middle, far) - 42.3345) < 5e-5);
  // The rebound does not jump there.
  for (const Real angle : {15.2310, 42.3345}) {
    const Real a = angle - 1e-4, b = angle + 1e-4;
    const ExactImpact before({}, 3.85, a * degree), after({}, 3.85, b * degree);
    CHECK(before.outcome().e_t == doctest::Approx(after.outcome().e_t).epsilon(1e-5));
  }
}

TEST_CASE("oblique impact: what slides throughout bears Coulomb's impulse, what has no friction keeps its motion") {
  const Real alpha = 70 * degree;
  const ExactImpact grazing(constant(1, 0.18, 0.8035), 3.85, alpha);
  CHECK(grazing.modes() == Names{"slide+"});
  CHECK(grazing.outcome().e_t == doctest::Approx(1 - 2 * 0.18 / std::tan(alpha)).epsilon(1e-14));
  const ExactImpact smooth(with(0, 0.8), 3.85, alpha);
  CHECK(smooth.outcome().e_t == 1);
  CHECK(smooth.outcome().omega_f == 0);
}

TEST_CASE("oblique impact: what cannot be is refused") {
  const auto refused = [](const ImpactMaterial& material, Real speed, Real alpha) {
    try {
      ExactImpact(material, speed, alpha);
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.code() == Exit::bad_input);
    }
  };
  const Real nan = std::nan("");
  for (const Real alpha : {0.0, -0.1, pi / 2, 2.0, nan}) refused({}, 3.85, alpha);
  for (const Real speed : {0.0, -1.0, nan, 1.0 / 0.0}) refused({}, speed, 0.5);
  refused(with(-0.1, 0.8), 3.85, 0.5);
  refused(with(0.1, 0), 3.85, 0.5);
  refused(with(0.1, 1e10), 3.85, 0.5);
  refused(constant(1.1, 0.1, 0.8), 3.85, 0.5);
  refused(constant(0, 0.1, 0.8), 3.85, 0.5);
  refused({.mass = 0}, 3.85, 0.5);
  refused({.chi_2 = -0.2}, 3.85, 0.5);
}

}  // namespace
}  // namespace cairn
