#include "cairn/world/observe.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "cairn/core/reproducible_sum.hpp"
#include "cairn/world/loaded_walls.hpp"

namespace cairn {

Energies energies_of_grain(const ContactScene& scene, const State& y, int i) {
  const Vector v = y.body.at(BodyRow::v, i), w = y.body.at(BodyRow::w, i);
  const Real mass = scene.grains.mass[i], inverse = scene.grains.inverse_inertia[i];
  return {.kinetic = 0.5 * mass * dot(v, v),
          .rotational = inverse > 0 ? 0.5 / inverse * dot(w, w) : 0,
          .gravitational = -mass * dot(scene.settings.gravity, scene.position(y, i))};
}

Energies energies_of(const ContactScene& scene, const State& y) {
  struct Sums {
    ReproducibleSum kinetic, rotational, gravitational, elastic, slip_held, rolling_held;
    void add(const Sums& b) {
      kinetic.add(b.kinetic), rotational.add(b.rotational), gravitational.add(b.gravitational);
      elastic.add(b.elastic), slip_held.add(b.slip_held), rolling_held.add(b.rolling_held);
    }
  };
  Sums all = scene.sum_over_own<Sums>([&](Sums& sums, int i) {
    const Energies own = energies_of_grain(scene, y, i);
    sums.kinetic.add(own.kinetic), sums.rotational.add(own.rotational), sums.gravitational.add(own.gravitational);
  });
  all.add(scene.sum_over_closed<Sums>(
      y, [&](Sums& sums, int slot, int, int, const auto& law, const ContactGeometry<Real>& m) {
        if (!scene.counts(slot)) return;
        const Vector xi = y.bond.at(BondRow::xi, slot);
        const Real of_both = law.elastic_energy(m.kinematics, xi);
        sums.elastic.add(of_both);
        if (!law.stores_shear()) sums.slip_held.add(of_both - law.elastic_energy(m.kinematics, {}));
        if (!scene.settings.rolls()) return;
        const NormalLoad<Real> normal_load = normal_load_of(law.force(m.kinematics, xi));
        const Real of_rolling = scene.rolling_energy(y, slot, m, normal_load);
        sums.elastic.add(of_rolling);
        if (!scene.rolling(slot).stores) sums.rolling_held.add(of_rolling);
      }));
  if (scene.domain.leads()) {
    all.kinetic.add(kinetic_energy_of_walls(scene.settings, y));
    all.gravitational.add(gravitational_energy_of_walls(scene.settings, y));
  }
  for (ReproducibleSum* sum :
       {&all.kinetic, &all.rotational, &all.gravitational, &all.elastic, &all.slip_held, &all.rolling_held})
    scene.domain.add(*sum);
  return {all.kinetic.value(), all.rotational.value(), all.gravitational.value(),
          all.elastic.value(), all.slip_held.value(),  all.rolling_held.value()};
}

Momenta momenta_of(const ContactScene& scene, const State& y) {
  struct Sums {
    ReproducibleVectorSum linear, angular, moment;
    ReproducibleSum mass;
    void add(const Sums& b) { linear.add(b.linear), angular.add(b.angular), moment.add(b.moment), mass.add(b.mass); }
  };
  Sums all = scene.sum_over_own<Sums>([&](Sums& sums, int i) {
    const Vector x = scene.position(y, i), v = y.body.at(BodyRow::v, i), w = y.body.at(BodyRow::w, i);
    const Real mass = scene.grains.mass[i], inverse = scene.grains.inverse_inertia[i];
    sums.linear.add(mass * v);
    sums.angular.add(mass * cross(x, v) + (inverse > 0 ? 1 / inverse : 0) * w);
    sums.moment.add(mass * x);
    sums.mass.add(mass);
  });
  if (scene.domain.leads()) all.linear.add(momentum_of_walls(scene.settings, y));
  for (ReproducibleVectorSum* sum : {&all.linear, &all.angular, &all.moment}) scene.domain.add(*sum);
  scene.domain.add(all.mass);
  Momenta total{all.linear.value(), all.angular.value(), all.moment.value(), all.mass.value()};
  if (total.mass > 0) total.barycentre = (1 / total.mass) * total.barycentre;
  return total;
}

std::vector<int> coordination_of(const ContactScene& scene, const State& y) {
  std::vector<int> count(scene.grains.size(), 0);
  scene.each_closed(y, [&](int, int i, int j, const auto&, const ContactGeometry<Real>&) {
    ++count[i];
    if (j >= 0) ++count[j];
  });
  return count;
}

ClosedContacts closed_of(const ContactScene& scene, const State& y) {
  ClosedContacts all;
  scene.each_closed(y, [&](int slot, int i, int j, const auto&, const ContactGeometry<Real>& m) {
    if (!scene.counts(slot)) return;
    const Real radius = scene.grains.radius[i], smaller = j >= 0 ? std::min(radius, scene.grains.radius[j]) : radius;
    ++all.count, all.deepest = std::max(all.deepest, m.kinematics.overlap / smaller);
  });
  scene.domain.reduce(all, [](ClosedContacts& into, const ClosedContacts& other) {
    into.count += other.count, into.deepest = std::max(into.deepest, other.deepest);
  });
  return all;
}

Extent extent_of(const ContactScene& scene, const State& y) {
  constexpr Real far = std::numeric_limits<Real>::infinity();
  Extent all{{far, far, far}, {-far, -far, -far}};
  const auto add = [](Extent& into, const Extent& other) {
    for (int axis = 0; axis < 3; ++axis) {
      Real &low = (&into.low.x)[axis], &high = (&into.high.x)[axis];
      low = std::min(low, (&other.low.x)[axis]), high = std::max(high, (&other.high.x)[axis]);
    }
  };
  for (int i = scene.grains.own_begin(); i < scene.grains.own_end(); ++i) {
    const Vector x = y.body.at(BodyRow::x, i);
    const Real r = scene.grains.radius[i];
    add(all, {x - Vector{r, r, r}, x + Vector{r, r, r}});
  }
  scene.domain.reduce(all, add);
  return all;
}

std::vector<WallLoad> wall_loads_of(const ContactScene& scene, const State& y) {
  struct Sums {
    ReproducibleVectorSum force, torque;
  };
  std::vector<Sums> sums(scene.settings.walls.size());
  scene.each_in(
      y,
      [&](int slot, int i, int, const auto& law, const ContactGeometry<Real>& m) {
        const ContactForce<Real> p = scene.force(slot, law, m, y.bond.at(BondRow::xi, slot));
        const Vector on_wall = p.fn * m.kinematics.n - p.ft;
        const Surface& surface = scene.settings.surfaces[scene.wall_pair(slot).surface];
        const Vector centre = image_at(surface, pose_of(surface, y), scene.settings.cell, y.body.at(BodyRow::x, i)),
                     at = centre + (scene.grains.radius[i] - m.reduction) * m.kinematics.n;
        Sums& of = sums[surface.wall];
        of.force.add(on_wall);
        of.torque.add(cross(at, on_wall));
        if (scene.settings.rolls()) of.torque.add(-scene.rolling_torque(y, slot, m, normal_load_of(p)));
      },
      scene.pairs(), scene.list.slots());
  std::vector<WallLoad> loads;
  for (Sums& of : sums) {
    scene.domain.add(of.force), scene.domain.add(of.torque);
    loads.push_back({of.force.value(), of.torque.value()});
  }
  return loads;
}

std::vector<ContactView> closed_contacts_of(const ContactScene& scene, const State& y, bool of_others) {
  std::vector<ContactView> all;
  scene.each_closed(y, [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
    if (!of_others && !scene.counts(slot)) return;
    const Vector spring = spring_of(y, BondRow::xi, slot);
    const ContactForce<Real> p = scene.force(slot, law, m, spring);
    ContactView c{scene.grains.id[i],  0, y.body.at(BodyRow::x, i), {}, -p.fn * m.kinematics.n, p.ft, spring,
                  m.kinematics.overlap};
    if (scene.settings.rolls()) c.torque = scene.rolling_torque(y, slot, m, normal_load_of(p));
    c.approach = m.kinematics.approach;
    c.first_material = scene.grains.material[i];
    if (j >= 0) {
      c.second = scene.grains.id[j];
      c.second_material = scene.grains.material[j];
      const Vector across = (scene.grains.radius[i] + scene.grains.radius[j] - m.kinematics.overlap) * m.kinematics.n;
      if (c.second < c.first) {
        std::swap(c.first, c.second), std::swap(c.first_material, c.second_material);
        c.from = y.body.at(BodyRow::x, j), c.to = c.from - across;
        c.normal = -c.normal, c.tangential = -c.tangential, c.spring = -c.spring, c.torque = -c.torque;
      } else {
        c.to = c.from + across;
      }
    } else {
      c.surface = scene.wall_pair(slot).surface;
      c.second = -1 - scene.settings.surfaces[c.surface].wall;
      c.second_material = scene.settings.surfaces[c.surface].material;
      c.to = c.from + (scene.grains.radius[i] - m.reduction) * m.kinematics.n;
    }
    // No -0, which depends on the one of the two grains that stands first.
    for (Vector* const a : {&c.normal, &c.tangential, &c.spring, &c.torque}) *a += Vector{};
    all.push_back(c);
  });
  std::sort(all.begin(), all.end(), [](const ContactView& a, const ContactView& b) {
    return std::tuple(a.first, a.second, a.surface) < std::tuple(b.first, b.second, b.surface);
  });
  return all;
}

}  // namespace cairn
