#include "cairn/world/loaded_walls.hpp"

namespace cairn {

Real WorldSettings::inverse_mass(const Surface& s) const {
  if (s.loaded < 0) return 0;
  const LoadedWall& wall = loaded_walls[s.loaded];
  const bool flat = std::visit([](const auto& shape) { return shape.is_flat; }, s.shape);
  // Where the normal turns along the surface it may point along an axis on which the wall moves.
  return (flat ? dot(s.direction, wall.along_free(s.direction)) : 1) / wall.mass;
}

Vector load_on(const LoadedWall& wall, Real time) {
  return wall.ramp.at(time - wall.start).value * wall.load;
}

LedgerChannels find_wall_rates(const WorldSettings& settings, const State& y, Real predict, const State& current_rate,
                               std::span<const Vector> forces, State& rate) {
  LedgerChannels power{};
  const int count = static_cast<int>(settings.loaded_walls.size());
  rate.walls.resize(count);
  for (int w = 0; w < count; ++w) {
    const LoadedWall& wall = settings.loaded_walls[w];
    const Vector now = y.walls.at(WallRow::v, w);
    const Vector v = predict != 0 ? now + predict * current_rate.walls.at(WallRow::v, w) : now;
    const Vector load = wall.along_free(load_on(wall, y.time));
    const Vector force = wall.along_free(forces[w] + wall.mass * settings.gravity) + load - wall.damping * v;
    power[Channel::external] += dot(load, v);
    power[Channel::dashpot] += wall.damping * dot(v, v);
    rate.walls.set(WallRow::x, w, v);
    rate.walls.set(WallRow::v, w, (1 / wall.mass) * force);
  }
  return power;
}

namespace {

// [J] The work of all loads in a time `span` [s], in which each wall w moves at velocity(w).
template <class Velocity>
Real load_work(const WorldSettings& settings, const State& y, Real span, Velocity&& velocity) {
  Real work = 0;
  for (int w = 0; w < y.walls.size(); ++w) {
    const LoadedWall& wall = settings.loaded_walls[w];
    work += span * dot(wall.along_free(load_on(wall, y.time)), velocity(w));
  }
  return work;
}

}  // namespace

Real load_work_beyond(const WorldSettings& settings, const State& y, const State& rate, Real kick) {
  return load_work(settings, y, kick, [&](int w) {
    const Vector mean = y.walls.at(WallRow::v, w) - (0.5 * kick) * rate.walls.at(WallRow::v, w);
    return mean - rate.walls.at(WallRow::x, w);
  });
}

Real load_work_of_impulses(const WorldSettings& settings, const State& y, const Slab& before, Real kick) {
  return load_work(settings, y, 0.5 * kick,
                   [&](int w) { return y.walls.at(WallRow::v, w) - before.at(WallRow::v, w); });
}

Real kinetic_energy_of_walls(const WorldSettings& settings, const State& y) {
  Real sum = 0;
  for (int w = 0; w < y.walls.size(); ++w) {
    const Vector v = y.walls.at(WallRow::v, w);
    sum += 0.5 * settings.loaded_walls[w].mass * dot(v, v);
  }
  return sum;
}

Real gravitational_energy_of_walls(const WorldSettings& settings, const State& y) {
  Real sum = 0;
  for (int w = 0; w < y.walls.size(); ++w)
    sum -= settings.loaded_walls[w].mass * dot(settings.gravity, y.walls.at(WallRow::x, w));
  return sum;
}

Vector momentum_of_walls(const WorldSettings& settings, const State& y) {
  Vector sum{};
  for (int w = 0; w < y.walls.size(); ++w) sum += settings.loaded_walls[w].mass * y.walls.at(WallRow::v, w);
  return sum;
}

}  // namespace cairn
