// Contacts between grains in a step of one drift and one force, for laws whose tangential stiffness is constant: what
// production runs use. A pack goes from its grains to its forces without leaving the registers, and springs follow the
// drift in closed form (contact/spring_drift.hpp). Anything else is left to the general kernel (pair_pass.cpp), which
// agrees to the order of the step.
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

// Packs of slots in a row, or of listed ones.
struct PacksInRow {
  std::ptrdiff_t first;

  PackSlots slots(std::ptrdiff_t pack) const { return {first + pack * lane_count}; }
};
struct ListedPacks {
  const int* listed;

  PackSlots slots(std::ptrdiff_t pack) const { return {0, listed + pack * lane_count}; }
};

// A pack has done something that few do: a phase has changed, or an overlap is of interest to the guards.
__attribute__((noinline)) inline void record_pressing(const ContactTables& t, const PackSlots& slots, Lanes overlap,
                                                      Mask presses, Lanes ri, Lanes rj, PartialSums& sums) {
  PhaseMask before;
  before.open = !every_lane(), before.pressing = every_lane();
  before.record_phase_changes(t.sustains, overlap, presses, slots, all_lanes, t.changed_phase);
  record_depths(overlap, ri, rj, slots, sums);
}

// The tangential spring of contacts whose stiffness does not depend on masses.
struct ConstantTangential {
  Lanes kt, inverse_kt;
  bool holds;

  template <class Law>
  explicit ConstantTangential(const Law& law) : holds(!law.stiffness_depends_on_mass()) {
    const Tangential<Lanes> any = law.tangential(Lanes(1.0));
    kt = any.kt, inverse_kt = any.inverse_kt;
  }
};

// The contacts of one pack. `pressing`: all of them pressed when the step began, and go on as they are; `predicts`:
// forces are asked for at velocities of their own.
template <bool pressing, bool predicts, class Law>
[[gnu::always_inline]] inline void pack_over_step(Real drift, const ContactTables& t, const Law& law,
                                                  const ConstantTangential& alike, const BodyRows& body,
                                                  const BodyRows& rate, const SlabRows<BondRow::count>& bond,
                                                  const SpringRows& springs, const PackSlots& slots, const int* rows,
                                                  unsigned valid, Tally& tally, PartialSums& sums) {
  const Pair* const pairs = t.pairs.data();
  const Lanes zero = 0.0;
  const auto first = [&](int l) { return pairs[slots[l]].first; };
  const auto second = [&](int l) { return pairs[slots[l]].second; };
  const GrainEntries i(body, first), j(body, second);
  const GrainEntries::Columns xi_of = i.at(BodyRow::x_place), xj = j.at(BodyRow::x_place);
  const Vec3<Lanes> straight = xj.vector() - xi_of.vector();
  const Vec3<Lanes> d = straight - t.cell.image(straight);
  const Lanes ri = xi_of.fourth(), rj = xj.fourth();
  DriftedContact<Lanes> c;
  c.line = centre_line(d, ri, rj);
  const auto& [n, inverse_distance, overlap] = c.line;
  const GrainEntries::Columns wi = i.at(BodyRow::w_place), wj = j.at(BodyRow::w_place);
  c.w = wi.vector() + wj.vector();
  c.rolling = ri * wi.vector() + rj * wj.vector();
  const Lanes m_eff = m_eff_of(wi.fourth(), wj.fourth());
  c.u = GrainEntries::difference(i, j, BodyRow::v_place).vector();
  Vec3<Lanes> predicted = c.u;
  if constexpr (predicts)
    predicted =
        GrainEntries::difference(GrainEntries(rate, first), GrainEntries(rate, second), BodyRow::x_place).vector();

  PhaseMask before;
  Mask touches = every_lane();
  if constexpr (!pressing) {
    before = PhaseMask(slots, t.phases);
    touches = t.sustains ? !before.open : in_contact(overlap - (0.5 * drift) * dot(c.u, n));
  }
  DriftedSpring<Lanes> drifted;
  spring_over_drift(drift, bond.of(slots, 0), c, touches, drifted);

  ContactKinematics<Lanes> k{};
  k.n = n, k.overlap = overlap, k.approach = dot(predicted, n), k.m_eff = m_eff;
  if constexpr (pressing)
    k.sustained = every_lane();
  else
    k = before.keep(t.sustains, k);
  const Normal<Lanes> normal = law.normal(k);
  Tangential<Lanes> tangential{alike.kt, alike.inverse_kt};
  if (!alike.holds) tangential = law.tangential(m_eff);
  const Lanes limit = coulomb_limit(k, normal, tangential, law.friction);
  Vec3<Lanes> xi = drifted.trial;
  if (const auto slides = dot(xi, xi) > limit * limit; any(slides)) {
    const SlidSpring<Lanes> slid = slid_spring(n, drifted, limit);
    xi = select(slides, slid.xi, xi);
    const Lanes heat = select(slides, tangential.kt * slid.heat, zero);
    tally.add_released(pressing ? heat : select(mask_of(valid), heat, zero));
  }
  springs.put(slots, xi);
  Lanes row[row_length];
  write_row(row, n, normal.force, (-tangential.kt) * xi, 0.5 * overlap);
  const std::ptrdiff_t stride = t.stride();
  Real* to[lane_count];
  unrolled<lane_count>([&](int l) { to[l] = t.rows + stride * rows[l]; });
  store_as_rows<row_length>(row, [&](int l) { return to[l]; });
  if (t.rolling)  // other pairs of materials have it, and this one a second row of zeros
    for (Real* second : to) std::fill_n(second + row_length, row_length, 0.0);
  const Mask presses_now = presses(law, k, normal.force);
  if constexpr (pressing) {
    tally.add_dashpot(normal.power_dashpot);
    if (lanes_of(presses_now && !(overlap > 0.01 * smaller(ri, rj))) != all_lanes)
      record_pressing(t, slots, overlap, presses_now, ri, rj, sums);
  } else {
    LedgerTerms<Lanes> ledger{{normal.power_dashpot, zero, normal.power_clip}, zero, zero};
    mask_sums(valid, ledger);
    tally.add(1, [&](int) -> const LedgerTerms<Lanes>& { return ledger; });
    before.record_phase_changes(t.sustains, overlap, presses_now, slots, valid, t.changed_phase);
    record_depths(overlap, ri, rj, slots, sums);
  }
}

// Packs of contacts in any phase, one by one.
template <bool predicts, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void any_pack_over_step(const ContactPass& pass, const ContactTables& t,
                                                                const Law& law, const PackSlots& slots, const int* rows,
                                                                unsigned valid, Tally& tally, PartialSums& sums) {
  pack_over_step<false, predicts>(pass.drift, t, law, ConstantTangential(law), pass.y->body, pass.current_rate->body,
                                  SlabRows<BondRow::count>(pass.y->bond), SpringRows(pass.springs), slots, rows, valid,
                                  tally, sums);
}

// So many full packs, and what is left of the selection.
template <bool predicts, class Law, class PacksOf>
CAIRN_FLATTEN __attribute__((noinline)) void packs_over_step(const ContactPass& pass, const ContactTables& tables,
                                                             const Law& with, const PacksOf all,
                                                             const SlotSelection& of, PartialSums& sums) {
  const ContactTables t = tables;  // copies, for what is stored below might else be part of them
  const Law law = with;
  const Real drift = pass.drift;
  const SlabRows<BondRow::count> bond(pass.y->bond);
  const SpringRows springs(pass.springs);
  const Pair* const pairs = t.pairs.data();
  const BodyRows &body = pass.y->body, &rate = pass.current_rate->body;
  const Real* const entries = body.entry(0);
  const ConstantTangential alike(law);
  constexpr int ahead = 2;  // packs
  const int full = of.count / lane_count;
  Tally tally(sums);
  for (std::ptrdiff_t p = 0; p < full; ++p) {
    const PackSlots slots = all.slots(p);
    const int* const rows = of.rows + p * lane_count;
    if (p + ahead < full) {  // their second grains stand anywhere
      const PackSlots later = all.slots(p + ahead);
      for (int l = 0; l < lane_count; ++l) {  // in a lambda g++ 12 takes a prefetch for nothing
        const Real* entry = entries + BodyRows::stride * static_cast<std::size_t>(pairs[later[l]].second);
        __builtin_prefetch(entry), __builtin_prefetch(entry + BodyRows::stride - 1);
      }
    }
    if (t.sustains && slots.all(t.phases, Phase::pressing)) [[likely]]
      pack_over_step<true, predicts>(drift, t, law, alike, body, rate, bond, springs, slots, rows, all_lanes, tally,
                                     sums);
    else
      any_pack_over_step<predicts>(pass, tables, with, slots, rows, all_lanes, tally, sums);
  }
  if (of.count % lane_count != 0) {
    const Packs packs(of);
    const Pack last = packs[full];
    any_pack_over_step<predicts>(pass, tables, with, last.slots, last.rows, last.valid, tally, sums);
  }
  tally.hand_over();
}

template <bool predicts, class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& law, const SlotSelection& of,
                               PartialSums& sums) {
  if (of.slots)
    packs_over_step<predicts>(pass, t, law, ListedPacks{of.slots}, of, sums);
  else
    packs_over_step<predicts>(pass, t, law, PacksInRow{of.first}, of, sums);
}

template <class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& law, const SlotSelection& of,
                               PartialSums& sums) {
  if (pass.predict != 0)
    contacts_over_step<true>(pass, t, law, of, sums);
  else
    contacts_over_step<false>(pass, t, law, of, sums);
}

}  // namespace CAIRN_SIMD
}  // namespace cairn
