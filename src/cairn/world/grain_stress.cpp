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
  struct OfContacts {
    ReproducibleTensorSum moment;
    int pairs = 0, at_walls = 0;
    void add(const OfContacts& b) { moment.add(b.moment), pairs += b.pairs, at_walls += b.at_walls; }
  };
  OfContacts contacts = scene.sum_over_closed<OfContacts>(
      y, [&](OfContacts& sums, int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
        if (!scene.counts(slot)) return;
        const ContactForce<Real> p = scene.force(slot, law, m, spring_of(y, BondRow::xi, slot));
        const Real length = j < 0 ? scene.grains.radius[i] - m.reduction
                                  : scene.grains.radius[i] + scene.grains.radius[j] - m.kinematics.overlap;
        sums.moment.add(-length * symmetric_product(m.kinematics.n, p.ft - p.fn * m.kinematics.n));
        ++(j < 0 ? sums.at_walls : sums.pairs);
      });
  struct OfGrains {
    ReproducibleSum volume, mass;
    ReproducibleVectorSum momentum;
    void add(const OfGrains& b) { volume.add(b.volume), mass.add(b.mass), momentum.add(b.momentum); }
  };
  OfGrains grains = scene.sum_over_own<OfGrains>([&](OfGrains& sums, int i) {
    sums.volume.add(ball_volume(dimension, scene.grains.radius[i]));
    sums.mass.add(scene.grains.mass[i]);
    sums.momentum.add(scene.grains.mass[i] * y.body.at(BodyRow::v, i));
  });
  scene.domain.add(grains.mass), scene.domain.add(grains.momentum);
  const Real mass = grains.mass.value();
  const Vector mean = mass > 0 ? (1 / mass) * grains.momentum.value() : Vector{};
  auto kinetic = scene.sum_over_own<ReproducibleTensorSum>([&](ReproducibleTensorSum& sum, int i) {
    const Vector u = y.body.at(BodyRow::v, i) - mean;
    sum.add(scene.grains.mass[i] * symmetric_product(u, u));
  });
  scene.domain.add(contacts.moment), scene.domain.add(kinetic), scene.domain.add(grains.volume);
  Moments total{contacts.moment.value(), kinetic.value(),
                grains.volume.value(),   scene.grains.own_end() - scene.grains.own_begin(),
                contacts.pairs,          contacts.at_walls};
  for (int* const count : {&total.grains, &total.pairs, &total.at_walls}) scene.domain.add(*count);
  return total;
}

}  // namespace cairn
