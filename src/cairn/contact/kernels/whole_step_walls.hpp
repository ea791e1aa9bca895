// Contacts of grains with a surface of a wall in a step of one drift and one force: as between grains (whole_step.hpp),
// but pack by pack, for they are few. For files compiled once per instruction set.
#pragma once
#include "cairn/contact/kernels/surface_poses.hpp"
#include "cairn/contact/kernels/whole_step.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// A function of its own, for it visits every shape. The normal turns no faster than springs can follow it, as in
// as_followed(); by less, for the closed form looks back to the beginning of the drift.
CAIRN_FLATTEN __attribute__((noinline)) inline Nearest<Lanes> nearest_of(const SurfacePoses& poses,
                                                                         const PeriodicCell& cell, Real drift,
                                                                         const Vec3<Lanes>& x, const Vec3<Lanes>& v) {
  Nearest<Lanes> at = nearest(poses.surface, poses.now, cell, x, v);
  at.n_rate = at_most(0.2 / drift, at.n_rate);
  return at;
}

template <bool slips, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void wall_pack_over_step(const WholeStepInputs& in, const ContactTables& t,
                                                                 const PreparedLaw<Law>& law, const SurfacePoses& poses,
                                                                 const Pack& pack, Tally& tally, PartialSums& sums) {
  const PackSlots& slots = pack.slots;
  const WallPair* const walls = t.walls.data();
  const auto first_wall = static_cast<std::ptrdiff_t>(t.pairs.size());
  unsigned offsets[lane_count];
  for (int l = 0; l < lane_count; ++l) offsets[l] = GrainEntries::offset_of(walls[slots[l] - first_wall].grain);
  const GrainEntries i(in.positions, in.velocities, [&](int l) { return offsets[l]; });
  const GrainEntries::Columns place = i.at(BodyRow::x), spin = i.at(BodyRow::w);
  const Vec3<Lanes> v = i.at(BodyRow::v).vector(), w = spin.vector();
  const Lanes radius = place.fourth();
  const Nearest<Lanes> at = nearest_of(poses, t.cell, in.drift, place.vector(), v);
  const Lanes overlap = radius - at.distance;
  const Vec3<Lanes> u = v - poses.material_velocity_then(0, v, at);

  const PhaseMask before(slots, t.phases);
  const Vec3<Lanes> old = in.bond.of(slots, 0);
  Mask touches = !before.open, acts = touches;
  if (!t.sustains) {
    touches = in_contact(overlap - (0.5 * in.drift) * dot(u, at.n));
    acts = touches || in_contact(overlap) || dot(old, old) > Lanes(0.0);  // or left over from one that has opened
  }
  if (!any(acts)) {
    Lanes none[row_length] = {};
    put_rows(t, none, pack.rows);
    before.record_phase_changes(t, overlap, every_lane(), slots, pack.valid, old);
    return;
  }
  DriftedPack<slips> drifted;
  spring_over_drift(in.drift, select(acts, old, Vec3<Lanes>{}),
                    DriftedWallContact<Lanes>{at.n, at.n_rate, u, at.distance, w, poses.now.spin}, touches,
                    drifted.spring);
  Vec3<Lanes> velocity = v;
  Vec3<Lanes> spin_then = w;
  if (in.predicts) {
    const GrainEntries rate = i.in(in.asked_velocities, in.accelerations);
    velocity = rate.at(BodyRow::x).vector();
    if constexpr (slips) spin_then = w + Lanes(in.predict) * rate.at(BodyRow::w).vector();
  }
  velocity = velocity - at.velocity;
  ContactKinematics<Lanes> k{};
  k.n = at.n, k.overlap = overlap, k.approach = dot(velocity, at.n);
  k.r_eff = radius, k.m_eff = m_eff_of(spin.fourth(), Lanes(t.inverse_mass(poses.surface)));
  k = before.keep(t.sustains, k);
  if constexpr (slips)
    drifted.velocity = velocity, drifted.approach = k.approach, drifted.lever_spin = at.distance * spin_then;
  const Vec3<Lanes> force = finish_pack(t, law, k, before, overlap, {at.distance, 0.0}, drifted, pack, tally);
  in.put_springs(slots, select(acts, drifted.spring.trial, old));
  if (!poses.surface.motion.still()) tally.add_brought(pack, dot(force, poses.prescribed(at.velocity)));
  const Lanes depth = k.overlap / radius;
  if (any(!(depth < sums.deepest))) record_deepest(depth, slots, t, sums);
}

// Those of one law.
template <class Law>
inline void walls_over_step(const ContactPass& pass, const ContactTables& t, const Law& with, const SurfacePoses& poses,
                            const SlotSelection& of, PartialSums& sums) {
  const WholeStepInputs in(pass, t);
  const PreparedLaw<Law> law(with);
  Tally tally(sums);
  const Packs packs(of);
  const auto run = [&]<bool slips>() {
    for (int p = 0; p < packs.count(); ++p) wall_pack_over_step<slips>(in, t, law, poses, packs[p], tally, sums);
  };
  if constexpr (Law::stiffens)
    run.template operator()<true>();
  else if (law.law.uses_slip_velocity())
    run.template operator()<true>();
  else
    run.template operator()<false>();
  tally.hand_over();
}

}  // namespace CAIRN_SIMD
}  // namespace cairn
