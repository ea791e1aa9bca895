// Contacts between grains in a step of one drift and one force, for laws whose spring follows a drift in closed form:
// what production runs use. A pack goes from its grains to its forces without leaving the registers, and springs follow
// the drift in closed form (contact/spring_drift.hpp). Anything else is left to the general kernel (pair_pass.cpp),
// which agrees to the order of the step.
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

// Phases, and overlaps that are of interest to the guards, of a pack that is not as most are.
__attribute__((noinline)) inline void record_unusual(const ContactTables& t, const PackSlots& slots, Lanes overlap,
                                                     Mask presses, Lanes ri, Lanes rj, PartialSums& sums) {
  PhaseMask(slots, t.phases).record_phase_changes(t.sustains, overlap, presses, slots, all_lanes, t.changed_phase);
  record_depths(overlap, ri, rj, slots, sums);
}

// A law with what is the same for all of its contacts.
template <class Law>
struct PreparedLaw {
  Law law;
  Lanes kt, inverse_kt;  // of a stiffness that does not depend on masses
  bool constant = false;

  explicit PreparedLaw(const Law& of) : law(of) {
    if constexpr (requires { of.stiffness_depends_on_mass(); }) {
      const Tangential<Lanes> any = law.tangential(Lanes(1.0));
      kt = any.kt, inverse_kt = any.inverse_kt, constant = !of.stiffness_depends_on_mass();
    }
  }
  LawParts<Lanes> parts(const ContactKinematics<Lanes>& k) const {
    LawParts<Lanes> p = law.parts(k);
    if constexpr (requires { law.stiffness_depends_on_mass(); })
      if (constant) p.tangential.kt = kt, p.tangential.inverse_kt = inverse_kt;
    return p;
  }
};

// Where the numbers of a pass stand.
struct WholeStepInputs {
  const BodyRows &body, &rate;
  SlabRows<BondRow::count> bond;
  SpringRows springs;
  Real drift, predict;
  std::ptrdiff_t stride;  // of rows

  WholeStepInputs(const ContactPass& pass, const ContactTables& t)
      : body(pass.y->body),
        rate(pass.current_rate->body),
        bond(pass.y->bond),
        springs(pass.springs),
        drift(pass.drift),
        predict(pass.predict),
        stride(t.stride()) {}
};

// The contacts of one pack. `predicts`: forces are asked for at velocities of their own; `slips`: the law uses the
// velocity of slip.
template <PackPhases phases, bool predicts, bool slips, class Law>
[[gnu::always_inline]] inline void pack_over_step(const WholeStepInputs& in, const ContactTables& t,
                                                  const PreparedLaw<Law>& law, const PackSlots& slots, const int* rows,
                                                  unsigned valid, Tally& tally, PartialSums& sums) {
  const Pair* const pairs = t.pairs.data();
  const Lanes zero = 0.0;
  const auto first = [&](int l) { return pairs[slots[l]].first; };
  const auto second = [&](int l) { return pairs[slots[l]].second; };
  const GrainEntries i(in.body, first), j(in.body, second);
  const GrainEntries::Columns at_i = i.at(BodyRow::x_place), at_j = j.at(BodyRow::x_place);
  const Vec3<Lanes> straight = at_j.vector() - at_i.vector();
  const Vec3<Lanes> d = straight - t.cell.image(straight);
  const Lanes ri = at_i.fourth(), rj = at_j.fourth();
  DriftedContact<Lanes> c;
  c.line = centre_line(d, ri, rj);
  const auto& [n, inverse_distance, overlap] = c.line;
  const GrainEntries::Columns spin_i = i.at(BodyRow::w_place), spin_j = j.at(BodyRow::w_place);
  c.w = spin_i.vector() + spin_j.vector();
  c.rolling = ri * spin_i.vector() + rj * spin_j.vector();
  const Lanes m_eff = m_eff_of(spin_i.fourth(), spin_j.fourth());
  c.u = GrainEntries::difference(i, j, BodyRow::v_place).vector();

  PhaseMask before;
  Mask touches = every_lane();
  if constexpr (phases == PackPhases::any) before = PhaseMask(slots, t.phases);
  if constexpr (phases != PackPhases::pressing) {
    touches = in_contact(overlap - (0.5 * in.drift) * dot(c.u, n));
    if (phases == PackPhases::any && t.sustains) touches = !before.open;
  }
  DriftedSpring<Lanes> drifted;
  spring_over_drift(in.drift, in.bond.of(slots, 0), c, touches, drifted);

  Vec3<Lanes> velocity = c.u, rolling = c.rolling, spin = c.w;  // at which the force is asked for
  if constexpr (predicts) {
    const GrainEntries rate_i(in.rate, first), rate_j(in.rate, second);
    velocity = GrainEntries::difference(rate_i, rate_j, BodyRow::x_place).vector();
    if constexpr (slips) {
      const Vec3<Lanes> by_i = Lanes(in.predict) * rate_i.at(BodyRow::w_place).vector();
      const Vec3<Lanes> by_j = Lanes(in.predict) * rate_j.at(BodyRow::w_place).vector();
      spin = spin + (by_i + by_j), rolling = rolling + (ri * by_i + rj * by_j);
    }
  }
  ContactKinematics<Lanes> k{};
  k.n = n, k.overlap = overlap, k.approach = dot(velocity, n), k.m_eff = m_eff;
  if constexpr (Law::sees_radius) k.r_eff = r_eff_of(ri, rj);
  if constexpr (phases == PackPhases::pressing) k.sustained = every_lane();
  if constexpr (phases == PackPhases::any) k = before.keep(t.sustains, k);
  const auto& [normal, tangential, acts] = law.parts(k);
  const Lanes bound = law.law.friction * abs(normal.force);
  const Lanes limit = coulomb_limit(acts, bound, tangential);
  Vec3<Lanes> xi = drifted.trial;
  if (const auto slides = dot(xi, xi) > limit * limit; any(slides)) {
    const SlidSpring<Lanes> slid = slid_spring(n, drifted, limit);
    xi = select(slides, slid.xi, xi);
    if (tangential.stores) {
      const Lanes heat = select(slides, tangential.kt * slid.heat, zero);
      tally.add_released(phases == PackPhases::any ? select(mask_of(valid), heat, zero) : heat);
    }
  }
  in.springs.put(slots, xi);
  Vec3<Lanes> force = (-tangential.kt) * xi;
  Lanes power_dashpot = normal.power_dashpot;
  if constexpr (slips) {  // as coulomb(), with a spring that is at its limit already
    const Vec3<Lanes> slip = velocity - k.approach * n + cross(rolling - (0.5 * overlap) * spin, n);
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
    before.record_phase_changes(t.sustains, overlap, presses(law.law, k, normal.force), slots, valid, t.changed_phase);
    record_depths(overlap, ri, rj, slots, sums);
  } else {
    tally.add_dashpot(power_dashpot);
    if (phases == PackPhases::free && law.law.attraction == Attraction::clipped && any(abs(normal.power_clip) > zero))
      tally.add_clip(normal.power_clip);
    const Mask pressing = phases == PackPhases::free ? in_contact(overlap) : presses(law.law, k, normal.force);
    bool usual = lanes_of(pressing && !(overlap > 0.01 * smaller(ri, rj))) == all_lanes;
    if constexpr (phases == PackPhases::free) usual = usual && slots.all(t.phases, Phase::pressing);
    if (!usual) record_unusual(t, slots, overlap, pressing, ri, rj, sums);
  }
}

// One pack, whatever its phases.
template <bool predicts, bool slips, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void any_pack_over_step(const WholeStepInputs& in, const ContactTables& t,
                                                                const PreparedLaw<Law>& law, const PackSlots& slots,
                                                                const int* rows, unsigned valid, Tally& tally,
                                                                PartialSums& sums) {
  pack_over_step<PackPhases::any, predicts, slips>(in, t, law, slots, rows, valid, tally, sums);
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
  constexpr int ahead = 2;  // packs
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    const PackSlots slots{first_slot + p * lane_count};
    if (p + ahead < count)                    // their second grains stand anywhere
      for (int l = 0; l < lane_count; ++l) {  // in a lambda g++ 12 takes a prefetch for nothing
        const auto later = static_cast<unsigned>(pairs[slots[ahead * lane_count + l]].second);
        const Real* entry = entries + BodyRows::stride * static_cast<std::size_t>(later);
        __builtin_prefetch(entry), __builtin_prefetch(entry + BodyRows::stride - 1);
      }
    if (usual_phases == PackPhases::free || slots.all(t.phases, Phase::pressing)) [[likely]]
      pack_over_step<usual_phases, predicts, slips>(in, t, law, slots, rows + p * lane_count, all_lanes, tally, sums);
    else
      any_pack_over_step<predicts, slips>(inputs, tables, with, slots, rows + p * lane_count, all_lanes, tally, sums);
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
