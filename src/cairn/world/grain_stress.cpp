#include "cairn/world/grain_stress.hpp"

#include <algorithm>
#include <array>

#include "cairn/geometry/overlap.hpp"

namespace cairn {
namespace {

// The place of an id among ascending ids.
std::size_t rank(const std::vector<std::int64_t>& ids, std::int64_t id) {
  return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

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

}  // namespace cairn
