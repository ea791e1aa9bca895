// All that a contact depends on beside the motion of its two bodies: who they are, their surfaces and materials, the
// laws, and what is known of its slot. A view of the parts of a World for what looks at contacts one by one: energies,
// loads, Taylor series. Forces go through the faster passes of contact/kernels/.
#pragma once
#include <array>
#include <cstdint>

#include "cairn/contact/kernels/pair.hpp"
#include "cairn/core/parallel.hpp"
#include "cairn/domain/domain.hpp"
#include "cairn/search/neighbour_list.hpp"
#include "cairn/world/settings.hpp"

namespace cairn {

// The displacement and velocity of a loaded wall, for any scalar.
template <class T>
struct WallDisplacement {
  Vec3<T> x, v;  // [m] [m/s]
};
inline WallDisplacement<Real> displacement_of(const State& y, int wall) {
  return {y.walls.at(WallRow::x, wall), y.walls.at(WallRow::v, wall)};
}

inline Pose<Real> pose_of(const Surface& s, const State& y) {
  const Pose<Real> pose = pose_at(s, y.time);
  if (s.loaded < 0) return pose;
  const WallDisplacement<Real> by = displacement_of(y, s.loaded);
  return moved(pose, by.x, by.v);
}

// f(laws), a span of the laws of all pairs of materials.
template <class F>
auto with_law(const LawTable& table, F&& f) {
  return std::visit([&](const auto& laws) { return f(std::span(laws)); }, table);
}

struct ContactScene {
  const WorldSettings& settings;
  const Particles& grains;
  const NeighbourList& list;
  const SlotFields& slots;
  const Domain& domain;

  // [m] of grain i, periods travelled included.
  Vector position(const State& y, int i) const {
    const auto& k = grains.image[i];
    const Vector& l = settings.cell.length;
    return y.body.at(BodyRow::x, i) + Vector{k[0] * l.x, k[1] * l.y, k[2] * l.z};
  }

  // [m] from the centre of grain i to that of the nearest image of grain j.
  Vector between(const State& y, int i, int j) const {
    const Vector straight = y.body.at(BodyRow::x, j) - y.body.at(BodyRow::x, i);
    return straight - settings.cell.image(straight);
  }

  int pairs() const { return static_cast<int>(list.pairs.size()); }
  bool at_wall(int slot) const { return slot >= pairs(); }
  const WallPair& wall_pair(int slot) const { return list.walls[slot - pairs()]; }

  int loaded_wall(int slot) const { return at_wall(slot) ? settings.surfaces[wall_pair(slot).surface].loaded : -1; }

  // Whether this rank counts it, of the two that may have it.
  bool counts(int slot) const { return at_wall(slot) || list.pairs[slot].first >= grains.own_begin(); }

  // Indices of the two bodies of a slot; the second -1 at a wall.
  std::array<int, 2> bodies(int slot) const {
    if (at_wall(slot)) return {wall_pair(slot).grain, -1};
    return {list.pairs[slot].first, list.pairs[slot].second};
  }
  // Their ids, the lower first; -1 - surface for a wall.
  BodyIds ids(int slot) const { return ids_of(slot, list.pairs, list.walls, grains.id); }
  // Index of the pair of its materials in the tables of laws and rolling resistances.
  int law(int slot) const {
    if (settings.materials == 1) return 0;
    const int first = grains.material[at_wall(slot) ? wall_pair(slot).grain : list.pairs[slot].first];
    return first * settings.materials + (at_wall(slot) ? settings.surfaces[wall_pair(slot).surface].material
                                                       : grains.material[list.pairs[slot].second]);
  }
  const RollingResistance& rolling(int slot) const { return settings.rolling[law(slot)]; }

  // f(slot, i, j, law, geometry) for the contacts of slots [begin, end), j = -1 at walls; motion_of(i) is the motion of
  // grain i, displacement_of(w) that of loaded wall w. With T = Jet all are series.
  template <class T, class MotionOf, class DisplacementOf, class F>
  void each(const T& time, MotionOf&& motion_of, DisplacementOf&& displacement_of, F&& f, int begin, int end) const;
  // The same in the state y.
  template <class F>
  void each_in(const State& y, F&& f, int begin, int end) const {
    each(
        y.time, [&](int i) { return motions(y, i); }, [&](int w) { return displacement_of(y, w); }, f, begin, end);
  }
  // The closed ones among them.
  template <class F>
  void each_closed(const State& y, F&& f, int begin, int end) const {
    const auto if_closed = [&](int slot, int i, int j, const auto& law, const ContactGeometry<Real>& m) {
      if (in_contact(m.kinematics.overlap)) f(slot, i, j, law, m);
    };
    for (int slot = begin; slot < end; ++slot)
      if (may_touch(y, slot)) each_in(y, if_closed, slot, slot + 1);
  }
  template <class F>
  void each_closed(const State& y, F&& f) const {
    each_closed(y, f, 0, list.slots());
  }

  // Sums over the grains of this rank, and over the closed contacts, by all threads (core/parallel.hpp). A call of
  // f(sums, i) adds the terms of a grain, one of f(sums, slot, i, j, law, geometry) those of a contact.
  template <class Sums, class F>
  Sums sum_over_own(F&& f) const {
    const int first = grains.own_begin();
    return sum_over<Sums>(settings.threads, grains.own_end() - first, contact_block,
                          [&](int begin, int end, Sums& sums) {
                            for (int i = first + begin; i < first + end; ++i) f(sums, i);
                          });
  }
  template <class Sums, class F>
  Sums sum_over_closed(const State& y, F&& f) const {
    return sum_over<Sums>(settings.threads, list.slots(), contact_block, [&](int begin, int end, Sums& sums) {
      each_closed(
          y, [&](const auto&... contact) { f(sums, contact...); }, begin, end);
    });
  }

  // The force of a contact that each() visits, with its spring: by its law; of a hard contact the mean of the last
  // step.
  template <class Law>
  ContactForce<Real> force(int slot, const Law& law, const ContactGeometry<Real>& m, const Vector& spring) const {
    if (!settings.hard) return law.force(m.kinematics, spring);
    const auto [first, second] = bodies(slot);
    const bool lower = second < 0 || grains.id[first] < grains.id[second];
    const Vector on_first = lower ? slots.hard_force[slot] : -slots.hard_force[slot];
    ContactForce<Real> f{};
    f.fn = -dot(on_first, m.kinematics.n);
    f.ft = on_first + f.fn * m.kinematics.n;
    f.kept = 1;
    return f;
  }

  // Whether a contact has a force, by its phase where contacts keep theirs within a step; says so to the law.
  template <class T>
  bool acts(int slot, ContactKinematics<T>& kinematics) const {
    const Phase phase = slots.phase[slot];
    kinematics.sustained = settings.onset && phase == Phase::pressing;
    return kinematics.sustained || (in_contact(value(kinematics.overlap)) && !(settings.onset && phase == Phase::open));
  }
  // Whether it may have one at y: cheaper to find than its motion.
  bool may_act(const State& y, int slot) const {
    const Phase phase = slots.phase[slot];
    return settings.onset && phase != Phase::clipped ? phase == Phase::pressing : may_touch(y, slot);
  }
  // Whether its bodies may touch each other at y.
  bool may_touch(const State& y, int slot) const {
    if (at_wall(slot)) return true;
    const auto& [i, j] = list.pairs[slot];
    const Vector d = between(y, i, j);
    const Real touch = (1 + 1e-12) * (grains.radius[i] + grains.radius[j]);
    return dot(d, d) <= touch * touch;
  }

  // [m] bit for bit as its force sees it, and cheaper to find.
  Real overlap(const State& y, int slot) const {
    if (at_wall(slot)) {
      const auto& [grain, surface] = wall_pair(slot);
      const Surface& s = settings.surfaces[surface];
      return grains.radius[grain] - wall_distance(s, pose_of(s, y), settings.cell, y.body.at(BodyRow::x, grain));
    }
    const auto& [i, j] = list.pairs[slot];
    return centre_line(between(y, i, j), grains.radius[i], grains.radius[j]).overlap;
  }

  // Rolling and twisting of a contact that each() visits, under the load that its law found: energy [J] of its spring,
  // torque [N m] on the first body.
  Real rolling_energy(const State& y, int slot, const ContactGeometry<Real>& m,
                      const NormalLoad<Real>& normal_load) const {
    return rolling(slot).elastic_energy(m.kinematics.n, y.bond.at(BondRow::chi, slot), normal_load.stiffness);
  }
  Vector rolling_torque(const State& y, int slot, const ContactGeometry<Real>& m,
                        const NormalLoad<Real>& normal_load) const {
    const Real lever = m.kinematics.r_eff;
    return lever *
           rolling(slot).response(m.kinematics, lever * m.spin, y.bond.at(BondRow::chi, slot), normal_load).torque;
  }
};

template <class T, class MotionOf, class DisplacementOf, class F>
void ContactScene::each(const T& time, MotionOf&& motion_of, DisplacementOf&& displacement_of, F&& f, int begin,
                        int end) const {
  with_law(settings.laws, [&](auto laws) {
    for (int slot = begin; slot < end; ++slot) {
      const auto [i, j] = bodies(slot);
      const BodyMotion<T> a = motion_of(i);
      const Real radius = grains.radius[i], inverse_mass = grains.inverse_mass[i];
      const auto seen = [&](ContactGeometry<T> m) {
        using Law = typename decltype(laws)::value_type;
        if constexpr (Law::sees_onset_speed) m.kinematics.onset_speed = T(slots.onset_speed[slot]);
        return m;
      };
      if (j < 0) {
        const Surface& s = settings.surfaces[wall_pair(slot).surface];
        Pose<T> pose = pose_at(s, time);
        Vec3<T> own{};
        if (s.loaded >= 0) {
          const WallDisplacement<T> by = displacement_of(s.loaded);
          pose = moved(pose, by.x, own = by.v);
        }
        const Real mass = m_eff_of(inverse_mass, settings.inverse_mass(s));
        ContactGeometry<T> m = seen(contact_geometry(a, s, pose, settings.cell, T(radius), T(mass)));
        if (s.loaded >= 0) m.wall_velocity = m.wall_velocity - own;
        m.spin = a.w - Vec3<T>{T(pose.spin.x), T(pose.spin.y), T(pose.spin.z)};
        f(slot, i, j, laws[law(slot)], m);
      } else {
        const BodyMotion<T> b = motion_of(j);
        const Real rj = grains.radius[j], m_eff = m_eff_of(inverse_mass, grains.inverse_mass[j]);
        const Vec3<T> straight = b.x - a.x;
        const Vector image = settings.cell.image(Vector{value(straight.x), value(straight.y), value(straight.z)});
        const Vec3<T> d = straight - Vec3<T>{T(image.x), T(image.y), T(image.z)};
        ContactGeometry<T> m =
            seen(contact_geometry(pair_kinematics(a, b, d, T(radius), T(rj), T(effective_of(radius, rj)), T(m_eff))));
        m.spin = a.w - b.w;
        f(slot, i, j, laws[law(slot)], m);
      }
    }
  });
}

}  // namespace cairn
