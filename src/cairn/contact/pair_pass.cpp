// Contacts between grains, eight at a time. Compiled once per instruction set (CAIRN_SIMD); nothing but the entry point
// may leave this file, or code of one set would serve the others.
#include <cstring>

#include "cairn/contact/pair.hpp"
#include "cairn/core/lanes.hpp"

// Everything a flattened function calls is inlined into it. Sanitizers do without.
#ifdef CAIRN_BASELINE_ONLY
#define CAIRN_FLATTEN
#else
#define CAIRN_FLATTEN __attribute__((flatten))
#endif

namespace cairn {
namespace {

// Lists the slots of [begin, end) that may touch, and those that did when the step began. A spring left over from a
// contact that has opened is one more reason to look.
inline int list_active(const ContactPass& pass, const ContactTables& t, int begin, int end, int* active) {
  const State& y = *pass.y;
  const Real *x = y.body.row(row_x), *yy = y.body.row(row_x + 1), *z = y.body.row(row_x + 2);
  const Real *xi = y.bond.row(0), *eta = y.bond.row(1), *zeta = y.bond.row(2);
  const Real* radius = t.grains->radius.data();
  const bool keep_springs = pass.close;
  const Real margin = t.sustains ? 0 : t.margin;
  int count = 0;
  for (int at = begin; at < end; at += lane_count) {
    const int lanes = std::min(lane_count, end - at);
    int i[lane_count], j[lane_count];
    for (int l = 0; l < lane_count; ++l) {
      const Pair p = t.pairs[std::min(at + l, end - 1)];
      i[l] = p.first, j[l] = p.second;
    }
    using cairn::pick;
    Vec3<Lanes> d{pick(x, j) - pick(x, i), pick(yy, j) - pick(yy, i), pick(z, j) - pick(z, i)};
    d = d - t.cell.image(d);
    const Lanes reach = pick(radius, i) + pick(radius, j) + margin;
    long long near[lane_count];
    const Mask mask = dot(d, d) < reach * reach;
    std::memcpy(near, &mask.bits, sizeof near);
    for (int l = 0; l < lanes; ++l) {
      const int slot = at + l;
      const bool stretched = keep_springs && ((xi[slot] != 0) | (eta[slot] != 0) | (zeta[slot] != 0));
      const bool was_open = t.phases[slot] == Phase::open;
      active[count] = slot;
      count += t.sustains ? !was_open : (near[l] != 0 || stretched || !was_open);
      if (t.sustains && was_open && near[l] != 0 && t.turned) t.turned->push_back(slot);
    }
  }
  return count;
}

inline Vec3<Lanes> pick(const Slab& slab, int first_row, const int* index) {
  return {cairn::pick(slab.row(first_row), index), cairn::pick(slab.row(first_row + 1), index),
          cairn::pick(slab.row(first_row + 2), index)};
}

inline void put(Slab& slab, const int* slots, const Vec3<Lanes>& a) {
  Real *x = slab.row(0), *y = slab.row(1), *z = slab.row(2);
  for (int l = 0; l < lane_count; ++l) x[slots[l]] = a.x.v[l], y[slots[l]] = a.y.v[l], z[slots[l]] = a.z.v[l];
}

// Contacts `active[0..count)`, all of one pair of materials, into rows [first_row, ...). Room for a whole number of
// packs is needed in `active` and in the rows.
// A function of its own: inlined at each of its uses it took minutes to compile.
template <bool wants_rate, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void compute(const ContactPass& pass, const ContactTables& t, const Law& law,
                                                     int* active, int count, int first_row, ContactSums& sums) {
  const State& y = *pass.y;
  Lanes totals;
  for (int k = count; k % lane_count != 0; ++k) active[k] = active[count - 1];  // repeats write the same again
  for (int begin = 0; begin < count; begin += lane_count) {
    const int* slots = active + begin;
    int first[lane_count], second[lane_count];
    for (int l = 0; l < lane_count; ++l) first[l] = t.pairs[slots[l]].first, second[l] = t.pairs[slots[l]].second;
    const auto motions = [&](const int* grain) {
      return Motions<Lanes>{pick(y.body, row_x, grain), pick(y.body, row_v, grain), pick(y.body, row_w, grain)};
    };
    const auto predicted = [&](const Motions<Lanes>& now, const int* grain) {
      Motions<Lanes> m = now;
      if (pass.predict == 0) return m;
      m.v = m.v + pass.predict * pick(pass.held->body, row_v, grain);
      m.w = m.w + pass.predict * pick(pass.held->body, row_w, grain);
      return m;
    };
    const Motions<Lanes> a = motions(first), b = motions(second);
    const Lanes ra = cairn::pick(t.grains->radius.data(), first), rb = cairn::pick(t.grains->radius.data(), second);
    const Lanes ima = cairn::pick(t.grains->inverse_mass.data(), first);
    const Lanes imb = cairn::pick(t.grains->inverse_mass.data(), second);
    const Lanes r_eff = ra * rb / (ra + rb), m_eff = Lanes(1.0) / (ima + imb);
    Mask sustained{};
    if (t.sustains)
      for (int l = 0; l < lane_count; ++l) sustained.bits[l] = t.phases[slots[l]] == Phase::pressing ? -1 : 0;
    const auto meeting = [&](const Motions<Lanes>& i, const Motions<Lanes>& j) {
      const Vec3<Lanes> d = j.x - i.x;
      Meeting<Lanes> m = touch_of(i, j, d - t.cell.image(d), ra, rb, r_eff, m_eff);
      m.touch.sustained = sustained;
      return m;
    };
    const auto earlier = [](const Motions<Lanes>& m, Real lag) { return Motions<Lanes>{m.x + (-lag) * m.v, m.v, m.w}; };
    const Meeting<Lanes> now = meeting(predicted(a, first), predicted(b, second));
    const Outcome<Lanes> o = visit<wants_rate>(law, pass, pick(y.bond, 0, slots), now,
                                               [&](Real lag) { return meeting(earlier(a, lag), earlier(b, lag)); });

    Lanes row[] = {o.force.x, o.force.y, o.force.z, o.reduction, o.twist.x, o.twist.y, o.twist.z, 0.0};
    transpose(row);
    for (int l = 0; l < lane_count; ++l)
      store(t.rows + static_cast<std::size_t>(first_row + begin + l) * row_length, row[l]);
    if (pass.springs) put(pass.springs->bond, slots, o.xi);
    if constexpr (wants_rate) put(pass.rate->bond, slots, o.xi_rate);

    // Contact by contact, so that candidates that do not touch, more or fewer of them, change no bit of a sum.
    Lanes tally[] = {o.power.dashpot, o.power.slip, o.power.clip, o.after.dashpot,
                     o.after.slip,    o.after.clip, o.released,   0.0};
    transpose(tally);
    for (int l = 0; l < lane_count && begin + l < count; ++l) {
      t.row_of[slots[l]] = first_row + begin + l;
      totals = totals + tally[l];
    }
    if (t.turned)
      for (int l = 0; l < lane_count && begin + l < count; ++l)
        if (phase_of(now.touch.overlap.v[l] > 0, o.presses.bits[l] != 0, t.sustains) != t.phases[slots[l]])
          t.turned->push_back(slots[l]);
    // Depths below a hundredth of a radius interest no guard; the division is saved.
    const Lanes smaller = select(ra < rb, ra, rb);
    if (any(now.touch.overlap > 0.01 * smaller)) {
      const Lanes depth = now.touch.overlap / smaller;
      for (int l = 0; l < lane_count; ++l)
        if (depth.v[l] > sums.deepest) sums.deepest = depth.v[l], sums.deepest_contact = slots[l];
    }
  }
  add(sums.power, {totals.v[0], totals.v[1], totals.v[2]});
  add(sums.after, {totals.v[3], totals.v[4], totals.v[5]});
  sums.released += totals.v[6];
}

// A block of contacts between grains: the first `count` of `active`, which has room for those of one law after them.
template <class Law>
inline void compute_all(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws, int* active,
                        int count, int first_row, ContactSums& sums) {
  if (count == 0) return;
  const auto run = [&](const Law& law, int* slots, int many, int row) {
    if (pass.rate)
      compute<true>(pass, t, law, slots, many, row, sums);
    else
      compute<false>(pass, t, law, slots, many, row, sums);
  };
  if (t.materials == 1) return run(laws[0], active, count, first_row);
  // Several laws: those of one kind together, the others after.
  const auto kind = [&](int slot) {
    return t.grains->material[t.pairs[slot].first] * t.materials + t.grains->material[t.pairs[slot].second];
  };
  int* same = active + count + lane_count;
  int done = 0;
  for (std::size_t law = 0; law < laws.size(); ++law) {
    int matching = 0;
    for (int k = 0; k < count; ++k)
      if (kind(active[k]) == static_cast<int>(law)) same[matching++] = active[k];
    if (matching == 0) continue;
    run(laws[law], same, matching, first_row + done);
    done += (matching + lane_count - 1) / lane_count * lane_count;
  }
}

constexpr int room = 2 * contact_block + 4 * lane_count;

template <class Law>
inline void block(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws, int begin, int end,
                  int first_row, ContactSums& sums) {
  int active[room];
  const int count = list_active(pass, t, begin, end, active);
  for (int slot = begin; slot < end; ++slot) t.row_of[slot] = 0;
  if (pass.rate)
    for (int row = 0; row < bond_rows; ++row)
      std::fill(pass.rate->bond.row(row) + begin, pass.rate->bond.row(row) + end, 0.0);
  compute_all(pass, t, laws, active, count, first_row, sums);
}

}  // namespace

#define CAIRN_JOIN(a, b) a##b
#define CAIRN_ENTRY(simd) CAIRN_JOIN(pair_pass_, simd)

void CAIRN_ENTRY(CAIRN_SIMD)(const ContactPass& pass, const ContactTables& tables, const LawTable& laws,
                             const int* slots, int begin, int end, int first_row, ContactSums& sums);

CAIRN_FLATTEN void CAIRN_ENTRY(CAIRN_SIMD)(const ContactPass& pass, const ContactTables& tables, const LawTable& laws,
                                           const int* slots, int begin, int end, int first_row, ContactSums& sums) {
  std::visit(
      [&](const auto& table) {
        if (!slots) return block(pass, tables, std::span(table), begin, end, first_row, sums);
        int active[room];
        std::copy(slots + begin, slots + end, active);
        compute_all(pass, tables, std::span(table), active, end - begin, first_row, sums);
      },
      laws);
}

}  // namespace cairn
