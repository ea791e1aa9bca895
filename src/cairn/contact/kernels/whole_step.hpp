// Contacts between grains in a step of one drift and one force, for laws whose spring follows a drift in closed form:
// what production runs use. Anything else is left to the general kernel (pair_pass.cpp), which agrees to the order of
// the step.
//
// A batch of packs goes from its grains to its forces in four short loops, so that the long chains of a pack (root and
// division of the normal, spring, return to the limit, row) run beside those of the others: a processor looks some
// three hundred instructions ahead, less than a pack takes. The third loop is over the packs that slide alone, by a
// list and not by a branch, for which contacts slide is hard to foretell. Rejected: one loop, with what slid in the
// last step as a guess.
//
// A contact reads 26 numbers of its grains, in four lines of the cache, and its spring; it writes the spring and a row
// of 8. For files compiled once per instruction set.
#pragma once
#include "cairn/contact/kernels/packs.hpp"
#include "cairn/contact/spring_drift.hpp"
#include "cairn/core/prefetch.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// Whether these contacts are computed here. It depends on the scheme and on their own law alone, so that a contact has
// the same bits in any company.
template <class Law>
bool takes_whole_step(const ContactPass& pass, const Law& law, const RollingResistance* rolling) {
  return pass.whole_step && pass.springs && pass.drift > 0 && pass.quadrature == SpringQuadrature::midpoint &&
         has_closed_form(law) && (!rolling || rolling->none());
}

// What is known of the contacts of a pack before they are computed.
enum class PackPhases {
  pressing,  // all pressed when the step began, and must be found to press now
  any
};

// A law and what is known of it before its contacts are computed.
template <class Law>
struct PreparedLaw {
  Law law;
  bool plain = false;  // the law's word; a compiler then sees which of its parameters are zero

  explicit PreparedLaw(const Law& of) : law(of) {
    if constexpr (requires { of.plain(); }) plain = of.plain();
  }
  LawParts<Lanes> parts(const ContactKinematics<Lanes>& k) const {
    if constexpr (requires { law.as_plain(); })
      if (plain) return law.as_plain().parts(k);
    return law.parts(k);
  }
};

// Where the numbers of a pass stand.
struct WholeStepInputs {
  const Real *positions, *velocities;            // of all grains, as BodyRows has them
  const Real *asked_velocities, *accelerations;  // in the rate; the first may be null where nothing is predicted
  SlabRows<BondRow::count> bond;
  Real* springs[BondRow::count];
  Real drift, predict, straight2;
  Real one_radius;  // [m] of all grains; 0: they differ
  bool equal_radii;
  bool predicts;  // forces are asked for at velocities of their own

  WholeStepInputs(const ContactPass& pass, const ContactTables& t)
      : WholeStepInputs(pass, t, pass.y->body, (pass.current_rate ? pass.current_rate : pass.y)->body) {}
  WholeStepInputs(const ContactPass& pass, const ContactTables& t, const BodyRows& body, const BodyRows& rate)
      : positions(body.positions.entry(0)),
        velocities(body.velocities.entry(0)),
        asked_velocities(rate.positions.entry(0)),
        accelerations(rate.velocities.entry(0)),
        bond(pass.y->bond),
        springs{pass.springs->bond.row(0), pass.springs->bond.row(1), pass.springs->bond.row(2)},
        drift(pass.drift),
        predict(pass.predict),
        straight2(t.cell.straight2()),
        one_radius(t.one_radius),
        equal_radii(one_radius > 0),
        predicts(predict != 0) {}

  [[gnu::always_inline]] void put_springs(const PackSlots& slots, const Vec3<Lanes>& xi) const {
    slots.put(springs[0], xi.x), slots.put(springs[1], xi.y), slots.put(springs[2], xi.z);
  }
};

// Where the numbers of the grains of a pack stand, first and second in turn. Found once for all loops, of all grains
// together.
struct PackEntries {
  unsigned offset[2 * lane_count];  // as GrainEntries has it

  GrainEntries first(const WholeStepInputs& in) const {
    return {in.positions, in.velocities, [&](int l) { return offset[2 * l]; }};
  }
  GrainEntries second(const WholeStepInputs& in) const {
    return {in.positions, in.velocities, [&](int l) { return offset[2 * l + 1]; }};
  }
};
[[gnu::always_inline]] inline void find_entries(const ContactTables& t, const PackSlots& slots, PackEntries& to) {
  const Pair* const pairs = t.pairs.data();
  int listed[2 * lane_count];
  if (slots.listed)
    for (int l = 0; l < lane_count; ++l) std::memcpy(listed + 2 * l, pairs + slots.listed[l], sizeof(Pair));
  const int* const ends = slots.listed ? listed : &pairs[slots.first].first;
  for (int k = 0; k < 2 * lane_count; ++k) to.offset[k] = GrainEntries::offset_of(ends[k]);
}

// How the grains of a pack stand: what the first loop hands on to the others.
struct PlacedPack {
  CentreLine<Lanes> line;     // at the end of the drift
  Lanes mean_radius, ri, rj;  // [m]; found before the loops where all grains have the same
  Vec3<Lanes> uneven;         // [m/s] as DriftedContact has it; where radii differ

  void set_radii(const Lanes& first, const Lanes& second) { ri = first, rj = second, mean_radius = 0.5 * (ri + rj); }
  Levers<Lanes> levers(bool equal_radii) const {
    if (equal_radii) return Levers<Lanes>::between_equal(mean_radius, line.overlap);
    return Levers<Lanes>::between(mean_radius, ri - rj, line.overlap, line.inverse_distance);
  }
};

// How they have moved, and what the law says: what the second loop hands on.
template <bool slips>
struct DriftedPack {
  DriftedSpring<Lanes> spring;  // before friction limits it; its trial spring gives way to that at the limit
  Lanes limit;                  // [m]
  Lanes kt;                     // [N/m]
  Lanes force;                  // [N] normal
  Lanes power_dashpot;          // [W] of it
};
// For a law that uses the velocity of slip also, at the velocities at which the force is asked for, what that needs.
template <>
struct DriftedPack<true> : DriftedPack<false> {
  Vec3<Lanes> velocity, lever_spin;  // [m/s] of the centres; of the levers' ends
  Lanes approach, gt, bound;         // [m/s] [N s/m] [N]
  Mask acts;
  bool damped;       // gt is not zero
  Lanes power_slip;  // [W] of springs at their limits
};

// Numbers of both grains are subtracted, or added, before they are transposed: half of the shuffles are enough.
[[gnu::always_inline]] inline void place_pack(const WholeStepInputs& in, const ContactTables& t,
                                              const PackEntries& entries, PlacedPack& to) {
  const GrainEntries i = entries.first(in), j = entries.second(in);
  Vec3<Lanes> d = GrainEntries::difference(j, i, BodyRow::x).vector();
  if (!all(dot(d, d) < Lanes(in.straight2))) d = d - t.cell.image(d);
  if (!in.equal_radii) to.set_radii(i.radii(), j.radii());
  to.line = centre_line(d, to.mean_radius, to.mean_radius);  // twice the mean is the sum, exactly
}

// `slips`: the law uses the velocity of slip. Returns what the law is to see.
template <PackPhases phases, bool slips, class Law>
[[gnu::always_inline]] inline ContactKinematics<Lanes> drift_pack(const WholeStepInputs& in, const ContactTables& t,
                                                                  const PackSlots& slots, const PackEntries& entries,
                                                                  PlacedPack& placed, DriftedPack<slips>& to) {
  const GrainEntries i = entries.first(in), j = entries.second(in);
  const GrainEntries::Columns spins = GrainEntries::sum(i, j, BodyRow::w);
  const auto difference_of_spins = [](const GrainEntries& a, const GrainEntries& b) {
    return GrainEntries::difference(a, b, BodyRow::w).vector();
  };
  if (!in.equal_radii) placed.uneven = uneven_spin(placed.ri, placed.rj, difference_of_spins(i, j));
  DriftedContact<Lanes> c{.line = placed.line,
                          .u = GrainEntries::difference(i, j, BodyRow::v).vector(),
                          .radius = placed.mean_radius,
                          .w = spins.vector(),
                          .uneven = in.equal_radii ? nullptr : &placed.uneven};
  const Vec3<Lanes> n = c.line.n;
  ContactKinematics<Lanes> k{};
  k.n = n, k.overlap = c.line.overlap, k.m_eff = Lanes(1.0) / spins.fourth();
  if constexpr (Law::sees_radius) k.r_eff = effective_of(placed.ri, placed.rj);
  Mask touches = every_lane();
  if constexpr (phases == PackPhases::any) {
    const PhaseMask before(slots, t.phases);
    // Along a straight way a distance is convex: grains that touch at both ends touch in the middle.
    touches = t.sustains ? !before.open
                         : (before.pressing && in_contact(c.line.overlap)) ||
                               in_contact(c.line.overlap - (0.5 * in.drift) * dot(c.u, n));
  }
  spring_over_drift(in.drift, in.bond.of(slots, 0), c, touches, to.spring);
  Vec3<Lanes> velocity = c.u;
  if (in.predicts) {
    const GrainEntries rate_i = i.in(in.asked_velocities, in.accelerations),
                       rate_j = j.in(in.asked_velocities, in.accelerations);
    velocity = GrainEntries::difference(rate_i, rate_j, BodyRow::x).vector();
    if constexpr (slips) {
      c.w = c.w + Lanes(in.predict) * GrainEntries::sum(rate_i, rate_j, BodyRow::w).vector();
      if (!in.equal_radii)
        placed.uneven = uneven_spin(
            placed.ri, placed.rj, difference_of_spins(i, j) + Lanes(in.predict) * difference_of_spins(rate_i, rate_j));
    }
  }
  k.approach = dot(velocity, n);
  if constexpr (slips)
    to.velocity = velocity, to.approach = k.approach, to.lever_spin = c.lever_spin(0.5 * c.line.overlap);
  if constexpr (phases == PackPhases::pressing) k.sustained = every_lane();
  if constexpr (phases == PackPhases::any) k = PhaseMask(slots, t.phases).keep(t.sustains, k);
  return k;
}

// Asks the law, and finds which contacts slide. Returns those that press.
template <bool slips, class Law>
[[gnu::always_inline]] inline Mask ask_pack(const PreparedLaw<Law>& law, const ContactKinematics<Lanes>& k,
                                            DriftedPack<slips>& to, Mask& slides, Lanes& power_clip) {
  const auto& [normal, tangential, acts] = law.parts(k);
  const Lanes bound = law.law.friction * abs(normal.force);
  to.limit = coulomb_limit(acts, bound, tangential);
  to.kt = tangential.kt, to.force = normal.force, to.power_dashpot = normal.power_dashpot;
  if constexpr (slips) to.gt = tangential.gt, to.bound = bound, to.acts = acts, to.damped = tangential.damped;
  slides = dot(to.spring.trial, to.spring.trial) > to.limit * to.limit;
  power_clip = normal.power_clip;
  return presses(law.law, k, normal.force);
}

// Returns the springs of a pack that slide to their limits.
[[gnu::always_inline]] inline void slide_pack(bool stores, const Vec3<Lanes>& n, unsigned valid, DriftedPack<false>& of,
                                              Tally& tally) {
  const SlidSpring<Lanes> after = slid_spring(n, of.spring, of.limit);
  of.spring.trial = after.xi;
  if (stores) {
    const Lanes heat = of.kt * after.heat;
    tally.add_released(valid == all_lanes ? heat : select(mask_of(valid), heat, Lanes(0.0)));
  }
}

// Writes the rows of a pack from their columns.
[[gnu::always_inline]] inline void put_rows(const ContactTables& t, Lanes* row, const int* places) {
  Real* to[lane_count];
  unrolled<lane_count>([&](int l) { to[l] = t.rows + places[l]; });
  store_as_rows<row_length>(row, [&](int l) { return to[l]; });
  if (t.rolling)  // other pairs of materials have it, and this one a second row of zeros
    for (Real* const to_lane : to) std::fill_n(to_lane + row_length, row_length, 0.0);
}

// Writes the forces of a pack, and returns those on the first bodies; for a law that uses the velocity of slip finds
// its tangential powers.
template <bool slips, class Law>
[[gnu::always_inline]] inline Vec3<Lanes> write_pack(const ContactTables& t, const PreparedLaw<Law>& law,
                                                     const Vec3<Lanes>& n, const Levers<Lanes>& levers,
                                                     DriftedPack<slips>& of, const int* rows) {
  const Vec3<Lanes> xi = of.spring.trial;
  Vec3<Lanes> force = (-of.kt) * xi;
  if constexpr (slips) {  // as coulomb(), with a spring that is at its limit already
    const Vec3<Lanes> slip = of.velocity - of.approach * n + cross(of.lever_spin, n);
    const Lanes along = dot(xi, slip), one = 1.0, zero = 0.0;
    Lanes share = one;
    if (of.damped) {
      const Vec3<Lanes> trial = of.kt * xi + of.gt * slip;
      share = borne_share(trial, of.bound);
      force = select(of.acts, (zero - share) * trial, Vec3<Lanes>{});
      of.power_dashpot = of.power_dashpot + select(of.acts, share * of.gt * dot(slip, slip), zero);
    }
    of.power_slip = select(of.acts, of.kt * ((law.law.stores_shear() ? share - one : share) * along), zero);
  }
  Lanes row[row_length];
  write_row(row, n, of.force, force, levers);
  const Vec3<Lanes> on_first{row[0], row[1], row[2]};
  put_rows(t, row, rows);
  return on_first;
}

// Asks the law for the forces of a pack whose contacts move as in `k`, writes them and books their powers. Springs that
// slide return to their limits; the caller writes them. Returns the forces on the first bodies.
template <bool slips, class Law>
[[gnu::always_inline]] inline Vec3<Lanes> finish_pack(const ContactTables& t, const PreparedLaw<Law>& law,
                                                      const ContactKinematics<Lanes>& k, const PhaseMask& before,
                                                      const Lanes& overlap, const Levers<Lanes>& levers,
                                                      DriftedPack<slips>& of, const Pack& pack, Tally& tally) {
  Mask slides;
  LedgerTerms<Lanes> ledger{};
  const Mask presses = ask_pack<slips>(law, k, of, slides, ledger.power.clip);
  const Vec3<Lanes> trial = of.spring.trial;
  if (any(slides)) slide_pack(law.law.stores_shear(), k.n, pack.valid, of, tally);
  const Vec3<Lanes> force = write_pack<slips>(t, law, k.n, levers, of, pack.rows);
  ledger.power.dashpot = of.power_dashpot;
  if constexpr (slips) ledger.power.slip = ledger.slip_cut = of.power_slip;
  mask_sums(pack.valid, ledger);
  tally.add(1, [&](int) -> const LedgerTerms<Lanes>& { return ledger; });
  before.record_phase_changes(t, overlap, presses, pack.slots, pack.valid, trial);
  return force;
}

// One pack, whatever its phases.
template <bool slips, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void any_pack_over_step(const WholeStepInputs& in, const ContactTables& t,
                                                                const PreparedLaw<Law>& law, const Pack& pack,
                                                                Tally& tally, PartialSums& sums) {
  PlacedPack placed;
  DriftedPack<slips> drifted;
  PackEntries entries;
  find_entries(t, pack.slots, entries);
  if (in.equal_radii) placed.set_radii(in.one_radius, in.one_radius);
  place_pack(in, t, entries, placed);
  const auto k = drift_pack<PackPhases::any, slips, Law>(in, t, pack.slots, entries, placed, drifted);
  const Lanes& overlap = placed.line.overlap;
  finish_pack(t, law, k, PhaseMask(pack.slots, t.phases), overlap, placed.levers(in.equal_radii), drifted, pack, tally);
  in.put_springs(pack.slots, drifted.spring.trial);
  record_depths(overlap, placed.ri, placed.rj, pack.slots, t, sums);
}

// Packs of slots in a row. Those whose contacts all pressed when the step began, and press now, are computed in these
// loops, the others alone: their springs may be of interest before friction limits them, and their phases change.
template <bool slips, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void packs_in_row(const WholeStepInputs& inputs, const ContactTables& tables,
                                                          const PreparedLaw<Law>& with, std::ptrdiff_t first_slot,
                                                          int count, const int* rows, Tally& tally, PartialSums& sums) {
  const WholeStepInputs in = inputs;  // copies, for what is stored below might else be part of them
  const ContactTables t = tables;
  const PreparedLaw<Law> law = with;
  constexpr int batch_contacts = 32, batch = batch_contacts / lane_count, line = 64 / sizeof(Real);
  union Buffers {
    struct {
      PlacedPack placed[batch];
      DriftedPack<slips> drifted[batch];
      PackEntries entries[2][batch];  // of this batch and the next
    };
    Buffers() {}  // zeros would cost a tenth of a pass
  } buffers;
  PlacedPack* const placed = buffers.placed;
  DriftedPack<slips>* const drifted = buffers.drifted;
  PackEntries *entries = buffers.entries[0], *next_entries = buffers.entries[1];
  for (int k = 0; k < batch && in.equal_radii; ++k) placed[k].set_radii(in.one_radius, in.one_radius);
  const auto slots_of = [&](std::ptrdiff_t p) { return PackSlots{first_slot + p * lane_count}; };
  for (int k = 0; k < std::min(batch, count); ++k) find_entries(t, slots_of(k), entries[k]);
  for (std::ptrdiff_t first = 0; first < count; first += batch, std::swap(entries, next_entries)) {
    const int packs = static_cast<int>(std::min<std::ptrdiff_t>(batch, count - first));
    Lanes deepest = 0.0;
    for (int k = 0; k < packs; ++k) {
      const std::ptrdiff_t later = first + k + batch;
      if (later < count) {  // second grains stand anywhere
        find_entries(t, slots_of(later), next_entries[k]);
        for (int l = 0; l < lane_count; ++l) {
          const unsigned offset = next_entries[k].offset[2 * l + 1];
          prefetch(in.positions + offset / 2), prefetch(in.velocities + offset);
        }
      }
      place_pack(in, t, entries[k], placed[k]);
      deepest = larger(placed[k].line.overlap, deepest);
    }
    if (first + batch < count)  // the processor alone begins each page of memory too late
      for (const Real* const row : in.bond.row) {
        const Real* const springs = row + first_slot + (first + batch) * lane_count;
        for (int at = 0; at < batch_contacts; at += line) prefetch(springs + at);
      }
    bool alone[batch];
    int sliding[batch], sliding_count = 0;
    for (int k = 0; k < packs; ++k) {
      const PackSlots slots = slots_of(first + k);
      DriftedPack<slips>& pack = drifted[k];
      alone[k] = false;
      if (slots.all(t.phases, Phase::pressing)) [[likely]] {
        Mask slides;
        Lanes power_clip;
        const auto now = drift_pack<PackPhases::pressing, slips, Law>(in, t, slots, entries[k], placed[k], pack);
        const Mask presses = ask_pack<slips>(law, now, pack, slides, power_clip);
        if (all(presses)) [[likely]] {
          sliding[sliding_count] = k, sliding_count += any(slides);
          continue;
        }
      }
      alone[k] = true, pack.power_dashpot = 0.0;
      if constexpr (slips) pack.power_slip = 0.0;
      any_pack_over_step<slips>(inputs, tables, with, {slots, rows + (first + k) * lane_count, all_lanes}, tally, sums);
    }
    for (int s = 0; s < sliding_count; ++s)
      slide_pack(law.law.stores_shear(), placed[sliding[s]].line.n, all_lanes, drifted[sliding[s]], tally);
    for (int k = 0; k < packs; ++k) {
      if (alone[k]) [[unlikely]]
        continue;
      const PackSlots slots = slots_of(first + k);
      in.put_springs(slots, drifted[k].spring.trial);
      write_pack<slips>(t, law, placed[k].line.n, placed[k].levers(in.equal_radii), drifted[k],
                        rows + (first + k) * lane_count);
    }
    tally.add_dashpot(packs, [&](int k) -> const Lanes& { return drifted[k].power_dashpot; });
    if constexpr (slips) tally.add_slip(packs, [&](int k) -> const Lanes& { return drifted[k].power_slip; });
    for (int k = 0; k < packs && any(deepest > Lanes(t.shallow)); ++k)
      if (!alone[k]) record_depths(placed[k].line.overlap, placed[k].ri, placed[k].rj, slots_of(first + k), t, sums);
  }
}

template <bool slips, class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& with,
                               const SlotSelection& of, PartialSums& sums) {
  const WholeStepInputs in(pass, t);
  const PreparedLaw<Law> law(with);
  Tally tally(sums);
  const Packs packs(of);
  int done = 0;
  if (!of.slots) {
    done = of.count / lane_count;
    packs_in_row<slips>(in, t, law, of.first, done, of.rows, tally, sums);
  }
  for (int p = done; p < packs.count(); ++p) any_pack_over_step<slips>(in, t, law, packs[p], tally, sums);
  tally.hand_over();
}

template <class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& law, const SlotSelection& of,
                               PartialSums& sums) {
  if constexpr (Law::stiffens)
    contacts_over_step<true>(pass, t, law, of, sums);
  else if (law.uses_slip_velocity())
    contacts_over_step<true>(pass, t, law, of, sums);
  else
    contacts_over_step<false>(pass, t, law, of, sums);
}

}  // namespace CAIRN_SIMD
}  // namespace cairn
