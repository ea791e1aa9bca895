#include "cairn/run/resolution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "cairn/contact/head_on.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"

namespace cairn {
namespace {

// The outcome of a collision, over the approach speed.
struct Rebound {
  Real restitution;  // [-]
  Real tangential;   // [-] change of the tangential velocity
};

using Rebounds = std::vector<Rebound>;

// The rebounds that the scheme realises with so many steps per collision where the contact begins `phase` of a step
// after a step's end, and the tangential velocity is `oblique` times the approach speed: one for each of these, of
// spheres side by side, which costs little more than one.
Rebounds realised(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit, Real per_collision, Real phase,
                  bool onset, std::span<const Real> oblique) {
  // Free steps before and after: until a scheme with a memory has started, and until it has forgotten the force.
  const int before = 1 + scheme.claims.memory, after = 8 + 2 * scheme.claims.memory;
  const int steps = before + static_cast<int>(std::ceil(1.25 * per_collision)) + after;
  const Real h = hit.duration / per_collision;
  const Real most = *std::max_element(oblique.begin(), oblique.end());
  WorldSettings settings;
  settings.laws = c.law;
  settings.gravity = {};
  settings.rotation = most != 0;
  settings.onset = onset;
  Surface plane;  // z = 0
  plane.direction = {0, 0, 1};
  settings.surfaces.push_back(plane);
  settings.walls.emplace_back("plane");
  settings.skin = 4 * (1 + most) * c.speed * h * steps;  // one list for all steps
  World world(settings);
  std::vector<GrainData> spheres;
  const Real apart = 4 * c.r_eff + 2 * settings.skin;
  for (const Real of : oblique)
    spheres.push_back(
        {.position = {0, apart * static_cast<Real>(spheres.size()), c.r_eff + (before + phase) * h * c.speed},
         .velocity = {of * c.speed, 0, -c.speed},
         .radius = c.r_eff,
         .mass = c.m_eff});
  world.insert(spheres);
  world.begin();
  try {
    for (int k = 0; k < steps; ++k) scheme.advance(world, h);
  } catch (const Error&) {  // an iteration that does not converge
    return Rebounds(oblique.size(), {nan, nan});
  }
  Rebounds all;
  for (int i = 0; i < world.size(); ++i) {
    const auto at = static_cast<std::size_t>(world.grains().id[i]);
    all.resize(oblique.size());
    const Vector rebound = (1 / c.speed) * world.velocity(i);
    all[at] = {rebound.z, rebound.x - oblique[at]};
  }
  return all;
}

// Where within a step the contact begins and where it ends: a Latin square that is even by quarters too, and without
// correlation, so that the errors of both ends add as if by chance. The steps per collision differ by up to a half.
constexpr int quarters = 4, places = quarters * quarters;

// There; nothing where one of them is not resolved.
std::optional<std::array<Rebounds, places>> realised(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit,
                                                     Real steps, bool onset, std::span<const Real> oblique) {
  constexpr Real unresolved = 1.5;
  std::array<Rebounds, places> all;
  for (int k = 0; k < places; ++k) {
    const int a = k / quarters, b = k % quarters;
    const Real begins = (k + 0.5) / places, ends = (quarters * b + quarters - 1 - a + 0.5) / places;
    const Real more = ends - begins - steps;
    all[k] = realised(c, scheme, hit, steps + more - std::round(more), begins, onset, oblique);
    for (const Rebound& of : all[k])
      if (!(of.restitution >= 0 && of.restitution < unresolved)) return {};
  }
  return all;
}

// [-] root mean square of the relative deviations, of the collision `which`.
Real deviation(const std::array<Rebounds, places>& all, std::size_t which, Real Rebound::*what, Real exact) {
  Real sum = 0;
  for (const Rebounds& of : all) {
    const Real relative = of[which].*what / exact - 1;
    sum += relative * relative;
  }
  return std::sqrt(sum / places);
}

constexpr std::array<Real, 1> straight{0};  // head-on

Real error(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit, Real steps, bool onset) {
  const auto all = realised(c, scheme, hit, steps, onset, straight);
  return all ? deviation(*all, 0, &Rebound::restitution, hit.restitution) : nan;
}

bool resolvable(const HeadOn& hit, Real steps) {
  constexpr Real fewest = 2;
  return std::isfinite(steps) && steps >= fewest && hit.restitution > 0;
}

}  // namespace

HeadOn head_on(const Collision& c) {
  return std::visit([&](const auto& laws) { return head_on(laws[0], c.m_eff, c.r_eff, c.speed); }, c.law);
}

RestitutionError restitution_error(const Collision& c, const SchemeEntry& scheme, Real h) {
  const HeadOn hit = head_on(c);
  RestitutionError r{nan, nan, hit.duration / h};
  if (!resolvable(hit, r.steps)) return r;
  r.steps /= std::max(1.0, std::ceil(r.steps / most_resolved));
  r.onset_off = error(c, scheme, hit, r.steps, false);
  r.onset_on = error(c, scheme, hit, r.steps, true);
  return r;
}

RealisedRestitution realised_restitution(const Collision& c, const SchemeEntry& scheme, Real steps, bool onset) {
  const HeadOn hit = head_on(c);
  RealisedRestitution r{nan, nan, nan};
  if (!resolvable(hit, steps) || !std::isfinite(hit.duration)) return r;
  const auto all = realised(c, scheme, hit, steps, onset, straight);
  if (!all) return r;
  r = {0, all->front()[0].restitution, all->front()[0].restitution};
  for (const Rebounds& of : *all) {
    const Real found = of[0].restitution;
    r.mean += found / places;
    r.lowest = std::min(r.lowest, found), r.highest = std::max(r.highest, found);
  }
  return r;
}

std::vector<ObliqueReference> oblique_references(const Collision& collision, std::span<const Real> oblique) {
  constexpr Real finest = 500;  // steps per collision, of the fourth order
  std::vector<ObliqueReference> all;
  if (oblique.empty()) return all;
  const HeadOn hit = head_on(collision);
  const SchemeEntry& scheme = scheme_named("rk4");
  const bool onset = std::visit([](const auto& laws) { return laws[0].has_onset_jump(); }, collision.law);
  const Rebounds fine = realised(collision, scheme, hit, finest, 0.5, onset, oblique),
                 coarse = realised(collision, scheme, hit, 0.5 * finest, 0.5, onset, oblique);
  for (std::size_t k = 0; k < oblique.size(); ++k)
    all.push_back({oblique[k], fine[k].tangential, std::fabs(coarse[k].tangential / fine[k].tangential - 1)});
  return all;
}

ImpactError impact_error(const Collision& collision, const SchemeEntry& scheme, Real steps, bool onset,
                         std::span<const ObliqueReference> oblique) {
  const HeadOn hit = head_on(collision);
  ImpactError r{nan, nan};
  if (!resolvable(hit, steps) || !std::isfinite(hit.duration)) return r;
  std::vector<Real> directions{0};
  for (const ObliqueReference& of : oblique) directions.push_back(of.oblique);
  const auto all = realised(collision, scheme, hit, steps, onset, directions);
  if (!all) return r;
  r = {deviation(*all, 0, &Rebound::restitution, hit.restitution), 0};
  for (std::size_t k = 0; k < oblique.size(); ++k)
    r.tangential = std::max(r.tangential, deviation(*all, k + 1, &Rebound::tangential, oblique[k].change));
  return r;
}

}  // namespace cairn
