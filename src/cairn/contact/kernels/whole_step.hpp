// Contacts between grains in a step of one drift and one force, for laws whose spring follows a drift in closed form:
// what production runs use. Anything else is left to the general kernel (pair_pass.cpp), which agrees to the order of
// the step.
//
// A pack goes from its grains to its forces in two loops over a few packs. The first ends with the root and the
// division of the normal, for which all that follows waits. In one loop a processor, which looks some three hundred
// instructions ahead, finds too little else to do meanwhile. Rejected: a third loop that begins where the spring is
// known, and addresses of grains kept from the first loop; both store and load more than they gain.
//
// A contact reads 26 numbers of its grains, in four lines of the cache, and its spring; it writes the spring and a row
// of 8. For files compiled once per instruction set.
#pragma once
#include "cairn/contact/kernels/packs.hpp"
#include "cairn/contact/spring_drift.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// Whether these contacts are computed here. It depends on the scheme and on their own law alone, so that a contact has
// the same bits in any company.
template <class Law>
bool takes_whole_step(const ContactPass& pass, const Law& law, const RollingResistance* rolling) {
  return pass.whole_step && pass.drift > 0 && pass.quadrature == SpringQuadrature::midpoint && has_closed_form(law) &&
         (!rolling || rolling->none());
}

// What is known of the contacts of a pack before they are computed.
enum class PackPhases {
  pressing,  // contacts keep their phases within the step, and all of these pressed when it began
  free,      // contacts have the force of their overlap
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
  const BodyRows &body, &rate;
  SlabRows<BondRow::count> bond;
  SpringRows springs;
  Real drift, predict, straight2;
  std::ptrdiff_t stride;  // of rows

  WholeStepInputs(const ContactPass& pass, const ContactTables& t)
      : body(pass.y->body),
        rate(pass.current_rate->body),
        bond(pass.y->bond),
        springs(pass.springs),
        drift(pass.drift),
        predict(pass.predict),
        straight2(t.cell.straight2()),
        stride(t.stride()) {}
};

// How the grains of a pack stand: what the first loop hands on to the second.
struct PlacedPack {
  CentreLine<Lanes> line;  // at the end of the drift
  Lanes ri, rj;            // [m]
};

// How they have moved, and the spring before friction limits it.
struct DriftedPack {
  DriftedSpring<Lanes> spring;
  Lanes m_eff;                          // [kg]
  Lanes approach;                       // [m/s] at the velocities at which the force is asked for
  Vec3<Lanes> velocity, rolling, spin;  // at those, as in DriftedContact; for laws that use the velocity of slip
};

// Phases, and overlaps that are of interest to the guards, of a pack that is not as most are.
__attribute__((noinline)) inline void record_unusual(const ContactTables& t, const PackSlots& slots,
                                                     const PlacedPack& placed, Mask presses, PartialSums& sums) {
  const Lanes overlap = placed.line.overlap;
  PhaseMask(slots, t.phases).record_phase_changes(t, overlap, presses, slots, all_lanes, {});
  record_depths(overlap, placed.ri, placed.rj, slots, sums);
}

[[gnu::always_inline]] inline void place_pack(const WholeStepInputs& in, const ContactTables& t, const PackSlots& slots,
                                              PlacedPack& to) {
  const Pair* const pairs = t.pairs.data();
  const GrainEntries i(in.body, [&](int l) { return pairs[slots[l]].first; });
  const GrainEntries j(in.body, [&](int l) { return pairs[slots[l]].second; });
  const GrainEntries::Columns at_i = i.at(BodyRow::x_place), at_j = j.at(BodyRow::x_place);
  Vec3<Lanes> d = at_j.vector() - at_i.vector();
  if (any(!(dot(d, d) < Lanes(in.straight2)))) d = d - t.cell.image(d);
  to.ri = at_i.fourth(), to.rj = at_j.fourth();
  to.line = centre_line(d, to.ri, to.rj);
}

// `predicts`: forces are asked for at velocities of their own; `slips`: the law uses the velocity of slip.
template <PackPhases phases, bool predicts, bool slips>
[[gnu::always_inline]] inline void drift_pack(const WholeStepInputs& in, const ContactTables& t, const PackSlots& slots,
                                              const PlacedPack& placed, DriftedPack& to) {
  const Pair* const pairs = t.pairs.data();
  const auto first = [&](int l) { return pairs[slots[l]].first; };
  const auto second = [&](int l) { return pairs[slots[l]].second; };
  const GrainEntries i(in.body, first), j(in.body, second);
  DriftedContact<Lanes> c;
  c.line = placed.line;
  const Vec3<Lanes> n = c.line.n;
  const Lanes ri = placed.ri, rj = placed.rj;
  const GrainEntries::Columns spin_i = i.at(BodyRow::w_place), spin_j = j.at(BodyRow::w_place);
  c.w = spin_i.vector() + spin_j.vector();
  c.rolling = ri * spin_i.vector() + rj * spin_j.vector();
  to.m_eff = m_eff_of(spin_i.fourth(), spin_j.fourth());
  c.u = GrainEntries::difference(i, j, BodyRow::v_place).vector();
  Mask touches = every_lane();
  if constexpr (phases != PackPhases::pressing) {
    touches = in_contact(c.line.overlap - (0.5 * in.drift) * dot(c.u, n));
    if (phases == PackPhases::any && t.sustains) touches = !PhaseMask(slots, t.phases).open;
  }
  spring_over_drift(in.drift, in.bond.of(slots, 0), c, touches, to.spring);
  Vec3<Lanes> velocity = c.u;
  if constexpr (predicts) {
    const GrainEntries rate_i(in.rate, first), rate_j(in.rate, second);
    velocity = GrainEntries::difference(rate_i, rate_j, BodyRow::x_place).vector();
    if constexpr (slips) {
      const Vec3<Lanes> by_i = Lanes(in.predict) * rate_i.at(BodyRow::w_place).vector();
      const Vec3<Lanes> by_j = Lanes(in.predict) * rate_j.at(BodyRow::w_place).vector();
      c.w = c.w + (by_i + by_j), c.rolling = c.rolling + (ri * by_i + rj * by_j);
    }
  }
  to.approach = dot(velocity, n);
  if constexpr (slips) to.velocity = velocity, to.rolling = c.rolling, to.spin = c.w;
}

// The forces of a pack, and what the ledger and the guards make of them. False, with nothing done, where a contact of a
// pack that pressed no longer does: its spring is then of interest, which all others need not keep.
//
// A processor that guesses wrong whether contacts slide learns it only at the end of a long chain, and has begun the
// next pack in vain. So what they did in the last step decides, if it is known: where all stick after all, the same
// results take longer.
template <PackPhases phases, bool slips, class Law>
[[gnu::always_inline]] inline bool answer_pack(const WholeStepInputs& in, const ContactTables& t,
                                               const PreparedLaw<Law>& law, const PlacedPack& placed,
                                               const DriftedPack& drifted, const PackSlots& slots, const int* rows,
                                               unsigned valid, char* slid, Tally& tally, PartialSums& sums) {
  const Lanes zero = 0.0;
  const Vec3<Lanes> n = placed.line.n;
  const Lanes overlap = placed.line.overlap;
  PhaseMask before;
  if constexpr (phases == PackPhases::any) before = PhaseMask(slots, t.phases);
  ContactKinematics<Lanes> k{};
  k.n = n, k.overlap = overlap, k.approach = drifted.approach, k.m_eff = drifted.m_eff;
  if constexpr (Law::sees_radius) k.r_eff = r_eff_of(placed.ri, placed.rj);
  if constexpr (phases == PackPhases::pressing) k.sustained = every_lane();
  if constexpr (phases == PackPhases::any) k = before.keep(t.sustains, k);
  const auto& [normal, tangential, acts] = law.parts(k);
  if constexpr (phases == PackPhases::pressing)
    if (lanes_of(presses(law.law, k, normal.force)) != all_lanes) [[unlikely]]
      return false;
  const Lanes bound = law.law.friction * abs(normal.force);
  const Lanes limit = coulomb_limit(acts, bound, tangential);
  Vec3<Lanes> xi = drifted.spring.trial;
  const auto slides = dot(xi, xi) > limit * limit;
  if ((slid && *slid) || any(slides)) {
    const SlidSpring<Lanes> after = slid_spring(n, drifted.spring, limit);
    xi = select(slides, after.xi, xi);
    if (tangential.stores) {
      const Lanes heat = select(slides, tangential.kt * after.heat, zero);
      tally.add_released(phases == PackPhases::any ? select(mask_of(valid), heat, zero) : heat);
    }
    if (slid) *slid = any(slides);
  }
  in.springs.put(slots, xi);
  Vec3<Lanes> force = (-tangential.kt) * xi;
  Lanes power_dashpot = normal.power_dashpot;
  if constexpr (slips) {  // as coulomb(), with a spring that is at its limit already
    const Vec3<Lanes> slip =
        drifted.velocity - k.approach * n + cross(drifted.rolling - (0.5 * overlap) * drifted.spin, n);
    const Lanes along = dot(xi, slip), one = 1.0;
    Lanes share = one;
    if (tangential.damped) {
      const Vec3<Lanes> trial = tangential.kt * xi + tangential.gt * slip;
      share = borne_share(trial, bound);
      force = select(acts, (zero - share) * trial, Vec3<Lanes>{});
      power_dashpot = power_dashpot + select(acts, share * tangential.gt * dot(slip, slip), zero);
    }
    const Lanes power = select(acts, tangential.kt * ((tangential.stores ? share - one : share) * along), zero);
    tally.add_slip(phases == PackPhases::any ? select(mask_of(valid), power, zero) : power);
  }
  Lanes row[row_length];
  write_row(row, n, normal.force, force, 0.5 * overlap);
  Real* to[lane_count];
  unrolled<lane_count>([&](int l) { to[l] = t.rows + in.stride * rows[l]; });
  store_as_rows<row_length>(row, [&](int l) { return to[l]; });
  if (t.rolling)  // other pairs of materials have it, and this one a second row of zeros
    for (Real* const to_lane : to) std::fill_n(to_lane + row_length, row_length, 0.0);
  if constexpr (phases == PackPhases::any) {
    LedgerTerms<Lanes> ledger{{power_dashpot, zero, normal.power_clip}, zero, zero};
    mask_sums(valid, ledger);
    tally.add(1, [&](int) -> const LedgerTerms<Lanes>& { return ledger; });
    before.record_phase_changes(t, overlap, presses(law.law, k, normal.force), slots, valid, drifted.spring.trial);
    record_depths(overlap, placed.ri, placed.rj, slots, sums);
  } else {
    tally.add_dashpot(power_dashpot);
    if (phases == PackPhases::free && law.law.attraction == Attraction::clipped && any(abs(normal.power_clip) > zero))
      tally.add_clip(normal.power_clip);
    const Mask pressing = phases == PackPhases::free ? in_contact(overlap) : every_lane();
    bool usual = lanes_of(pressing && !(overlap > 0.01 * smaller(placed.ri, placed.rj))) == all_lanes;
    if constexpr (phases == PackPhases::free) usual = usual && slots.all(t.phases, Phase::pressing);
    if (!usual) record_unusual(t, slots, placed, pressing, sums);
  }
  return true;
}

// One pack, whatever its phases.
template <bool predicts, bool slips, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void any_pack_over_step(const WholeStepInputs& in, const ContactTables& t,
                                                                const PreparedLaw<Law>& law, const PackSlots& slots,
                                                                const int* rows, unsigned valid, Tally& tally,
                                                                PartialSums& sums) {
  PlacedPack placed;
  DriftedPack drifted;
  place_pack(in, t, slots, placed);
  drift_pack<PackPhases::any, predicts, slips>(in, t, slots, placed, drifted);
  answer_pack<PackPhases::any, slips>(in, t, law, placed, drifted, slots, rows, valid, nullptr, tally, sums);
}

// Packs of slots in a row; those of usual_phases are computed in this loop.
template <PackPhases usual_phases, bool predicts, bool slips, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void packs_in_row(const WholeStepInputs& inputs, const ContactTables& tables,
                                                          const PreparedLaw<Law>& with, std::ptrdiff_t first_slot,
                                                          int count, const int* rows, Tally& tally, PartialSums& sums) {
  const WholeStepInputs in = inputs;  // copies, for what is stored below might else be part of them
  const ContactTables t = tables;
  const PreparedLaw<Law> law = with;
  const Pair* const pairs = t.pairs.data();
  const Real* const entries = in.body.entry(0);
  constexpr int batch = 16 / lane_count;  // packs
  constexpr int springs_ahead = 2;        // batches; the processor alone begins each page of memory too late
  PlacedPack placed[batch];
  for (std::ptrdiff_t first = 0; first < count; first += batch) {
    const int packs = static_cast<int>(std::min<std::ptrdiff_t>(batch, count - first));
    const auto slots_of = [&](std::ptrdiff_t p) { return PackSlots{first_slot + p * lane_count}; };
    for (int k = 0; k < packs; ++k) {
      const std::ptrdiff_t later = first + k + batch;
      if (later < count)                        // second grains stand anywhere
        for (int l = 0; l < lane_count; ++l) {  // in a lambda g++ 12 takes a prefetch for nothing
          const auto grain = static_cast<unsigned>(pairs[slots_of(later)[l]].second);
          const Real* entry = entries + BodyRows::stride * static_cast<std::size_t>(grain);
          __builtin_prefetch(entry), __builtin_prefetch(entry + BodyRows::stride - 1);
        }
      place_pack(in, t, slots_of(first + k), placed[k]);
    }
    const std::ptrdiff_t ahead = first + springs_ahead * batch;
    if (ahead < count)
      for (const Real* const row : in.bond.row) {
        const Real* const springs = row + first_slot + ahead * lane_count;
        __builtin_prefetch(springs), __builtin_prefetch(springs + 8);  // a line of the cache each
      }
    for (int k = 0; k < packs; ++k) {
      const PackSlots slots = slots_of(first + k);
      const int* const to = rows + (first + k) * lane_count;
      if (usual_phases == PackPhases::free || slots.all(t.phases, Phase::pressing)) [[likely]] {
        DriftedPack drifted;
        drift_pack<usual_phases, predicts, slips>(in, t, slots, placed[k], drifted);
        char* const slid =
            lane_count > 2 && t.slid ? t.slid + slots[0] : nullptr;  // with SSE2 it costs more than it saves
        if (answer_pack<usual_phases, slips>(in, t, law, placed[k], drifted, slots, to, all_lanes, slid, tally, sums))
          continue;
      }
      any_pack_over_step<predicts, slips>(inputs, tables, with, slots, to, all_lanes, tally, sums);
    }
  }
}

template <bool predicts, bool slips, class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& with,
                               const SlotSelection& of, PartialSums& sums) {
  const WholeStepInputs in(pass, t);
  const PreparedLaw<Law> law(with);
  Tally tally(sums);
  const Packs packs(of);
  int done = 0;
  if (!of.slots) {
    done = of.count / lane_count;
    if (t.sustains)
      packs_in_row<PackPhases::pressing, predicts, slips>(in, t, law, of.first, done, of.rows, tally, sums);
    else
      packs_in_row<PackPhases::free, predicts, slips>(in, t, law, of.first, done, of.rows, tally, sums);
  }
  for (int p = done; p < packs.count(); ++p) {
    const Pack pack = packs[p];
    any_pack_over_step<predicts, slips>(in, t, law, pack.slots, pack.rows, pack.valid, tally, sums);
  }
  tally.hand_over();
}

template <class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& law, const SlotSelection& of,
                               PartialSums& sums) {
  const auto run = [&]<bool slips>() {
    if (pass.predict != 0)
      contacts_over_step<true, slips>(pass, t, law, of, sums);
    else
      contacts_over_step<false, slips>(pass, t, law, of, sums);
  };
  if constexpr (Law::stiffens)
    run.template operator()<true>();
  else if (law.uses_slip_velocity())
    run.template operator()<true>();
  else
    run.template operator()<false>();
}

}  // namespace CAIRN_SIMD
}  // namespace cairn
