#include "cairn/run/resolution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

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

// The rebound that the scheme realises with so many steps per collision where the contact begins `phase` of a step
// after a step's end, and the tangential velocity is `oblique` times the approach speed.
Rebound realised(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit, Real per_collision, Real phase,
                 bool onset, Real oblique = 0) {
  // Free steps before and after: until a scheme with a memory has started, and until it has forgotten the force.
  const int before = 1 + scheme.claims.memory, after = 8 + 2 * scheme.claims.memory;
  const int steps = before + static_cast<int>(std::ceil(1.25 * per_collision)) + after;
  const Real h = hit.duration / per_collision;
  WorldSettings settings;
  settings.laws = c.law;
  settings.gravity = {};
  settings.rotation = oblique != 0;
  settings.onset = onset;
  Surface plane;  // z = 0
  plane.direction = {0, 0, 1};
  settings.surfaces.push_back(plane);
  settings.walls.emplace_back("plane");
  settings.skin = 4 * (1 + oblique) * c.speed * h * steps;  // one list for all steps
  World world(settings);
  const Vector start{0, 0, c.r_eff + (before + phase) * h * c.speed};
  const Vector velocity{oblique * c.speed, 0, -c.speed};
  world.insert(std::vector<GrainData>{{.position = start, .velocity = velocity, .radius = c.r_eff, .mass = c.m_eff}});
  world.begin();
  try {
    for (int k = 0; k < steps; ++k) scheme.advance(world, h);
  } catch (const Error&) {  // an iteration that does not converge
    return {nan, nan};
  }
  const Vector rebound = (1 / c.speed) * world.velocity(0);
  return {rebound.z, rebound.x - oblique};
}

// Where within a step the contact begins and where it ends: a Latin square that is even by quarters too, and without
// correlation, so that the errors of both ends add as if by chance. The steps per collision differ by up to a half.
constexpr int quarters = 4, places = quarters * quarters;

// There; nothing where one of them is not resolved.
std::optional<std::array<Rebound, places>> realised(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit,
                                                    Real steps, bool onset, Real oblique = 0) {
  constexpr Real unresolved = 1.5;
  std::array<Rebound, places> all;
  for (int k = 0; k < places; ++k) {
    const int a = k / quarters, b = k % quarters;
    const Real begins = (k + 0.5) / places, ends = (quarters * b + quarters - 1 - a + 0.5) / places;
    const Real more = ends - begins - steps;
    all[k] = realised(c, scheme, hit, steps + more - std::round(more), begins, onset, oblique);
    if (!(all[k].restitution >= 0 && all[k].restitution < unresolved)) return {};
  }
  return all;
}

// [-] root mean square of the relative deviations.
Real deviation(const std::array<Rebound, places>& all, Real Rebound::*what, Real exact) {
  Real sum = 0;
  for (const Rebound& of : all) {
    const Real relative = of.*what / exact - 1;
    sum += relative * relative;
  }
  return std::sqrt(sum / places);
}

Real error(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit, Real steps, bool onset) {
  const auto all = realised(c, scheme, hit, steps, onset);
  return all ? deviation(*all, &Rebound::restitution, hit.restitution) : nan;
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
  const auto all = realised(c, scheme, hit, steps, onset);
  if (!all) return r;
  r = {0, all->front().restitution, all->front().restitution};
  for (const Rebound& of : *all) {
    r.mean += of.restitution / places;
    r.lowest = std::min(r.lowest, of.restitution), r.highest = std::max(r.highest, of.restitution);
  }
  return r;
}

ObliqueReference oblique_reference(const Collision& collision, Real oblique) {
  constexpr Real finest = 500;  // steps per collision, of the fourth order
  const HeadOn hit = head_on(collision);
  const SchemeEntry& scheme = scheme_named("rk4");
  const bool onset = std::visit([](const auto& laws) { return laws[0].has_onset_jump(); }, collision.law);
  const Rebound fine = realised(collision, scheme, hit, finest, 0.5, onset, oblique);
  return {
      oblique, fine.tangential,
      std::fabs(realised(collision, scheme, hit, 0.5 * finest, 0.5, onset, oblique).tangential / fine.tangential - 1)};
}

ImpactError impact_error(const Collision& collision, const SchemeEntry& scheme, Real steps, bool onset,
                         std::span<const ObliqueReference> oblique) {
  const HeadOn hit = head_on(collision);
  ImpactError r{nan, nan};
  if (!resolvable(hit, steps) || !std::isfinite(hit.duration)) return r;
  r.restitution = error(collision, scheme, hit, steps, onset);
  r.tangential = 0;
  for (const ObliqueReference& of : oblique) {
    const auto all = realised(collision, scheme, hit, steps, onset, of.oblique);
    const Real found = all ? deviation(*all, &Rebound::tangential, of.change) : nan;
    if (!(found <= r.tangential)) r.tangential = found;
    if (std::isnan(r.tangential)) break;
  }
  return r;
}

}  // namespace cairn
