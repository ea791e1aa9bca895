#include "cairn/statics/contact_tangent.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/core/parallel.hpp"

namespace cairn::statics {

bool rubs(const WorldSettings& settings) {
  bool any = settings.rolls();
  with_law(settings.laws, [&](auto laws) {
    for (const auto& law : laws) any = any || law.friction > 0;
  });
  return any;
}

namespace {

using T = Jet<1>;

Vec3<T> constant(const Vector& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
Vector slope(const Vec3<T>& a) {
  return {a.x.c[1], a.y.c[1], a.z.c[1]};
}
Real& component(Vector& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// The rates of both springs of a slot while its bodies move along a seed at unit speed. They are asked for at a speed
// so low that no dashpot counts.
struct SpringRates {
  Vector xi{}, chi{};
};

}  // namespace

bool contact_block(const ContactScene& scene, const State& y, const Nodes& nodes, int slot, Real floor,
                   std::span<Real> block) {
  constexpr Real slowly = 1e-9;  // [m/s]
  const Particles& grains = scene.grains;
  const std::array<int, 2> ends = scene.bodies(slot);
  if (floor == 0 && !scene.may_act(y, slot)) return false;
  const int size = nodes.rotates ? 9 : 3;
  const bool springs = nodes.rotates;
  bool acts = true;
  for (int seed = 0; seed < size && acts; ++seed) {
    const int axis = seed % 3, part = seed / 3;  // of displacement, rotation of the first, of the second
    const int seeded = part == 2 ? ends[1] : ends[0];
    const bool moves = seeded >= 0 && nodes.free[nodes.node[seeded]][part == 0 ? axis : 3 + axis];
    if (!moves && seed > 0) {
      for (int row = 0; row < size; ++row) block[row * size + seed] = 0;
      continue;
    }
    Vector along{};
    if (moves) component(along, axis) = 1;
    const Vector turn = part == 0 ? Vector{} : (1 / grains.radius[seeded]) * along;

    SpringRates rates;
    if (springs && moves) {
      const auto motion_of = [&](int i) {
        BodyMotion<Real> m{y.body.at(BodyRow::x, i), {}, {}};
        if (i == seeded) (part == 0 ? m.v : m.w) = slowly * (part == 0 ? along : turn);
        return m;
      };
      scene.each(
          y.time, motion_of, [&](int w) { return displacement_of(y, w); },
          [&](int, int, int, const auto& law, ContactGeometry<Real> m) {
            const ContactForce<Real> p = law.force(m.kinematics, y.bond.at(BondRow::xi, slot));
            rates.xi = (1 / slowly) * p.xi_rate;
            if (scene.settings.rolls())
              rates.chi = (1 / slowly) * scene.rolling(slot)
                                             .response(m.kinematics, m.kinematics.r_eff * m.spin,
                                                       y.bond.at(BondRow::chi, slot), normal_load_of(p))
                                             .rate;
          },
          slot, slot + 1);
    }
    const auto motion_of = [&](int i) {
      BodyMotion<T> m{constant(y.body.at(BodyRow::x, i)), {}, {}};
      if (i == seeded && part == 0) m.x.x.c[1] = along.x, m.x.y.c[1] = along.y, m.x.z.c[1] = along.z;
      return m;
    };
    const auto displacement = [&](int w) {
      const WallDisplacement<Real> at = displacement_of(y, w);
      return WallDisplacement<T>{constant(at.x), constant(at.v)};
    };
    const auto spring_jet = [&](int row, const Vector& rate) {
      Vec3<T> a = constant(y.bond.at(row, slot));
      a.x.c[1] = rate.x, a.y.c[1] = rate.y, a.z.c[1] = rate.z;
      return a;
    };
    scene.each(
        T(y.time), motion_of, displacement,
        [&](int, int i, int j, const auto& law, ContactGeometry<T> m) {
          T& overlap = m.kinematics.overlap;
          if (floor > 0) {
            const Real least = floor * (j < 0 ? grains.radius[i] : std::min(grains.radius[i], grains.radius[j]));
            if (std::fabs(overlap.c[0]) < least) overlap.c[0] = least;
          }
          if (!scene.acts(slot, m.kinematics)) {
            acts = false;
            return;
          }
          const ContactForce<T> p = law.force(m.kinematics, spring_jet(BondRow::xi, rates.xi));
          const Vector force = slope(p.ft - p.fn * m.kinematics.n);
          const auto put = [&](int row, const Vector& a) {
            block[row * size + seed] = a.x, block[(row + 1) * size + seed] = a.y, block[(row + 2) * size + seed] = a.z;
          };
          put(0, force);
          if (!springs) return;
          const Vec3<T> twist = cross(m.kinematics.n, p.ft);
          Vec3<T> couple{};
          if (scene.settings.rolls())
            couple = m.kinematics.r_eff * scene.rolling(slot)
                                              .response(m.kinematics, m.kinematics.r_eff * m.spin,
                                                        spring_jet(BondRow::chi, rates.chi), normal_load_of(p))
                                              .torque;
          const auto torque = [&](int body, Real sign) {
            return (1 / grains.radius[body]) * slope((T(grains.radius[body]) - m.reduction) * twist + T(sign) * couple);
          };
          put(3, torque(i, 1));
          put(6, j >= 0 ? torque(j, -1) : Vector{});
        },
        slot, slot + 1);
  }
  if (!acts) return false;
  // Components that are not free have no equation.
  for (int row = 0; row < size; ++row) {
    const int body = row < 6 ? ends[0] : ends[1];
    const bool exists = body >= 0 && nodes.free[nodes.node[body]][row < 3 ? row : 3 + row % 3];
    for (int column = 0; column < size && !exists; ++column) block[row * size + column] = 0;
  }
  return true;
}

void ContactTangent::assemble(const ContactScene& scene, const State& y, const Nodes& nodes,
                              const TangentOptions& options) {
  nodes_ = &nodes;
  size_ = nodes.rotates ? 9 : 3;
  const NeighbourList& list = scene.list;
  std::vector<int> slots;  // in the order of ids
  for (int k = 0; k < nodes.grains; ++k) {
    const int i = nodes.row[k];
    for (int e = list.first[i]; e < list.first[i + 1]; ++e) {
      const int slot = list.contacts[e] >> 1;
      if (scene.ids(slot)[0] != scene.grains.id[i]) continue;
      if (options.floor > 0 || scene.may_act(y, slot)) slots.push_back(slot);
    }
  }
  const std::size_t block = size_ * size_;
  const auto count = static_cast<std::ptrdiff_t>(slots.size());
  blocks_.resize(slots.size() * block);
  std::vector<char> acts(slots.size());
  for_blocks(
      scene.settings.threads, count, 64,
      [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
        for (auto k = begin; k < end; ++k)
          acts[k] = contact_block(scene, y, nodes, slots[k], options.floor, {&blocks_[k * block], block});
      },
      256);
  contacts_.clear();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (!acts[k]) continue;
    const auto [i, j] = scene.bodies(slots[k]);
    Contact c{nodes.node[i], j >= 0 ? nodes.node[j] : -1};
    if (j < 0)
      if (const int w = scene.settings.surfaces[scene.wall_pair(slots[k]).surface].loaded; w >= 0)
        c.second = nodes.grains + w;
    contacts_.push_back(c);
    if (kept != k) std::copy_n(&blocks_[k * block], block, &blocks_[kept * block]);
    ++kept;
  }
  blocks_.resize(kept * block);

  first_end_.assign(nodes.count() + 1, 0);
  for (const Contact& c : contacts_) {
    ++first_end_[c.first + 1];
    if (c.second >= 0) ++first_end_[c.second + 1];
  }
  for (int k = 0; k < nodes.count(); ++k) first_end_[k + 1] += first_end_[k];
  ends_.resize(first_end_.back());
  std::vector<int> at(first_end_.begin(), first_end_.end() - 1);
  for (int c = 0; c < static_cast<int>(contacts_.size()); ++c) {
    ends_[at[contacts_[c].first]++] = {c, false};
    if (contacts_[c].second >= 0) ends_[at[contacts_[c].second]++] = {c, true};
  }
  const std::vector<Real> own = diagonal(scene.settings.threads);
  const int stride = nodes.stride();
  stiffest_ = 0;
  for (int k = 0; k < nodes.count(); ++k)
    for (int c = 0; c < stride; ++c) {
      const Real mass = c < 3 || k >= nodes.grains ? nodes.mass[k] : nodes.inertia[k];
      if (nodes.free[k][c]) stiffest_ = std::max(stiffest_, own[(k * stride + c) * stride + c] / mass);
    }
}

std::vector<Real> ContactTangent::diagonal(int threads) const {
  const int stride = nodes_->stride(), size = static_cast<int>(size_);
  std::vector<Real> own(static_cast<std::size_t>(nodes_->count()) * stride * stride, 0.0);
  for_blocks(threads, nodes_->count(), 256, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k)
      for (const End& e : ends(static_cast<int>(k))) {
        const Real* b = &blocks_[e.contact * size_ * size_];
        Real* const to = &own[k * stride * stride];
        for (int r = 0; r < stride; ++r)
          for (int c = 0; c < stride; ++c) {
            // The displacement of the second body, and the force on it, count the other way round.
            const int row = e.second && r >= 3 ? r + 3 : r, column = e.second && c >= 3 ? c + 3 : c;
            const Real sign = (e.second && r < 3 ? -1 : 1) * (e.second && c < 3 ? -1 : 1);
            to[r * stride + c] -= sign * b[row * size + column];
          }
      }
  });
  return own;
}

void ContactTangent::apply(std::span<const Real> q, Real shift, std::vector<Real>& out, int threads) const {
  const int stride = nodes_->stride(), size = static_cast<int>(size_);
  const auto count = static_cast<std::ptrdiff_t>(contacts_.size());
  answers_.resize(contacts_.size() * size_);
  out.resize(q.size());
  for_blocks(threads, count, 1024, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) {
      const Contact& c = contacts_[k];
      const Real* const b = &blocks_[k * size_ * size_];
      const Real *a = &q[c.first * stride], *z = c.second >= 0 ? &q[c.second * stride] : nullptr;
      Real strain[9] = {};
      for (int l = 0; l < 3; ++l) strain[l] = z != nullptr ? a[l] - z[l] : a[l];
      if (size == 9)
        for (int l = 0; l < 3; ++l) strain[3 + l] = a[3 + l], strain[6 + l] = z != nullptr ? z[3 + l] : 0;
      for (int r = 0; r < size; ++r) {
        Real sum = 0;
        for (int l = 0; l < size; ++l) sum += b[r * size + l] * strain[l];
        answers_[k * size_ + r] = sum;
      }
    }
  });
  for_blocks(threads, nodes_->count(), 1024, [&](std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t) {
    for (auto k = begin; k < end; ++k) {
      Real* const to = &out[k * stride];
      for (int c = 0; c < stride; ++c)
        to[c] = shift * (c < 3 || k >= nodes_->grains ? nodes_->mass[k] : nodes_->inertia[k]) * q[k * stride + c];
      for (const End& e : ends(static_cast<int>(k))) {
        const Real* const from = &answers_[e.contact * size_];
        for (int c = 0; c < 3; ++c) to[c] -= e.second ? -from[c] : from[c];
        for (int c = 3; c < stride; ++c) to[c] -= e.second ? from[c + 3] : from[c];
      }
    }
  });
}

}  // namespace cairn::statics
