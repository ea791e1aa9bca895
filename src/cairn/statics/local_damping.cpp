#include "cairn/statics/local_damping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/analysis/network_bounds.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/integrate/splitting.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn::statics {
namespace {

constexpr Stage symplectic_euler[] = {{.kick = 1, .drift = 1}};

// [1/s^2] [1/s] Of the fastest contact alone that an impact at `speed` [m/s] makes.
NetworkRates rates_of_impact(const World& world, Real speed) {
  NetworkRates most;
  for (const PairInContact& p : world.pairs_in_contact({.speed = speed})) {
    most.stiffness = std::max(most.stiffness, p.fastest(p.of.stiffness));
    most.damping = std::max(most.damping, p.fastest(p.of.damping));
  }
  return most;
}

// The longest step: with the dashpot at the velocity before, h^2 k + 2 h c < 4 for all eigenvalues k of M^-1 K and c of
// M^-1 C. `speed` [m/s] is the greatest of a grain.
Real longest_step(const StaticSystem& system, const LocalDampingSettings& s, Real speed) {
  constexpr Real neighbours = 6;  // contacts that a grain may get before the next look
  const World& world = system.world();
  const ContactScene scene = world.scene();
  const NetworkRates bounds = upper_bounds(
      world.grains(),
      [&](int grain, std::vector<LiveContact>& to) { live_contacts_of(scene, world.state(), grain, to); },
      system.threads());
  const PairRates pair = world.fastest_pair();
  const Real k = std::max(bounds.stiffness, neighbours * pair.frequency * pair.frequency);
  const Real c = std::max(bounds.damping, neighbours * pair.damping);
  const auto stable = [&](Real stiffness, Real damping) {
    if (!(stiffness > 0)) return std::numeric_limits<Real>::infinity();
    return s.step_share * 4 / (damping + std::sqrt(damping * damping + 4 * stiffness));
  };
  Real h = stable(k, c);
  const Real far = system.longest_move();
  if (speed > 0) h = std::min(h, far / speed);
  const Real g = norm(world.settings().gravity);
  if (g > 0) h = std::min(h, std::sqrt(far / g));
  if (!std::isfinite(h)) return 0;
  if (pair.frequency > 0) return h;
  // The stiffness of a contact grows from zero: up to the next look an impact may be as fast as bodies then fall.
  Real pull = g;
  for (const LoadedWall& wall : world.settings().loaded_walls)
    pull = std::max(pull, g + norm(load_on(wall, world.time())) / wall.mass);
  const auto on_impact = [&](Real step) {
    const NetworkRates of = rates_of_impact(world, speed + pull * step * s.look_every);
    return std::min(h, stable(std::max(k, neighbours * of.stiffness), std::max(c, neighbours * of.damping)));
  };
  constexpr int halvings = 6;  // between a step that is too short, since grains fall less far in it, and one too long
  Real low = on_impact(h), high = h;
  for (int n = 0; n < halvings && low < high; ++n) {
    const Real middle = std::sqrt(low * high);
    (middle <= on_impact(middle) ? low : high) = middle;
  }
  return low;
}

struct Damping {
  Real share = 0, rate = 0;  // [-] [1/s]
};

Vector damped(const Vector& v, const Vector& change, Real h, const Damping& by) {
  const Real speed = norm(v);
  return speed > 0 ? (1 - std::min(1.0, by.share * norm(change) / speed + by.rate * h)) * v : v;
}

// Bodies that are held have neither velocity nor acceleration.
void hold(StaticSystem& system) {
  if (!system.holds_any()) return;
  World& world = system.world();
  for (State* y : {&world.state(), &world.current_rate()}) {
    for (int i = 0; i < world.size(); ++i)
      if (system.holds(world.grains().id[i])) y->body.set(BodyRow::v, i, {}), y->body.set(BodyRow::w, i, {});
    for (int w = 0; w < y->walls.size(); ++w) y->walls.set(WallRow::v, w, {});
  }
}

// Takes from velocities the part that the damping forces take in a step, at most all.
void damp(World& world, Real h, const Damping& by) {
  State& y = world.state();
  const State& rate = world.current_rate();
  for_blocks(world.settings().threads, world.size(), 1024,
             [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
               for (int i = static_cast<int>(begin); i < end; ++i)
                 for (const int row : {BodyRow::v, BodyRow::w})
                   y.body.set(row, i, damped(y.body.at(row, i), h * rate.body.at(row, i), h, by));
             });
  for (int w = 0; w < y.walls.size(); ++w)
    y.walls.set(WallRow::v, w, damped(y.walls.at(WallRow::v, w), h * rate.walls.at(WallRow::v, w), h, by));
}

void stop_all(World& world) {
  State& y = world.state();
  for (int i = 0; i < world.size(); ++i) y.body.set(BodyRow::v, i, {}), y.body.set(BodyRow::w, i, {});
  for (int w = 0; w < y.walls.size(); ++w) y.walls.set(WallRow::v, w, {});
}

struct Motion {
  Real force = 0, speed = 0, squares = 0;  // [N] [m/s] largest of a body; [N^2] of all
  int above = 0;                           // bodies with a larger force than `limit` [N]
};

Motion motion_of(StaticSystem& system, Real limit) {
  hold(system);
  const World& world = system.world();
  const Particles& grains = world.grains();
  const State &y = world.state(), &rate = system.world().current_rate();
  Motion of;
  const auto see = [&](Real force, Real speed) {
    if (!(force <= of.force)) of.force = force;
    if (!(speed <= of.speed)) of.speed = speed;
    of.squares += force * force, of.above += force > limit;
  };
  for (int i = 0; i < world.size(); ++i) {
    const Real r = grains.radius[i], spins = grains.inverse_inertia[i];
    see(grains.mass[i] * norm(rate.body.at(BodyRow::v, i)), norm(y.body.at(BodyRow::v, i)));
    if (spins > 0) see(norm(rate.body.at(BodyRow::w, i)) / (spins * r), r * norm(y.body.at(BodyRow::w, i)));
  }
  const std::vector<LoadedWall>& walls = world.settings().loaded_walls;
  for (int w = 0; w < y.walls.size(); ++w)
    see(walls[w].mass * norm(rate.walls.at(WallRow::v, w)), norm(y.walls.at(WallRow::v, w)));
  return of;
}

}  // namespace

LocalDampingResult local_damping(StaticSystem& system, const LocalDampingSettings& s, const OnIterate& on_iterate) {
  World& world = system.world();
  LocalDampingResult result;
  const Real began = world.time();
  stop_all(world);
  world.begin(false);
  const Real g = norm(world.settings().gravity), rolling = s.rolling * std::sqrt(g / system.smallest_radius());
  const std::vector<Real>& masses = world.grains().mass;
  const Real light = 0.1 * g * *std::min_element(masses.begin(), masses.end());
  Motion now;
  Damping damping{.share = s.share};
  const auto ends = [&](Stop stop) {
    stop_all(world);
    world.state().time = began;
    system.look_again();
    result.stop = stop;
    return result;
  };
  while (result.steps < s.most_steps) {
    result.step = longest_step(system, s, now.speed);
    if (!(result.step > 0)) return ends(Stop::singular);  // nothing pulls, nothing touches
    const Real h = result.step;
    for (int k = 0; k < s.look_every; ++k, ++result.steps) {
      hold(system);
      damp(world, h, damping);
      splitting_step(world, symplectic_euler, false, SpringQuadrature::midpoint, h);
    }
    const Real mean_force = system.balance().mean_force;
    now = motion_of(system, s.unbalance * mean_force);
    damping.rate = now.force < light ? rolling : 0;
    Iterate row{.stage = IterateStage::local_damping, .updates = result.steps};
    row.unbalance = now.force == 0 ? 0 : mean_force > 0 ? now.force / mean_force : 1;
    row.residual = std::sqrt(now.squares), row.displacement = h * now.speed;
    result.history.push_back(row);
    if (!std::isfinite(row.residual)) return ends(Stop::stalled);
    if (on_iterate && !on_iterate(row)) return ends(Stop::interrupted);
    if (result.steps >= s.least_steps && (row.unbalance <= s.unbalance || (mean_force > 0 && now.above <= s.spared)))
      return ends(Stop::residual);
  }
  return ends(Stop::most_iterations);
}

}  // namespace cairn::statics
