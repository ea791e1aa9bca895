// What can be seen of a World between steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "cairn/core/hash.hpp"
#include "cairn/geometry/wall_materials.hpp"
#include "cairn/world/each_contact.hpp"

namespace cairn {

Vector World::position(int i) const {
  const auto& k = grains_.image[i];
  const Vector& l = settings_.cell.length;
  return state_.body.at(BodyRow::x, i) + Vector{k[0] * l.x, k[1] * l.y, k[2] * l.z};
}

Energies World::energies() const {
  // Sums of blocks, in order.
  Energies total;
  const int n = size();
  for (int begin = 0; begin < n; begin += grain_block) {
    Energies e;
    for (int i = begin; i < std::min(n, begin + grain_block); ++i) {
      const Vector v = state_.body.at(BodyRow::v, i), w = state_.body.at(BodyRow::w, i);
      e.kinetic += 0.5 * grains_.mass[i] * dot(v, v);
      if (grains_.inverse_inertia[i] > 0) e.rotational += 0.5 / grains_.inverse_inertia[i] * dot(w, w);
      e.gravitational += gravitational(i);
    }
    total.kinetic += e.kinetic, total.rotational += e.rotational, total.gravitational += e.gravitational;
  }
  for (int begin = 0; begin < list_.slots(); begin += contact_block) {
    Energies e;
    each_contact_now(
        [&](int slot, int, int, const auto& law, const ContactGeometry<Real>& m) {
          const Vector xi = state_.bond.at(BondRow::xi, slot);
          const Real of_both = law.elastic_energy(m.kinematics, xi);
          e.elastic += of_both;
          if (!law.stores_shear()) e.slip_held += of_both - law.elastic_energy(m.kinematics, {});
          if (!rolls() || !(m.kinematics.overlap > 0)) return;
          const NormalLoad<Real> normal_load = normal_load_of(law.force(m.kinematics, xi));
          const Real of_rolling = rolling_energy(slot, m, normal_load);
          e.elastic += of_rolling;
          if (!settings_.rolling[law_of(slot)].stores) e.rolling_held += of_rolling;
        },
        begin, std::min(list_.slots(), begin + contact_block));
    total.elastic += e.elastic, total.slip_held += e.slip_held, total.rolling_held += e.rolling_held;
  }
  return total;
}

Real World::rolling_energy(int slot, const ContactGeometry<Real>& m, const NormalLoad<Real>& normal_load) const {
  return settings_.rolling[law_of(slot)].elastic_energy(m.kinematics.n, state_.bond.at(BondRow::chi, slot),
                                                        normal_load.stiffness);
}

Vector World::rolling_torque(int slot, const ContactGeometry<Real>& m, const NormalLoad<Real>& normal_load) const {
  const Real lever = m.kinematics.r_eff;
  return lever * settings_.rolling[law_of(slot)]
                     .response(m.kinematics, lever * m.spin, state_.bond.at(BondRow::chi, slot), normal_load)
                     .torque;
}

LedgerChannels World::energy_ledger(const Energies& now) const {
  LedgerChannels b = state_.ledger;
  b[Channel::slip] -= now.slip_held, b[Channel::rolling] -= now.rolling_held;
  return b;
}

Real World::residual(const Energies& now) const {
  const LedgerChannels b = energy_ledger(now);
  return now.mechanical() + b[Channel::dashpot] + b[Channel::slip] + b[Channel::rolling] + b[Channel::clip] +
         b[Channel::onset] - initial_energy_ - b[Channel::external];
}

Momenta World::momenta() const {
  Momenta total;
  Real mass = 0;
  for (int begin = 0; begin < size(); begin += grain_block) {
    Momenta m;
    for (int i = begin; i < std::min(size(), begin + grain_block); ++i) {
      const Vector x = position(i), v = state_.body.at(BodyRow::v, i), w = state_.body.at(BodyRow::w, i);
      const Real inertia = grains_.inverse_inertia[i] > 0 ? 1 / grains_.inverse_inertia[i] : 0;
      m.linear += grains_.mass[i] * v;
      m.angular += grains_.mass[i] * cross(x, v) + inertia * w;
      m.barycentre += grains_.mass[i] * x;
      mass += grains_.mass[i];
    }
    total.linear += m.linear, total.angular += m.angular, total.barycentre += m.barycentre;
  }
  if (mass > 0) total.barycentre = (1 / mass) * total.barycentre;
  return total;
}

std::vector<int> World::coordination() const {
  std::vector<int> count(size(), 0);
  each_contact_now(
      [&](int, int i, int j, const auto&, const ContactGeometry<Real>& m) {
        if (!(m.kinematics.overlap > 0)) return;
        ++count[i];
        if (j >= 0) ++count[j];
      },
      0, list_.slots());
  return count;
}

int World::contacts() const {
  int closed = 0;
  each_contact_now(
      [&](int, int, int, const auto&, const ContactGeometry<Real>& m) { closed += m.kinematics.overlap > 0; }, 0,
      list_.slots());
  return closed;
}

std::vector<WallLoad> World::wall_loads() const {
  std::vector<WallLoad> loads(settings_.walls.size());
  each_contact_now(
      [&](int slot, int i, int, const auto& law, const ContactGeometry<Real>& m) {
        const ContactForce<Real> p = law.force(m.kinematics, state_.bond.at(0, slot));
        const Vector on_wall = p.fn * m.kinematics.n - p.ft;
        const Vector at = state_.body.at(BodyRow::x, i) + (grains_.radius[i] - m.reduction) * m.kinematics.n;
        WallLoad& load = loads[settings_.surfaces[list_.walls[slot - list_.pairs.size()].surface].wall];
        load.force += on_wall;
        load.torque += cross(at, on_wall);
        if (rolls()) load.torque -= rolling_torque(slot, m, normal_load_of(p));
      },
      static_cast<int>(list_.pairs.size()), list_.slots());
  return loads;
}

std::vector<ContactView> World::closed_contacts() const {
  std::vector<ContactView> all;
  each_contact_now(
      [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
        if (!(m.kinematics.overlap > 0)) return;
        const Vector spring = state_.bond.at(0, slot);
        const ContactForce<Real> p = law.force(m.kinematics, spring);
        ContactView c{grains_.id[i], 0,      state_.body.at(BodyRow::x, i), {}, -p.fn * m.kinematics.n,
                      p.ft,          spring, m.kinematics.overlap};
        if (rolls()) c.torque = rolling_torque(slot, m, normal_load_of(p));
        c.approach = m.kinematics.approach;
        if (j >= 0) {
          c.second = grains_.id[j];
          const Vector across = (grains_.radius[i] + grains_.radius[j] - m.kinematics.overlap) * m.kinematics.n;
          if (c.second < c.first) {
            std::swap(c.first, c.second);
            c.from = state_.body.at(BodyRow::x, j), c.to = c.from - across;
            c.normal = -c.normal, c.tangential = -c.tangential, c.spring = -c.spring, c.torque = -c.torque;
          } else {
            c.to = c.from + across;
          }
        } else {
          c.surface = list_.walls[slot - list_.pairs.size()].surface;
          c.second = -1 - settings_.surfaces[c.surface].wall;
          c.to = c.from + (grains_.radius[i] - m.reduction) * m.kinematics.n;
        }
        all.push_back(c);
      },
      0, list_.slots());
  std::sort(all.begin(), all.end(), [](const ContactView& a, const ContactView& b) {
    return std::tuple(a.first, a.second, a.surface) < std::tuple(b.first, b.second, b.surface);
  });
  return all;
}

std::uint64_t World::hash() const {
  Hash h;
  h.add(state_.time);
  for (int i : grains_.by_id()) {
    h.add(static_cast<std::uint64_t>(grains_.id[i]));
    for (int row : {BodyRow::x, BodyRow::v, BodyRow::w}) h.add(state_.body.at(row, i));
    for (int k : grains_.image[i]) h.add(static_cast<std::uint64_t>(k));
    if (list_.first.empty()) continue;
    for (int e = list_.first[i]; e < list_.first[i + 1]; ++e) {
      const int slot = list_.contacts[e] >> 1;
      const auto [id, other] = ids_of(slot);
      if (id != grains_.id[i] || !stretched(state_, slot)) continue;  // a candidate without a spring is no state
      h.add(static_cast<std::uint64_t>(other));
      for (int row = 0; row < state_.bond.rows(); row += 3)
        h.add((list_.contacts[e] & 1 ? -1 : 1) * state_.bond.at(row, slot) + Vector{});  // which makes -0 to 0
    }
  }
  return h.value();
}

// [1/s^2] of two bodies in this contact, what rolls included.
template <class Law>
Real World::frequency_squared(const Law& law, int pair, const ContactKinematics<Real>& c) const {
  const Real of_law = law.frequency_squared(c);
  if (!rolls()) return of_law;
  return std::max(of_law, settings_.rolling[pair].frequency_squared(law.force(c, {}).stiffness, c.m_eff));
}

PairRates World::fastest_pair(std::span<const GrainData> expected) const {
  const int kinds = settings_.materials;
  constexpr Real none = std::numeric_limits<Real>::infinity();
  std::vector<Real> lightest(kinds, none), second(kinds, none);  // [kg] of each material's grains
  Real smallest = smallest_radius_ > 0 ? smallest_radius_ : none;
  const auto record = [&](int material, Real mass) {
    Real& a = lightest[material];
    Real& b = second[material];
    if (mass < a)
      b = a, a = mass;
    else
      b = std::min(b, mass);
  };
  for (int i = 0; i < size(); ++i) record(grains_.material[i], grains_.mass[i]);
  for (const GrainData& g : expected) record(g.material, g.mass), smallest = std::min(smallest, g.radius);
  PairRates most;
  with_law([&](auto laws) {
    const auto look = [&](int i, int j, Real m_eff) {
      if (!std::isfinite(m_eff)) return;
      ContactKinematics<Real> c{};
      c.m_eff = m_eff, c.r_eff = smallest;
      c.onset_speed = 1;  // where it matters: nobody knows the fastest impact to come
      most.frequency = std::max(most.frequency, std::sqrt(frequency_squared(laws[i * kinds + j], i * kinds + j, c)));
      c.n = {1, 0, 0}, c.approach = 1, c.overlap = 1e-12 * smallest;
      most.damping = std::max(most.damping, laws[i * kinds + j].force(c, {}).power.dashpot / m_eff);
    };
    const std::vector<int> of_walls = materials_of(settings_.surfaces);
    for (int i = 0; i < kinds; ++i) {
      for (int j = 0; j < kinds; ++j) {
        const Real a = lightest[i], b = i == j ? second[j] : lightest[j];
        look(i, j, std::isfinite(a) && std::isfinite(b) ? a * b / (a + b) : none);
      }
      for (const int wall : of_walls) look(i, wall, lightest[i]);
    }
  });
  return most;
}

World::Synchronised::Synchronised(World& world, Real kick_h) : world_(&world) {
  if (kick_h == 0) {
    world_ = nullptr;
    return;
  }
  before_ = world.state_;
  world.combine(world.state_, world.state_, std::array<Term, 1>{{{kick_h, &world.current_rate_}}},
                StatePart::velocities | StatePart::ledger);
}

World::Synchronised::~Synchronised() {
  if (world_) std::swap(world_->state_, before_);
}

}  // namespace cairn
