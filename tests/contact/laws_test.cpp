// Every law of the list passes the same tests, in every tangential form: power balance, Coulomb's limit, passivity,
// rotation with the pair, derivatives, restitution in closed form or against figures found independently.
#include <doctest/doctest.h>

#include "cairn/contact/head_on.hpp"
#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/hash.hpp"
#include "cairn/run/registry.hpp"
#include "worlds.hpp"

using namespace cairn;

namespace {

const Material soft{.name = "soft", .young = 2e6, .poisson = 0.3};

constexpr TangentialForm forms[] = {TangentialForm::total, TangentialForm::conservative, TangentialForm::incremental};

template <class Law>
Law example(Attraction attraction, Real friction = 0.4, TangentialForm form = TangentialForm::total,
            Real restitution = 0.6) {
  ContactSettings c{
      {"attraction", attraction}, {"friction", friction}, {"restitution", restitution}, {"stiffness", 2e3}};
  c["tangential_damping"] = 0.7;
  c["tangential"] = form;
  c["duration_factor"] = 0.02;
  if constexpr (std::is_base_of_v<ExtendedNonlinear, Law>) c["stiffness"] = 4e4, c["damping_exponent"] = 0.7;
  return Law::from(suited(Law::name, c), soft, soft);
}

template <class Law>
void take_dashpots_away(Law& law) {
  if constexpr (std::is_same_v<Law, HertzMindlin>)
    law.damping_ratio = 0;
  else if constexpr (std::is_same_v<Law, ExtendedLinear>)
    law.restitution_exponent = law.tangential_damping = 0, law.log2_factor = 0;
  else
    law.damping = law.damping_per_mass = law.tangential_damping = 0;
  if constexpr (std::is_same_v<Law, LinearSpringDashpot>) law.damping_per_root_mass = 0;
}

// Every law, in every tangential form where that makes a difference.
template <class F>
void for_each_example(Attraction attraction, Real friction, F&& f) {
  for_each_law([&](auto law_type) {
    using Law = decltype(law_type);
    for (const TangentialForm form : forms) {
      constexpr bool knows_forms = requires(Law law) {
        law.tangential;
      };
      if (form != TangentialForm::total && !knows_forms) continue;
      INFO(std::string(Law::name), ", tangential form ", static_cast<int>(form));
      f(example<Law>(attraction, friction, form));
    }
  });
}

struct Moment {
  BodyMotion<Real> a, b;
  Vector xi;
};
constexpr Real ra = 0.05, rb = 0.07, ima = 4, imb = 3;

constexpr Real began_at = 0.3;  // [m/s]

ContactGeometry<Real> meeting(const Moment& m) {
  ContactGeometry<Real> at =
      contact_geometry(pair_kinematics(m.a, m.b, m.b.x - m.a.x, ra, rb, effective_of(ra, rb), m_eff_of(ima, imb)));
  at.kinematics.onset_speed = began_at;
  return at;
}

Moment random_moment(std::uint64_t k) {
  std::uint64_t q = 0;
  const auto r = [&] { return 2 * random_uniform(3, k, q++) - 1; };
  const auto v = [&](Real scale) { return Vector{scale * r(), scale * r(), scale * r()}; };
  return {{v(1), v(1), v(20)}, {{}, v(1), v(20)}, v(0.001)};
}

// The bodies in contact, at a random direction.
Moment touching(std::uint64_t k) {
  Moment m = random_moment(k);
  const Vector n = (1 / norm(m.a.x)) * m.a.x;
  m.b.x = m.a.x + (ra + rb - 0.004 * (0.05 + random_uniform(4, k, 0))) * n;
  m.xi = m.xi - dot(m.xi, n) * n;
  return m;
}

}  // namespace

TEST_CASE("powers balance: what the bodies lose is stored or booked") {
  // d/dt of kinetic + elastic energy + books = 0 along the motion, the left side by central differences of the energy.
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
    for_each_example(attraction, 0.4, [&](const auto& law) {
      int slipping = 0, clipped = 0;
      for (std::uint64_t k = 0; k < 400; ++k) {
        Moment m = touching(k);
        const ContactGeometry<Real> now = meeting(m);
        const ContactForce<Real> p = law.force(now.kinematics, m.xi);
        slipping += norm(m.xi) > p.limit;
        clipped += p.fn == 0;
        // Power of the contact on the bodies: -fn approach + ft . vt.
        const Real delivered = dot(p.ft, now.kinematics.vt) - p.fn * now.kinematics.approach;
        const auto energy_at = [&](Real h) {
          Moment then = m;
          then.a.x = m.a.x + h * m.a.v, then.b.x = m.b.x + h * m.b.v;
          then.xi = m.xi + h * p.xi_rate;
          return law.elastic_energy(meeting(then).kinematics, law.stores_shear() ? then.xi : Vector{});
        };
        const Real h = 1e-7, stored = (energy_at(h) - energy_at(-h)) / (2 * h);
        const Real scale = std::fabs(delivered) + std::fabs(stored) + 1e-3;
        CHECK(std::fabs(delivered + stored + p.power.dashpot + p.power.slip + p.power.clip) < 1e-6 * scale);
        CHECK(p.power.dashpot >= 0);
        if (attraction == Attraction::clipped) CHECK(p.fn >= 0);
        if (attraction == Attraction::clipped) CHECK(norm(p.ft) <= 0.4 * p.fn * (1 + 1e-12));
        CHECK(norm(p.ft) <= 0.4 * std::fabs(p.fn) * (1 + 1e-12));
        CHECK(std::fabs(dot(p.ft, now.kinematics.n)) < 1e-12 * (1 + norm(p.ft)));
      }
      CHECK(slipping > 10);
      CHECK((attraction == Attraction::allowed || clipped > 5));
    });
}

TEST_CASE("a spring cut to its limit gives the same forces, and the slip foretold") {
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
    for_each_example(attraction, 0.4, [](const auto& law) {
      int cut = 0;
      for (std::uint64_t k = 0; k < 400; ++k) {
        const Moment m = touching(k);
        const ContactKinematics<Real> kinematics = meeting(m).kinematics;
        const ContactForce<Real> p = law.force(kinematics, m.xi), q = law.force(kinematics, p.kept * m.xi);
        cut += p.kept < 1;
        CHECK(q.kept == doctest::Approx(1));
        CHECK(std::fabs(q.fn - p.fn) <= 1e-12 * std::fabs(p.fn));
        CHECK(norm(q.ft - p.ft) <= 1e-12 * norm(p.ft));
        const Real scale = p.stiffness * dot(m.xi, m.xi) * (1 + std::fabs(kinematics.approach / kinematics.overlap)) +
                           norm(p.ft) * norm(kinematics.vt);
        CHECK(std::fabs(q.power.slip - p.slip_cut) <= 1e-12 * scale);
        CHECK(std::fabs(q.power.slip - q.slip_cut) <= 1e-12 * scale);
      }
      CHECK(cut > 10);
    });
}

TEST_CASE("what slides without a dashpot bears all that friction bears") {
  for_each_example(Attraction::clipped, 0.4, [](auto law) {
    take_dashpots_away(law);
    int slides = 0;
    for (std::uint64_t k = 0; k < 400; ++k) {
      const Moment m = touching(k);
      const ContactForce<Real> p = law.force(meeting(m).kinematics, m.xi);
      if (p.kept == 1) continue;
      ++slides;
      CHECK(norm(p.ft) == doctest::Approx(0.4 * p.fn).epsilon(1e-12));
    }
    CHECK(slides > 10);
  });
}

TEST_CASE("an open contact gives nothing") {
  for_each_example(Attraction::clipped, 0.4, [](const auto& law) {
    Moment m = touching(1);
    m.b.x = m.a.x + (1.01 * (ra + rb) / norm(m.b.x - m.a.x)) * (m.b.x - m.a.x);
    const ContactForce<Real> p = law.force(meeting(m).kinematics, m.xi);
    CHECK(p.fn == 0);
    CHECK(p.ft == Vector{});
    CHECK(p.xi_rate == Vector{});
    CHECK(p.limit == 0);
    CHECK(p.power.dashpot == 0);
    CHECK(p.power.slip == 0);
    CHECK(p.power.clip == 0);
  });
}

TEST_CASE("seen from the other body all vectors turn round, to the last bit") {
  for_each_example(Attraction::clipped, 0.4, [](const auto& law) {
    for (std::uint64_t k = 0; k < 200; ++k) {
      const Moment m = touching(k);
      const ContactGeometry<Real> one = meeting(m);
      ContactGeometry<Real> other =
          contact_geometry(pair_kinematics(m.b, m.a, m.a.x - m.b.x, rb, ra, effective_of(rb, ra), m_eff_of(imb, ima)));
      other.kinematics.onset_speed = began_at;
      const ContactForce<Real> p = law.force(one.kinematics, m.xi), q = law.force(other.kinematics, -m.xi);
      CHECK(q.fn == p.fn);
      CHECK(q.ft == -p.ft);
      CHECK(q.xi_rate == -p.xi_rate);
      CHECK(q.kept == p.kept);
      CHECK(q.power.dashpot == p.power.dashpot);
      CHECK(q.power.slip == p.power.slip);
      CHECK(q.slip_cut == p.slip_cut);
      CHECK(other.reduction == one.reduction);
    }
  });
}

TEST_CASE("the rate of the force by jets is its central difference") {
  for_each_example(Attraction::allowed, 0.4, [](const auto& law) {
    for (std::uint64_t k = 0; k < 50; ++k) {
      const Moment m = touching(k);
      const ContactForce<Real> p = law.force(meeting(m).kinematics, m.xi);
      if (std::fabs(norm(m.xi) / p.limit - 1) < 0.05) continue;  // the kink itself has no derivative
      using T = Jet<1>;
      const auto line = [](const Vector& a, const Vector& rate) {
        Vec3<T> r{a.x, a.y, a.z};
        r.x.c[1] = rate.x, r.y.c[1] = rate.y, r.z.c[1] = rate.z;
        return r;
      };
      const BodyMotion<T> a{line(m.a.x, m.a.v), line(m.a.v, {}), line(m.a.w, {})};
      const BodyMotion<T> b{line(m.b.x, m.b.v), line(m.b.v, {}), line(m.b.w, {})};
      ContactKinematics<T> kinematics =
          contact_geometry(
              pair_kinematics(a, b, b.x - a.x, T(ra), T(rb), T(effective_of(ra, rb)), T(m_eff_of(ima, imb))))
              .kinematics;
      kinematics.onset_speed = began_at;
      const ContactForce<T> jet = law.force(kinematics, line(m.xi, p.xi_rate));
      const auto at = [&](Real h) {
        Moment then = m;
        then.a.x = m.a.x + h * m.a.v, then.b.x = m.b.x + h * m.b.v, then.xi = m.xi + h * p.xi_rate;
        return law.force(meeting(then).kinematics, then.xi);
      };
      const Real h = 1e-7;
      const ContactForce<Real> before = at(-h), after = at(h);
      const Real fn_rate = (after.fn - before.fn) / (2 * h);
      CHECK(jet.fn.c[1] == doctest::Approx(fn_rate).epsilon(1e-5).scale(1));
      const Real ft_rate = (after.ft.x - before.ft.x) / (2 * h);
      CHECK(jet.ft.x.c[1] == doctest::Approx(ft_rate).epsilon(1e-4).scale(1));
    }
  });
}

TEST_CASE("a rigidly rotating pair keeps its spring") {
  // The two bodies turn as one about an oblique axis through their centre of mass: in the turning frame the spring must
  // not move. Circular motion at constant overlap needs no force from the law here: the rate of the spring is
  // integrated along the prescribed motion.
  for_each_example(Attraction::clipped, 100, [](const auto& law) {
    const Vector omega{0.7, -0.4, 1.1};
    const Real speed = norm(omega);
    const Vector axis = (1 / speed) * omega;
    const auto turned = [&](const Vector& a, Real angle) {
      return std::cos(angle) * a + std::sin(angle) * cross(axis, a) + ((1 - std::cos(angle)) * dot(axis, a)) * axis;
    };
    const Vector xa{0.03, 0.02, -0.01}, n0 = (1 / norm(Vector{1, 2, 3})) * Vector{1, 2, 3};
    const Vector xb = xa + (ra + rb - 0.001) * n0;
    Vector xi = 1e-4 * cross(n0, Vector{0.3, 0.1, -0.5});
    const Vector start = xi;
    const int steps = 400;
    const Real h = 2 * 3.14159265358979323846 / speed / steps;  // one turn
    const auto rate = [&](Real t, const Vector& spring) {
      const Vector a = turned(xa, speed * t), b = turned(xb, speed * t);
      return law.force(meeting({{a, cross(omega, a), omega}, {b, cross(omega, b), omega}, spring}).kinematics, spring)
          .xi_rate;
    };
    Real worst = 0;
    for (int k = 0; k < steps; ++k) {  // rk4
      const Real t = k * h;
      const Vector k1 = rate(t, xi), k2 = rate(t + h / 2, xi + (h / 2) * k1), k3 = rate(t + h / 2, xi + (h / 2) * k2),
                   k4 = rate(t + h, xi + h * k3);
      xi = xi + (h / 6) * k1 + (h / 3) * k2 + (h / 3) * k3 + (h / 6) * k4;
      worst = std::max(worst, norm(xi - turned(start, speed * (t + h))) / norm(start));
    }
    CHECK(worst < 1e-8);
  });
}

TEST_CASE("restitution in closed form") {
  struct Row {
    Real zeta, allowed, clipped;
  };
  for (const Row& r : {Row{0.01, 0.969070904, 0.969264750}, Row{0.1, 0.729247614, 0.744079398},
                       Row{0.3, 0.372326105, 0.450975453}, Row{0.9, 0.001523756, 0.155282748}}) {
    CHECK(restitution_of(r.zeta, Attraction::allowed) == doctest::Approx(r.allowed).epsilon(1e-8));
    CHECK(restitution_of(r.zeta, Attraction::clipped) == doctest::Approx(r.clipped).epsilon(1e-8));
    CHECK(damping_ratio_of(restitution_of(r.zeta, Attraction::clipped), Attraction::clipped) ==
          doctest::Approx(r.zeta).epsilon(1e-10));
  }
  CHECK(restitution_of(3.0, Attraction::clipped) == doctest::Approx(0.023769514).epsilon(1e-8));
  CHECK(restitution_of(1.0, Attraction::clipped) == doctest::Approx(std::exp(-2.0)));
  // The inverse reaches every e there is, overdamped ones too.
  for (Real e : {0.999, 0.5, 0.14, 0.1353352832366127, 0.1, 0.03})
    CHECK(restitution_of(damping_ratio_of(e, Attraction::clipped), Attraction::clipped) ==
          doctest::Approx(e).epsilon(1e-9));
}

TEST_CASE("every law realises the restitution asked for, in the engine") {
  for_each_law([](auto law_type) {
    using Law = decltype(law_type);
    for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
      for (const Real e : {0.9, 0.5, 0.2}) {
        WorldSettings s;
        s.gravity = {};
        s.laws = law_table(Law::name, {soft}, [&](auto, auto) {
          return suited(
              Law::name,
              {{"attraction", attraction}, {"restitution", e}, {"stiffness", 2e3}, {"duration_factor", 0.02}});
        });
        const Real expected =
            std::visit([](const auto& laws) { return head_on(laws[0], 0.12, 0.025, 1).restitution; }, s.laws);
        if (!std::is_same_v<Law, ExtendedLinear>) CHECK(expected == doctest::Approx(e).epsilon(1e-6));
        World w(s);
        const GrainData grains[] = {
            {.position = {0, 0, 0}, .velocity = {0.4, 0, 0}, .radius = 0.05, .mass = 0.2},
            {.position = {0.1 + 1e-6, 0, 0}, .velocity = {-0.6, 0, 0}, .radius = 0.05, .mass = 0.3}};
        w.insert(grains);
        w.begin();
        const SchemeEntry& scheme = scheme_named("rk4");
        while (w.time() < 0.2) scheme.advance(w, 4e-6);
        const std::vector<int> order = by_id(w);
        const auto v = w.state().body.row(BodyRow::v);
        INFO(std::string(Law::name), " e = ", e, attraction == Attraction::clipped ? " clipped" : " allowed");
        CHECK(v[order[1]] - v[order[0]] == doctest::Approx(expected).epsilon(2e-3));
        CHECK(std::fabs(0.2 * v[order[0]] + 0.3 * v[order[1]] - (0.2 * 0.4 - 0.3 * 0.6)) < 1e-14);
        CHECK(std::fabs(w.residual()) < 1e-3 * w.initial_energy());
      }
  });
}

TEST_CASE("restitution of non-linear laws against figures found independently") {
  // Aluminium spheres of radius 0.1 m, k = 2e6 N/m^1.5; by an event-located integration of high order.
  constexpr Real m_eff = 5.654866776;
  struct Row {
    Real speed, kuwabara_kono, extended;
  };
  for (const Row& r : {Row{0.1, 0.91460331, 0.96027681}, Row{1, 0.86920022, 0.85548744}}) {
    const auto viscous = KuwabaraKono::from({{"stiffness", 2e6}, {"damping", 1500}}, {}, {});
    CHECK(std::fabs(head_on(viscous, m_eff, 0.05, r.speed).restitution - r.kuwabara_kono) < 1e-7);
    const auto extended =
        ExtendedNonlinear::from({{"stiffness", 2e6}, {"damping", 3e4}, {"damping_exponent", 1}}, {}, {});
    CHECK(std::fabs(head_on(extended, m_eff, 0.05, r.speed).restitution - r.extended) < 1e-7);
  }
}

TEST_CASE("a non-linear law realises a restitution at its speed, for every mass, and only there") {
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed})
    for (const Real theta : {0.0, 0.5, 0.7, 1.0, 1.5})
      for (const Real e : {0.95, 0.5}) {
        ContactSettings c{{"attraction", attraction}, {"restitution", e}, {"stiffness", 3e5}};
        c["damping_exponent"] = theta, c["restitution_speed"] = 0.2;
        const auto law = ExtendedNonlinear::from(c, {}, {});
        INFO("theta = ", theta, ", e = ", e);
        for (const Real m_eff : {1e-3, 0.4})
          CHECK(head_on(law, m_eff, 0.01, 0.2).restitution == doctest::Approx(e).epsilon(1e-7));
        CHECK((head_on(law, 0.4, 0.01, 0.4).restitution > e) == (theta < 0.25));
      }
  const auto a = KuwabaraKono::from({{"restitution", 0.8}, {"stiffness", 3e5}}, {}, {});
  const auto b = ExtendedNonlinear::from({{"restitution", 0.8}, {"stiffness", 3e5}, {"damping_exponent", 0.5}}, {}, {});
  CHECK(a.gamma(0.3) == b.gamma(0.3));
  CHECK(KuwabaraKono::from({{"restitution", 1}, {"stiffness", 3e5}}, {}, {}).gamma(0.3) == 0);
  CHECK_THROWS_AS(KuwabaraKono::from({{"restitution", 0.8}}, {}, {}), Error);
}

TEST_CASE("over a closed cycle of overlap and slip the conservative form alone does no work") {
  // Overlap d0 (1 + sin(a)/2), slip u0 (1 - cos a) in one direction, far from Coulomb's limit. With the root of the
  // overlap in k_t the total form takes 2 I from the bodies, I the integral of sqrt(1 + sin(a)/2) sin a over the cycle,
  // and the incremental one gives them as much, in units of k_t(d0) u0^2/2; by parts. The trapezoidal rule is exact
  // where all closes.
  constexpr int points = 400, springs = 12;  // steps of the spring between two points
  constexpr Real h = 2 * pi / points, inner = h / springs;
  Real exchanged = 0;
  for (int k = 0; k < points; ++k) exchanged += 2 * h * std::sqrt(1 + 0.5 * std::sin(k * h)) * std::sin(k * h);
  CHECK(exchanged > 1);
  for_each_example(Attraction::allowed, 1e3, [&](auto law) {
    if constexpr (requires { law.tangential; }) {
      take_dashpots_away(law);
      constexpr Real d0 = 1e-3, u0 = 1e-3;
      const auto kinematics = [](Real a) {
        ContactKinematics<Real> c{};
        c.n = {1, 0, 0}, c.r_eff = 0.02, c.m_eff = 0.1;
        c.overlap = d0 * (1 + 0.5 * std::sin(a)), c.approach = d0 * 0.5 * std::cos(a);
        c.vt = {0, u0 * std::sin(a), 0};
        return c;
      };
      const auto rate = [&](Real a, const Vector& xi) { return law.force(kinematics(a), xi).xi_rate; };
      Vector xi{};
      Real taken = 0, slip = 0;
      for (int k = 0; k < points; ++k) {
        const ContactForce<Real> p = law.force(kinematics(k * h), xi);
        CHECK(p.kept == 1);
        taken += h * (p.fn * kinematics(k * h).approach - dot(p.ft, kinematics(k * h).vt)), slip += h * p.power.slip;
        for (int m = 0; m < springs; ++m) {  // classical Runge-Kutta
          const Real a = k * h + m * inner, half = inner / 2;
          const Vector k1 = rate(a, xi), k2 = rate(a + half, xi + half * k1), k3 = rate(a + half, xi + half * k2),
                       k4 = rate(a + inner, xi + inner * k3);
          xi += (inner / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
      }
      slip += h / 2 * law.force(kinematics(0), xi).power.slip;  // what has not closed
      const Real unit = 0.5 * law.force(kinematics(0), {}).stiffness * u0 * u0;
      if (law.tangential == TangentialForm::conservative) {
        CHECK(std::fabs(taken) < 1e-14 * unit);
        CHECK(law.elastic_energy(kinematics(0), xi) - law.elastic_energy(kinematics(0), {}) < 1e-14 * unit);
        CHECK(std::fabs(slip) < 1e-14 * unit);
      } else {
        const Real sign = law.tangential == TangentialForm::total ? 1 : -1;
        CHECK(taken / unit == doctest::Approx(sign * exchanged).epsilon(1e-4));
        CHECK(slip / unit == doctest::Approx(taken / unit).epsilon(1e-4));
      }
    }
  });
}

TEST_CASE("the extended linear law realises restitution and duration over the speed of the impact") {
  for (const Attraction attraction : {Attraction::clipped, Attraction::allowed}) {
    const auto law = ExtendedLinear::from(suited("extended_linear", {{"attraction", attraction}}), {}, {});
    for (const Real v : {1e-3, 0.02, 1.0, 3.85, 30.0}) {
      const Real v00 = std::pow(0.8377, 1 / 0.2121), e = 0.8377 * std::pow(v + v00, -0.2121);
      const Real lasts = 0.000017 * std::pow(v, -0.1907);
      const HeadOn hit = head_on(law, 0.26e-3, 2.5e-3, v), closed = law.closed_form(0.26e-3, 2.5e-3, v);
      INFO("v = ", v);
      CHECK(hit.restitution == doctest::Approx(e).epsilon(1e-8));
      CHECK(hit.duration == doctest::Approx(lasts).epsilon(1e-8));
      CHECK(closed.restitution == doctest::Approx(e).epsilon(1e-10));
      CHECK(closed.duration == doctest::Approx(lasts).epsilon(1e-10));
      CHECK(closed.deepest == doctest::Approx(hit.deepest).epsilon(1e-8));
    }
    CHECK(head_on(law, 1, 1, 1e-6).duration == doctest::Approx(0.000017 * std::pow(1e-3, -0.1907)).epsilon(1e-8));
  }
  const ClippedPhase phase = ClippedPhase::found();
  for (Real l = 0; l <= ClippedPhase::most; l += 0.037) {
    const Real exact = contact_phase(damping_ratio_of(stable_exp(-l), Attraction::clipped), Attraction::clipped);
    CHECK(phase.squared(l) == doctest::Approx(exact * exact).epsilon(1e-11));
  }
}
