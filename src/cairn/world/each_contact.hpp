// World's own loop over contacts, for what looks at them one by one: energies, loads, Taylor series. Forces go through
// the faster passes of contact/.
#pragma once
#include "cairn/world/world.hpp"

namespace cairn {

template <class F>
void World::with_law(F&& f) const {
  std::visit([&](const auto& laws) { f(std::span(laws)); }, settings_.laws);
}

template <class T, class MotionOf, class F>
void World::each_contact(const T& time, MotionOf&& motion_of, F&& f, int begin, int end) const {
  const int pairs = static_cast<int>(list_.pairs.size());
  with_law([&](auto laws) {
    for (int slot = begin; slot < end; ++slot) {
      const bool wall = slot >= pairs;
      const int i = wall ? list_.walls[slot - pairs].grain : list_.pairs[slot].first;
      const int j = wall ? -1 : list_.pairs[slot].second;
      const BodyMotion<T> a = motion_of(i);
      const Real radius = grains_.radius[i], inverse_mass = grains_.inverse_mass[i];
      const auto seen = [&](ContactGeometry<T> m) {
        using Law = typename decltype(laws)::value_type;
        if constexpr (Law::sees_onset_speed) m.kinematics.onset_speed = T(onset_speeds_[slot]);
        return m;
      };
      if (wall) {
        const Surface& s = settings_.surfaces[list_.walls[slot - pairs].surface];
        const Pose<T> pose = pose_at(s, time);
        ContactGeometry<T> m = seen(contact_geometry(a, s, pose, T(radius), T(1 / inverse_mass)));
        m.spin = a.w - Vec3<T>{T(pose.spin.x), T(pose.spin.y), T(pose.spin.z)};
        f(slot, i, j, laws[law_of(slot)], m);
      } else {
        const BodyMotion<T> b = motion_of(j);
        const Real rj = grains_.radius[j], m_eff = m_eff_of(inverse_mass, grains_.inverse_mass[j]);
        const Vec3<T> straight = b.x - a.x;
        const Vector image = settings_.cell.image(Vector{value(straight.x), value(straight.y), value(straight.z)});
        const Vec3<T> d = straight - Vec3<T>{T(image.x), T(image.y), T(image.z)};
        ContactGeometry<T> m =
            seen(contact_geometry(pair_kinematics(a, b, d, T(radius), T(rj), T(r_eff_of(radius, rj)), T(m_eff))));
        m.spin = a.w - b.w;
        f(slot, i, j, laws[law_of(slot)], m);
      }
    }
  });
}

// Whether a contact has a force, by its phase where contacts keep theirs.
template <class T>
bool World::acts(int slot, ContactKinematics<T>& kinematics) const {
  kinematics.sustained = settings_.onset && phases_[slot] == Phase::pressing;
  return kinematics.sustained || (value(kinematics.overlap) > 0 && !(settings_.onset && phases_[slot] == Phase::open));
}

template <class F>
void World::each_contact_now(F&& f, int begin, int end) const {
  each_contact(
      state_.time, [&](int i) { return motions(state_, i); }, f, begin, end);
}

}  // namespace cairn
