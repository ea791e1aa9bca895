// Contacts between grains and walls, in packs: the general kernel. Compiled once per instruction set (core/simd.hpp).
#include <algorithm>
#include <optional>

#include "cairn/contact/kernels/rolling_packs.hpp"
#include "cairn/contact/kernels/whole_step_walls.hpp"

namespace cairn {
namespace {

// The springs of rolling, which no law knows, of a pack.
CAIRN_FLATTEN __attribute__((noinline)) void roll(const RollingResistance& with, const ContactPass& pass,
                                                  const ContactTables& t, const Pack& pack,
                                                  const ContactKinematics<Lanes>* then,
                                                  const ContactKinematics<Lanes>& now, const Vec3<Lanes>& wall_spin,
                                                  RollingBuffers& rolls, RollingTally& tally) {
  rolls.evaluate(
      with, pass, t, 1, &pack, [&](int k, int) { return then[k]; }, &now, tally);
  tally.add_brought(pack, dot(rolls.torque[0], wall_spin));
}

// Inlined at each of its uses it made this file the slowest to compile, and contacts with walls are few.
CAIRN_FLATTEN __attribute__((noinline)) ContactGeometry<Lanes> geometry_of(const BodyMotion<Lanes>& i,
                                                                           const Surface& surface,
                                                                           const Pose<Lanes>& pose,
                                                                           const PeriodicCell& cell,
                                                                           const Lanes& radius, const Lanes& mass) {
  return contact_geometry(i, surface, pose, cell, radius, mass);
}

template <class Law>
CAIRN_FLATTEN __attribute__((noinline)) void walls_of(const ContactPass& asked, const ContactTables& tables,
                                                      const Law& with, const RollingResistance* rolling,
                                                      const SurfacePoses& poses, const SlotSelection& chosen,
                                                      PartialSums& sums) {
  const ContactPass pass = asked;  // copies, for what is stored below might else be part of them
  const ContactTables t = tables;
  const Law law = with;
  const Surface& surface = poses.surface;
  const State& y = *pass.y;
  const SlabRows<BondRow::count> bond(y.bond);
  const SpringRows springs(pass.springs), spring_rates(pass.rate);
  const int pairs = static_cast<int>(t.pairs.size());
  const Real wall_inverse_mass = t.inverse_mass(surface);
  const Vec3<Lanes> wall_spin{poses.now.spin.x, poses.now.spin.y, poses.now.spin.z};
  RollingBuffers* const rolls = rolling ? &RollingBuffers::of_thread() : nullptr;
  Tally tally(sums);
  std::optional<RollingTally> rolling_tally;
  if (rolls) rolling_tally.emplace(sums);
  const Packs packs(chosen);
  for (int p = 0; p < packs.count(); ++p) {
    const Pack pack = packs[p];
    int grains[lane_count];
    for (int l = 0; l < lane_count; ++l) grains[l] = t.walls[pack.slots[l] - pairs].grain;
    const CloseGatherIndex at(load_ints(grains));
    const Lanes radius = at.of(t.grains->radius.data()),
                mass = m_eff_of(at.of(t.grains->inverse_mass.data()), Lanes(wall_inverse_mass));
    const BodyMotion<Lanes> here = GrainEntries(y.body, load_ints(grains)).motion();
    const PhaseMask before(pack.slots, t.phases);
    const Vec3<Lanes> xi = bond.of(pack.slots, 0);

    BodyMotion<Lanes> now = here;
    if (pass.predict != 0) {
      const GrainEntries rate(pass.current_rate->body, load_ints(grains));
      now.v = now.v + Lanes(pass.predict) * rate.vector(BodyRow::v);
      now.w = now.w + Lanes(pass.predict) * rate.vector(BodyRow::w);
    }
    if (rolls) rolls->load_bodies(0, pack.slots, pass, radius, here.w - wall_spin), rolls->spins(0, now.w - wall_spin);
    ContactGeometry<Lanes> m = geometry_of(now, surface, poses.now, t.cell, radius, mass);
    const Lanes overlap = m.kinematics.overlap;
    m.kinematics = before.seen<Law>(t.sustains, m.kinematics, pack.slots, t.onset_speeds);
    ContactKinematics<Lanes> then[most_spring_lags];
    Mask acts = t.sustains ? !before.open : in_contact(overlap);
    if (!t.sustains && pass.close) {  // left over from a contact that has opened
      acts = acts || dot(xi, xi) > 0;
      if (rolls) acts = acts || dot(rolls->chi[0], rolls->chi[0]) > 0;
    }
    for (int k = 0; k < poses.looks_back; ++k) {
      const BodyMotion<Lanes> back{here.x + Lanes(-poses.lags[k]) * here.v, here.v, here.w};
      const ContactKinematics<Lanes> seen = geometry_of(back, surface, poses.then[k], t.cell, radius, mass).kinematics;
      then[k] = as_followed(before.seen<Law>(t.sustains, seen, pack.slots, t.onset_speeds), pass.drift);
      acts = acts || in_contact(then[k].overlap);
    }

    ContactResult<Lanes> o{};
    o.xi = xi;
    Vec3<Lanes> spring = xi;
    if (any(acts)) {
      if (pass.drift != 0) {
        const auto rate_of = [&](int s, int, const ContactKinematics<Lanes>& c, const Vec3<Lanes>& stretched) {
          const ContactForce<Lanes> force = law.force(c, stretched);
          if (rolls) rolls->then[s][0] = normal_load_of(force);
          return force.xi_rate;
        };
        ContactKinematics<Lanes> kinematics;
        Vec3<Lanes> rate, end;
        springs_along_drift(
            pass.quadrature, pass.drift, 1, &spring, [&](int k, int) { return then[k]; }, rate_of, &kinematics, &rate,
            &end);
      }
      evaluate(law, pass, spring, m.kinematics, {radius - overlap, 0.0}, o);
      o.xi = select(acts, o.xi, xi), o.ledger.released = select(acts, o.ledger.released, Lanes(0.0));
    }
    springs.put(pack.slots, o.xi);
    spring_rates.put(pack.slots, o.xi_rate);
    mask_sums(pack.valid, o.ledger);
    tally.add(1, [&](int) -> const LedgerTerms<Lanes>& { return o.ledger; });
    tally.add_brought(pack, dot(Vec3<Lanes>{o.row[0], o.row[1], o.row[2]}, poses.prescribed(m.wall_velocity)));
    pack.put_rows(o.row, t.rows);
    if (rolls) {
      rolls->now[0] = o.normal_load;
      roll(*rolling, pass, t, pack, then, m.kinematics, wall_spin, *rolls, *rolling_tally);
    }
    before.record_phase_changes(t, overlap, o.presses, pack.slots, pack.valid, spring);
    const Lanes depth = m.kinematics.overlap / radius;
    if (any(!(depth < sums.deepest))) record_deepest(depth, pack.slots, t, sums);
  }
  tally.hand_over();
  if (rolls) rolling_tally->hand_over();
}

// Packs are of one surface and one law. `slots` and `rows` are used up.
template <class Law>
inline void walls_of_all(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws, int* slots,
                         int* rows, int count, PartialSums& sums) {
  int more_slots[pass_contacts], more_rows[pass_contacts];
  int *other_slots = more_slots, *other_rows = more_rows;
  const bool one_material = t.materials == 1;
  const auto wall_of = [&](int k) { return t.walls[slots[k] - t.pairs.size()]; };
  const auto material_of = [&](int k) { return one_material ? 0 : t.grains->material[wall_of(k).grain]; };
  while (count > 0) {
    const int surface = wall_of(0).surface, material = material_of(0);
    int same = 0, others = 0;
    for (int k = 0; k < count; ++k) {  // mostly all are alike, and stay where they are
      if (wall_of(k).surface != surface || material_of(k) != material)
        other_slots[others] = slots[k], other_rows[others++] = rows[k];
      else if (same++ != k)
        slots[same - 1] = slots[k], rows[same - 1] = rows[k];
    }
    const int pair = material * t.materials + t.surfaces[surface].material;
    const RollingResistance* const rolling = t.rolling ? t.rolling + pair : nullptr;
    const bool in_a_row =
        std::adjacent_find(slots, slots + same, [](int a, int b) { return b != a + 1; }) == slots + same;
    const SlotSelection of{same, slots[0], in_a_row ? nullptr : slots, rows};
    const SurfacePoses poses(t.surfaces[surface], pass);
    bool whole_step = false;
    if constexpr (WholeStepLaw<Law>) {
      whole_step = takes_whole_step(pass, laws[pair], rolling);
      if (whole_step) walls_over_step(pass, t, laws[pair], poses, of, sums);
    }
    if (!whole_step) walls_of(pass, t, laws[pair], rolling, poses, of, sums);
    std::swap(slots, other_slots), std::swap(rows, other_rows), count = others;
  }
}

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(wall_pass_, CAIRN_SIMD)(const ContactPass& pass, const ContactTables& t,
                                                       const LawTable& laws, const int* slots, int begin, int end,
                                                       int first_row, PartialSums& sums) {
  int asked[pass_contacts], rows[pass_contacts];
  for (int k = 0; k < end - begin; ++k)
    asked[k] = slots ? slots[begin + k] : begin + k, rows[k] = t.stride() * (first_row + k);
  std::visit([&](const auto& table) { walls_of_all(pass, t, std::span(table), asked, rows, end - begin, sums); }, laws);
}

}  // namespace cairn
