// Contacts between grains in a step of one drift and one force, for laws whose tangential stiffness is constant: what
// production runs use. A pack goes from its grains to its forces without leaving the registers, and springs follow the
// drift in closed form (contact/spring_drift.hpp). Anything else is left to the general kernel (pair_pass.cpp), which
// agrees to the order of the step.
//
// A contact reads 32 numbers of its grains, in four lines of the cache, and its spring; it writes the spring and a row
// of 8. For files compiled once per instruction set.
#pragma once
#include "cairn/contact/kernels/packs.hpp"
#include "cairn/contact/spring_drift.hpp"

namespace cairn {
inline namespace CAIRN_SIMD {

// Whether these contacts are computed here. It depends on the scheme and on their own law alone, so that a contact has
// the same bits in any company.
template <class Law>
bool takes_whole_step(const ContactPass& pass, const ContactTables& t, const Law& law,
                      const RollingResistance* rolling) {
  return t.grain_rows && pass.whole_step && pass.drift > 0 && pass.quadrature == SpringQuadrature::midpoint &&
         has_closed_form(law) && (!rolling || rolling->none());
}

// Where packs of contacts in a row stand.
struct PacksInRow {
  int first;

  PackSlots slots(int pack) const { return {first + pack * lane_count}; }
};
// Of listed ones.
struct ListedPacks {
  const int* listed;

  PackSlots slots(int pack) const { return {0, listed + pack * lane_count}; }
};

// So many packs; of the last one the lanes `valid_of_last` alone count.
template <class Law, class PacksOf>
CAIRN_FLATTEN __attribute__((noinline)) void contacts_over_step(const ContactPass& pass, const ContactTables& tables,
                                                                const Law& with, const PacksOf& all, const int* rows,
                                                                int count, unsigned valid_of_last, PartialSums& sums) {
  const ContactTables t = tables;  // copies, for what is stored below might else be part of them
  const Law law = with;
  const Real drift = pass.drift;
  const SlabRows<BondRow::count> bond(pass.y->bond);
  const SpringRows springs(pass.springs);
  const Pair* const pairs = t.pairs.data();
  const Lanes zero = 0.0;
  const std::ptrdiff_t stride = t.stride();
  constexpr int ahead = 2;  // packs
  Tally tally(sums);
  LedgerTerms<Lanes> ledger[batch_packs];
  for (int first = 0; first < count; first += batch_packs) {
    const int packs = std::min(batch_packs, count - first);
    for (int p = 0; p < packs; ++p) {
      const PackSlots slots = all.slots(first + p);
      GrainColumns i([&](int l) { return t.grain_rows + std::ptrdiff_t{GrainRow::length} * pairs[slots[l]].first; });
      GrainColumns j([&](int l) { return t.grain_rows + std::ptrdiff_t{GrainRow::length} * pairs[slots[l]].second; });
      if (first + p + ahead < count) {  // their second grains stand anywhere
        const PackSlots later = all.slots(first + p + ahead);
        for (int l = 0; l < lane_count; ++l) {  // in a lambda g++ 12 takes a prefetch for nothing
          const Real* row = t.grain_rows + std::ptrdiff_t{GrainRow::length} * pairs[later[l]].second;
          __builtin_prefetch(row), __builtin_prefetch(row + GrainRow::length / 2);
        }
      }
      i.load_four<GrainRow::x>(), j.load_four<GrainRow::x>();
      const Vec3<Lanes> straight = j.vector(GrainRow::x) - i.vector(GrainRow::x);
      const Vec3<Lanes> d = straight - t.cell.image(straight);
      const Lanes ri = i[GrainRow::radius], rj = j[GrainRow::radius];
      DriftedContact<Lanes> c;
      c.line = centre_line(d, ri, rj);
      const auto& [n, inverse_distance, overlap] = c.line;
      i.load_four<GrainRow::v>(), j.load_four<GrainRow::v>();
      c.u = i.vector(GrainRow::v) - j.vector(GrainRow::v);
      const Lanes m_eff = m_eff_of(i[GrainRow::inverse_mass], j[GrainRow::inverse_mass]);
      i.load_four<GrainRow::w>(), j.load_four<GrainRow::w>();
      c.w = i.vector(GrainRow::w) + j.vector(GrainRow::w);
      c.rolling = ri * i.vector(GrainRow::w) + rj * j.vector(GrainRow::w);
      i.load_four<GrainRow::predicted_v>(), j.load_four<GrainRow::predicted_v>();
      const Vec3<Lanes> predicted = i.vector(GrainRow::predicted_v) - j.vector(GrainRow::predicted_v);

      const PhaseMask before(slots, t.phases);
      const Lanes mid_overlap = overlap - (0.5 * drift) * dot(c.u, n);
      const DriftedSpring<Lanes> drifted =
          spring_over_drift(drift, bond.of(slots, 0), c, t.sustains ? !before.open : in_contact(mid_overlap));

      ContactKinematics<Lanes> k{};
      k.n = n, k.overlap = overlap, k.approach = dot(predicted, n), k.m_eff = m_eff;
      k = before.keep(t.sustains, k);
      const Normal<Lanes> normal = law.normal(k);
      const Tangential<Lanes> tangential = law.tangential(m_eff);
      const Lanes limit = coulomb_limit(k, normal, tangential, law.friction);
      Vec3<Lanes> xi = drifted.trial;
      Lanes heat = zero;
      if (const auto slides = dot(xi, xi) > limit * limit; any(slides)) {
        const SlidSpring<Lanes> slid = slid_spring(drifted, limit);
        xi = select(slides, slid.xi, xi), heat = select(slides, tangential.kt * slid.heat, zero);
      }
      springs.put(slots, xi);
      Lanes row[row_length];
      write_row(row, n, normal.force, (-tangential.kt) * xi, 0.5 * overlap);
      Real* to[lane_count];
      unrolled<lane_count>([&](int l) { to[l] = t.rows + stride * rows[(first + p) * lane_count + l]; });
      store_as_rows<row_length>(row, [&](int l) { return to[l]; });
      if (t.rolling)  // other pairs of materials have it, and this one a second row of zeros
        for (Real* second : to) std::fill_n(second + row_length, row_length, 0.0);
      const unsigned valid = first + p + 1 == count ? valid_of_last : all_lanes;
      ledger[p] = {{normal.power_dashpot, zero, normal.power_clip}, zero, heat};
      mask_sums(valid, ledger[p]);
      before.record_phase_changes(t.sustains, overlap, presses(law, k, normal.force), slots, valid, t.changed_phase);
      record_depths(overlap, ri, rj, slots, sums);
    }
    tally.add(packs, [&](int p) -> const LedgerTerms<Lanes>& { return ledger[p]; });
  }
  tally.hand_over();
}

template <class Law>
inline void contacts_over_step(const ContactPass& pass, const ContactTables& t, const Law& law, const SlotSelection& of,
                               PartialSums& sums) {
  const int full = of.count / lane_count;
  if (full > 0 && of.slots)
    contacts_over_step(pass, t, law, ListedPacks{of.slots}, of.rows, full, all_lanes, sums);
  else if (full > 0)
    contacts_over_step(pass, t, law, PacksInRow{of.first}, of.rows, full, all_lanes, sums);
  if (of.count % lane_count == 0) return;
  const Packs packs(of);
  const Pack last = packs[full];
  contacts_over_step(pass, t, law, ListedPacks{last.slots.listed}, last.rows, 1, last.valid, sums);
}

}  // namespace CAIRN_SIMD
}  // namespace cairn
