// The granular temperature about each grain.
#include <algorithm>
#include <vector>

#include "cairn/core/reproducible_sum.hpp"
#include "cairn/search/neighbours.hpp"
#include "cairn/world/grain_stress.hpp"
#include "cairn/world/nearby_ranks.hpp"

namespace cairn {
namespace {

struct Ball {
  std::int64_t id;
  Vector x, v;
  Real mass, radius;
};

Ball ball_of(const ContactScene& scene, const State& y, int i) {
  return {scene.grains.id[i], y.body.at(BodyRow::x, i), y.body.at(BodyRow::v, i), scene.grains.mass[i],
          scene.grains.radius[i]};
}

// [m] A bound on how far a grain of this rank has left the rank's part of space since it came.
Real outside_own_part(const Domain& domain, const PeriodicCell& cell, const Vector& x, Real start) {
  constexpr Real everywhere = 1e300;
  bool own = false;
  std::vector<int> ranks;
  const auto look = [&](Real reach) {
    each_image(cell, x, everywhere, [&](const Vector& shift) {
      const Vector at = x + shift, half{reach, reach, reach};
      own = own || domain.partition().rank_at(at) == domain.ranks().own();
      if (own || reach == 0) return;
      ranks.clear();
      domain.partition().ranks_in(at - half, at + half, ranks);
      own = std::find(ranks.begin(), ranks.end(), domain.ranks().own()) != ranks.end();
    });
    return own;
  };
  if (look(0)) return 0;
  Real reach = start;
  while (!look(reach) && reach < everywhere) reach *= 2;
  return reach;
}

// The grains of other ranks that may be closer than `near` [m] to one of this rank, behind its own.
void add_others(const ContactScene& scene, Real near, std::vector<Ball>& balls) {
  const Domain& domain = scene.domain;
  const PeriodicCell& cell = scene.settings.cell;
  struct Most {
    Real radius = 0, left = 0;
  } most;
  for (const Ball& b : balls) {
    most.radius = std::max(most.radius, b.radius);
    most.left = std::max(most.left, outside_own_part(domain, cell, b.x, 0.125 * b.radius));
  }
  domain.reduce(most, [](Most& into, const Most& other) {
    into.radius = std::max(into.radius, other.radius), into.left = std::max(into.left, other.left);
  });
  std::vector<Bytes> to(domain.ranks().count());
  std::vector<int> ranks;
  for (const Ball& b : balls) {
    ranks_near(domain, cell, b.x, b.radius + most.radius + near + most.left, most.left, ranks);
    for (const int rank : ranks) ByteWriter(to[rank]).add(b);
  }
  for (const Bytes& from : domain.ranks().exchange(std::move(to)))
    for (ByteReader message(from); !message.empty();) balls.push_back(message.take<Ball>());
}

// Brings the balls into the order of their cells; entries [first[i], first[i + 1]) of `near` are then those within
// `distance` [m] of ball i, by ascending id.
void find_near(std::vector<Ball>& balls, const WorldSettings& settings, Real distance, std::vector<int>& first,
               std::vector<int>& near) {
  std::vector<Real> x, y, z, radius;
  std::vector<std::int64_t> id;
  const auto spheres = [&] {
    x.clear(), y.clear(), z.clear(), radius.clear(), id.clear();
    for (const Ball& b : balls) {
      x.push_back(b.x.x), y.push_back(b.x.y), z.push_back(b.x.z), radius.push_back(b.radius), id.push_back(b.id);
    }
    return Spheres{
        static_cast<int>(balls.size()), {x.data(), 1}, {y.data(), 1}, {z.data(), 1}, radius.data(), id.data()};
  };
  NeighbourSearch search;
  std::vector<int> from, upper_first, upper;
  search.order(spheres(), settings.cell, distance, settings.threads, from);
  std::vector<Ball> sorted;
  sorted.reserve(balls.size());
  for (const int i : from) sorted.push_back(balls[i]);
  balls = std::move(sorted);
  search.candidates(spheres(), settings.cell, distance, settings.threads, upper_first, upper);
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < balls.size(); ++i)
      for (int e = upper_first[i]; e < upper_first[i + 1]; ++e) {
        const int j = upper[e];
        f(static_cast<int>(i), j), f(j, static_cast<int>(i));
      }
  };
  first.assign(balls.size() + 1, 0);
  each([&](int i, int) { ++first[i + 1]; });
  for (std::size_t i = 0; i < balls.size(); ++i) first[i + 1] += first[i];
  near.resize(first.back());
  std::vector<int> next(first.begin(), first.end() - 1);
  each([&](int i, int j) { near[next[i]++] = j; });
  for (std::size_t i = 0; i < balls.size(); ++i)
    std::sort(near.begin() + first[i], near.begin() + first[i + 1],
              [&](int a, int b) { return balls[a].id < balls[b].id; });
}

}  // namespace

std::vector<Real> temperature_of(const ContactScene& scene, const State& y, int dimension) {
  const Particles& grains = scene.grains;
  const std::vector<int> by_id = grains.by_id();
  std::vector<Real> temperature(by_id.size());
  std::vector<Ball> balls;
  ReproducibleSum radii;
  for (int i = grains.own_begin(); i < grains.own_end(); ++i)
    balls.push_back(ball_of(scene, y, i)), radii.add(grains.radius[i]);
  std::int64_t count = std::ssize(balls);
  scene.domain.add(radii), scene.domain.add(count);
  if (count == 0) return temperature;
  const Real near = radii.value() / static_cast<Real>(count);  // [m]
  if (scene.domain.apart()) add_others(scene, near, balls);
  std::vector<int> first, neighbours;
  find_near(balls, scene.settings, near, first, neighbours);

  std::vector<std::int64_t> ids;
  for (const int i : by_id) ids.push_back(grains.id[i]);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const auto place = std::lower_bound(ids.begin(), ids.end(), balls[i].id);
    if (place == ids.end() || *place != balls[i].id || !grains.own(by_id[place - ids.begin()])) continue;
    Real mass = balls[i].mass, energy = 0;  // twice
    Vector momentum{};
    // Speeds are taken against that of the grain itself, which keeps the digits where all move fast together.
    for (int e = first[i]; e < first[i + 1]; ++e) {
      const Ball& other = balls[neighbours[e]];
      const Vector u = other.v - balls[i].v;
      mass += other.mass, momentum += other.mass * u, energy += other.mass * dot(u, u);
    }
    const Vector mean = (1 / mass) * momentum;
    temperature[place - ids.begin()] = std::max(0.0, energy / mass - dot(mean, mean)) / dimension;
  }
  return temperature;
}

}  // namespace cairn
