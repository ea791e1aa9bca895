#include "cairn/studies/ledger/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/studies/validation/beds.hpp"

namespace cairn::studies {
namespace {

constexpr Real in_contact_for = 0.02;  // [s] the spheres part later
constexpr Real sticks = 1e6;           // [-] friction of a contact that never slides

World pressed(const LedgerCase& of) {
  WorldSettings s;
  s.laws = law_table(of.law, {Material{.young = 4e4, .poisson = 0.25}}, [&](auto, auto) { return of.contact; });
  s.gravity = {0, 0, -1};
  World w(s);
  GrainData grains[] = {
      {.position = {0, 0, 0}, .velocity = {0.3, 0.1, 0.2}, .spin = {3, -2, 4}, .radius = 0.05, .mass = 0.3},
      {.position = {0.06, 0.03, 0.06}, .velocity = {-0.2, 0.3, -0.1}, .spin = {-1, 5, 2}, .radius = 0.06, .mass = 0.5}};
  if (of.head_on)
    for (GrainData& g : grains) g.position = {0, 0, 1.5 * g.position.z}, g.velocity = {0, 0, g.velocity.z}, g.spin = {};
  w.insert(grains);
  w.begin();
  return w;
}

// [-] residual over what was exchanged.
Real residual_of_packing(const SchemeEntry& scheme, int steps, std::uint64_t start) {
  constexpr int count = 40;
  const Real width = 8 * bed_diameter, contact = 20 * bed_step, h = contact / steps;
  WorldSettings s = bed_settings({});
  s.onset = !scheme.claims.adaptive;
  add_plane(s, {}, {0, 0, 1}), add_plane(s, {}, {1, 0, 0}), add_plane(s, {width, 0, 0}, {-1, 0, 0});
  World w(s);
  w.insert(loose_bed(count, width, 0, start));
  w.begin();
  const Real potential = w.energies().gravitational;
  const auto whole = std::lround(6 * bed_time / contact) * steps;
  for (long k = 0; k < whole; ++k) scheme.advance(w, h);
  const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
  const Energies energies = w.energies();
  return w.residual(energies) / (potential - energies.gravitational);
}

struct Kept {
  Real gain, residual;  // [-]
};
Kept one_collision(TangentialForm form, Real angle) {
  ContactSettings contact{{"restitution", 1}, {"friction", sticks}, {"tangential", form}};
  WorldSettings s;
  s.laws = law_table("hertz_mindlin", {Material{.young = 2e8, .poisson = 0.25}}, [&](auto, auto) { return contact; });
  s.gravity = {};
  World w(s);
  constexpr Real radius = 0.01, mass = 0.0105;
  const Real normal = std::cos(angle * pi / 180), across = std::sin(angle * pi / 180);  // [m/s]
  const GrainData grains[] = {
      {.velocity = {normal, across, 0}, .radius = radius, .mass = mass},
      {.position = {2.00001 * radius, 0, 0}, .velocity = {-normal, -across, 0}, .radius = radius, .mass = mass}};
  w.insert(grains);
  w.begin();
  const Real before = w.energies().mechanical();
  constexpr int steps = 20000;
  for (int k = 0; k < steps; ++k) scheme_named("rk4").advance(w, 4e-4 / steps);
  return {w.energies().mechanical() / before - 1, std::fabs(w.residual()) / before};
}

}  // namespace

LedgerSettings LedgerSettings::quick() {
  LedgerSettings s;
  s.calls = 2048, s.starts = 3;
  s.per_collision = {10, 20, 40};
  return s;
}

void LedgerSettings::take_only(const Selection& these) {
  schemes = these;
  std::erase_if(in_packings,
                [&](const SchemeEntry* s) { return std::find(these.begin(), these.end(), s) == these.end(); });
}

const std::vector<LedgerCase>& ledger_cases() {
  static const std::vector<LedgerCase> cases{
      {"linear_elastic", "linear law without dashpots and friction", "linear", {{"stiffness", 1000}}},
      {"linear_dashpot",
       "linear law with a dashpot",
       "linear",
       {{"stiffness", 1000}, {"damping", 1}},
       &Claims::order_damped},
      {"linear_head_on",
       "the same head-on, where the ledger is quadratic in the motion",
       "linear",
       {{"stiffness", 1000}, {"damping", 1}},
       &Claims::order_damped,
       true},
      {"linear_spring",
       "linear law with a tangential spring that sticks, and dashpots",
       "linear",
       {{"stiffness", 1000}, {"damping", 1}, {"tangential_damping", 0.3}, {"friction", sticks}},
       &Claims::order_spring},
      {"hertz_mindlin",
       "Hertz-Mindlin law with Tsuji's dashpot, sticking",
       "hertz_mindlin",
       {{"restitution", 0.9}, {"friction", sticks}},
       &Claims::order_spring},
      {"kuwabara_kono",
       "Kuwabara and Kono's law",
       "kuwabara_kono",
       {{"stiffness", 8000}, {"restitution", 0.9}},
       &Claims::order_damped}};
  return cases;
}

Real residual_in_contact(const LedgerCase& of, const SchemeEntry& scheme, int steps) {
  World w = pressed(of);
  w.controller().tolerance = 1e300;         // adaptive schemes take every step they are asked for
  w.controller().solver_tolerance = 1e-15;  // implicit ones solve to round-off
  const Real h = in_contact_for / steps;
  for (int k = 0; k < steps; ++k) scheme.advance(w, h);
  const World::Synchronised now(w, scheme.staggered ? 0.5 * h : 0);
  return std::fabs(w.residual() / w.initial_energy());
}

LedgerResult study_ledger(const LedgerSettings& settings, const ProgressCallback& on_progress) {
  LedgerResult r;
  r.settings = settings;
  std::vector<std::function<void()>> tasks;
  for (const SchemeEntry* scheme : settings.in_packings)
    r.packings.push_back({scheme, std::vector<Real>(settings.per_collision.size()), 0});
  // By packing and steps, each with its starts.
  std::vector<std::vector<Real>> of_starts(r.packings.size() * settings.per_collision.size(),
                                           std::vector<Real>(static_cast<std::size_t>(settings.starts)));
  for (std::size_t k = settings.per_collision.size(); k-- > 0;)  // the longest first
    for (std::size_t p = 0; p < r.packings.size(); ++p)
      for (int start = 0; start < settings.starts; ++start)
        tasks.emplace_back([&, k, p, start] {
          of_starts[p * settings.per_collision.size() + k][static_cast<std::size_t>(start)] =
              residual_of_packing(*r.packings[p].scheme, settings.per_collision[k], static_cast<std::uint64_t>(start));
        });
  for (const SchemeEntry* scheme : settings.schemes)
    for (std::size_t in = 0; in < ledger_cases().size(); ++in) r.contacts.push_back({scheme, in, {}});
  constexpr Real round_off = 1e-13;  // [-]
  for (LedgerResult::InContact& c : r.contacts)
    tasks.emplace_back([&] {
      c.found = converge([&](int steps) { return residual_in_contact(ledger_cases()[c.in], *c.scheme, steps); },
                         in_contact_for, round_off, settings.calls / std::max(1, c.scheme->claims.force_evaluations));
    });
  r.angles = {15, 30, 45, 60, 75};
  for (const auto& [name, form] : {std::pair{"total", TangentialForm::total},
                                   {"conservative", TangentialForm::conservative},
                                   {"incremental", TangentialForm::incremental}}) {
    r.forms.push_back({name, std::vector<Real>(r.angles.size()), 0});
    tasks.emplace_back([&r, form = form, at = r.forms.size() - 1] {
      for (std::size_t k = 0; k < r.angles.size(); ++k) {
        const Kept kept = one_collision(form, r.angles[k]);
        r.forms[at].gain[k] = kept.gain;
        r.forms[at].residual = std::max(r.forms[at].residual, kept.residual);
      }
    });
  }
  each_bed(static_cast<int>(tasks.size()), "ledgers", on_progress,
           [&](int k) { tasks[static_cast<std::size_t>(k)](); });
  for (std::size_t p = 0; p < r.packings.size(); ++p) {
    std::vector<Convergence::Point> points;
    for (std::size_t k = 0; k < settings.per_collision.size(); ++k) {
      Real squares = 0;
      for (const Real a : of_starts[p * settings.per_collision.size() + k]) squares += a * a;
      const Real rms = std::sqrt(squares / settings.starts);
      r.packings[p].residual[k] = rms;
      points.push_back({settings.per_collision[k], 1.0 / settings.per_collision[k], rms});
    }
    r.packings[p].order = slope(points, 0, static_cast<int>(points.size()));
  }
  return r;
}

}  // namespace cairn::studies
