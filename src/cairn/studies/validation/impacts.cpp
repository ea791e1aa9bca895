#include "cairn/studies/validation/impacts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cairn/core/text.hpp"

namespace cairn::studies {

Real SphereImpact::approach() const {
  return plane() ? -first.vy : first.vx - second.vx;
}
Real SphereImpact::m_eff() const {
  return plane() ? first.mass : effective_of(first.mass, second.mass);
}
Real SphereImpact::r_eff() const {
  return plane() ? first.radius : effective_of(first.radius, second.radius);
}
HertzImpact SphereImpact::hertz() const {
  return hertz_impact(moduli_of(solid, partner).young, m_eff(), r_eff(), approach());
}
RoundOutcome SphereImpact::integrated(int steps) const {
  return round_collision({first, second, moduli_of(solid, partner), friction, clipped_damping_ratio(restitution)},
                         steps);
}

RoundBody sphere_on_plane(Real radius, Real density, Real vx, Real vy, Real spin) {
  return {0, radius, vx, vy, spin, radius, sphere_mass_of(density, radius)};
}
Solid stiff_plane(const Solid& sphere) {
  return {1000 * sphere.young, sphere.poisson, sphere.density};
}

ImpactSeen run_impact(const SphereImpact& impact, const ValidationSettings& settings) {
  WorldSettings s;
  s.materials = 2;
  const auto material = [](const Solid& solid, const char* name) {
    return Material{.name = name, .density = solid.density, .young = solid.young, .poisson = solid.poisson};
  };
  ContactSettings contact;
  contact["friction"] = settings.friction * impact.friction;
  if (impact.restitution < 1) contact["restitution"] = impact.restitution;
  s.laws = law_table("hertz_mindlin", {material(impact.solid, "sphere"), material(impact.partner, "partner")},
                     [&](auto, auto) { return contact; });
  s.gravity = {};
  if (impact.plane()) add_plane(s, {}, {0, 1, 0}, {}, 1);
  std::vector<GrainData> grains;
  for (const RoundBody* b : {&impact.first, &impact.second})
    if (b->mass > 0)
      grains.push_back({.position = {b->x, b->y, 0},
                        .velocity = {b->vx, b->vy, 0},
                        .spin = {0, 0, b->spin},
                        .radius = b->radius,
                        .mass = b->mass,
                        .material = b == &impact.first ? 0 : 1});
  const Real h = impact.hertz().duration / impact_steps;
  ValidationRun run(settings, s, grains, h);
  ImpactSeen seen;
  const World& w = run.world();
  const auto find_overlap = [&] {
    const Vector x = run.position(0);
    return impact.plane() ? impact.first.radius - x.y
                          : impact.first.radius + impact.second.radius - norm(run.position(1) - x);
  };
  constexpr int longest = 20;  // elastic durations
  Real before = 0;
  for (int k = 0; k < longest * impact_steps; ++k) {
    run.advance();
    const Real overlap = find_overlap();
    const auto contacts = w.closed_contacts();
    const Real force = contacts.empty() ? 0 : norm(contacts[0].normal);
    seen.forces.push_back(force), seen.overlaps.push_back(overlap);
    seen.force = std::max(seen.force, force), seen.overlap = std::max(seen.overlap, overlap);
    if (overlap <= 0) {
      seen.duration = w.time() - h * overlap / (overlap - before);
      break;
    }
    before = overlap;
  }
  seen.first = impact.first, seen.second = impact.second;
  for (RoundBody* b : {&seen.first, &seen.second}) {
    if (b->mass == 0) continue;
    const int i = b == &seen.first ? 0 : 1;
    const Vector x = run.position(i), v = run.velocity(i);
    b->x = x.x, b->y = x.y, b->vx = v.x, b->vy = v.y, b->spin = run.spin(i).z;
  }
  return seen;
}

Real elastic_bound() {
  const Real per_step = pi / impact_steps;
  return per_step * per_step;
}

Real damped_bound(Real restitution) {
  return 3 * std::pow(impact_steps, -1.25) / restitution;
}

namespace {

constexpr const char* hertz_source = "Hertz, J. reine angew. Math. 92 (1881) 156";

ValidationRow row(const std::string& test, const std::string& quantity, const std::string& unit, Real expected,
                  Real found, Real bound, const std::string& source) {
  return {test, quantity, unit, expected, found, bound, true, source};
}

struct Elastic {
  const char* solid;
  Solid of;
};

// Force over overlap, and over time, beside Hertz.
void add_figures(ValidationCase& c, const std::string& test, const char* solid, const ImpactSeen& seen,
                 const SphereImpact& impact) {
  const HertzImpact hertz = impact.hertz();
  const auto figure = [&](const char* title, const char* x) {
    return ValidationFigure{test, std::string(title) + ", " + solid, x, "force [N]", {}, {}, {}, {}};
  };
  constexpr Real micro = 1e6;
  ValidationFigure f = figure("Force over overlap", "overlap [um]"), g = figure("Force over time", "time [us]");
  constexpr std::size_t every = impact_steps / 40;
  for (std::size_t k = every; k < seen.overlaps.size(); k += every) {
    if (seen.overlaps[k] <= 0) continue;
    f.found_x.push_back(micro * seen.overlaps[k]), f.found_y.push_back(seen.forces[k]);
    g.found_x.push_back(micro * hertz.duration / impact_steps * static_cast<Real>(k + 1)),
        g.found_y.push_back(seen.forces[k]);
  }
  constexpr int parts = 50;
  for (int k = -parts; k <= parts; ++k) {  // before and after the peak
    const Real from_peak = std::abs(k) / Real{parts}, share = 1 - from_peak * from_peak;
    const Real force = hertz.force * share * std::sqrt(share);
    const Real time = hertz.time_from_peak(share);
    g.expected_x.push_back(micro * (0.5 * hertz.duration + (k < 0 ? -time : time))), g.expected_y.push_back(force);
    if (k <= 0) f.expected_x.push_back(micro * share * hertz.overlap), f.expected_y.push_back(force);
  }
  c.figures.push_back(g);
  c.figures.push_back(f);
}

}  // namespace

ValidationCase validate_normal_impacts(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  ValidationCase c;
  const auto add_elastic = [&](const std::string& test, const Elastic& solid, const SphereImpact& impact) {
    const HertzImpact hertz = impact.hertz();
    const ImpactSeen seen = run_impact(impact, settings);
    const std::string of = std::string(", ") + solid.solid;
    c.rows.push_back(row(test, "largest force" + of, "N", hertz.force, seen.force, elastic_bound(), hertz_source));
    c.rows.push_back(
        row(test, "largest overlap" + of, "m", hertz.overlap, seen.overlap, elastic_bound(), hertz_source));
    c.rows.push_back(row(test, "duration" + of, "s", hertz.duration, seen.duration, elastic_bound(), hertz_source));
    add_figures(c, test, solid.solid, seen, impact);
  };
  if (on_progress) on_progress(0, "Chung & Ooi 1");
  for (const Elastic& e : {Elastic{"glass", {48e9, 0.2, 2800}}, Elastic{"limestone", {20e9, 0.25, 2500}}}) {
    constexpr Real radius = 0.01, speed = 10;
    const Real mass = sphere_mass_of(e.of.density, radius);
    SphereImpact impact{{-radius, 0, speed, 0, 0, radius, mass}, {radius, 0, -speed, 0, 0, radius, mass}, e.of, e.of};
    impact.friction = 0.35;
    add_elastic("Chung & Ooi 1", e, impact);
  }
  if (on_progress) on_progress(0.3, "Chung & Ooi 2");
  for (const Elastic& e :
       {Elastic{"aluminium alloy", {70e9, 0.3, 2699}}, Elastic{"magnesium alloy", {40e9, 0.35, 1800}}})
    add_elastic("Chung & Ooi 2", e, {sphere_on_plane(0.1, e.of.density, 0, -0.2, 0), {}, e.of, stiff_plane(e.of)});
  if (on_progress) on_progress(0.6, "Chung & Ooi 3");
  for (const Elastic& e :
       {Elastic{"aluminium oxide", {380e9, 0.23, 4000}}, Elastic{"cast iron", {100e9, 0.25, 7000}}}) {
    constexpr Real speed = 3.9;
    ValidationFigure f{"Chung & Ooi 3",
                       std::string("Restitution, ") + e.solid,
                       "prescribed restitution",
                       "measured restitution",
                       {},
                       {},
                       {0.2, 1},
                       {0.2, 1}};
    for (const Real restitution : {0.2, 0.4, 0.6, 0.8, 1.0}) {
      SphereImpact impact{sphere_on_plane(0.0025, e.of.density, 0, -speed, 0), {}, e.of, stiff_plane(e.of)};
      impact.restitution = restitution;
      const Real found = run_impact(impact, settings).first.vy / speed;
      c.rows.push_back(row("Chung & Ooi 3", "restitution " + brief(restitution) + ", " + e.solid, "1", restitution,
                           found, restitution < 1 ? damped_bound(restitution) : elastic_bound(),
                           "the prescribed restitution"));
      f.found_x.push_back(restitution), f.found_y.push_back(found);
    }
    c.figures.push_back(f);
  }
  return c;
}

}  // namespace cairn::studies
