#include "cairn/run/impact_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/core/constants.hpp"

namespace cairn {
namespace {

// [m/s] at the most, of any point that a grain of the world may touch.
Real speed_of(const WallMotion& motion, const World& world) {
  Real steady = norm(motion.velocity);
  for (int i = 0; i < world.size() && motion.rotation_rate != 0; ++i)
    steady = std::max(steady, norm(motion.velocity) + std::fabs(motion.rotation_rate) *
                                                          (norm(world.position(i) - motion.centre) +
                                                           world.grains().radius[static_cast<std::size_t>(i)]));
  Real factor = motion.factors.empty() ? 1 : 0;
  for (const Real f : motion.factors) factor = std::max(factor, std::fabs(f));
  return factor * (steady + 2 * pi * motion.oscillation_frequency * norm(motion.oscillation_amplitude));
}

// [m/s] after a fall from the highest grain or emitter to the lowest grain or wall.
Real fall_speed(const Scenario& s, const World& world) {
  const Real g = norm(s.gravity);
  if (g == 0) return 0;
  Real low = std::numeric_limits<Real>::infinity(), high = -low;
  const auto height = [&](const Vector& x) { return -dot(x, s.gravity) / g; };
  for (int i = 0; i < world.size(); ++i) {
    low = std::min(low, height(world.position(i))), high = std::max(high, height(world.position(i)));
  }
  for (const EmitterSpec& e : s.emitters) {
    if (e.on_top) continue;
    if (e.region.kind == RegionSpec::Kind::none)
      high = std::max(high, height(e.grain.position));
    else
      for (const Vector& x : {e.region.low, e.region.high, e.region.centre}) high = std::max(high, height(x));
  }
  for (const Surface& surface : world.settings().surfaces) low = std::min(low, height(surface.point));
  return high > low && std::isfinite(high - low) ? std::sqrt(2 * g * (high - low)) : 0;
}

Real fastest_impact(const Scenario& s, const World& world, std::span<const GrainData> expected) {
  Real grains = 0, walls = 0;
  for (int i = 0; i < world.size(); ++i) grains = std::max(grains, norm(world.velocity(i)));
  for (const GrainData& e : expected) grains = std::max(grains, norm(e.velocity));
  for (const WallSpec& wall : s.walls) walls = std::max(walls, speed_of(wall.motion, world));
  constexpr Real slowest = 1e-3;  // at rest something still meets
  return std::max(slowest, std::max(grains, walls) + fall_speed(s, world));
}

// [steps] per impact, to a fiftieth.
Real steps_needed(const Collision& collision, const HeadOn& hit, const SchemeEntry& scheme, bool onset, Real accuracy) {
  constexpr Real fewest = 4, most = 1e5, ratio = 1.5;
  const auto accurate = [&](Real steps) {
    const RestitutionError error = restitution_error(collision, scheme, hit.duration / steps);
    return (onset ? error.onset_on : error.onset_off) <= accuracy;
  };
  Real bad = fewest / ratio, good = fewest;
  while (good < most && !accurate(good)) bad = good, good *= ratio;
  while (good > 1.02 * bad && good > fewest) {
    const Real middle = std::sqrt(good * bad);
    (accurate(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

AccurateStep accurate_step(const Scenario& scenario, const World& world, std::span<const GrainData> expected,
                           const SchemeEntry& scheme, Real accuracy) {
  AccurateStep shortest;
  shortest.speed = fastest_impact(scenario, world, expected);
  for (const ContactSummary& pair : contact_summary(world, scenario, expected).shortest) {
    Collision collision = pair.collision;
    collision.speed = shortest.speed;
    const HeadOn hit = head_on(collision);
    if (!(hit.restitution > 0) || !std::isfinite(hit.duration)) continue;
    const Real step = hit.duration / steps_needed(collision, hit, scheme, world.settings().onset, accuracy);
    if (shortest.step == 0 || step < shortest.step)
      shortest.step = step, shortest.first = pair.first, shortest.second = pair.second, shortest.collision = collision;
  }
  return shortest;
}

}  // namespace cairn
