#include "cairn/world/grain_stress.hpp"

#include <algorithm>
#include <array>

#include "cairn/core/reproducible_sum.hpp"
#include "cairn/geometry/overlap.hpp"
#include "cairn/search/neighbours.hpp"

namespace cairn {
namespace {

// The place of an id among ascending ids.
std::size_t rank(const std::vector<std::int64_t>& ids, std::int64_t id) {
  return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

struct ReproducibleTensorSum {
  std::array<ReproducibleSum, SymmetricTensor::size> sums;

  void add(const SymmetricTensor& t) {
    for (int k = 0; k < SymmetricTensor::size; ++k) sums[k].add(t.c[k]);
  }
  void add(const ReproducibleTensorSum& other) {
    for (int k = 0; k < SymmetricTensor::size; ++k) sums[k].add(other.sums[k]);
  }
  SymmetricTensor value() const {
    SymmetricTensor t;
    for (int k = 0; k < SymmetricTensor::size; ++k) t.c[k] = sums[k].value();
    return t;
  }
};

}  // namespace

SymmetricTensor moment_of(const ContactView& contact) {
  return -1.0 * symmetric_product(contact.to - contact.from, contact.normal + contact.tangential);
}

GrainLoads grain_loads_of(const ContactScene& scene, const State& y) {
  const std::vector<int> order = scene.grains.by_id();
  GrainLoads loads;
  std::vector<std::int64_t> ids;
  for (const int i : order) {
    ids.push_back(scene.grains.id[i]);
    loads.force.push_back(scene.grains.mass[i] * scene.settings.gravity);
  }
  loads.torque.resize(order.size()), loads.moment.resize(order.size());
  const auto add = [&](std::size_t k, const Vector& lever, const ContactView& c, Real side) {
    const Vector force = side * (c.normal + c.tangential);
    loads.force[k] += force;
    loads.torque[k] += cross(lever, side * c.tangential) + side * c.torque;
    loads.moment[k] += -1.0 * symmetric_product(lever, force);
  };
  for (const ContactView& c : closed_contacts_of(scene, y, true)) {
    const Vector line = c.to - c.from;
    const std::size_t first = rank(ids, c.first);
    if (c.second < 0) {
      add(first, line, c, 1);
      continue;
    }
    const std::size_t second = rank(ids, c.second);
    const Real distance = norm(line), lever = scene.grains.radius[order[first]] - 0.5 * c.overlap;
    const Vector n = (1 / distance) * line;
    add(first, lever * n, c, 1);
    add(second, (lever - distance) * n, c, -1);
  }
  return loads;
}

Moments moments_of(const ContactScene& scene, const State& y, int dimension) {
  Moments total;
  ReproducibleTensorSum contact, kinetic;
  scene.each_closed(y, [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
    if (!scene.counts(slot)) return;
    const ContactForce<Real> p = scene.force(slot, law, m, spring_of(y, BondRow::xi, slot));
    const Real length = j < 0 ? scene.grains.radius[i] - m.reduction
                              : scene.grains.radius[i] + scene.grains.radius[j] - m.kinematics.overlap;
    contact.add(-length * symmetric_product(m.kinematics.n, p.ft - p.fn * m.kinematics.n));
    ++(j < 0 ? total.at_walls : total.pairs);
  });
  ReproducibleSum volume, mass;
  ReproducibleVectorSum momentum;
  const int begin = scene.grains.own_begin(), end = scene.grains.own_end();
  for (int i = begin; i < end; ++i) {
    volume.add(ball_volume(dimension, scene.grains.radius[i]));
    mass.add(scene.grains.mass[i]);
    momentum.add(scene.grains.mass[i] * y.body.at(BodyRow::v, i));
  }
  scene.domain.add(mass), scene.domain.add(momentum);
  const Vector mean = mass.value() > 0 ? (1 / mass.value()) * momentum.value() : Vector{};
  for (int i = begin; i < end; ++i) {
    const Vector u = y.body.at(BodyRow::v, i) - mean;
    kinetic.add(scene.grains.mass[i] * symmetric_product(u, u));
  }
  scene.domain.add(contact), scene.domain.add(kinetic), scene.domain.add(volume);
  total.contact = contact.value(), total.kinetic = kinetic.value(), total.grain_volume = volume.value();
  total.grains = end - begin;
  for (int* const count : {&total.grains, &total.pairs, &total.at_walls}) scene.domain.add(*count);
  return total;
}

std::vector<Real> temperature_of(const ContactScene& scene, const State& y, int dimension) {
  const std::vector<int> by_id = scene.grains.by_id();
  std::vector<Real> temperature(by_id.size());
  if (by_id.empty()) return temperature;
  Real near = 0;  // [m]
  for (const int i : by_id) near += scene.grains.radius[i] / static_cast<Real>(by_id.size());

  NeighbourSearch search;
  std::vector<int> from, first, partners;
  search.order(spheres_of(y, scene.grains), scene.settings.cell, near, scene.settings.threads, from);
  State sorted;
  sorted.body = y.body;
  Particles grains = scene.grains;
  grains.rearrange(from, 1);
  for (int i = 0; i < grains.size(); ++i)
    for (const int row : {BodyRow::x, BodyRow::v}) sorted.body.set(row, i, y.body.at(row, from[i]));
  search.candidates(spheres_of(sorted, grains), scene.settings.cell, near, scene.settings.threads, first, partners);

  struct Sums {
    Real mass = 0;
    Vector momentum{};
    Real energy = 0;  // twice
  };
  std::vector<Sums> sums(by_id.size());
  // Speeds are taken against that of the grain itself, which keeps the digits where all move fast together.
  const auto add = [&](int i, int j) {
    const Vector u = sorted.body.at(BodyRow::v, j) - sorted.body.at(BodyRow::v, i);
    sums[i].mass += grains.mass[j], sums[i].momentum += grains.mass[j] * u,
        sums[i].energy += grains.mass[j] * dot(u, u);
  };
  for (int i = 0; i < grains.size(); ++i) {
    add(i, i);
    for (int e = first[i]; e < first[i + 1]; ++e) add(i, partners[e]), add(partners[e], i);
  }
  std::vector<std::int64_t> ids;
  for (const int i : by_id) ids.push_back(scene.grains.id[i]);
  for (int i = 0; i < grains.size(); ++i) {
    const Sums& s = sums[i];
    const Vector mean = (1 / s.mass) * s.momentum;
    temperature[rank(ids, grains.id[i])] = std::max(0.0, s.energy / s.mass - dot(mean, mean)) / dimension;
  }
  return temperature;
}

}  // namespace cairn
