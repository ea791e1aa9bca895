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

// The restitution that the scheme realises with so many steps per collision where the contact begins `phase` of a step
// after a step's end.
Real realised(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit, Real per_collision, Real phase,
              bool onset) {
  // Free steps before and after: until a scheme with a memory has started, and until it has forgotten the force.
  const int before = 1 + scheme.claims.memory, after = 8 + 2 * scheme.claims.memory;
  const int steps = before + static_cast<int>(std::ceil(1.25 * per_collision)) + after;
  const Real h = hit.duration / per_collision;
  WorldSettings settings;
  settings.laws = c.law;
  settings.gravity = {};
  settings.rotation = false;
  settings.onset = onset;
  Surface plane;  // z = 0
  plane.direction = {0, 0, 1};
  settings.surfaces.push_back(plane);
  settings.walls.emplace_back("plane");
  settings.skin = 4 * c.speed * h * steps;  // one list for all steps
  World world(settings);
  const Vector start{0, 0, c.r_eff + (before + phase) * h * c.speed};
  world.insert(
      std::vector<GrainData>{{.position = start, .velocity = {0, 0, -c.speed}, .radius = c.r_eff, .mass = c.m_eff}});
  world.begin();
  try {
    for (int k = 0; k < steps; ++k) scheme.advance(world, h);
  } catch (const Error&) {  // an iteration that does not converge
    return nan;
  }
  return world.velocity(0).z / c.speed;
}

// Where within a step the contact begins and where it ends: a Latin square that is even by quarters too, and without
// correlation, so that the errors of both ends add as if by chance. The steps per collision differ by up to a half.
constexpr int quarters = 4, places = quarters * quarters;

// There; nothing where one of them is not resolved.
std::optional<std::array<Real, places>> realised(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit,
                                                 Real steps, bool onset) {
  constexpr Real unresolved = 1.5;
  std::array<Real, places> all;
  for (int k = 0; k < places; ++k) {
    const int a = k / quarters, b = k % quarters;
    const Real begins = (k + 0.5) / places, ends = (quarters * b + quarters - 1 - a + 0.5) / places;
    const Real more = ends - begins - steps;
    const Real e = realised(c, scheme, hit, steps + more - std::round(more), begins, onset);
    if (!(e >= 0 && e < unresolved)) return {};
    all[k] = e;
  }
  return all;
}

Real error(const Collision& c, const SchemeEntry& scheme, const HeadOn& hit, Real steps, bool onset) {
  const auto all = realised(c, scheme, hit, steps, onset);
  if (!all) return nan;
  Real sum = 0;
  for (const Real e : *all) {
    const Real relative = e / hit.restitution - 1;
    sum += relative * relative;
  }
  return std::sqrt(sum / places);
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
  r = {0, *std::min_element(all->begin(), all->end()), *std::max_element(all->begin(), all->end())};
  for (const Real e : *all) r.mean += e / places;
  return r;
}

}  // namespace cairn
