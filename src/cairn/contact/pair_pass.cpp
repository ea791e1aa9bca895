// Contacts between grains, eight at a time. Compiled once per instruction set (core/simd.hpp).
#include <bit>
#include <cstdint>
#include <cstring>

#include "cairn/contact/pair.hpp"
#include "cairn/core/lanes.hpp"

namespace cairn {
namespace {

// Eight slots, ascending; where there are fewer the last is repeated.
struct Slots {
  const int* slot;
  bool in_a_row;

  explicit Slots(const int* of) : slot(of) {
    constexpr int last = lane_count - 1;
    in_a_row = slot[last] - slot[0] == last && slot[last - 1] != slot[last];
  }
  Vec3<Lanes> bonds(const Slab& slab) const {
    if (in_a_row) return {load(slab.row(0) + slot[0]), load(slab.row(1) + slot[0]), load(slab.row(2) + slot[0])};
    const Places places(load_ints(slot));
    return {places.of(slab.row(0)), places.of(slab.row(1)), places.of(slab.row(2))};
  }
  void put(Slab& slab, const Vec3<Lanes>& a) const {
    if (in_a_row) {
      store(slab.row(0) + slot[0], a.x), store(slab.row(1) + slot[0], a.y), store(slab.row(2) + slot[0], a.z);
    } else {
      const Places places(load_ints(slot));
      places.put(slab.row(0), a.x), places.put(slab.row(1), a.y), places.put(slab.row(2), a.z);
    }
  }
  Ints phases(const Phase* phases) const {
    unsigned char of[lane_count];
    if (!in_a_row)
      for (int l = 0; l < lane_count; ++l) of[l] = static_cast<unsigned char>(phases[slot[l]]);
    return load_bytes(in_a_row ? reinterpret_cast<const unsigned char*>(phases + slot[0]) : of);
  }
};

// Their grains. Slots follow their lower grain in memory, whatever its id: near ones share it or have its neighbours,
// so that its numbers mostly stand within eight in a row.
struct Grains {
  Ints lower, upper;
  Mask turned;  // where the first body is the upper

  Grains(const Pair* pairs, const Slots& slots) {
    int ends[2 * lane_count];
    if (!slots.in_a_row)
      for (int l = 0; l < lane_count; ++l) std::memcpy(ends + 2 * l, pairs + slots.slot[l], sizeof(Pair));
    const int* from = slots.in_a_row ? &pairs[slots.slot[0]].first : ends;
    const Ints low = load_ints(from), high = load_ints(from + lane_count);
    const Ints first = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    const Ints second = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
    const Ints swap = first > second;
    lower = swap ? second : first, upper = swap ? first : second;
    turned = mask_of(swap);
  }
};

template <class P>
inline Vec3<Lanes> pick(const P& places, const Slab& slab, int row) {
  return {places.of(slab.row(row)), places.of(slab.row(row + 1)), places.of(slab.row(row + 2))};
}

// Contacts of slots, with the rows they go to: all of one pair of materials, both ascending. There must be room for a
// whole number of packs.
struct Chosen {
  int *slots, *rows;
  int count;
};

// Chooses among slots [begin, end) those to compute: what touched when the step began, and what has come near since. A
// spring left over from a contact that has opened is one more reason to look. The rows of the others become zeros.
inline Chosen choose(const ContactPass& pass, const ContactTables& t, int begin, int end, int first_row, int* slots,
                     int* rows) {
  const State& y = *pass.y;
  int open[contact_block + lane_count], opens = 0, count = 0, run = begin;
  const auto add_run = [&](int to) {  // of slots that are not open, up to this one
    for (int k = run; k < to; k += lane_count) store_ints(slots + count + k - run, ascending + k);
    count += to - run;
  };
  for (int at = begin; at < end; at += lane_count) {
    static_assert(static_cast<int>(Phase::open) == 0);
    std::uint64_t phases = ~std::uint64_t{0};  // a byte each
    if (end - at >= lane_count)
      std::memcpy(&phases, t.phases + at, sizeof phases);
    else
      for (int k = 0; k < end - at; ++k) reinterpret_cast<Phase*>(&phases)[k] = t.phases[at + k];
    constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
    for (std::uint64_t zero = ~((phases | tops) - ones) & tops; zero != 0; zero &= zero - 1) {
      const int slot = at + (std::countr_zero(zero) >> 3);
      add_run(slot);
      run = slot + 1;
      open[opens++] = slot;
    }
  }
  add_run(end);
  const int before = count;
  const Lanes margin = t.sustains ? 0 : t.margin;
  for (int k = opens; k % lane_count != 0; ++k) open[k] = open[opens - 1];
  for (int k = 0; k < opens; k += lane_count) {
    const Grains g(t.pairs.data(), Slots(open + k));
    const ClosePlaces lower(g.lower);
    const Places upper(g.upper);
    const Real* radius = t.grains->radius.data();
    const Vec3<Lanes> d = pick(upper, y.body, row_x) - pick(lower, y.body, row_x), nearest = d - t.cell.image(d);
    const Lanes reach = lower.of(radius) + upper.of(radius) + margin;
    const unsigned near = lanes_of(dot(nearest, nearest) < reach * reach);
    unsigned looks = t.sustains ? 0 : near;
    if (!t.sustains && pass.close) {
      const Vec3<Lanes> xi = Slots(open + k).bonds(y.bond);
      looks |= lanes_of(dot(xi, xi) > 0);
    }
    for (int l = 0; l < std::min(lane_count, opens - k); ++l) {
      const int slot = open[k + l];
      if (t.sustains && (near >> l & 1) && t.turned) t.turned->push_back(slot);
      if (looks >> l & 1)
        slots[count++] = slot;
      else
        std::fill_n(t.rows + static_cast<std::size_t>(first_row + slot - begin) * row_length, row_length, 0.0);
    }
  }
  for (int k = before; k < count; ++k) {  // in ascending order again
    const int slot = slots[k];
    int at = k;
    for (; at > 0 && slots[at - 1] > slot; --at) slots[at] = slots[at - 1];
    slots[at] = slot;
  }
  for (int k = 0; k < count; ++k) rows[k] = first_row + slots[k] - begin;
  return {slots, rows, count};
}

// What short passes over a few packs of contacts hand on; it stays in the first cache. Short, because the roots and
// divisions of a contact wait for each other: a processor overlaps those of several packs only as far as they fit into
// its window of some hundred instructions.
constexpr int batch_packs = 8;

struct Batch {
  Encounter<Lanes> now[batch_packs];        // on the way of the drift
  Encounter<Lanes> predicted[batch_packs];  // at other velocities, if the pass asks
  Vec3<Lanes> d_then[most_spring_lags][batch_packs];
  Mask was_open[batch_packs], was_pressing[batch_packs];
  Vec3<Lanes> xi[batch_packs];
  Lanes overlap[batch_packs];
  Outcome<Lanes> out[batch_packs];
};

// As the law is to see it: where contacts keep their phases an open one stays so, whatever its overlap.
inline Touch<Lanes> keep_phase(bool sustains, const Batch& batch, int p, Touch<Lanes> touch) {
  if (!sustains) return touch;
  touch.overlap = select(batch.was_open[p], Lanes(0.0), touch.overlap);
  touch.sustained = batch.was_pressing[p];
  return touch;
}

// What the grains of a pack do.
inline void meet(const ContactPass& pass, const ContactTables& t, const Slots& slots, int p, Batch& batch) {
  const State& y = *pass.y;
  const Grains g(t.pairs.data(), slots);
  const ClosePlaces lower(g.lower);
  const Places upper(g.upper);
  // Differences the canonical way round, to the last bit and the sign of zero.
  const auto turn = [&](const Vec3<Lanes>& first, const Vec3<Lanes>& second) {
    return select(g.turned, second - first, first - second);
  };
  Encounter<Lanes>& now = batch.now[p];
  now.ri = lower.of(t.grains->radius.data()), now.rj = upper.of(t.grains->radius.data());
  const Real* inverse_mass = t.grains->inverse_mass.data();
  now.m_eff = Lanes(1.0) / (lower.of(inverse_mass) + upper.of(inverse_mass));
  const auto spin = [&](Encounter<Lanes>& e, const Vec3<Lanes>& wi, const Vec3<Lanes>& wj) {
    e.rolling = now.ri * wi + now.rj * wj, e.w = wi + wj;
  };
  const Vec3<Lanes> xi = pick(lower, y.body, row_x), xj = pick(upper, y.body, row_x);
  const Vec3<Lanes> vi = pick(lower, y.body, row_v), vj = pick(upper, y.body, row_v);
  const Vec3<Lanes> wi = pick(lower, y.body, row_w), wj = pick(upper, y.body, row_w);
  const Vec3<Lanes> straight = turn(xj, xi), image = t.cell.image(straight);
  now.d = straight - image, now.v = turn(vi, vj);
  spin(now, wi, wj);
  if (pass.drift != 0) {
    const auto lags = spring_method(pass.along).lags;
    for (std::size_t k = 0; k < lags.size(); ++k) {
      const Lanes lag = -(lags[k] * pass.drift);
      batch.d_then[k][p] = turn(xj + lag * vj, xi + lag * vi) - image;
    }
  }
  if (pass.predict != 0) {
    const Lanes h = pass.predict;
    const Slab& a = pass.held->body;
    Encounter<Lanes>& to = batch.predicted[p];
    to = now;
    to.v = turn(vi + h * pick(lower, a, row_v), vj + h * pick(upper, a, row_v));
    spin(to, wi + h * pick(lower, a, row_w), wj + h * pick(upper, a, row_w));
  }
  batch.xi[p] = slots.bonds(y.bond);
  const Ints phases = slots.phases(t.phases);
  batch.was_open[p] = mask_of(phases == static_cast<int>(Phase::open));
  batch.was_pressing[p] = mask_of(phases == static_cast<int>(Phase::pressing));
}

// A function of its own: inlined at each of its uses it took minutes to compile.
template <bool wants_rate, class Law>
CAIRN_FLATTEN __attribute__((noinline)) void compute(const ContactPass& asked, const ContactTables& tables,
                                                     const Law& with, const Chosen& chosen, ContactSums& sums) {
  const ContactPass pass = asked;  // copies, for what is stored below might else be part of them
  const ContactTables t = tables;
  const Law law = with;
  static thread_local Batch batch;
  Lanes totals;
  const int count = chosen.count;
  for (int k = count; k % lane_count != 0; ++k)  // repeats write the same again
    chosen.slots[k] = chosen.slots[count - 1], chosen.rows[k] = chosen.rows[count - 1];
  for (int begin = 0; begin < count; begin += batch_packs * lane_count) {
    const int packs = std::min(batch_packs, (count - begin + lane_count - 1) / lane_count);
    const auto slots_of = [&](int p) { return Slots(chosen.slots + begin + p * lane_count); };
    for (int p = 0; p < packs; ++p) meet(pass, t, slots_of(p), p, batch);
    if (pass.drift != 0)
      with_spring_method(pass.along, [&]<Along along> {
        for (int p = 0; p < packs; ++p)
          batch.xi[p] = spring_along_drift<along>(law, pass.drift, batch.xi[p], [&](int at) {
            Encounter<Lanes> then = batch.now[p];
            then.d = batch.d_then[at][p];
            return keep_phase(t.sustains, batch, p, touch_of(then).touch);
          });
      });
    const Encounter<Lanes>* now = pass.predict != 0 ? batch.predicted : batch.now;
    for (int p = 0; p < packs; ++p) {
      Meeting<Lanes> m = touch_of(now[p]);
      batch.overlap[p] = m.touch.overlap;
      m.touch = keep_phase(t.sustains, batch, p, m.touch);
      answer<wants_rate>(law, pass, batch.xi[p], m, batch.out[p]);
    }
    for (int p = 0; p < packs; ++p) {
      const Slots s = slots_of(p);
      const Outcome<Lanes>& o = batch.out[p];
      if (pass.springs) s.put(pass.springs->bond, o.xi);
      if constexpr (wants_rate) s.put(pass.rate->bond, o.xi_rate);
      Lanes row[row_length];
      for (int k = 0; k < row_length; ++k) row[k] = o.row[k];
      transpose(row);
      const int* to = chosen.rows + begin + p * lane_count;
      Real* first = t.rows + static_cast<std::ptrdiff_t>(to[0]) * row_length;
      for (int l = 0; l < lane_count; ++l) store(first + (s.in_a_row ? l : to[l] - to[0]) * row_length, row[l]);
    }
    for (int p = 0; p < packs; ++p) {
      const int* slot = slots_of(p).slot;
      const Outcome<Lanes>& o = batch.out[p];
      const int lanes = std::min(lane_count, count - begin - p * lane_count);
      // Contact by contact, so that candidates that do not touch, more or fewer of them, change no bit of a sum.
      Lanes tally[] = {o.power.dashpot, o.power.slip, o.power.clip, o.after.dashpot,
                       o.after.slip,    o.after.clip, o.released,   0.0};
      transpose(tally);
      for (int l = 0; l < lanes; ++l) totals = totals + tally[l];
      const Lanes overlap = batch.overlap[p];
      const unsigned closed = lanes_of(overlap > 0), pressing = t.sustains ? closed & lanes_of(o.presses) : closed;
      const unsigned turned =
          (lanes_of(batch.was_open[p]) ^ (~closed & all_lanes)) | (lanes_of(batch.was_pressing[p]) ^ pressing);
      if (turned != 0 && t.turned)
        for (int l = 0; l < lanes; ++l)
          if (turned >> l & 1) t.turned->push_back(slot[l]);
      // Depths below a hundredth of a radius interest no guard; the division is saved.
      const Lanes ra = batch.now[p].ri, rb = batch.now[p].rj, smaller = select(ra < rb, ra, rb);
      if (any(overlap > 0.01 * smaller)) {
        const Lanes depth = overlap / smaller;
        for (int l = 0; l < lane_count; ++l)
          if (depth[l] > sums.deepest) sums.deepest = depth[l], sums.deepest_contact = slot[l];
      }
    }
  }
  add(sums.power, {totals[0], totals[1], totals[2]});
  add(sums.after, {totals[3], totals[4], totals[5]});
  sums.released += totals[6];
}

// Contacts of any materials; there is room for as many more and a pack after each.
template <class Law>
inline void compute_all(const ContactPass& pass, const ContactTables& t, std::span<const Law> laws,
                        const Chosen& chosen, ContactSums& sums) {
  if (chosen.count == 0) return;
  const auto run = [&](const Law& law, const Chosen& of) {
    if (pass.rate)
      compute<true>(pass, t, law, of, sums);
    else
      compute<false>(pass, t, law, of, sums);
  };
  if (t.materials == 1) return run(laws[0], chosen);
  // Those of one kind together, the others after.
  const auto kind = [&](int slot) {
    return t.grains->material[t.pairs[slot].first] * t.materials + t.grains->material[t.pairs[slot].second];
  };
  const int room = chosen.count + lane_count;
  for (std::size_t law = 0; law < laws.size(); ++law) {
    Chosen same{chosen.slots + room, chosen.rows + room, 0};
    for (int k = 0; k < chosen.count; ++k) {
      if (kind(chosen.slots[k]) != static_cast<int>(law)) continue;
      same.slots[same.count] = chosen.slots[k];
      same.rows[same.count++] = chosen.rows[k];
    }
    if (same.count > 0) run(laws[law], same);
  }
}

}  // namespace

void CAIRN_ENTRY(pair_pass_, CAIRN_SIMD)(const ContactPass& pass, const ContactTables& tables, const LawTable& laws,
                                         const int* slots, int begin, int end, int first_row, ContactSums& sums);

CAIRN_FLATTEN void CAIRN_ENTRY(pair_pass_, CAIRN_SIMD)(const ContactPass& pass, const ContactTables& t,
                                                       const LawTable& laws, const int* slots, int begin, int end,
                                                       int first_row, ContactSums& sums) {
  constexpr int room = 2 * contact_block + 5 * lane_count;
  int chosen[room], rows[room];
  Chosen contacts{chosen, rows, end - begin};
  if (slots)
    for (int k = 0; k < end - begin; ++k) chosen[k] = slots[begin + k], rows[k] = first_row + k;
  else
    contacts = choose(pass, t, begin, end, first_row, chosen, rows);
  std::visit([&](const auto& table) { compute_all(pass, t, std::span(table), contacts, sums); }, laws);
}

}  // namespace cairn
