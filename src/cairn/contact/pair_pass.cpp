// Contacts between grains, eight at a time. Compiled once per instruction set (CAIRN_SIMD); nothing but the entry point
// may leave this file, or code of one set would serve the others.
#include "cairn/contact/pair.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
namespace {

// Lists the slots of [begin, end) that may touch. A spring left over from a contact that has opened is one more reason
// to look.
inline int list_active(const ContactPass& pass, const ContactTables& t, int begin, int end, int* active) {
  const State& y = *pass.y;
  const Real *x = y.body.row(row_x), *yy = y.body.row(row_x + 1), *z = y.body.row(row_x + 2);
  const Real *xi = y.bond.row(0), *eta = y.bond.row(1), *zeta = y.bond.row(2);
  const Real* radius = t.grains->radius.data();
  const bool keep_springs = pass.close;
  int count = 0;
  for (int slot = begin; slot < end; ++slot) {
    const int i = t.pairs[slot].first, j = t.pairs[slot].second;
    Vector d{x[j] - x[i], yy[j] - yy[i], z[j] - z[i]};
    d -= t.cell.image(d);
    const Real reach = radius[i] + radius[j] + t.margin;
    const bool near = dot(d, d) < reach * reach;
    const bool stretched = keep_springs && ((xi[slot] != 0) | (eta[slot] != 0) | (zeta[slot] != 0));
    active[count] = slot;
    count += near | stretched;
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
template <class Law>
inline void compute(const ContactPass& pass, const ContactTables& t, const Law& law, int* active, int count,
                    int first_row, ContactSums& sums) {
  const State& y = *pass.y;
  Lanes deepest, deepest_slot = -1.0;
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
    const auto meeting = [&](const Motions<Lanes>& i, const Motions<Lanes>& j) {
      const Vec3<Lanes> d = j.x - i.x;
      return touch_of(i, j, d - t.cell.image(d), ra, rb, ima, imb);
    };
    const auto earlier = [](const Motions<Lanes>& m, Real lag) {
      return Motions<Lanes>{m.x + (-lag) * m.v, m.v, m.w};
    };
    const Lanes smaller = select(ra < rb, ra, rb);
    const Outcome<Lanes> o = visit(law, pass, pick(y.bond, 0, slots), smaller,
                                   meeting(predicted(a, first), predicted(b, second)),
                                   [&](Real lag) { return meeting(earlier(a, lag), earlier(b, lag)); });

    Real* row = t.rows + static_cast<std::size_t>(first_row + begin) * row_length;
    const Lanes columns[] = {o.force.x, o.force.y, o.force.z, o.reduction, o.twist.x, o.twist.y, o.twist.z};
    for (int l = 0; l < lane_count; ++l)
      for (int c = 0; c < 7; ++c) row[l * row_length + c] = columns[c].v[l];
    if (pass.springs) put(pass.springs->bond, slots, o.xi);
    if (pass.rate) put(pass.rate->bond, slots, o.xi_rate);

    // One by one, so that candidates that do not touch, more or fewer of them, change no bit of a sum.
    Lanes slot;
    for (int l = 0; l < lane_count; ++l) slot.v[l] = slots[l];
    for (int l = 0; l < lane_count && begin + l < count; ++l) {
      t.row_of[slots[l]] = first_row + begin + l;
      const auto lane = [&](const Powers<Lanes>& p) { return Powers<Real>{p.dashpot.v[l], p.slip.v[l], p.clip.v[l]}; };
      add(sums.power, lane(o.power)), add(sums.after, lane(o.after));
      sums.released += o.released.v[l];
    }
    const Mask deeper = o.depth > deepest;
    deepest = select(deeper, o.depth, deepest);
    deepest_slot = select(deeper, slot, deepest_slot);
  }
  for (int l = 0; l < lane_count; ++l)
    if (deepest.v[l] > sums.deepest) sums.deepest = deepest.v[l], sums.deepest_contact = static_cast<int>(deepest_slot.v[l]);
}

// One block of contacts between grains.
template <class Law>
inline void block(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws, int begin, int end,
                  int first_row, ContactSums& sums) {
  int active[2 * contact_block + 4 * lane_count];
  const int count = list_active(pass, t, begin, end, active);
  for (int slot = begin; slot < end; ++slot) t.row_of[slot] = 0;
  if (pass.rate)
    for (int row = 0; row < bond_rows; ++row)
      std::fill(pass.rate->bond.row(row) + begin, pass.rate->bond.row(row) + end, 0.0);
  if (count == 0) return;
  if (t.materials == 1) return compute(pass, t, laws[0], active, count, first_row, sums);
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
    compute(pass, t, laws[law], same, matching, first_row + done, sums);
    done += (matching + lane_count - 1) / lane_count * lane_count;
  }
}

}  // namespace

#define CAIRN_JOIN(a, b) a##b
#define CAIRN_ENTRY(simd) CAIRN_JOIN(pair_pass_, simd)

void CAIRN_ENTRY(CAIRN_SIMD)(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin,
                             int end, int first_row, ContactSums& sums);

__attribute__((flatten)) void CAIRN_ENTRY(CAIRN_SIMD)(const ContactPass& pass, const ContactTables& tables,
                                                      const LawTable& laws, int begin, int end, int first_row,
                                                      ContactSums& sums) {
  std::visit([&](const auto& table) { block(pass, tables, std::span(table), begin, end, first_row, sums); }, laws);
}

}  // namespace cairn
