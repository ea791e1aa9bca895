// Chung and Ooi's tests 4 to 8: impacts with friction.
#include <algorithm>
#include <cmath>

#include "cairn/core/text.hpp"
#include "cairn/studies/validation/impacts.hpp"

namespace cairn::studies {
namespace {

// One point of a test: what the two bodies do after the contact.
struct After {
  RoundBody first, second;
};

// An impact that slides from the first instant to the last: friction's impulse is mu times the normal one. Its lever is
// the radius less the overlap, or half of it in a pair. In the mean over the impulse of an elastic impact that is
// B(7/5, 1/2) / 2 of the largest overlap, Euler's beta function.
struct Sliding {
  bool throughout = false;  // the contact point still slides in the old direction at the end
  After after;
};
Sliding sliding_of(const SphereImpact& s) {
  After a{s.first, s.second};
  const Real nx = s.plane() ? 0 : 1, ny = s.plane() ? -1 : 0;  // to the partner
  const Real vx = s.first.vx - s.second.vx, vy = s.first.vy - s.second.vy;
  const Real slip = -vx * ny + vy * nx + s.first.radius * s.first.spin + s.second.radius * s.second.spin;
  const Real pressed = (1 + s.restitution) * s.m_eff() * s.approach();  // [N s]
  constexpr Real mean_overlap = 0.81757644;
  const Real shorter = mean_overlap * s.hertz().overlap * (s.plane() ? 1 : 0.5);  // [m]
  const Real rubbed = (slip > 0 ? 1 : -1) * s.friction * pressed;
  for (RoundBody* b : {&a.first, &a.second}) {
    if (b->mass == 0) continue;
    const Real side = b == &a.first ? 1 : -1;
    b->vx -= side * (pressed * nx - rubbed * ny) / b->mass, b->vy -= side * (pressed * ny + rubbed * nx) / b->mass;
    b->spin -= 2.5 * rubbed * (b->radius - shorter) / (b->mass * b->radius * b->radius);
  }
  return {std::fabs(slip) > 3.5 * s.friction * (1 + s.restitution) * s.approach(), a};
}

struct Quantity {
  const char *name, *unit;
  Real (*of)(const SphereImpact& before, const After& after);
  bool by_lever = false;  // friction's torque, not only its force
};

Real degrees(Real radians) {
  return radians * 180 / pi;
}
Real slip_after(const SphereImpact&, const After& a) {
  return a.first.vx + a.first.radius * a.first.spin;
}
constexpr Quantity rebound_angle{"rebound angle", "deg", [](const SphereImpact&, const After& a) {
                                   return degrees(std::atan2(a.first.vx, a.first.vy));
                                 }};
constexpr Quantity spin_after{"spin after the impact", "rad/s",
                              [](const SphereImpact&, const After& a) { return a.first.spin; }, true};
constexpr Quantity spin_lost{"spin lost", "rad/s",
                             [](const SphereImpact& s, const After& a) { return s.first.spin - a.first.spin; }, true};
constexpr Quantity spin_gained{"spin of the other sphere", "rad/s",
                               [](const SphereImpact&, const After& a) { return a.second.spin; }, true};
constexpr Quantity along_plane{"tangential velocity", "m/s",
                               [](const SphereImpact&, const After& a) { return a.first.vx; }};
constexpr Quantity across{"tangential velocity", "m/s", [](const SphereImpact&, const After& a) { return a.first.vy; }};

// One test with one material: what varies, what is asked, and what a figure shows of it.
struct Series {
  std::string test, solid;
  std::string varies, unit;  // ", 30 deg"
  std::vector<Real> at;      // rows
  Real from, to;             // figure
  std::function<SphereImpact(Real)> impact;
  std::vector<Quantity> asked;
  Quantity shown;
  std::string shown_name;
};

void run_series(ValidationCase& c, const ValidationSettings& settings, const Series& s) {
  constexpr int reference_steps = 4000;
  for (const Real value : s.at) {
    const SphereImpact impact = s.impact(value);
    const Sliding sliding = sliding_of(impact);
    // The error of the scheme.
    const Real bound = impact.restitution < 1 ? 2 * damped_bound(impact.restitution) : 10 * elastic_bound();
    // The closed form does not know how dashpots change the mean overlap, nor that a pair turns while it touches.
    const Real flat = impact.hertz().overlap / impact.first.radius;
    const auto rest = [&](const Quantity& q) {
      if (!sliding.throughout) return 0.0;
      return impact.plane() ? (q.by_lever ? (1 - impact.restitution) * flat : 0) : 2 * flat;
    };
    After expected = sliding.after;
    if (!sliding.throughout) {
      const RoundOutcome o = impact.integrated(reference_steps);
      expected = {o.first, o.second};
    }
    const ImpactSeen seen = run_impact(impact, settings);
    for (const Quantity& q : s.asked)
      c.rows.push_back(
          {s.test,
           q.name + (", " + s.varies + " = " + brief(value)) + (s.unit.empty() ? "" : " " + s.unit) + ", " + s.solid,
           q.unit, q.of(impact, expected), q.of(impact, {seen.first, seen.second}), bound + rest(q), true,
           sliding.throughout ? "sliding throughout, closed form" : "integration mode by mode"});
  }
  const auto with_unit = [](const std::string& label, const std::string& unit) {
    return unit.empty() ? label : label + " [" + unit + "]";
  };
  ValidationFigure f{s.test,
                     s.shown_name + ", " + s.solid,
                     with_unit(s.varies, s.unit),
                     with_unit(s.shown.name, s.shown.unit),
                     {},
                     {},
                     {},
                     {}};
  const int points = settings.quick ? 9 : 25, reference_points = 41;
  for (int k = 0; k < points; ++k) {
    const Real value = s.from + (s.to - s.from) * k / (points - 1);
    const SphereImpact impact = s.impact(value);
    const ImpactSeen seen = run_impact(impact, settings);
    f.found_x.push_back(value), f.found_y.push_back(s.shown.of(impact, {seen.first, seen.second}));
  }
  for (int k = 0; k < reference_points; ++k) {
    const Real value = s.from + (s.to - s.from) * k / (reference_points - 1);
    const SphereImpact impact = s.impact(value);
    const RoundOutcome o = impact.integrated(reference_steps / 4);
    f.expected_x.push_back(value), f.expected_y.push_back(s.shown.of(impact, {o.first, o.second}));
  }
  c.figures.push_back(f);
}

constexpr Solid aluminium_alloy{70e9, 0.33, 2700};

}  // namespace

ValidationCase validate_oblique_impacts(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  ValidationCase c;
  if (on_progress) on_progress(0, "Chung & Ooi 4");
  constexpr Quantity contact_angle{"rebound angle", "deg", [](const SphereImpact& s, const After& a) {
                                     return degrees(std::atan2(slip_after(s, a), a.first.vy));
                                   }};
  struct Named {
    const char* name;
    Solid solid;
  };
  for (const Named& m : {Named{"aluminium oxide", {380e9, 0.23, 4000}}, Named{"aluminium alloy", aluminium_alloy}})
    run_series(c, settings,
               {"Chung & Ooi 4",
                m.name,
                "angle of impact",
                "deg",
                {10, 30, 60},
                5,
                85,
                [&](Real angle) {
                  constexpr Real speed = 3.9;
                  SphereImpact s{sphere_on_plane(0.0025, m.solid.density, speed * std::sin(angle * pi / 180),
                                                 -speed * std::cos(angle * pi / 180), 0),
                                 {},
                                 m.solid,
                                 stiff_plane(m.solid)};
                  s.restitution = 0.98, s.friction = 0.092;
                  return s;
                },
                {rebound_angle, spin_after},
                contact_angle,
                "Rebound angle of the contact point"});
  if (on_progress) on_progress(0.5, "Chung & Ooi 5");
  for (const Named& m : {Named{"steel", {208e9, 0.3, 7850}}, Named{"polyethylene", {1e9, 0.4, 1400}}})
    run_series(c, settings,
               {"Chung & Ooi 5",
                m.name,
                "v_t / (mu v_n)",
                "",
                {2, 5, 10},
                0.5,
                14,
                [&](Real ratio) {
                  constexpr Real speed = 5, friction = 0.3;
                  SphereImpact s{sphere_on_plane(1e-5, m.solid.density, ratio * friction * speed, -speed, 0),
                                 {},
                                 m.solid,
                                 stiff_plane(m.solid)};
                  s.friction = friction;
                  return s;
                },
                {along_plane, spin_after},
                {"velocity of the contact", "m/s", slip_after},
                "Velocity of the contact point after the impact"});
  return c;
}

ValidationCase validate_spinning_impacts(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  ValidationCase c;
  constexpr Real radius = 0.1, speed = 0.2, restitution = 0.5, friction = 0.4;
  const std::vector<Real> spins{1, 3, 9};
  const auto rough = [](SphereImpact s) {
    s.restitution = restitution, s.friction = friction;
    return s;
  };
  if (on_progress) on_progress(0, "Chung & Ooi 6");
  run_series(c, settings,
             {"Chung & Ooi 6",
              "aluminium alloy",
              "spin",
              "rad/s",
              spins,
              0.5,
              20,
              [&](Real spin) {
                return rough({sphere_on_plane(radius, aluminium_alloy.density, 0, -speed, spin),
                              {},
                              aluminium_alloy,
                              stiff_plane(aluminium_alloy)});
              },
              {along_plane, spin_lost},
              spin_after,
              "Spin after the impact"});
  const auto pair = [&](const Solid& solid, Real spin_1, Real speed_2, Real radius_2, Real density_2, Real spin_2) {
    return rough({{-radius, 0, speed, 0, spin_1, radius, sphere_mass_of(solid.density, radius)},
                  {radius_2, 0, speed_2, 0, spin_2, radius_2, sphere_mass_of(density_2, radius_2)},
                  solid,
                  solid});
  };
  if (on_progress) on_progress(0.3, "Chung & Ooi 7");
  run_series(c, settings,
             {"Chung & Ooi 7",
              "aluminium alloy",
              "spin",
              "rad/s",
              spins,
              0.5,
              20,
              [&](Real spin) { return pair(aluminium_alloy, spin, -speed, radius, aluminium_alloy.density, spin); },
              {across, spin_lost},
              spin_after,
              "Spin after the impact"});
  if (on_progress) on_progress(0.6, "Chung & Ooi 8");
  run_series(c, settings,
             {"Chung & Ooi 8",
              "aluminium alloy",
              "spin",
              "rad/s",
              spins,
              0.5,
              20,
              [&](Real spin) { return pair(aluminium_alloy, spin, 0, 5 * radius, 1000 * aluminium_alloy.density, 0); },
              {across, spin_lost},
              spin_after,
              "Spin after the impact on a large sphere"});
  constexpr Solid nylon{2.5e9, 0.4, 1000};
  run_series(c, settings,
             {"Chung & Ooi 8",
              "nylon",
              "spin",
              "rad/s",
              {2, 9},
              0.5,
              20,
              [&](Real spin) { return pair(nylon, spin, 0, 2 * radius, nylon.density, 0); },
              {across, spin_lost, spin_gained},
              spin_gained,
              "Spin of the other sphere"});
  return c;
}

}  // namespace cairn::studies
