// A law's own collision against closed forms, digits of others and small steps.
#include "cairn/contact/head_on.hpp"

#include <doctest/doctest.h>

#include "cairn/contact/laws/all.hpp"

namespace cairn {
namespace {

Real off_by(Real a, Real b) {  // doctest's Approx adds 1 to what it is relative to
  return std::fabs(a / b - 1);
}

LinearSpringDashpot linear(Real zeta, Attraction attraction, Real m_eff) {
  LinearSpringDashpot law;
  law.stiffness = 2e4;
  law.damping = 2 * zeta * std::sqrt(law.stiffness * m_eff);
  law.attraction = attraction;
  return law;
}

// F = k delta^(3/2) + gamma delta^theta delta': Kuwabara & Kono's law for theta = 1/2.
struct Powers32 : LinearSpringDashpot {
  Real theta = 0.5;
  Powers32(Real gamma, Real power) : theta(power) { stiffness = 2e6, damping = gamma; }
  template <class T>
  ContactForce<T> force(const ContactKinematics<T>& c, const Vec3<T>& xi) const {
    const T size = abs(c.overlap);
    const T falls_as = size > 0 ? stable_exp(theta * stable_log(size)) : 0;
    return coulomb(
        c, xi, normal_force<T>(c, stiffness * std::sqrt(size) * c.overlap, damping * falls_as * c.approach, attraction),
        {.kt = 1, .inverse_kt = 1}, 0);
  }
};

TEST_CASE("head-on: the linear law's restitution, duration and overlap in closed form") {
  constexpr Real m = 0.3, v = 1.7;
  struct Row {
    Real zeta, allowed, clipped;  // e of the reference table, nine digits
  };
  for (const Row& r :
       {Row{0, 1, 1}, Row{0.01, 0.969070904, 0.969264750}, Row{0.1, 0.729247614, 0.744079398},
        Row{0.3, 0.372326105, 0.450975453}, Row{0.9, 0.001523756, 0.155282748}, Row{3, 0, 0.023769514}}) {
    CAPTURE(r.zeta);
    for (const Attraction attraction : {Attraction::clipped, Attraction::allowed}) {
      const LinearSpringDashpot law = linear(r.zeta, attraction, m);
      const HeadOn hit = head_on(law, m, 0.01, v), exact = law.closed_form(m, 0.01, v);
      CHECK(std::fabs(hit.restitution - (attraction == Attraction::clipped ? r.clipped : r.allowed)) <= 5e-10);
      CHECK(off_by(hit.deepest, exact.deepest) < 1e-12);
      if (r.zeta > 1 && attraction == Attraction::allowed) {  // they stay together
        CHECK(hit.restitution == 0);
        CHECK(hit.duration == std::numeric_limits<Real>::infinity());
        CHECK(exact.duration == hit.duration);
        continue;
      }
      CHECK(off_by(hit.restitution, exact.restitution) < 1e-12);
      CHECK(off_by(hit.duration, exact.duration) < 1e-12);
    }
  }
  // What the closed form says itself: half an oscillation, as deep as its amplitude.
  const HeadOn free = linear(0, Attraction::clipped, m).closed_form(m, 0.01, v);
  CHECK(off_by(free.duration, pi * std::sqrt(m / 2e4)) < 1e-14);
  CHECK(off_by(free.deepest, v * std::sqrt(m / 2e4)) < 1e-14);
}

TEST_CASE("head-on: settings realise what they ask for") {
  constexpr Real m = 0.3, t_c = 1e-3;
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
    for (const Real e : {1.0, 0.9, 0.5, 0.1}) {
      const HeadOn hit = head_on(
          LinearSpringDashpot::from({{"attraction", attraction}, {"restitution", e}, {"duration", t_c}}, {}, {}), m,
          0.01, 2);
      CHECK(off_by(hit.restitution, e) < 1e-12);
      CHECK(off_by(hit.duration, t_c) < 1e-12);
    }
}

TEST_CASE("head-on: Hertz's duration and overlap in closed form, and its restitution") {
  constexpr Real m = 0.01, r = 0.005, young = 1e7;
  const Material glass{.young = young, .poisson = 0.2};
  const Real young_eff = young / (2 * (1 - 0.04));
  for (const Real v : {0.01, 1.0}) {
    const HertzMindlin law = HertzMindlin::from({}, glass, glass);
    const HeadOn hit = head_on(law, m, r, v);
    CHECK(off_by(hit.restitution, 1) < 1e-10);
    const Real deepest = std::pow(15 * m * v * v / (16 * young_eff * std::sqrt(r)), 0.4);
    CHECK(off_by(hit.deepest, deepest) < 1e-10);
    CHECK(off_by(hit.duration, 2.943275184 * deepest / v) < 1e-9);  // Hertz 1881
    CHECK(off_by(law.closed_form(m, r, v).duration, hit.duration) < 1e-10);
  }
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
    for (const Real e : {0.8, 0.3, 0.01}) {
      const HertzMindlin law = HertzMindlin::from({{"attraction", attraction}, {"restitution", e}}, glass, glass);
      const HeadOn hit = head_on(law, m, r, 1), exact = law.closed_form(m, r, 1);
      CHECK(off_by(hit.restitution, e) < 1e-10);
      CHECK(off_by(exact.restitution, e) < 1e-12);
      CHECK(off_by(hit.deepest, exact.deepest) < 1e-10);
      CHECK(std::isnan(exact.duration));
    }
}

TEST_CASE("head-on: digits of others for laws without a closed form") {  // aluminium spheres of 0.1 m
  constexpr Real m = 5.654866776, r = 0.05;
  const Powers32 kuwabara_kono(1500, 0.5), extended(3e4, 1);
  CHECK(off_by(head_on(kuwabara_kono, m, r, 0.1).restitution, 0.91460331) < 1e-8);
  CHECK(off_by(head_on(kuwabara_kono, m, r, 1).restitution, 0.86920022) < 1e-8);
  CHECK(off_by(head_on(extended, m, r, 0.1).restitution, 0.96027681) < 1e-8);
  CHECK(off_by(head_on(extended, m, r, 1).restitution, 0.85548744) < 1e-8);
}

}  // namespace
}  // namespace cairn
