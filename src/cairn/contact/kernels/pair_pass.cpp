// Contacts between grains, in packs: the general kernel. Compiled once per instruction set (core/simd.hpp).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "cairn/contact/kernels/rolling_packs.hpp"
#include "cairn/contact/kernels/whole_step.hpp"

namespace cairn {
namespace {

// What short passes over a few packs of contacts hand on; it stays in the first cache. Short, because the roots and
// divisions of a contact wait for each other: a processor overlaps those of several packs only as far as they fit into
// its window of some hundred instructions.
struct KernelBuffers {
  Pack pack[batch_packs];
  PairKinematics<Lanes> now[batch_packs];        // on the way of the drift
  PairKinematics<Lanes> predicted[batch_packs];  // at other velocities, if the pass asks
  Vec3<Lanes> d_then[most_spring_lags][batch_packs];
  PhaseMask before[batch_packs];
  Vec3<Lanes> xi[batch_packs], rate[batch_packs], end[batch_packs];
  ContactKinematics<Lanes> kinematics[batch_packs];
  Lanes overlap[batch_packs];  // whether the law is to see it or not
  ContactResult<Lanes> result[batch_packs];

  // At the k-th lag of the drift.
  ContactKinematics<Lanes> then(int k, int p) const {
    PairKinematics<Lanes> e = now[p];
    e.d = d_then[k][p];
    return contact_geometry(e).kinematics;
  }
};

// Where the numbers of grains and springs stand.
struct KernelInputs {
  const Pair* pairs;
  const Phase* phases;
  const BodyRows &body, &current_rate;
  SlabRows<BondRow::count> bond;
  const Real *radius, *inverse_mass;

  KernelInputs(const ContactPass& pass, const ContactTables& t)
      : pairs(t.pairs.data()),
        phases(t.phases),
        body(pass.y->body),
        current_rate(pass.current_rate ? pass.current_rate->body : pass.y->body),
        bond(pass.y->bond),
        radius(t.grains->radius.data()),
        inverse_mass(t.grains->inverse_mass.data()) {}
};

// What the grains of a pack do.
template <class Law>
inline void load_bodies(const KernelInputs& from, const ContactPass& pass, const PeriodicCell& cell,
                        const PackSlots& slots, int p, KernelBuffers& buffers, RollingBuffers* rolls) {
  const Grains g(from.pairs, slots);
  const CloseGatherIndex first(g.first);
  const GatherIndex second(g.second);
  const GrainEntries entries_i(from.body, g.first), entries_j(from.body, g.second);
  const Lanes ri = first.of(from.radius), rj = second.of(from.radius);
  const Lanes m_eff = m_eff_of(first.of(from.inverse_mass), second.of(from.inverse_mass));
  Lanes r_eff;
  if constexpr (Law::sees_radius) r_eff = effective_of(ri, rj);
  BodyMotion<Lanes> i = entries_i.motion(), j = entries_j.motion();
  const Vec3<Lanes> straight = j.x - i.x, image = cell.image(straight), d = straight - image;
  buffers.now[p] = pair_kinematics(i, j, d, ri, rj, r_eff, m_eff);
  if (rolls) rolls->load_bodies(p, slots, pass, effective_of(ri, rj), i.w - j.w);
  if (pass.drift != 0) {
    const auto lags = spring_method(pass.quadrature).lags;
    for (std::size_t k = 0; k < lags.size(); ++k) {
      const Lanes lag = -(lags[k] * pass.drift);
      buffers.d_then[k][p] = (j.x + lag * j.v) - (i.x + lag * i.v) - image;
    }
  }
  if (pass.predict != 0) {
    const Lanes h = pass.predict;
    const GrainEntries rate_i(from.current_rate, g.first), rate_j(from.current_rate, g.second);
    i.v = i.v + h * rate_i.vector(BodyRow::v), i.w = i.w + h * rate_i.vector(BodyRow::w);
    j.v = j.v + h * rate_j.vector(BodyRow::v), j.w = j.w + h * rate_j.vector(BodyRow::w);
    buffers.predicted[p] = pair_kinematics(i, j, d, ri, rj, r_eff, m_eff);
    if (rolls) rolls->spins(p, i.w - j.w);
  }
  buffers.xi[p] = from.bond.of(slots, 0);
  buffers.before[p] = PhaseMask(slots, from.phases);
}

// The springs of rolling, which no law knows.
CAIRN_FLATTEN __attribute__((noinline)) void roll(const RollingResistance& with, const ContactPass& pass,
                                                  const ContactTables& t, int packs, const KernelBuffers& buffers,
                                                  RollingBuffers& rolls, RollingTally& tally) {
  rolls.evaluate(
      with, pass, t, packs, buffers.pack,
      [&](int k, int p) { return buffers.before[p].keep(t.sustains, buffers.then(k, p)); }, buffers.kinematics, tally);
}

// A function of its own: inlined at each of its uses it took minutes to compile.
template <class Law>
CAIRN_FLATTEN __attribute__((noinline)) void compute(const ContactPass& asked, const ContactTables& tables,
                                                     const Law& with, const RollingResistance* rolling,
                                                     const SlotSelection& chosen, PartialSums& sums) {
  const ContactPass pass = asked;  // copies, for what is stored below might else be part of them
  const ContactTables t = tables;
  const Law law = with;
  const KernelInputs from(pass, t);
  const SpringRows springs(pass.springs), spring_rates(pass.rate);
  static thread_local KernelBuffers buffers;
  RollingBuffers* const rolls = rolling ? &RollingBuffers::of_thread() : nullptr;
  Tally tally(sums);
  std::optional<RollingTally> rolling_tally;
  if (rolls) rolling_tally.emplace(sums);
  const Packs all(chosen);
  for (int first = 0; first < all.count(); first += batch_packs) {
    const int packs = std::min(batch_packs, all.count() - first);
    for (int p = 0; p < packs; ++p) {
      buffers.pack[p] = all[first + p];
      load_bodies<Law>(from, pass, t.cell, buffers.pack[p].slots, p, buffers, rolls);
    }
    if (pass.drift != 0) {
      const auto kinematics_at = [&](int k, int p) {
        return buffers.before[p].seen<Law>(t.sustains, buffers.then(k, p), buffers.pack[p].slots, t.onset_speeds);
      };
      const auto rate_of = [&](int s, int p, const ContactKinematics<Lanes>& kinematics, const Vec3<Lanes>& at) {
        const ContactForce<Lanes> force = law.force(kinematics, at);
        if (rolls) rolls->then[s][p] = normal_load_of(force);
        return force.xi_rate;
      };
      springs_along_drift(pass.quadrature, pass.drift, packs, buffers.xi, kinematics_at, rate_of, buffers.kinematics,
                          buffers.rate, buffers.end);
    }
    const PairKinematics<Lanes>* now = pass.predict != 0 ? buffers.predicted : buffers.now;
    for (int p = 0; p < packs; ++p) {
      const ContactGeometry<Lanes> m = contact_geometry(now[p]);
      buffers.overlap[p] = m.kinematics.overlap;
      buffers.kinematics[p] =
          buffers.before[p].seen<Law>(t.sustains, m.kinematics, buffers.pack[p].slots, t.onset_speeds);
    }
    for (int p = 0; p < packs; ++p) {
      const Lanes& overlap = buffers.overlap[p];
      ContactResult<Lanes>& o = buffers.result[p];
      const Lanes &ri = buffers.now[p].ri, &rj = buffers.now[p].rj;
      evaluate(law, pass, buffers.xi[p], buffers.kinematics[p],
               Levers<Lanes>::between(0.5 * (ri + rj), ri - rj, overlap, 1.0 / (ri + rj - overlap)), o);
      const Pack& pack = buffers.pack[p];
      springs.put(pack.slots, o.xi);
      spring_rates.put(pack.slots, o.xi_rate);
      pack.put_rows(o.row, t.rows);
      if (rolls) rolls->now[p] = o.normal_load;
      mask_sums(pack.valid, o.ledger);
      buffers.before[p].record_phase_changes(t, overlap, o.presses, pack.slots, pack.valid, buffers.xi[p]);
      record_depths(overlap, ri, rj, pack.slots, t, sums);
    }
    tally.add(packs, [&](int p) -> const LedgerTerms<Lanes>& { return buffers.result[p].ledger; });
    if (rolls) roll(*rolling, pass, t, packs, buffers, *rolls, *rolling_tally);
  }
  tally.hand_over();
  if (rolls) rolling_tally->hand_over();
}

// Contacts of any materials.
template <class Law>
inline void compute_all(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws,
                        const SlotSelection& asked, PartialSums& sums) {
  const auto run = [&](std::size_t law, const SlotSelection& of) {
    const RollingResistance* const rolling = t.rolling ? t.rolling + law : nullptr;
    if constexpr (WholeStepLaw<Law>)
      if (takes_whole_step(pass, laws[law], rolling)) return contacts_over_step(pass, t, laws[law], of, sums);
    compute(pass, t, laws[law], rolling, of, sums);
  };
  if (t.materials == 1) return run(0, asked);
  // Those of one kind together, the others after.
  int slots[pass_contacts], rows[pass_contacts];
  for (std::size_t law = 0; law < laws.size(); ++law) {
    int count = 0;
    for (int k = 0; k < asked.count; ++k) {
      const Pair& pair = t.pairs[asked.slot(k)];
      if (t.grains->material[pair.first] * t.materials + t.grains->material[pair.second] != static_cast<int>(law))
        continue;
      slots[count] = asked.slot(k), rows[count++] = asked.rows[k];
    }
    if (count > 0) run(law, {count, 0, slots, rows});
  }
}

}  // namespace

CAIRN_FLATTEN void CAIRN_ENTRY(pair_pass_, CAIRN_SIMD)(const ContactPass& pass, const ContactTables& t,
                                                       const LawTable& laws, const int* slots, int begin, int end,
                                                       int first_row, PartialSums& sums) {
  if (begin == end) return;
  int rows[pass_contacts];
  SlotSelection asked{end - begin, begin, slots ? slots + begin : nullptr, slots ? rows : t.row_starts + begin};
  for (int k = 0; slots && k < asked.count; ++k) rows[k] = t.stride() * (first_row + k);
  std::visit([&](const auto& table) { compute_all(pass, t, std::span(table), asked, sums); }, laws);
}

}  // namespace cairn
